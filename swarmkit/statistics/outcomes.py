"""The scores of a comparison by instance and method, and the part of them that is complete."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from swarmkit.comparison.record import Record
from swarmkit.statistics.finding import listed

Floats = NDArray[np.float64]

SAME = 1e-9
"""Scores this close, relatively, are one score: sums in another order differ in the last digits."""


@dataclass(frozen=True)
class Outcomes:
    """Scores of all runs; a run without a feasible solution counts as -inf: worse than any score."""

    instances: tuple[str, ...]
    methods: tuple[str, ...]
    scores: Mapping[tuple[str, str], Floats]

    def of(self, instance: str, method: str) -> Floats:
        """Give the scores of a method on an instance, none if it has not been run there."""
        return self.scores.get((instance, method), np.empty(0))


@dataclass(frozen=True)
class Blocks:
    """One number per instance (row) and method (column), without holes, and what was left out for that."""

    instances: tuple[str, ...]
    methods: tuple[str, ...]
    table: Floats
    spread: Floats
    """Per instance, best less worst score of all its runs: what makes differences comparable across instances."""
    left_out: tuple[str, ...]


def collect(records: Sequence[Record]) -> Outcomes:
    """Sort the scores of all runs by instance and method, in the order they are first met."""
    instances = tuple(dict.fromkeys(record.instance for record in records))
    methods = tuple(dict.fromkeys(record.method for record in records))
    scores: dict[tuple[str, str], Floats] = {}
    for instance in instances:
        of_it = [record for record in records if record.instance == instance]
        levels = level(np.array([-np.inf if r.result.score is None else r.result.score for r in of_it]))
        for method in methods:
            mask = np.array([record.method == method for record in of_it], dtype=bool)
            if mask.any():
                scores[instance, method] = levels[mask]
    return Outcomes(instances, methods, scores)


def level(scores: Floats) -> Floats:
    """Make scores equal that differ by rounding alone, measured by the largest of them.

    >>> level(np.array([0.1 + 0.2, 0.3, 1.0])).tolist()
    [0.3, 0.3, 1.0]
    """
    values = np.unique(scores[np.isfinite(scores)])
    if not values.size:
        return scores
    starts = np.r_[True, np.diff(values) > SAME * np.abs(values).max()]
    lowest = values[starts][np.cumsum(starts) - 1]
    finite = np.isfinite(scores)
    made = scores.copy()
    made[finite] = lowest[np.searchsorted(values, scores[finite])]
    return made


def complete(outcomes: Outcomes) -> Blocks:
    """Take the medians of what every method has run on: methods that miss most instances go first, then instances."""
    ran = np.array([[outcomes.of(i, m).size > 0 for m in outcomes.methods] for i in outcomes.instances], dtype=bool)
    ran = ran.reshape(len(outcomes.instances), len(outcomes.methods))
    kept: NDArray[np.bool_] = np.array([2 * column.sum() >= len(column) for column in ran.T], dtype=bool)
    methods = tuple(m for m, keep in zip(outcomes.methods, kept, strict=True) if keep)
    full = [bool(row[kept].all()) for row in ran]
    instances = tuple(i for i, keep in zip(outcomes.instances, full, strict=True) if keep)
    table = np.array([[np.median(outcomes.of(i, m)) for m in methods] for i in instances])
    return Blocks(
        instances,
        methods,
        table.reshape(len(instances), len(methods)),
        np.array([_spread(outcomes, i) for i in instances]),
        _left_out(outcomes, methods, instances),
    )


def _spread(outcomes: Outcomes, instance: str) -> float:
    scores = np.concatenate([outcomes.of(instance, m) for m in outcomes.methods])
    finite = scores[np.isfinite(scores)]
    return float(np.ptp(finite)) if finite.size else 0.0


def _left_out(outcomes: Outcomes, methods: tuple[str, ...], instances: tuple[str, ...]) -> tuple[str, ...]:
    said = []
    if gone := [m for m in outcomes.methods if m not in methods]:
        said.append(f"{listed(gone)} left out: no runs on more than half of the instances.")
    if gone := [i for i in outcomes.instances if i not in instances]:
        said.append(f"{listed(gone)} left out: not every method has runs there.")
    return tuple(said)
