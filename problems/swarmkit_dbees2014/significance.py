"""Tests word by word: D-Bees against the first sense, its best competitor and the optimum."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from swarmkit import MissingError
from swarmkit.statistics import Paired, Test, holm, mcnemar, paired_bootstrap
from swarmkit_dbees2014.accuracy import Frozen
from swarmkit_dbees2014.measurement import Measured
from swarmkit_dbees2014.published import TABLE_3
from swarmkit_dbees2014.rows import Row
from swarmkit_dbees2014.word_senses import Answers

DBEES, FIRST = Row("chain", "dbees"), Row("chain", "first")
COMPETITORS = [system.row for system in TABLE_3 if system.name in ("TSP-ACO", "ACA", "SA", "GA")]
"""The methods that the paper compares D-Bees with."""


class Comparison(Frozen):
    """Two rows, word by word; differences are first minus second, of the fraction of words answered right."""

    first: str
    second: str
    mcnemar: Test
    """Of the repetition with the median number of right words, of each row."""
    adjusted: float | None
    """The p-value of McNemar's test, adjusted by Holm's method for all comparisons."""
    bootstrap: Paired
    """Of the fraction of repetitions in which each word is right."""


def wanted(rows: Mapping[Row, Measured]) -> list[tuple[Row, Row]]:
    """Return the pairs that the paper's claims are about, and the best row of D-Bees that uses sense order."""
    there = [row for row in COMPETITORS if row in rows]
    best = [max(there, key=lambda row: rows[row].points)] if there else []
    pairs = [(DBEES, FIRST), *((DBEES, row) for row in best), (DBEES, Row("chain", "viterbi"))]
    readings = [row for row in rows if row.method.startswith("dbees") and rows[row].uses]
    pairs += [(max(readings, key=lambda row: rows[row].points), FIRST)] if readings else []
    return [(a, b) for a, b in pairs if a in rows and b in rows]


def compare_words(pairs: Sequence[tuple[Row, Row]], answers: Mapping[Row, Sequence[Answers]]) -> list[Comparison] | str:
    """Return the tests of the pairs; a sentence instead if a package is missing."""
    tables = {row: _table(answers[row]) for pair in pairs for row in pair}
    try:
        tests = [mcnemar(_median(tables[a]), _median(tables[b])) for a, b in pairs]
    except MissingError as error:
        return str(error)
    adjusted = holm([test.p for test in tests])
    return [_compared(pair, tables, test, p) for pair, test, p in zip(pairs, tests, adjusted, strict=True)]


def _compared(
    pair: tuple[Row, Row], tables: Mapping[Row, NDArray[np.float64]], test: Test, p: float | None
) -> Comparison:
    a, b = pair
    drawn = paired_bootstrap(tables[a].mean(axis=0), tables[b].mean(axis=0), np.random.default_rng(0))
    return Comparison(first=str(a), second=str(b), mcnemar=test, adjusted=p, bootstrap=drawn)


def _table(repetitions: Sequence[Answers]) -> NDArray[np.float64]:
    """Return a row for each repetition: 1 for every word that is right, 0 for the others."""
    return np.array([answers.rights() for answers in repetitions])


def _median(runs: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the repetition with the median number of right words."""
    order = np.argsort(runs.sum(axis=1), kind="stable")
    row: NDArray[np.float64] = runs[order[(len(order) - 1) // 2]]
    return row
