"""Tests of D-Bees against the first sense, its competitors and the optimum: over the words, and over the runs.

The two answer different questions. McNemar's test takes the words as a sample: would the median run of one method be
right more often on other words? The tests of runs take the words as they are: do other seeds change the order?
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np

from swarmkit.statistics import Pair, compare_on_instance, holm, make_scores
from swarmkit_dbees2014.measurement import RowMeasurement
from swarmkit_dbees2014.published import TABLE_3
from swarmkit_dbees2014.rows import Row
from swarmkit_dbees2014.word_senses import Answers
from swarmkit_wsd.evaluation.comparison import Comparison, compare_runs

DBEES, FIRST, TSP_ACO = Row("chain", "dbees"), Row("chain", "first"), Row("chain", "tsp-aco")
COMPETITORS = [system.row for system in TABLE_3 if system.name in ("TSP-ACO", "ACA", "SA", "GA")]
"""The methods that the paper compares D-Bees with."""


class RowComparison(Comparison):
    """A row against another."""

    first: str
    second: str
    runs: Pair
    """The F1 of runs, by Mann-Whitney's test; by the sign test against the one F1 of the first senses."""
    runs_adjusted: float | None
    """Its p-value after Holm's correction for all comparisons."""


def pairs_to_test(rows: Mapping[Row, RowMeasurement]) -> list[tuple[Row, Row]]:
    """Return the pairs that the paper's claims are about, and the best row of D-Bees that uses sense order.

    The best competitor and the best of these rows are the best on the words on which they are tested.
    """
    competitors = [row for row in COMPETITORS if row in rows]
    best = [max(competitors, key=lambda row: rows[row].points)] if competitors else []
    pairs = [(DBEES, row) for row in dict.fromkeys([FIRST, *best, TSP_ACO, Row("chain", "viterbi")])]
    readings = [row for row in rows if row.method.startswith("dbees") and rows[row].uses]
    pairs += [(max(readings, key=lambda row: rows[row].points), FIRST)] if readings else []
    return [(a, b) for a, b in pairs if a in rows and b in rows]


def compare_rows(rows: Mapping[Row, RowMeasurement], answers: Mapping[Row, Sequence[Answers]]) -> list[RowComparison]:
    """Return the tests of the pairs."""
    pairs = pairs_to_test(rows)
    # For each repetition of a row: 1 for every word that is right, 0 for the others.
    tables = {row: np.array([answer.rights() for answer in answers[row]]) for pair in pairs for row in pair}
    over_words = compare_runs([(tables[a], tables[b]) for a, b in pairs])
    over_runs = [_compare_seeds(rows, pair) for pair in pairs]
    adjusted = holm([test.p for test in over_runs])
    # `dict` of a model has its fields as they are; `model_dump` would turn the tests into dictionaries.
    return [
        RowComparison(first=str(a), second=str(b), runs=test, runs_adjusted=p, **dict(words))
        for (a, b), words, test, p in zip(pairs, over_words, over_runs, adjusted, strict=True)
    ]


def _compare_seeds(rows: Mapping[Row, RowMeasurement], pair: tuple[Row, Row]) -> Pair:
    """Return the test of the F1 of the runs of two rows; first senses are always the same."""
    instance = "all words"
    scores = make_scores((instance, str(row), run.micro.f1) for row in pair for run in rows[row].runs)
    constant = frozenset((instance, str(row)) for row in pair if row == FIRST)
    return compare_on_instance(replace(scores, constant=constant), instance).pairs[0]
