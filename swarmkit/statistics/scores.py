"""The scores of a comparison by instance and method, and the complete blocks among them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from swarmkit.comparison.record import Record, by_pair, draw_nothing
from swarmkit.contract.arrays import Bools, Floats
from swarmkit.contract.result import rounding
from swarmkit.statistics.wording import join_words


@dataclass(frozen=True)
class Scores:
    """The scores of all runs; a run without a feasible solution has -inf, which is worse than any score."""

    instances: tuple[str, ...]
    methods: tuple[str, ...]
    runs: Mapping[tuple[str, str], Floats]
    """Scores by (instance, method)."""
    constant: frozenset[tuple[str, str]] = frozenset()
    """The pairs of instance and method whose one score is that of every run, because the method draws nothing."""

    def of(self, instance: str, method: str) -> Floats:
        """Return the scores of a method on an instance, an empty array if it has no runs there."""
        return self.runs.get((instance, method), np.empty(0))


@dataclass(frozen=True)
class Blocks:
    """A complete block design: the median score per instance (block, row) and method (treatment, column)."""

    instances: tuple[str, ...]
    methods: tuple[str, ...]
    table: Floats
    ranges: Floats
    """Per instance, highest minus lowest score of all its runs: the unit of differences on that instance."""
    left_out: tuple[str, ...]
    """Sentences about methods and instances that were dropped to make the design complete."""


def collect_scores(records: Sequence[Record]) -> Scores:
    """Return the scores of all runs by instance and method, in the order of their first records.

    The repetitions of a method that draws nothing are one run.
    """
    groups = by_pair(records)
    constant = frozenset(pair for pair, runs in groups.items() if draw_nothing(runs))
    runs = [(*pair, r.result.score) for pair, runs in groups.items() for r in (runs[:1] if pair in constant else runs)]
    return replace(make_scores(runs), constant=constant)


def make_scores(runs: Iterable[tuple[str, str, float | None]]) -> Scores:
    """Return scores by instance and method, in the order in which these first occur.

    Args:
        runs: the instance, the method and the score of each run; the score is None without a feasible solution.
    """
    rows = list(runs)
    instances = tuple(dict.fromkeys(instance for instance, _, _ in rows))
    methods = tuple(dict.fromkeys(method for _, method, _ in rows))
    arrays: dict[tuple[str, str], Floats] = {}
    for instance in instances:
        here = [(method, -np.inf if score is None else score) for name, method, score in rows if name == instance]
        # Ties are merged over all methods of an instance: they are between methods.
        scores = merge_ties(np.array([score for _, score in here]))
        for method in dict.fromkeys(name for name, _ in here):
            arrays[instance, method] = scores[[name == method for name, _ in here]]
    return Scores(instances, methods, arrays)


def merge_ties(scores: Floats) -> Floats:
    """Return scores in which those that differ by rounding alone are equal; the largest magnitude sets the tolerance.

    >>> merge_ties(np.array([0.1 + 0.2, 0.3, 1.0])).tolist()
    [0.3, 0.3, 1.0]
    """
    values = np.unique(scores[np.isfinite(scores)])
    if not values.size:
        return scores
    # Values closer than the tolerance form a run, and all of them get its lowest value.
    largest = np.abs(values).max()
    starts = np.r_[True, np.diff(values) > min(1.0, largest) * rounding(largest)]
    lowest = values[starts][np.cumsum(starts) - 1]
    finite = np.isfinite(scores)
    result = scores.copy()
    result[finite] = lowest[np.searchsorted(values, scores[finite])]
    return result


def complete_blocks(scores: Scores) -> Blocks:
    """Return the medians of a complete block design.

    Methods without runs on more than half of the instances are dropped first, then instances on which some remaining
    method has no runs.
    """
    # ran[i, m]: whether method m has runs on instance i.
    ran = np.array([[scores.of(i, m).size > 0 for m in scores.methods] for i in scores.instances], dtype=bool)
    ran = ran.reshape(len(scores.instances), len(scores.methods))
    mask: Bools = np.array([2 * column.sum() >= len(column) for column in ran.T], dtype=bool)
    methods = tuple(m for m, keep in zip(scores.methods, mask, strict=True) if keep)
    full = [bool(row[mask].all()) for row in ran]
    instances = tuple(i for i, keep in zip(scores.instances, full, strict=True) if keep)
    table = np.array([[np.median(scores.of(i, m)) for m in methods] for i in instances])
    return Blocks(
        instances,
        methods,
        table.reshape(len(instances), len(methods)),
        np.array([_range(scores, i) for i in instances]),
        _left_out(scores, methods, instances),
    )


def _range(scores: Scores, instance: str) -> float:
    """Return highest minus lowest finite score of an instance, 0 if there is none."""
    every = np.concatenate([scores.of(instance, m) for m in scores.methods])
    finite = every[np.isfinite(every)]
    return float(np.ptp(finite)) if finite.size else 0.0


def _left_out(scores: Scores, methods: tuple[str, ...], instances: tuple[str, ...]) -> tuple[str, ...]:
    sentences = []
    if names := [m for m in scores.methods if m not in methods]:
        sentences.append(f"{join_words(names)} left out: no runs on more than half of the instances.")
    if names := [i for i in scores.instances if i not in instances]:
        sentences.append(f"{join_words(names)} left out: not every method has runs there.")
    return tuple(sentences)
