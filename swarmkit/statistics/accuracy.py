"""Accuracy compared item by item, where every row of every answer has a column `right`."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations

import numpy as np

from swarmkit.comparison.record import Record
from swarmkit.contract.arrays import Floats
from swarmkit.statistics.finding import ALPHA, Finding, Test
from swarmkit.statistics.paired_items import Paired, mcnemar, paired_bootstrap
from swarmkit.statistics.pairwise_tests import holm

COLUMN = "right"
"""The column of an answer that holds whether the row is correct."""


class Accuracy(Finding):
    """The accuracies of two methods on the same items of all instances."""

    first: str
    second: str
    first_accuracy: float
    second_accuracy: float
    mcnemar: Test
    """Between the median runs of each: on every instance, the run with the median number of right items."""
    adjusted: float | None
    """McNemar's p-value after Holm's correction."""
    bootstrap: Paired
    """On the share of runs that got each item right."""


def accuracies(records: Sequence[Record], rng: np.random.Generator) -> list[Accuracy]:
    """Return the comparison of all pairs of methods.

    Args:
        records: the runs; their answers must have the same rows, each right or wrong.
        rng: the generator of the bootstrap.

    Returns:
        One result per pair; none if some answer does not say which of its rows are right.
    """
    tables = _tables(records)
    if tables is None:
        return []
    # The share of runs that are right is for the bootstrap; McNemar needs right or wrong, hence one run of each.
    means = {m: np.concatenate([t.mean(axis=0) for t in group]) for m, group in tables.items()}
    medians = {m: np.concatenate([_median_run(t) for t in group]) for m, group in tables.items()}
    pairs = list(combinations(tables, 2))
    tests = [mcnemar(medians[a], medians[b]) for a, b in pairs]
    adjusted = holm([test.p for test in tests])
    return [
        _accuracy((a, b), means, test, p, paired_bootstrap(means[a], means[b], rng))
        for (a, b), test, p in zip(pairs, tests, adjusted, strict=True)
    ]


def _accuracy(
    pair: tuple[str, str], means: dict[str, Floats], test: Test, adjusted: float | None, bootstrap: Paired
) -> Accuracy:
    a, b = pair
    first, second = float(means[a].mean()), float(means[b].mean())
    differ = adjusted is not None and adjusted < ALPHA
    verdict = "a significant difference" if differ else "no significant difference"
    words = f"{a} {first:.2%}, {b} {second:.2%}: {verdict}. {test.words}; {bootstrap.words}."
    return Accuracy(
        first=a,
        second=b,
        first_accuracy=first,
        second_accuracy=second,
        mcnemar=test,
        adjusted=adjusted,
        bootstrap=bootstrap,
        words=words,
    )


def _tables(records: Sequence[Record]) -> dict[str, list[Floats]] | None:
    """Return, by method and per instance, a table with a row per run and a column per item; None if one is missing."""
    rows = [[row.get(COLUMN) for row in record.result.answer] for record in records]
    if not rows or not all(row and all(isinstance(value, bool) for value in row) for row in rows):
        return None
    methods, instances = dict.fromkeys(r.method for r in records), dict.fromkeys(r.instance for r in records)
    tables: dict[str, list[Floats]] = {m: [] for m in methods}
    for instance in instances:
        lengths = {len(row) for row, r in zip(rows, records, strict=True) if r.instance == instance}
        for method in methods:
            runs = [row for row, r in zip(rows, records, strict=True) if (r.instance, r.method) == (instance, method)]
            if not runs or len(lengths) > 1:
                return None
            tables[method].append(np.array(runs, dtype=float))
    return tables


def _median_run(runs: Floats) -> Floats:
    """Return the run (row) with the median number of right items."""
    order = np.argsort(runs.sum(axis=1), kind="stable")
    row: Floats = runs[order[(len(order) - 1) // 2]]
    return row
