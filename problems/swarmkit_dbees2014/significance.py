"""Tests word by word: D-Bees against the first sense, its best competitor and the optimum."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from swarmkit import MissingError
from swarmkit_dbees2014.measurement import RowMeasurement
from swarmkit_dbees2014.published import TABLE_3
from swarmkit_dbees2014.rows import Row
from swarmkit_dbees2014.word_senses import Answers
from swarmkit_wsd.evaluation.comparison import Comparison, compare_runs

DBEES, FIRST = Row("chain", "dbees"), Row("chain", "first")
COMPETITORS = [system.row for system in TABLE_3 if system.name in ("TSP-ACO", "ACA", "SA", "GA")]
"""The methods that the paper compares D-Bees with."""


class RowComparison(Comparison):
    """A row against another."""

    first: str
    second: str


def pairs_to_test(rows: Mapping[Row, RowMeasurement]) -> list[tuple[Row, Row]]:
    """Return the pairs that the paper's claims are about, and the best row of D-Bees that uses sense order."""
    competitors = [row for row in COMPETITORS if row in rows]
    best = [max(competitors, key=lambda row: rows[row].points)] if competitors else []
    pairs = [(DBEES, FIRST), *((DBEES, row) for row in best), (DBEES, Row("chain", "viterbi"))]
    readings = [row for row in rows if row.method.startswith("dbees") and rows[row].uses]
    pairs += [(max(readings, key=lambda row: rows[row].points), FIRST)] if readings else []
    return [(a, b) for a, b in pairs if a in rows and b in rows]


def compare_words(
    pairs: Sequence[tuple[Row, Row]], answers: Mapping[Row, Sequence[Answers]]
) -> list[RowComparison] | str:
    """Return the tests of the pairs; a sentence instead if a package is missing."""
    # For each repetition of a row: 1 for every word that is right, 0 for the others.
    tables = {row: np.array([answer.rights() for answer in answers[row]]) for pair in pairs for row in pair}
    try:
        comparisons = compare_runs([(tables[a], tables[b]) for a, b in pairs])
    except MissingError as error:
        return str(error)
    # `dict` of a model has its fields as they are; `model_dump` would turn the tests into dictionaries.
    return [
        RowComparison(first=str(a), second=str(b), **dict(comparison))
        for (a, b), comparison in zip(pairs, comparisons, strict=True)
    ]
