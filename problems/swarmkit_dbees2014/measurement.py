"""The measured rows: for each block and method every repetition, and means and intervals over the repetitions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import chain
from statistics import fmean
from typing import Any, Literal

import numpy as np

from swarmkit import Record, Result
from swarmkit.statistics import Interval, interval
from swarmkit_dbees2014.accuracy import Frozen, Rates, Score, macro, micro
from swarmkit_dbees2014.rows import Row, blocks, declared
from swarmkit_dbees2014.running import Runs
from swarmkit_dbees2014.word_senses import Answers, Task, joined

ROUNDING = 1e-9
"""The relative difference of score and bound below which the score is the proved optimum."""

RowRuns = dict[int, dict[str, Record]]
"""The runs of a row, by repetition and text."""


class Repetition(Frozen):
    """One answer to all texts."""

    seeds: dict[str, int]
    micro: Score
    macro: Rates
    by_text: dict[str, Score]
    differing: int
    """The answers that are not the first sense."""
    score: float
    looks: int
    seconds: float


class Measured(Frozen):
    """A row of the tables."""

    block: str
    method: str
    uses: str
    settings: dict[str, Any]
    runs: list[Repetition]
    attempted: float
    precision: float
    recall: float
    f1: Interval
    macro_f1: Interval
    texts: dict[str, Interval]
    differing: float
    """The share of answers that are not the first sense."""
    share: float | None
    """The mean score over the best known score."""
    share_of: Literal["optimum", "best found"] | None
    seconds: float

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
                key = (_score_of(row), text_of(result))
                best, proved = self._found.get(key, (-np.inf, False))
                if result.score is not None:
                    self._found[key] = (max(best, result.score), proved or _proved(result))

    def share(self, row: Row, texts: Sequence[str], runs: Sequence[Repetition]) -> tuple[float | None, Any]:
        """Return the mean of the scores over the best known one, and whether that is an optimum or the best found."""
        known = [self._found[_score_of(row), text] for text in texts]
        total = sum(best for best, _ in known)
        if total <= 0:
            return None, None
        kind = "optimum" if all(proved for _, proved in known) else "best found"
        return fmean(run.score / total for run in runs), kind


def _score_of(row: Row) -> str:
    return blocks()[row.block].score_of or row.block


def _proved(result: Result) -> bool:
    if result.bound is None or result.score is None:
        return False
    return result.bound - result.score <= ROUNDING * max(1.0, abs(result.score))


def text_of(result: Result) -> str:
    """Return the id of the text of a run."""
    return str((result.options or {})["text_id"])


def complete(row: Row, records: Sequence[Record], runs: int, texts: Sequence[str]) -> RowRuns | None:
    """Return the runs of a row by repetition and text if all are there, each with a solution; else None.

    Args:
        row: the row.
        records: its runs.
        runs: the repetitions that it should have.
        texts: the texts.
    """
    by: RowRuns = {}
    for record in records:
        number = (record.result.options or {})["ties_seed"] if declared(row).ties else record.repetition
        if record.result.solution is not None:
            by.setdefault(int(number), {})[text_of(record.result)] = record
    whole = len(by) == runs and all(set(found) == set(texts) for found in by.values())
    return dict(sorted(by.items())) if whole else None


def measure(row: Row, runs: RowRuns, task: Task, best: Best) -> tuple[Measured, list[Answers]]:
    """Return a row of the tables, and the answers of each repetition."""
    answers = [joined([task.answers(by_text[text].result) for text in task.texts]) for by_text in runs.values()]
    made = [_repetition(by_text, given) for by_text, given in zip(runs.values(), answers, strict=True)]
    some = next(iter(runs[next(iter(runs))].values())).result
    share, share_of = best.share(row, task.texts, made)
    rates = ("attempted", "precision", "recall")
    measured = Measured(
        block=row.block,
        method=row.method,
        uses=declared(row).uses,
        settings={"solver": some.solver, "params": some.params, "budget": some.budget.model_dump(exclude_none=True)},
        runs=made,
        **{name: fmean(getattr(run.micro, name) for run in made) for name in rates},
        f1=_interval([run.micro.f1 for run in made]),
        macro_f1=_interval([run.macro.f1 for run in made]),
        texts={text: _interval([run.by_text[text].f1 for run in made]) for text in task.texts},
        differing=fmean(run.differing / max(1, run.micro.answered) for run in made),
        share=share,
        share_of=share_of,
        seconds=fmean(run.seconds for run in made),
    )
    return measured, answers


def _repetition(by_text: Mapping[str, Record], answers: Answers) -> Repetition:
    results = [record.result for record in by_text.values()]
    of_texts = {text: micro(words.values()) for text, words in sorted(answers.credits.items())}
    return Repetition(
        seeds={text: record.result.seed for text, record in by_text.items()},
        micro=micro(chain.from_iterable(words.values() for words in answers.credits.values())),
        macro=macro(of_texts.values()),
        by_text=of_texts,
        differing=answers.differing,
        score=sum(result.score or 0.0 for result in results),
        looks=sum(result.looks for result in results),
        seconds=sum(result.seconds for result in results),
    )


def _interval(values: Sequence[float]) -> Interval:
    return interval(values, "mean", np.random.default_rng(0))
