"""What was measured: a row per method and score, with every repetition, means and intervals over the repetitions."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from statistics import fmean
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray
from pydantic import BaseModel, ConfigDict

from swarmkit import Record, Result
from swarmkit.statistics import Interval, interval
from swarmkit_wsd import scoring
from swarmkit_wsd.experiment.answers import Reader, Task
from swarmkit_wsd.experiment.running import Annotated, Made
from swarmkit_wsd.experiment.settings import ANNOTATE, Row

Answers = dict[Row, dict[int, dict[str, str]]]
ROUNDING = 1e-9


class _Frozen(BaseModel):
    model_config = ConfigDict(frozen=True)


class Repetition(_Frozen):
    """One answer to all texts."""

    repetition: int
    seeds: dict[str, int]
    micro: scoring.Score
    macro: scoring.Rates
    by_text: dict[str, scoring.Score]
    score: float
    looks: int | None
    iterations: int | None
    seconds: float


class Measured(_Frozen):
    """A row of the tables."""

    score: str
    method: str
    settings: dict[str, Any]
    runs: list[Repetition]
    attempted: float
    precision: float
    recall: float
    f1: Interval
    macro_f1: Interval
    texts: dict[str, Interval]
    share: float | None
    share_of: Literal["optimum", "best found"] | None
    looks: float | None
    seconds: float

    @property
    def row(self) -> Row:
        """Name the row."""
        return Row(self.score, self.method)

    @property
    def points(self) -> float:
        """F1 over all words, mean over the repetitions, in percent."""
        return 100 * fmean(run.micro.f1 for run in self.runs)


class Best:
    """The best scores that are known, by score and text, and whether they are proved."""

    def __init__(self, made: Made) -> None:
        self._found: dict[tuple[str, str], tuple[float, bool]] = {}
        for row, records in made.records.items():
            for result in (record.result for record in records):
                if result.score is not None:
                    key = (row.score, text_of(result))
                    best, proved = self._found.get(key, (-np.inf, False))
                    self._found[key] = (max(best, result.score), proved or _proved(result))

    def share(self, row: Row, texts: Sequence[str], scores: Iterable[float]) -> tuple[float | None, Any]:
        """Give the mean share of the best known, and what that is."""
        known = [self._found.get((row.score, text)) for text in texts]
        total = sum(best for best, _ in filter(None, known))
        if not all(known) or total <= 0:
            return None, None
        proved = all(proved for _, proved in filter(None, known))
        return fmean(score / total for score in scores), "optimum" if proved else "best found"


def _proved(result: Result) -> bool:
    if result.bound is None or result.score is None:
        return False
    return result.bound - result.score <= ROUNDING * max(1.0, abs(result.score))


def text_of(result: Result) -> str:
    """Tell the text of a run."""
    return str((result.options or {})["text_id"])


def complete(made: Made, rows: Mapping[Row, int]) -> dict[Row, dict[int, dict[str, Record]]]:
    """Give the runs by row, repetition and text; rows that do not have all their runs are left out."""
    whole = {}
    for row, records in made.records.items():
        if len(records) != rows[row]:
            continue
        by: dict[int, dict[str, Record]] = {}
        for record in sorted(records, key=lambda record: (record.repetition, text_of(record.result))):
            by.setdefault(record.repetition, {})[text_of(record.result)] = record
        whole[row] = by
    return whole


def read_answers(whole: Mapping[Row, Mapping[int, Mapping[str, Record]]], task: Task) -> Answers:
    """Give what every row answered, in every repetition."""
    reader = Reader(task)
    return {
        row: {
            number: {name: key for record in of.values() for name, key in reader.answers(record.result).items()}
            for number, of in repetitions.items()
        }
        for row, repetitions in whole.items()
    }


def measure(row: Row, runs: Mapping[int, Mapping[str, Record]], answers: Answers, task: Task, best: Best) -> Measured:
    """Score a row's answers by the official rule."""
    repetitions = [_repetition(number, of, answers[row][number], task) for number, of in runs.items()]
    some = next(iter(runs[next(iter(runs))].values())).result
    settings = {"solver": some.solver, "params": some.params, "budget": some.budget.model_dump(exclude_none=True)}
    return _summed(row, settings, repetitions, best)


def measure_annotate(made: Annotated, task: Task, best: Best) -> Measured:
    """Score what `wsd annotate` answers."""
    report = _report(made.answers, task)
    only = Repetition(
        repetition=0,
        seeds={},
        **{name: getattr(report, name) for name in ("micro", "macro", "by_text")},
        score=made.score,
        looks=None,
        iterations=None,
        seconds=made.seconds,
    )
    row = _summed(Row("best", ANNOTATE), {}, [only], best)
    # It is no run, so it may be better than the best run: only a proved optimum says something here.
    return row if row.share_of == "optimum" else row.model_copy(update={"share": None, "share_of": None})


def _repetition(number: int, of: Mapping[str, Record], answers: Mapping[str, str], task: Task) -> Repetition:
    report = _report(answers, task)
    results = [record.result for record in of.values()]
    return Repetition(
        repetition=number,
        seeds={text: record.result.seed for text, record in of.items()},
        **{name: getattr(report, name) for name in ("micro", "macro", "by_text")},
        score=sum(result.score or 0.0 for result in results),
        looks=sum(result.looks for result in results),
        iterations=max(result.iterations for result in results),
        seconds=sum(result.seconds for result in results),
    )


def _report(answers: Mapping[str, str], task: Task) -> scoring.Report:
    return scoring.score(task.gold, answers, np.random.default_rng(0), resamples=1)


def _summed(row: Row, settings: dict[str, Any], runs: list[Repetition], best: Best) -> Measured:
    texts = list(runs[0].by_text)
    share, share_of = best.share(row, texts, [run.score for run in runs])
    looks = [run.looks for run in runs if run.looks is not None]
    return Measured(
        score=row.score,
        method=row.method,
        settings=settings,
        runs=runs,
        **{name: fmean(getattr(run.micro, name) for run in runs) for name in ("attempted", "precision", "recall")},
        f1=_interval([run.micro.f1 for run in runs]),
        macro_f1=_interval([run.macro.f1 for run in runs]),
        texts={text: _interval([run.by_text[text].f1 for run in runs]) for text in texts},
        share=share,
        share_of=share_of,
        looks=fmean(looks) if looks else None,
        seconds=fmean(run.seconds for run in runs),
    )


def _interval(values: Sequence[float]) -> Interval:
    return interval(values, "mean", np.random.default_rng(0))


def rights(answers: Mapping[str, str], task: Task) -> NDArray[np.float64]:
    """Say for every word of the key whether it was answered right."""
    found = (name in answers and scoring.credit(entry.keys, [answers[name]]) for name, entry in task.gold.items())
    return np.fromiter(found, float, len(task.gold))
