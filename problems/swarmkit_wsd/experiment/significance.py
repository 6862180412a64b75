"""Is a difference more than chance? D-Bees and ours against the first sense and the best competitor, word by word."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray
from pydantic import BaseModel, ConfigDict

from swarmkit import MissingError
from swarmkit.statistics import Paired, Test, holm, mcnemar, paired_bootstrap
from swarmkit_wsd.experiment.answers import Task
from swarmkit_wsd.experiment.measured import Answers, Measured, rights
from swarmkit_wsd.experiment.published import TABLE_3
from swarmkit_wsd.experiment.settings import ANNOTATE, Row

ALPHA = 0.05
DBEES, FIRST = Row("chain", "dbees"), Row("chain", "first")
COMPETITORS = [system.row for system in TABLE_3 if system.name in ("TSP-ACO", "ACA", "SA", "GA")]
"""The methods that the paper compares D-Bees with."""


class Comparison(BaseModel):
    """Two rows, word by word; differences are the first less the second, of the share of words answered right."""

    model_config = ConfigDict(frozen=True)

    first: str
    second: str
    mcnemar: Test
    """Of the repetition of each that has the median number of words right."""
    adjusted: float | None
    """McNemar's p after Holm, for all comparisons here."""
    bootstrap: Paired
    """Of the share of repetitions that got a word right."""
    words: str


def wanted(rows: Mapping[Row, Measured]) -> list[tuple[Row, Row]]:
    """Name the pairs that the paper's claims are about, and those that tell what sense frequencies do."""
    there = [row for row in COMPETITORS if row in rows]
    best = [max(there, key=lambda row: rows[row].points)] if there else []
    pairs = [(DBEES, FIRST), *((DBEES, row) for row in best)]
    pairs += [(Row(score, "dbees"), FIRST) for score in ("order", "counts", "best")]
    pairs += [(Row("best", ANNOTATE), FIRST)]
    return [(a, b) for a, b in pairs if a in rows and b in rows]


def compare_words(pairs: Sequence[tuple[Row, Row]], answers: Answers, task: Task) -> list[Comparison] | str:
    """Test the pairs; a sentence says what is missing for it."""
    tables = {row: _table(answers[row], task) for pair in pairs for row in pair}
    try:
        tests = [mcnemar(_typical(tables[a]), _typical(tables[b])) for a, b in pairs]
    except MissingError as error:
        return str(error)
    adjusted = holm([test.p for test in tests])
    return [_compared(pair, tables, test, p) for pair, test, p in zip(pairs, tests, adjusted, strict=True)]


def _compared(
    pair: tuple[Row, Row], tables: Mapping[Row, NDArray[np.float64]], test: Test, p: float | None
) -> Comparison:
    a, b = pair
    drawn = paired_bootstrap(tables[a].mean(axis=0), tables[b].mean(axis=0), np.random.default_rng(0))
    verdict = "more than chance" if p is not None and p < ALPHA else "no evidence of a difference"
    words = f"{a} against {b}: {verdict}. {test.words}; {drawn.words}."
    return Comparison(first=str(a), second=str(b), mcnemar=test, adjusted=p, bootstrap=drawn, words=words)


def _table(repetitions: Mapping[int, Mapping[str, str]], task: Task) -> NDArray[np.float64]:
    return np.array([rights(answers, task) for answers in repetitions.values()])


def _typical(runs: NDArray[np.float64]) -> NDArray[np.float64]:
    order = np.argsort(runs.sum(axis=1), kind="stable")
    row: NDArray[np.float64] = runs[order[(len(order) - 1) // 2]]
    return row
