"""The measured rows: for each score and method every repetition, and means and intervals over the repetitions."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import chain
from statistics import fmean
from typing import Any, Literal

import numpy as np

from swarmkit import Record, Result
from swarmkit.statistics import Interval, interval
from swarmkit_dbees2014.accuracy import Frozen, Rates, Score, macro, micro
from swarmkit_dbees2014.running import Runs
from swarmkit_dbees2014.settings import ANNOTATE, Row
from swarmkit_dbees2014.word_senses import Annotated, Answers, Task, joined

RowAnswers = dict[Row, dict[int, Answers]]
"""The answers of every row, by repetition."""

RowRuns = dict[Row, dict[int, dict[str, Record]]]
"""The runs of every row, by repetition and text."""

ROUNDING = 1e-9
"""The relative difference of score and bound below which the score is the proved optimum."""


class Repetition(Frozen):
    """One answer to all texts."""

    repetition: int
    seeds: dict[str, int]
    micro: Score
    macro: Rates
    by_text: dict[str, Score]
    score: float
    looks: int | None
    iterations: int | None
    seconds: float


class Measured(Frozen):
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
    """The mean score over the best known score."""
    share_of: Literal["optimum", "best found"] | None
    looks: float | None
    seconds: float

    @property
    def row(self) -> Row:
        """The score and the method."""
        return Row(self.score, self.method)

    @property
    def points(self) -> float:
        """F1 over all words in percent, mean over the repetitions."""
        return 100 * fmean(run.micro.f1 for run in self.runs)


class Best:
    """The best known value of each score on each text, and whether it is proved to be the optimum."""

    def __init__(self, runs: Runs) -> None:
        self._found: dict[tuple[str, str], tuple[float, bool]] = {}
        for row, records in runs.records.items():
            for result in (record.result for record in records):
                if result.score is not None:
                    key = (row.score, text_of(result))
                    best, proved = self._found.get(key, (-np.inf, False))
                    self._found[key] = (max(best, result.score), proved or _proved(result))

    def share(self, row: Row, texts: Sequence[str], scores: Iterable[float]) -> tuple[float | None, Any]:
        """Return the mean of the scores over the best known one, and whether that is an optimum or the best found."""
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
    """Return the id of the text of a run."""
    return str((result.options or {})["text_id"])


def complete(runs: Runs, rows: Mapping[Row, int]) -> RowRuns:
    """Return the runs of the rows that have all their runs, each with a solution."""
    whole: RowRuns = {}
    for row, records in runs.records.items():
        if len(records) != rows[row] or any(record.result.solution is None for record in records):
            continue
        by: dict[int, dict[str, Record]] = {}
        for record in sorted(records, key=lambda record: (record.repetition, text_of(record.result))):
            by.setdefault(record.repetition, {})[text_of(record.result)] = record
        whole[row] = by
    return whole


def read_answers(runs: RowRuns, task: Task) -> RowAnswers:
    """Return the answers of every row in every repetition."""
    return {
        row: {
            number: joined([task.answers(by_text[text].result) for text in task.texts])
            for number, by_text in repetitions.items()
        }
        for row, repetitions in runs.items()
    }


def measure(row: Row, runs: Mapping[int, Mapping[str, Record]], answers: Mapping[int, Answers], best: Best) -> Measured:
    """Return the row of some runs, given the runs and the answers of each repetition."""
    repetitions = [_repetition(number, by_text, answers[number]) for number, by_text in runs.items()]
    some = next(iter(runs[next(iter(runs))].values())).result
    settings = {"solver": some.solver, "params": some.params, "budget": some.budget.model_dump(exclude_none=True)}
    return _summarised(row, settings, repetitions, best)


def measure_annotate(annotated: Annotated, best: Best) -> Measured:
    """Return the row of `wsd annotate`."""
    only = Repetition(
        repetition=0,
        seeds={},
        **_accuracy(annotated.answers),
        score=annotated.score,
        looks=None,
        iterations=None,
        seconds=annotated.seconds,
    )
    row = _summarised(Row("best", ANNOTATE), {}, [only], best)
    # It is not one of the runs, so it may be better than the best of them: only a proved optimum is a valid reference.
    return row if row.share_of == "optimum" else row.model_copy(update={"share": None, "share_of": None})


def _repetition(number: int, by_text: Mapping[str, Record], answers: Answers) -> Repetition:
    results = [record.result for record in by_text.values()]
    return Repetition(
        repetition=number,
        seeds={text: record.result.seed for text, record in by_text.items()},
        **_accuracy(answers),
        score=sum(result.score or 0.0 for result in results),
        looks=sum(result.looks for result in results),
        iterations=max(result.iterations for result in results),
        seconds=sum(result.seconds for result in results),
    )


def _accuracy(answers: Answers) -> dict[str, Any]:
    by_text = {text: micro(words.values()) for text, words in sorted(answers.credits.items())}
    words = chain.from_iterable(words.values() for words in answers.credits.values())
    return {"micro": micro(words), "macro": macro(by_text.values()), "by_text": by_text}


def _summarised(row: Row, settings: dict[str, Any], runs: list[Repetition], best: Best) -> Measured:
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
