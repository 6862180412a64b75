"""What is left of a problem where stages are fixed: tables of the other stages, or a tour that contains a path.

Tables: what the fixed stages add to the others becomes part of these stages' own values.

Tours of which some consecutive cities are fixed (a start and an end, for instance) remain tours. One fixed position is
no restriction, because a round tour can be rotated. Several consecutive ones are a path that a symmetric tour has to
contain, in either direction: the edges of the path get a bonus that no other edges can outweigh, and what it amounts to
is taken off the score. Methods for tours then apply as they are. A tour without the whole path, which a search may
report at its beginning, is repaired.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np

from swarmkit.contract.arrays import Floats, Ints, Solutions
from swarmkit.contract.pairwise import Pairwise
from swarmkit.contract.tour import Tour


def fixed_tables(form: Pairwise, stages: Ints, candidates: Ints) -> Pairwise:
    """Return the tables of the stages that are left, with the same scores as the whole.

    Where candidates are distinct, those that are chosen are left out. What the fixed stages add by themselves is added
    to every candidate of the first stage that is left.

    >>> form = Pairwise.of([2, 2], [(0, 1, [[1.0, 2.0], [3.0, 4.0]])], unary=[10.0, 20.0, 0.0, 0.0])
    >>> fixed_tables(form, np.array([0]), np.array([1])).unary.tolist()
    [23.0, 24.0]

    Args:
        form: the tables of the whole problem.
        stages: the fixed stages, in increasing order.
        candidates: the candidate of each.
    """
    candidate = np.full(len(form.sizes), -1)
    candidate[stages] = candidates
    left, slots = np.flatnonzero(candidate < 0), open_slots(form.sizes, stages, candidates, form.distinct)
    unary, constant = _fold(form, candidate)
    inside = (candidate[form.edges] < 0).all(axis=1)
    sizes, starts, flat = form.sizes[left], form.starts[inside], form.flat
    if form.distinct and len(left):
        sizes = sizes - len(candidates)
        starts, flat = _smaller_tables(form, starts, np.setdiff1d(np.arange(form.sizes[0]), candidates))
    values = unary[slots]
    values[: sizes[:1].sum()] += constant  # nowhere, if no stage is left
    edges = np.searchsorted(left, form.edges[inside])
    return Pairwise(sizes, values, edges, starts, form.weights[inside], flat, form.distinct)


def open_slots(sizes: Ints, stages: Ints, candidates: Ints, distinct: bool) -> Ints:
    """Return the slots of the stages that are not fixed, without the fixed candidates where they must differ.

    >>> open_slots(np.array([3, 3]), np.array([0]), np.array([1]), distinct=True)
    array([3, 5])

    Args:
        sizes: the number of candidates at each stage.
        stages: the fixed stages.
        candidates: the candidate of each.
        distinct: whether stages must take different candidates.
    """
    stage = np.repeat(np.arange(len(sizes)), sizes)
    left = ~np.isin(stage, stages)
    if distinct:
        first = np.cumsum(sizes) - sizes
        left &= ~np.isin(np.arange(len(stage)) - first[stage], candidates)
    return np.flatnonzero(left)


def _fold(form: Pairwise, candidate: Ints) -> tuple[Floats, float]:
    """Return each slot's value beside the fixed candidates, and what these add among themselves."""
    unary = form.unary.copy()
    fixed = np.flatnonzero(candidate >= 0)
    constant = float(form.unary[form.offsets[fixed] + candidate[fixed]].sum())
    for (i, j), start, weight in zip(form.edges.tolist(), form.starts.tolist(), form.weights.tolist(), strict=True):
        a, b, m, width = candidate[i], candidate[j], int(form.sizes[i]), int(form.sizes[j])
        if a < 0 and b < 0:
            continue
        table = form.flat[start : start + m * width].reshape(m, width)
        if a >= 0 and b >= 0:
            constant += weight * float(table[a, b])
        elif a >= 0:
            unary[form.offsets[j] : form.offsets[j + 1]] += weight * table[a]
        else:
            unary[form.offsets[i] : form.offsets[i + 1]] += weight * table[:, b]
    return unary, constant


def _smaller_tables(form: Pairwise, starts: Ints, candidates: Ints) -> tuple[Ints, Floats]:
    """Return square tables with the rows and columns of some candidates alone, and where each edge's begins."""
    m, size = int(form.sizes[0]), len(candidates) ** 2
    different, numbers = np.unique(starts, return_inverse=True)
    flat = np.empty(len(different) * size)
    for k, start in enumerate(different):
        table = form.flat[start : start + m * m].reshape(m, m)
        flat[k * size : (k + 1) * size] = table[np.ix_(candidates, candidates)].ravel()
    return np.asarray(numbers * size, np.int64).ravel(), flat


@dataclass(frozen=True)
class FixedPath:
    """Cities at consecutive positions of a tour."""

    tour: Tour
    place: int
    """The position of the first city along the cycle."""
    cities: Ints
    """The cities of the path."""

    @property
    def bonus(self) -> float:
        """What an edge of the path is favoured by: more than any exchange of edges can save."""
        return 4.0 * float(np.ptp(self.tour.cost)) + 1.0

    def with_bonus(self, form: Pairwise) -> Pairwise:
        """Return the tables of a tour with the bonus on the edges of the path; scores of tours with it are the same."""
        if len(self.cities) == 1:
            return form
        n, a, b = len(form.sizes), self.cities[:-1], self.cities[1:]
        table = form.flat[form.starts[0] : form.starts[0] + n * n].reshape(n, n).copy()
        table[a, b] += self.bonus / form.weights[0]
        table[b, a] = table[a, b]
        unary = form.unary.reshape(n, n).copy()
        unary[:, 0] -= self.bonus * len(a)  # every tour has city 0 once
        return replace(form, unary=unary.ravel(), starts=np.zeros(n, np.int64), flat=table.ravel())

    def missing(self, X: Solutions) -> Ints:
        """Return how many edges of the path each tour lacks."""
        tours = self.tour.as_tours(X)
        where = np.argsort(tours, axis=1)[:, self.cities]
        steps = np.abs(np.diff(where, axis=1))
        return np.asarray(((steps != 1) & (steps != tours.shape[1] - 1)).sum(axis=1))

    def penalties(self, X: Solutions) -> Floats:
        """Return what the forced tables take off the score of each tour."""
        return np.asarray(self.bonus * self.missing(X), np.float64)

    def complete(self, X: Solutions) -> Solutions:
        """Return tours rotated, and reversed where needed, so that the path is at its positions, or repaired."""
        return self.tour.solutions(np.array([self._rotate(tour) for tour in self.tour.tours(X)]).reshape(X.shape))

    def _rotate(self, tour: Ints) -> Ints:
        rest = np.roll(tour, -int(np.flatnonzero(tour == self.cities[0])[0]))
        if len(self.cities) > 1 and rest[-1] == self.cities[1]:  # the path runs backwards
            rest = np.concatenate([rest[:1], rest[:0:-1]])
        rest = np.concatenate([self.cities, rest[~np.isin(rest, self.cities)]])
        return np.roll(rest, self.place)


def fixed_path(tour: Tour | None, fixed: Mapping[int, int]) -> FixedPath | None:
    """Return the fixed stages as a path of a tour; None if there is no tour, or they are not consecutive on it.

    >>> tour = Tour(np.arange(5), np.ones((5, 5)))
    >>> fixed_path(tour, {4: 2, 0: 3}).cities.tolist()
    [2, 3]
    >>> fixed_path(tour, {0: 3, 2: 2}) is None
    True

    Args:
        tour: the problem as a tour.
        fixed: the candidate (city) of each fixed stage.
    """
    if tour is None or not fixed or not (len(fixed) == 1 or (tour.symmetric and len(fixed) <= len(tour.order) - 2)):
        return None
    n = len(tour.order)
    mask = np.zeros(n, bool)
    mask[[int(np.flatnonzero(tour.order == stage)[0]) for stage in fixed]] = True
    begins = np.flatnonzero(mask & ~np.roll(mask, 1))
    if len(begins) != 1:
        return None
    place = int(begins[0])
    stages = tour.order[(place + np.arange(len(fixed))) % n]
    return FixedPath(tour, place, np.array([fixed[int(stage)] for stage in stages], np.int64))
