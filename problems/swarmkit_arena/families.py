"""Families of instances that are drawn afresh for every visitor of the arena: tables, and black boxes.

Sizes are drawn, too, so nothing about an instance is known before. Distances, couplings and processing times are those
of the field's random instances: uniform cities, Sherrington-Kirkpatrick spins on a sparse graph, Taillard's flow shops,
Kauffman's NK landscapes, knapsacks.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from numpy.random import Generator

from swarmkit import Bools, Floats, Pairwise, PairwiseProblem, Problem, Solutions


class Family(NamedTuple):
    """A kind of instance; `draw` returns one, and `describe` says what it is."""

    name: str
    words: str
    draw: Callable[[Generator], Problem]
    tables: bool
    """Whether solvers see tables: then runs are limited by CPU time, otherwise by evaluations."""


def categories(rng: Generator) -> Problem:
    """Return random tables between stages that are near each other, several candidates each."""
    n, window = int(rng.integers(60, 90)), int(rng.integers(3, 6))
    sizes = rng.integers(3, 9, n)
    edges = [(i, j, rng.random((sizes[i], sizes[j]))) for i in range(n) for j in range(i + 1, min(n, i + 1 + window))]
    return PairwiseProblem(Pairwise.of(sizes, edges, rng.random(int(sizes.sum()))))


def spins(rng: Generator) -> Problem:
    """Return a spin glass: two candidates at each stage, couplings of both signs on a sparse random graph."""
    n, degree = int(rng.integers(150, 220)), int(rng.integers(4, 9))
    pairs = {(min(i, j), max(i, j)) for i in range(n) for j in rng.integers(0, n, degree).tolist() if i != j}
    # Sherrington-Kirkpatrick: a pair gains its coupling if the spins agree, and loses it if not.
    agree = np.array([[1.0, -1.0], [-1.0, 1.0]])
    edges = [
        (i, j, agree, float(weight)) for (i, j), weight in zip(sorted(pairs), rng.normal(size=len(pairs)), strict=True)
    ]
    return PairwiseProblem(Pairwise.of(np.full(n, 2), edges))


def tour(rng: Generator) -> Problem:
    """Return a travelling salesman problem of cities that are uniform in a square."""
    n = int(rng.integers(60, 90))
    points = rng.random((n, 2))
    gains = -np.linalg.norm(points[:, None] - points[None], axis=2)
    return PairwiseProblem(Pairwise.of([n] * n, [(i, (i + 1) % n, gains) for i in range(n)], distinct=True))


class Landscape(Problem):
    """Kauffman's NK landscape: the value of each bit depends on k others, by a random table."""

    def __init__(self, rng: Generator) -> None:
        n, k = int(rng.integers(40, 60)), int(rng.integers(3, 6))
        self.sizes = np.full(n, 2)
        others = np.array([rng.choice(np.delete(np.arange(n), i), k, replace=False) for i in range(n)])
        self._read = np.column_stack([np.arange(n), others])
        self._values = _dyadic(rng.random((n, 2 ** (k + 1))))

    def score(self, X: Solutions) -> Floats:
        """Return the values of the bits, added up."""
        # The bits that a bit depends on, read as a binary number, are the row of its table.
        place = (np.asarray(X)[:, self._read] << np.arange(self._read.shape[1])).sum(axis=2)
        return np.asarray(self._values[np.arange(len(self._read)), place].sum(axis=1))


class FlowShop(Problem):
    """A permutation flow shop: minus the makespan of jobs that visit all machines in one order."""

    distinct = True

    def __init__(self, rng: Generator) -> None:
        jobs, machines = int(rng.integers(20, 30)), int(rng.integers(5, 11))
        self.sizes = np.full(jobs, jobs)
        self._times = rng.integers(1, 100, (jobs, machines)).astype(float)

    def score(self, X: Solutions) -> Floats:
        """Return minus the makespans of orders, one per row."""
        ends = np.zeros((len(X), self._times.shape[1]))
        for job in np.asarray(X).T:
            ready = np.zeros(len(X))
            for machine in range(ends.shape[1]):  # a job begins when it and the machine are free (Taillard 1993)
                ready = np.maximum(ready, ends[:, machine]) + self._times[job, machine]
                ends[:, machine] = ready
        return -ends[:, -1]


class Knapsacks(Problem):
    """A multiple-choice knapsack: one variant of each item, with synergies, within a capacity."""

    def __init__(self, rng: Generator) -> None:
        n, m = int(rng.integers(30, 45)), int(rng.integers(3, 6))
        self.sizes = np.full(n, m)
        self._weights = np.sort(rng.integers(0, 30, (n, m)), axis=1)
        self._weights[:, 0] = 0  # "not taken": so there is always a feasible solution
        self._values = _dyadic(self._weights * rng.uniform(0.5, 1.5, (n, m)))
        self._synergy = _dyadic(np.triu(10 * rng.random((n, n)) * (rng.random((n, n)) < 4 / n), 1))
        self._capacity = int(self._weights.max(axis=1).sum() * 0.4)

    def score(self, X: Solutions) -> Floats:
        """Return values and synergies of chosen variants."""
        X = np.asarray(X)
        choices = (X > 0).astype(float)
        return np.asarray(self._take(self._values, X).sum(axis=1) + ((choices @ self._synergy) * choices).sum(axis=1))

    def feasible(self, X: Solutions) -> Bools:
        """Return whether the weights of rows are within the capacity."""
        return np.asarray(self._take(self._weights, np.asarray(X)).sum(axis=1) <= self._capacity)

    def allowed(self, X: Solutions, stage: int) -> Bools:
        """Return the variants that fit beside those chosen; variant 0 has no weight."""
        X = np.array(X)
        X[:, stage] = -1
        used = np.where(X < 0, 0, self._take(self._weights, np.maximum(X, 0))).sum(axis=1)
        return np.asarray(used[:, None] + self._weights[stage] <= self._capacity)

    @staticmethod
    def _take(table: Any, X: Solutions) -> Any:
        return table[np.arange(X.shape[1]), X]


def _dyadic(values: Floats) -> Floats:
    """Return values rounded to multiples of 2⁻²⁰: their sums are exact, whatever the order and the size of a batch."""
    return np.round(values * 2.0**20) / 2.0**20


FAMILIES = (
    Family("categories", "random tables between near stages, 60 to 90 of them", categories, tables=True),
    Family("landscapes", "NK landscapes of 40 to 60 bits, scores alone", Landscape, tables=False),
    Family("tours", "60 to 90 uniform cities", tour, tables=True),
    Family("knapsacks", "30 to 45 items with synergies and a capacity, scores alone", Knapsacks, tables=False),
    Family("spins", "spin glasses on sparse graphs, 150 to 220 bits", spins, tables=True),
    Family("flow shops", "20 to 30 jobs on 5 to 10 machines, scores alone", FlowShop, tables=False),
)
"""All families."""


ALONE, PAIRS = 2000, 1000
"""The stages of `independent_values` that have values of their own, and the pairs of stages that have one together."""


def independent_values(rng: Generator, m: int = 8) -> Problem:
    """Return a problem whose score adds independent uniform values (see `audits.reads_what_it_counts`).

    Args:
        rng: draws the values.
        m: the number of candidates at each stage.
    """
    unary = np.concatenate([rng.random(ALONE * m), np.zeros(2 * PAIRS * m)])
    edges = [(ALONE + 2 * pair, ALONE + 2 * pair + 1, rng.random((m, m))) for pair in range(PAIRS)]
    return PairwiseProblem(Pairwise.of(np.full(ALONE + 2 * PAIRS, m), edges, unary))
