"""Accuracy item by item, where the answers of all runs say which of their rows are right."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations

import numpy as np

from swarmkit.comparison.record import Record
from swarmkit.statistics.finding import ALPHA, Finding, Test
from swarmkit.statistics.items import Paired, mcnemar, paired_bootstrap
from swarmkit.statistics.outcomes import Floats
from swarmkit.statistics.pairs import holm

COLUMN = "right"


class Accuracy(Finding):
    """Two methods on the same items of all instances."""

    first: str
    second: str
    first_accuracy: float
    second_accuracy: float
    mcnemar: Test
    """Of the typical run of each, on every instance: the one with the median number of right items."""
    adjusted: float | None
    """McNemar's p after Holm."""
    bootstrap: Paired
    """Of the share of runs that got an item right."""


def accuracies(records: Sequence[Record], rng: np.random.Generator) -> list[Accuracy]:
    """Compare all pairs of methods, if every row of every answer says right or wrong and all have the same rows."""
    tables = _tables(records)
    if tables is None:
        return []
    means = {m: np.concatenate([t.mean(axis=0) for t in of_it]) for m, of_it in tables.items()}
    typical = {m: np.concatenate([_typical(t) for t in of_it]) for m, of_it in tables.items()}
    pairs = list(combinations(tables, 2))
    tests = [mcnemar(typical[a], typical[b]) for a, b in pairs]
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
    verdict = "more than chance" if differ else "no evidence of a difference"
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
    """Give a row of items per run, per method and instance, or None where something is missing."""
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


def _typical(runs: Floats) -> Floats:
    order = np.argsort(runs.sum(axis=1), kind="stable")
    row: Floats = runs[order[(len(order) - 1) // 2]]
    return row
