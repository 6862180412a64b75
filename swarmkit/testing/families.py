"""Small problems of every kind that the contract knows, drawn by hypothesis: solvers are checked on them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Literal, NamedTuple

import numpy as np
from hypothesis import strategies as st
from numpy.typing import NDArray

from swarmkit.contract.arrays import Solutions
from swarmkit.contract.constraints import Constraint, exactly
from swarmkit.contract.list_problem import ListProblem
from swarmkit.contract.lists import Lists
from swarmkit.contract.pairwise import Pairwise
from swarmkit.contract.problem import PairwiseProblem, Part, Problem

Values = Literal["floats", "ties", "signs", "zeros"]
"""The kinds of numbers in tables."""

LONGER = range(8, 13)
"""Cities of longer tours: solvers have code of their own for them."""

LOOKS = 600
"""The looks of a run that is checked: enough for a few units of every solver, and for Python's speed."""


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


def random_tour(shape: Shape, *, symmetric: bool = True) -> Pairwise:
    """Return a travelling salesman problem: one table of costs along a cycle of all stages."""
    rng = np.random.default_rng(shape.seed)
    table = numbers(rng, (shape.n, shape.n), shape.values)
    table = table + table.T if symmetric else table
    # Fewer than three cities have no cycle: an edge would be there twice.
    cycle = [(i, (i + 1) % shape.n, table) for i in range(shape.n)] if shape.n > 2 else []
    return Pairwise.of([shape.n] * shape.n, cycle, distinct=True)


def random_assignment(shape: Shape, *, symmetric: bool) -> Pairwise:
    """Return a quadratic assignment problem: one table of distances, weighted with the flow between any two stages."""
    rng = np.random.default_rng(shape.seed)
    table, flow = (numbers(rng, (shape.n, shape.n), shape.values) for _ in range(2))
    table = table + table.T if symmetric else table
    # With symmetric distances one edge for each pair is enough.
    pairs = [(i, j) for i in range(shape.n) for j in range(shape.n) if i < j or (i > j and not symmetric)]
    return Pairwise.of([shape.n] * shape.n, [(i, j, table, float(flow[i, j])) for i, j in pairs], distinct=True)


class Divided(PairwiseProblem):
    """A pairwise problem that says which of its stages are independent of the others: three parts, side by side."""

    def __init__(self, shape: Shape) -> None:
        forms = [random_form(shape._replace(n=1 + i, seed=shape.seed + i)) for i in range(3)]
        first = np.cumsum([0] + [len(form.sizes) for form in forms]).tolist()
        edges = [edge for form, at in zip(forms, first, strict=False) for edge in _edges(form, at)]
        sizes, unary = (np.concatenate([getattr(form, name) for form in forms]) for name in ("sizes", "unary"))
        super().__init__(Pairwise.of(sizes, edges, unary))
        self.parts = [
            Part(np.arange(at, at + len(form.sizes)), PairwiseProblem(form))
            for form, at in zip(forms, first, strict=False)
        ]


def _edges(form: Pairwise, first: int) -> list[tuple[int, int, Any, float]]:
    """Return the edges of tables as `Pairwise.of` takes them, with stages counted from `first` on."""
    edges = []
    for (i, j), start, weight in zip(form.edges.tolist(), form.starts.tolist(), form.weights.tolist(), strict=True):
        shape = int(form.sizes[i]), int(form.sizes[j])
        edges.append((first + i, first + j, form.flat[start : start + shape[0] * shape[1]].reshape(shape), weight))
    return edges


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
        # A stage with one candidate cannot avoid 0: then everything is allowed.
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
        used = np.where(X < 0, 0, X)  # -1: an open stage, at which candidate 0 will do
        used[:, stage] = 0
        return used.sum(axis=1)[:, None] + np.arange(self.sizes[stage]) <= self.capacity


def random_rows(shape: Shape, x: Solutions, sizes: Any) -> list[Constraint]:
    """Return linear constraints that a solution meets: whole coefficients and fractions, bounds of each kind.

    Args:
        shape: the seed.
        x: the solution.
        sizes: the number of candidates at each stage.
    """
    rng = np.random.default_rng(shape.seed)
    rows = []
    for number in range(int(rng.integers(1, 5))):
        choices = [(i, c) for i in range(len(sizes)) for c in range(sizes[i]) if rng.random() < 0.5]
        values = rng.integers(-2, 4, len(choices)) if number % 2 else rng.random(len(choices)).round(3)
        total = float(sum(value for (i, c), value in zip(choices, values, strict=True) if x[i] == c))
        bounds = [(total, np.inf), (-np.inf, total), (total, total), (total - 1, total + 1)][int(rng.integers(4))]
        rows.append(Constraint.of(choices, values, *bounds))
    return rows


class Rows(PairwiseProblem):
    """Tables under linear constraints, which at least one solution meets."""

    def __init__(self, form: Pairwise, shape: Shape) -> None:
        super().__init__(form)
        rng = np.random.default_rng(shape.seed)
        x = rng.permutation(form.sizes[0])[: shape.n] if form.distinct else rng.integers(form.sizes)
        self.constraints = random_rows(shape, x, form.sizes)


class FixedNumber(BlackBox):
    """A black box of which candidate 0 is taken at exactly as many stages as by a random solution."""

    def __init__(self, form: Pairwise, shape: Shape) -> None:
        super().__init__(form)
        x = np.random.default_rng(shape.seed).integers(form.sizes)
        self.constraints = [exactly([(i, 0) for i in range(shape.n)], float((x == 0).sum()))]


def random_routes(seed: int, n: int | None = None) -> Lists:
    """Return routes that are drawn: by points or a matrix, with any of the rules that routes can have.

    Args:
        seed: the seed of all numbers.
        n: the number of items; by default up to 5.
    """
    rng = np.random.default_rng(seed)
    n = int(rng.integers(1, 6)) if n is None else n
    depots, k = int(rng.integers(1, 3)), int(rng.integers(1, 4))
    m = n + depots
    points = rng.integers(0, 10, (m, 2)).astype(float)
    data: dict[str, Any] = {"points": points, "metric": ["euclidean", "rounded", "ceiling"][rng.integers(3)]}
    if rng.random() < 0.5:
        data = {"arcs": rng.integers(0, 10, (m, m)).astype(float)}
    starts = rng.integers(0, depots, k) if rng.random() < 0.8 else np.full(k, -1)
    ends = starts if rng.random() < 0.5 else rng.integers(-1, depots, k)
    if rng.random() < 0.7:
        amount, capacity = rng.integers(0, 4, m), rng.integers(3, 8, k)
        # All items together fit; whether they can be divided among the lists is another question.
        data |= {"amount": amount, "capacity": capacity + max(0, -((capacity.sum() - amount.sum()) // k))}
    if rng.random() < 0.5:
        opens = np.where(np.arange(m) < depots, 0, rng.integers(0, 10, m))
        closes = np.where(np.arange(m) < depots, 100, opens + rng.integers(20, 60, m))
        data |= {"windows": np.column_stack([opens, closes]), "service": rng.integers(0, 3, m)}
    if rng.random() < 0.5:
        data |= {"optional": rng.random(n) < 0.5, "prize": rng.integers(0, 12, m)}
    return Lists(count=k, depots=range(depots), starts=starts, ends=ends, **data)


def random_schedule(seed: int, n: int | None = None) -> Lists:
    """Return a schedule that is drawn: items on one machine or a choice of some, with precedence.

    Args:
        seed: the seed of all numbers.
        n: the number of items; by default up to 5.
    """
    rng = np.random.default_rng(seed)
    n, k = int(rng.integers(1, 6)) if n is None else n, int(rng.integers(1, 4))
    home = [rng.permutation(k)[: rng.integers(1, k, endpoint=True)] for _ in range(n)]
    if rng.random() < 0.5:
        home = [machines[:1] for machines in home]
    duration = [rng.integers(0, 9, len(machines)) for machines in home]
    after = [[int(before) for before in range(item) if rng.random() < 0.3] for item in range(n)]
    return Lists(count=k, home=home, duration=duration, after=after)


class Listed(ListProblem):
    """Lists whose score is minus the declared cost, to be maximised as that of every family."""

    direction = "maximise"  # type: ignore[assignment]  # any problem has either

    def score(self, X: Solutions) -> Any:
        """Return minus the cost of each row."""
        return 0.0 - self.shape.costs(X)


class ScoredLists(ListProblem):
    """Lists, with items that may be left out or without, of which nothing but a score of their own is known."""

    direction = "maximise"  # type: ignore[assignment]  # any problem has either

    def __init__(self, shape: Shape) -> None:
        rng = np.random.default_rng(shape.seed)
        count = 1 + shape.seed % 2
        super().__init__(Lists(items=shape.n, count=count, optional=rng.random(shape.n) < 0.3))
        self._values = rng.integers(-4, 9, (count, shape.n)).astype(np.float64)

    def score(self, X: Solutions) -> Any:
        """Return the sum of the value of each item in its list, the less the later it comes."""
        places = [
            [(r, item, at) for r, part in enumerate(self.shape.lists(x)) for at, item in enumerate(part)] for x in X
        ]
        return np.array([sum(self._values[r, item] / (1 + at) for r, item, at in row) for row in places], np.float64)


class Family(NamedTuple):
    """A kind of problem; `make` returns the same problem for the same shape."""

    name: str
    make: Callable[[Shape], Problem]


def _longer(shape: Shape) -> Shape:
    return shape._replace(n=LONGER[shape.seed % len(LONGER)])


def _enlarge(shape: Shape) -> Shape:
    """Return a shape of 3 to 7 stages: fewer permutations than a check can enumerate."""
    return shape._replace(n=2 + shape.n)


FAMILIES: tuple[Family, ...] = (
    Family("pairwise", lambda shape: PairwiseProblem(random_form(shape))),
    Family("permutation", lambda shape: PairwiseProblem(random_form(shape, distinct=True, shared=True))),
    Family("black box", lambda shape: BlackBox(random_form(shape))),
    Family("black box permutation", lambda shape: BlackBox(random_form(shape, distinct=True))),
    Family("judged", lambda shape: Judged(random_form(shape))),
    Family("bounded", lambda shape: Bounded(random_form(shape))),
    Family("linear constraints", lambda shape: Rows(random_form(shape), shape)),
    Family("linear permutation", lambda shape: Rows(random_form(shape, distinct=True), shape)),
    Family("fixed number", lambda shape: FixedNumber(random_form(shape), shape)),
    Family("tour", lambda shape: PairwiseProblem(random_tour(shape))),
    Family("longer tour", lambda shape: PairwiseProblem(random_tour(_longer(shape)))),
    Family("asymmetric tour", lambda shape: PairwiseProblem(random_tour(_longer(shape), symmetric=False))),
    Family("assignment", lambda shape: PairwiseProblem(random_assignment(_enlarge(shape), symmetric=True))),
    Family("asymmetric assignment", lambda shape: PairwiseProblem(random_assignment(_enlarge(shape), symmetric=False))),
    Family("parts", Divided),
    Family("lists", ScoredLists),
    Family("routes", lambda shape: Listed(random_routes(shape.seed, shape.n))),
    Family("schedule", lambda shape: Listed(random_schedule(shape.seed, shape.n))),
)
"""Every kind of problem that solvers are checked on."""


def shapes(fewest: int = 1) -> st.SearchStrategy[Shape]:
    """Return a strategy for shapes so small that all solutions can be enumerated.

    Args:
        fewest: stages at least, and the smallest limit on the candidates of a stage.
    """
    kinds = st.sampled_from(("floats", "ties", "signs", "zeros"))
    n, m, window, seed = (st.integers(*ends) for ends in ((fewest, 5), (fewest, 4), (1, 4), (0, 2**32 - 1)))
    return st.builds(Shape, n, m, window, kinds, seed)


def problems() -> st.SearchStrategy[Problem]:
    """Return a hypothesis strategy for small problems of every family, for your own property tests."""
    return st.builds(lambda family, shape: family.make(shape), st.sampled_from(FAMILIES), shapes())
