"""The measured rows: for each block and method every repetition, and means and intervals over the repetitions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from statistics import fmean
from typing import Any, Literal

import numpy as np
from pydantic import BaseModel, ConfigDict

from swarmkit import Record, Result
from swarmkit.statistics import Interval, interval
from swarmkit_dbees2014.rows import Row, Runs, blocks, declaration
from swarmkit_dbees2014.word_senses import Answers, Task, join_answers
from swarmkit_text.corpora.scoring import Rates, Score, mean_rates, rates_of

ROUNDING = 1e-9
"""The relative difference of score and bound below which the score is the proved optimum."""

RowRuns = dict[int, dict[str, Record]]
"""The runs of a row, by repetition and text."""


class ImmutableModel(BaseModel):
    """A model whose fields cannot be assigned."""

    model_config = ConfigDict(frozen=True)


class Repetition(ImmutableModel):
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


class RowMeasurement(ImmutableModel):
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
        self._best: dict[tuple[str, str], tuple[float, bool]] = {}
        for row, records in runs.records.items():
            for result in (record.result for record in records):
                key = (_score_of(row), text_of(result))
                best, is_optimum = self._best.get(key, (-np.inf, False))
                if result.score is not None:
                    least = result.score + ROUNDING * max(1.0, abs(result.score))
                    proof = result.bound is not None and result.bound <= least
                    self._best[key] = (max(best, result.score), is_optimum or proof)

    def share(self, row: Row, texts: Sequence[str], runs: Sequence[Repetition]) -> tuple[float | None, Any]:
        """Return the mean of the scores over the best known one, and whether that is an optimum or the best found."""
        bests = [self._best[_score_of(row), text] for text in texts]
        total = sum(best for best, _ in bests)
        if total <= 0:  # a share would say nothing
            return None, None
        kind = "optimum" if all(is_optimum for _, is_optimum in bests) else "best found"
        return fmean(run.score / total for run in runs), kind


def _score_of(row: Row) -> str:
    return blocks()[row.block].score_of or row.block


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
    runs_of_row: RowRuns = {}
    for record in records:
        # Methods that draw nothing are repeated with other ties: one experiment has them all as its repetition 0.
        number = (record.result.options or {})["ties_seed"] if declaration(row).ties else record.repetition
        if record.result.solution is not None:
            runs_of_row.setdefault(int(number), {})[text_of(record.result)] = record
    is_complete = len(runs_of_row) == runs and all(set(by_text) == set(texts) for by_text in runs_of_row.values())
    return dict(sorted(runs_of_row.items())) if is_complete else None


def measure(row: Row, runs: RowRuns, task: Task, best: Best) -> tuple[RowMeasurement, list[Answers]]:
    """Return a row of the tables, and the answers of each repetition."""
    answers = [join_answers([task.answers(by_text[text].result) for text in task.texts]) for by_text in runs.values()]
    repetitions = [_repetition(by_text, answer) for by_text, answer in zip(runs.values(), answers, strict=True)]
    example = next(iter(runs[next(iter(runs))].values())).result
    share, share_of = best.share(row, task.texts, repetitions)
    rates = ("attempted", "precision", "recall")
    budget = example.budget.model_dump(exclude_none=True)
    settings = {"solver": example.solver, "params": example.params, "budget": budget}
    measurement = RowMeasurement(
        block=row.block,
        method=row.method,
        uses=declaration(row).uses,
        settings=settings,
        runs=repetitions,
        **{name: fmean(getattr(run.micro, name) for run in repetitions) for name in rates},
        f1=_interval([run.micro.f1 for run in repetitions]),
        macro_f1=_interval([run.macro.f1 for run in repetitions]),
        texts={text: _interval([run.by_text[text].f1 for run in repetitions]) for text in task.texts},
        differing=fmean(run.differing / max(1, run.micro.answered) for run in repetitions),
        share=share,
        share_of=share_of,
        seconds=fmean(run.seconds for run in repetitions),
    )
    return measurement, answers


def _repetition(by_text: Mapping[str, Record], answers: Answers) -> Repetition:
    results = [record.result for record in by_text.values()]
    of_texts = {text: rates_of(list(words.values())) for text, words in sorted(answers.credits.items())}
    return Repetition(
        seeds={text: record.result.seed for text, record in by_text.items()},
        micro=rates_of([credit for words in answers.credits.values() for credit in words.values()]),
        macro=mean_rates(list(of_texts.values())),
        by_text=of_texts,
        differing=answers.differing,
        score=sum(result.score or 0.0 for result in results),
        looks=sum(result.looks for result in results),
        seconds=sum(result.seconds for result in results),
    )


def _interval(values: Sequence[float]) -> Interval:
    # A generator for each interval: it does not depend on the other rows.
    return interval(values, "mean", np.random.default_rng(0))
