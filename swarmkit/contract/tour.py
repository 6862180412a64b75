"""Tours: candidates are cities, the stages form one cycle, and one table holds the cost of every edge."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from swarmkit.contract.arrays import Floats, Ints, Near

_BLOCK = 1 << 22
"""Rows of the cost table are sorted in blocks of this many entries: the table may be most of the memory."""


@dataclass(frozen=True, eq=False)
class Tour:
    """A travelling salesman problem: score(x) = constant - Σ cost[x_i, x_j] over neighbours on the cycle."""

    order: Ints
    """The stages in the order of the cycle."""
    cost: Floats
    """cost[a, b] is the cost of the edge from city a to city b."""
    constant: float = 0.0
    _nearest: dict[int, Near] = field(default_factory=dict)

    @cached_property
    def symmetric(self) -> bool:
        """Whether every edge costs the same in both directions."""
        return bool(np.array_equal(self.cost, self.cost.T))

    @cached_property
    def in_stage_order(self) -> bool:
        """Whether the cycle visits the stages in their order, so that a solution is a tour as it stands."""
        return bool((np.diff(self.order) == 1).all())

    @cached_property
    def tolerance(self) -> float:
        """The smallest saving that counts as an improvement: anything below may be rounding."""
        return 1e-9 * (1.0 + float(np.abs(self.cost).max()))

    @cached_property
    def triangle_violations(self) -> float:
        """Fraction of 1,000 fixed random triples that violate the triangle inequality.

        >>> table = np.array([[0.0, 9, 1], [9, 0, 2], [1, 2, 0]])  # from 0 to 1 and back: a third of all triples
        >>> round(Tour(np.arange(3), table).triangle_violations, 1)
        0.3
        """
        a, b, c = np.random.default_rng(0).integers(0, len(self.cost), (3, 1000))
        shorter = self.cost[a, b] + self.cost[b, c] < self.cost[a, c]
        return float(shorter[(a != b) & (b != c) & (a != c)].mean())

    def nearest(self, k: int) -> Near:
        """Return the k nearest neighbours of each city, nearest first; fewer than k where there are no more.

        >>> Tour(np.arange(3), np.array([[0.0, 5, 1], [5, 0, 2], [1, 2, 0]])).nearest(1).tolist()
        [[2], [2], [0]]
        """
        k = min(k, len(self.cost) - 1)
        if k not in self._nearest:
            near = np.empty((len(self.cost), k), np.int32)
            step = max(1, _BLOCK // len(self.cost))
            for begin in range(0, len(near), step):
                near[begin : begin + step] = _cheapest(self.cost[begin : begin + step], begin, k)
            self._nearest[k] = near
        return self._nearest[k]

    def lengths(self, tours: Ints) -> Floats:
        """Return the length of each tour, a row of cities."""
        # Not np.roll, whose overhead exceeds the work where a climb scores a tour after each pass.
        following = np.concatenate((tours[..., 1:], tours[..., :1]), axis=-1)
        return np.asarray(self.cost[tours, following].sum(axis=-1))

    def solutions(self, tours: Ints) -> Ints:
        """Return tours as solutions: the k-th city at the k-th stage of the cycle."""
        X = np.empty_like(tours)
        X[..., self.order] = tours
        return X

    def tours(self, X: Ints) -> Ints:
        """Return solutions as tours, in arrays of their own."""
        return np.ascontiguousarray(X[..., self.order])

    def as_tours(self, X: Ints) -> Ints:
        """Return solutions as tours for reading: the same memory where the cycle is in stage order."""
        return np.ascontiguousarray(X) if self.in_stage_order else self.tours(X)


def _cheapest(cost: Floats, first: int, k: int) -> Ints:
    """Return the k cheapest targets of each row of costs; the rows belong to the cities from `first` on."""
    away = cost.copy()
    away[np.arange(len(away)), first + np.arange(len(away))] = np.inf
    among = np.argpartition(away, k - 1, axis=1)[:, :k]
    order = np.argsort(np.take_along_axis(away, among, axis=1), axis=1, kind="stable")
    return np.take_along_axis(among, order, axis=1)
