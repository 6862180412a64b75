"""Accuracy compared item by item, where every row of every answer has a column `right`: McNemar, paired bootstrap.

McNemar (1947), Note on the sampling error of the difference between correlated proportions; the paired bootstrap after
Efron and Tibshirani (1993), chapter 16.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations

import numpy as np
from numpy.typing import ArrayLike

from swarmkit.comparison.record import Record
from swarmkit.contract.arrays import Floats
from swarmkit.contract.errors import UsageError
from swarmkit.statistics.finding import ALPHA, Finding, Test
from swarmkit.statistics.pairwise_tests import holm
from swarmkit.statistics.wording import p_words, quantity

RESAMPLES = 10_000
"""Bootstrap samples: the ends of a 95 % interval then vary by about 1 % of its width."""


class Paired(Finding):
    """The difference of two accuracies on the same items, first minus second, with its bootstrap interval."""

    difference: float | None
    low: float | None = None
    high: float | None = None
    p: float | None = None


def mcnemar(first: ArrayLike, second: ArrayLike) -> Test:
    """Test whether two methods are equally often right, by the exact binomial test of the items on which they differ.

    Args:
        first: 1 for each item that the first method got right, 0 for the others.
        second: the same of the second method.

    >>> mcnemar([1, 1, 1, 1, 1, 1, 0, 1], [0, 0, 0, 0, 0, 0, 0, 1]).p
    0.03125
    """
    from scipy.stats import binomtest

    a, b = _pair(first, second)
    if not set(np.unique([a, b])) <= {0.0, 1.0}:
        raise UsageError("McNemar's test needs 0 (wrong) or 1 (right) for every item, nothing between")
    wins, losses = int(((a == 1) & (b == 0)).sum()), int(((a == 0) & (b == 1)).sum())
    if not wins + losses:
        words = f"right and wrong on the same {quantity(a.size, 'item')}: nothing to test"
        return Test(name="McNemar", words=words)
    p = float(binomtest(wins, wins + losses).pvalue)
    verdict = "a significant difference" if p < ALPHA else "no significant difference"
    words = f"{wins} items right only by the first, {losses} only by the second: {verdict} (McNemar, {p_words(p)})"
    return Test(name="McNemar", statistic=float(min(wins, losses)), p=p, words=words)


def paired_bootstrap(
    first: ArrayLike,
    second: ArrayLike,
    rng: np.random.Generator,
    confidence: float = 0.95,
    resamples: int = RESAMPLES,
) -> Paired:
    """Return the difference of two accuracies with its percentile bootstrap interval; items are resampled in pairs.

    Args:
        first: right (1) or wrong (0) per item, or the share of runs that got the item right, of the first method.
        second: the same of the second method.
        rng: the generator that draws the samples.
        confidence: the coverage of the interval.
        resamples: the number of bootstrap samples.
    """
    a, b = _pair(first, second)
    if not a.size:
        return Paired(difference=None, words="no items: nothing to compare")
    differences, counts = np.unique(a - b, return_counts=True)
    difference = float((a - b).mean())
    if not differences.any():
        return Paired(difference=0.0, words=f"the same on {quantity(a.size, 'item')}: nothing to test")
    # Drawing items with replacement is the same as drawing how often each difference occurs.
    samples = rng.multinomial(a.size, counts / a.size, size=resamples) @ differences / a.size
    low, high = map(float, np.quantile(samples, [(1 - confidence) / 2, (1 + confidence) / 2]))
    p = _two_sided(samples)
    words = f"{difference:+.2%} accuracy, {confidence:.0%} interval {low:+.2%} to {high:+.2%} (paired bootstrap over "
    words += f"{quantity(a.size, 'item')}, {p_words(p)})"
    return Paired(difference=difference, low=low, high=high, p=p, words=words)


def _two_sided(samples: Floats) -> float:
    """Return twice the share of samples on the rarer side of zero; samples at zero count on both sides."""
    below, above = int((samples <= 1e-12).sum()), int((samples >= -1e-12).sum())
    return min(1.0, 2 * (1 + min(below, above)) / (samples.size + 1))


def _pair(first: ArrayLike, second: ArrayLike) -> tuple[Floats, Floats]:
    """Return two arrays of equal length with values in [0, 1]."""
    a, b = np.asarray(first, dtype=float), np.asarray(second, dtype=float)
    if a.shape != b.shape or a.ndim != 1:
        raise UsageError(f"pairs need two rows of equal length, got shapes {a.shape} and {b.shape}")
    if not (((a >= 0) & (a <= 1)).all() and ((b >= 0) & (b <= 1)).all()):
        raise UsageError("right or wrong per item is expected: 0, 1, or a share of runs between them")
    return a, b


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
    results = []
    for (a, b), test, p in zip(pairs, tests, adjusted, strict=True):
        first, second = float(means[a].mean()), float(means[b].mean())
        bootstrap = paired_bootstrap(means[a], means[b], rng)
        verdict = "a significant difference" if p is not None and p < ALPHA else "no significant difference"
        holm_words = f" after Holm for {len(pairs)} pairs" if len(pairs) > 1 else ""
        results.append(
            Accuracy(
                first=a,
                second=b,
                first_accuracy=first,
                second_accuracy=second,
                mcnemar=test,
                adjusted=p,
                bootstrap=bootstrap,
                words=f"{a} {first:.2%}, {b} {second:.2%}: {verdict}{holm_words}. {test.words}; {bootstrap.words}.",
            )
        )
    return results


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
