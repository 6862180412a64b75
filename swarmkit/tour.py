"""Problems that are tours: candidates are cities, the stages form one cycle, and one table says what a step costs."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from swarmkit.pairwise import Floats, Ints, Pairwise

Near = NDArray[np.int32]

_BLOCK = 1 << 22
"""So many entries are looked at at once: the table may be most of the memory."""


@dataclass(frozen=True, eq=False)
class Tour:
    """A travelling salesman's problem: score(x) = constant - Σ cost[x_i, x_j] over neighbours on the cycle."""

    order: Ints
    """The stages as the cycle meets them."""
    cost: Floats
    """What it costs to go from one city to another."""
    constant: float = 0.0
    _nearest: dict[int, Near] = field(default_factory=dict)

    @cached_property
    def symmetric(self) -> bool:
        """Tell whether every way costs the same in both directions."""
        return bool(np.array_equal(self.cost, self.cost.T))

    @cached_property
    def straight(self) -> bool:
        """Tell whether the cycle meets the stages in their order, so that a solution is a tour as it is."""
        return bool((np.diff(self.order) == 1).all())

    @cached_property
    def least(self) -> float:
        """The least saving that counts: rounding must not look like an improvement."""
        return 1e-9 * (1.0 + float(np.abs(self.cost).max()))

    @cached_property
    def roundabout(self) -> float:
        """The share of ways (of a thousand at random, always the same) that are shorter by one more city than direct.

        >>> table = np.array([[0.0, 9, 1], [9, 0, 2], [1, 2, 0]])  # from 0 to 1 and back it is: a third of all ways
        >>> round(Tour(np.arange(3), table).roundabout, 1)
        0.3
        """
        a, b, c = np.random.default_rng(0).integers(0, len(self.cost), (3, 1000))
        shorter = self.cost[a, b] + self.cost[b, c] < self.cost[a, c]
        return float(shorter[(a != b) & (b != c) & (a != c)].mean())

    def nearest(self, k: int) -> Near:
        """Give the k cheapest cities to go on to from each, cheapest first; fewer where there are no more.

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
        """Give what each tour (a row of cities) costs."""
        return np.asarray(self.cost[tours, np.roll(tours, -1, axis=-1)].sum(axis=-1))

    def solutions(self, tours: Ints) -> Ints:
        """Give tours as solutions: the k-th city at the k-th stage of the cycle."""
        X = np.empty_like(tours)
        X[..., self.order] = tours
        return X

    def tours(self, X: Ints) -> Ints:
        """Give solutions as tours."""
        return np.ascontiguousarray(X[..., self.order])

    def rows(self, X: Ints) -> Ints:
        """Give solutions as tours to read: where these are the same, without a copy."""
        return np.ascontiguousarray(X) if self.straight else self.tours(X)


def _cheapest(cost: Floats, first: int, k: int) -> Ints:
    """Give the k cheapest ways of each row, which belong to the cities from `first` on; none leads to itself."""
    away = cost.copy()
    away[np.arange(len(away)), first + np.arange(len(away))] = np.inf
    among = np.argpartition(away, k - 1, axis=1)[:, :k]
    order = np.argsort(np.take_along_axis(away, among, axis=1), axis=1, kind="stable")
    return np.take_along_axis(among, order, axis=1)


def tour_of(form: Pairwise) -> Tour | None:
    """Read a pairwise form as a tour, if it is one."""
    n = len(form.sizes)
    if not (form.distinct and n >= 3 and form.sizes[0] == n and len(form.edges) == n):
        return None
    unary = form.unary.reshape(n, n)
    if not ((form.starts == form.starts[0]).all() and (form.weights == form.weights[0]).all()):
        return None
    if not (unary == unary[0]).all():
        return None
    table = form.flat[form.starts[0] : form.starts[0] + n * n].reshape(n, n)
    order = _cycle(form.edges, directed=not np.array_equal(table, table.T))
    return (
        None
        if order is None
        else Tour(order, np.ascontiguousarray(_times(-form.weights[0], table)), float(unary[0].sum()))
    )


def _times(weight: float, table: Floats) -> Floats:
    """Multiply, without a copy where there is nothing to multiply: the table may be most of the memory."""
    return table if weight == 1.0 else np.asarray(weight * table)


def _cycle(edges: Ints, directed: bool) -> Ints | None:
    """Give the stages in the order of the one cycle that n edges form, or None; directed ones must all run along it."""
    n = len(edges)
    beside: list[list[int]] = [[] for _ in range(n)]
    for i, j in edges.tolist():
        beside[i].append(j)
        if not directed:
            beside[j].append(i)
    if any(len(found) != (1 if directed else 2) for found in beside):
        return None
    order, here, last = [0], beside[0][0], 0
    while here != 0 and len(order) < n:
        order.append(here)
        ahead = beside[here]
        here, last = (ahead[0] if directed or ahead[0] != last else ahead[1]), here
    return np.array(order, np.int64) if here == 0 and len(order) == n else None
