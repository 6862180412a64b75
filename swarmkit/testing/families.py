"""Small problems of every kind that the contract knows, drawn by hypothesis: solvers are checked on them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Literal, NamedTuple

import numpy as np
from hypothesis import strategies as st
from numpy.typing import NDArray

from swarmkit.contract.arrays import Solutions
from swarmkit.contract.pairwise import Pairwise
from swarmkit.contract.problem import PairwiseProblem, Problem

Values = Literal["floats", "ties", "signs", "zeros"]
"""The kinds of numbers in tables."""

LONGER = 8
"""Cities of a longer tour: enough for solvers of tours that refuse very short ones, few enough to enumerate."""


class Shape(NamedTuple):
    """The parameters of a small problem: what hypothesis draws, so that a failing case is one line."""

    n: int
    """Stages."""
    m: int
    """Candidates of a stage, at most."""
    window: int
    """Stages at most this far apart are linked."""
    values: Values
    """The kind of numbers in the tables."""
    seed: int
    """The seed of these numbers."""


def numbers(rng: np.random.Generator, size: Any, values: Values) -> NDArray[np.float64]:
    """Draw the numbers of a problem: positive ones, ones with many ties, ones of both signs, or only zeros."""
    if values == "zeros":
        return np.zeros(size)
    if values == "ties":
        return np.asarray(rng.integers(0, 2, size), np.float64)
    return np.asarray(rng.random(size) * 3 - (1.5 if values == "signs" else 0.0))


def random_form(shape: Shape, *, distinct: bool = False, shared: bool = False) -> Pairwise:
    """Return random tables between stages within a window.

    Args:
        shape: the size of the problem, and the seed.
        distinct: whether stages must take different candidates; all stages then have the same ones.
        shared: whether all edges share one table.
    """
    rng = np.random.default_rng(shape.seed)
    sizes = np.full(shape.n, max(shape.n, shape.m)) if distinct else rng.integers(1, shape.m, shape.n, endpoint=True)
    common = numbers(rng, (int(sizes[0]), int(sizes[0])), shape.values)
    edges = [
        (i, j, common if shared else numbers(rng, (sizes[i], sizes[j]), shape.values), float(rng.integers(1, 3)))
        for i in range(shape.n)
        for j in range(i + 1, min(shape.n, i + 1 + shape.window))
    ]
    return Pairwise.of(sizes, edges, numbers(rng, int(sizes.sum()), shape.values), distinct=distinct)


def random_tour(shape: Shape) -> Pairwise:
    """Return a symmetric travelling salesman problem: one table of costs along a cycle of all stages."""
    rng = np.random.default_rng(shape.seed)
    table = numbers(rng, (shape.n, shape.n), shape.values)
    table = table + table.T
    cycle = [(i, (i + 1) % shape.n, table) for i in range(shape.n)] if shape.n > 2 else []
    return Pairwise.of([shape.n] * shape.n, cycle, distinct=True)


class BlackBox(Problem):
    """A problem of which only sizes and score are known."""

    def __init__(self, form: Pairwise) -> None:
        self._form = form
        self.sizes = form.sizes
        self.distinct = form.distinct

    def score(self, X: Solutions) -> Any:
        """Score by hidden tables."""
        return self._form.score(X)


class Judged(BlackBox):
    """A black box that forbids candidate 0 at two consecutive stages, with `feasible` only."""

    def feasible(self, X: Solutions) -> Any:
        """Judge complete solutions."""
        return ~((X[:, 1:] == 0) & (X[:, :-1] == 0)).any(axis=1) | (np.asarray(self.sizes) == 1).any()


class Bounded(BlackBox):
    """A black box with a capacity: the candidate numbers sum to at most half of their largest sum."""

    @property
    def capacity(self) -> int:
        """The largest sum allowed."""
        return int(np.sum(np.asarray(self.sizes) - 1)) // 2

    def feasible(self, X: Solutions) -> Any:
        """Judge complete solutions."""
        return X.sum(axis=1) <= self.capacity

    def allowed(self, X: Solutions, stage: int) -> Any:
        """Return the candidates that fit; as candidate 0 uses no capacity, each can be completed."""
        used = np.where(X < 0, 0, X)
        used[:, stage] = 0
        return used.sum(axis=1)[:, None] + np.arange(self.sizes[stage]) <= self.capacity


class Family(NamedTuple):
    """A kind of problem; `make` returns the same problem for the same shape."""

    name: str
    make: Callable[[Shape], Problem]


FAMILIES: tuple[Family, ...] = (
    Family("pairwise", lambda shape: PairwiseProblem(random_form(shape))),
    Family("permutation", lambda shape: PairwiseProblem(random_form(shape, distinct=True, shared=True))),
    Family("black box", lambda shape: BlackBox(random_form(shape))),
    Family("black box permutation", lambda shape: BlackBox(random_form(shape, distinct=True))),
    Family("judged", lambda shape: Judged(random_form(shape))),
    Family("bounded", lambda shape: Bounded(random_form(shape))),
    Family("tour", lambda shape: PairwiseProblem(random_tour(shape))),
    Family("longer tour", lambda shape: PairwiseProblem(random_tour(shape._replace(n=LONGER)))),
)
"""Every kind of problem that solvers are checked on."""


def shapes() -> st.SearchStrategy[Shape]:
    """Return a strategy for shapes so small that all solutions can be enumerated."""
    kinds = st.sampled_from(("floats", "ties", "signs", "zeros"))
    return st.builds(Shape, st.integers(1, 5), st.integers(1, 4), st.integers(1, 4), kinds, st.integers(0, 2**32 - 1))


def problems() -> st.SearchStrategy[Problem]:
    """Return a hypothesis strategy for small problems of every family, for your own property tests."""
    return st.builds(lambda family, shape: family.make(shape), st.sampled_from(FAMILIES), shapes())
