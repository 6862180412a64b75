"""The structure of a problem: what it is besides a score, found out once and asked by every solver.

A problem is a *black box* (nothing but a score) or *pairwise* (tables). Tables may be *binary* (two candidates at every
stage), a *chain* (stages in a row, linked to their neighbours), a *tour* (travelling salesman, symmetric or not) or an
*assignment* (quadratic assignment). Any problem may be *constrained* beyond what its tables say: by *linear*
constraints, which are data, or by functions of its own.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from swarmkit.contract.arrays import Floats, Ints, Near
from swarmkit.contract.constraints import Constraints
from swarmkit.contract.lists import Lists
from swarmkit.contract.pairwise import Pairwise

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
        # The same triples for every tour: the answer decides between methods, and has to reproduce.
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
    # A city is no neighbour of itself.
    away[np.arange(len(away)), first + np.arange(len(away))] = np.inf
    # The k cheapest in linear time, then only these are sorted.
    among = np.argpartition(away, k - 1, axis=1)[:, :k]
    order = np.argsort(np.take_along_axis(away, among, axis=1), axis=1, kind="stable")
    return np.take_along_axis(among, order, axis=1)


@dataclass(frozen=True, eq=False)
class Assignment:
    """A quadratic assignment problem: score(x) = Σ unary[i, x_i] + Σ flow[i, j] · table[x_i, x_j] over all i and j."""

    flow: Floats
    """The weight between two stages; where the table is symmetric, both directions together, in either entry."""
    table: Floats
    """The value between two candidates."""
    symmetric: bool
    """Whether the table is symmetric; each pair of stages then counts once."""


@dataclass(frozen=True, eq=False)
class Structure:
    """What a problem is. A property that names a special case returns it, or None where the problem is none."""

    pairwise: Pairwise | None
    """The tables, if there are any; constraints may say more than they do."""
    distinct: bool = False
    """Whether stages must take different candidates (permutations)."""
    constrained: bool = False
    """Whether the problem has linear constraints, or `feasible` or `allowed` of its own."""
    has_heuristic: bool = False
    """Whether the problem says itself how appealing candidates are."""
    linear: Constraints | None = None
    """The linear constraints, if there are any."""
    lists: Lists | None = None
    """The lists of which solutions are made, if they are."""
    opaque: bool = False
    """Whether the problem has `feasible` or `allowed` of its own, of which nothing is known but their answers."""

    @property
    def black_box(self) -> bool:
        """Whether nothing but the score is known: neither tables, nor what declared lists cost."""
        return self.pairwise is None and (self.lists is None or not self.lists.declared)

    @property
    def free_black_box(self) -> bool:
        """Whether nothing but the score is known, and every combination of candidates is a solution."""
        return self.black_box and not (self.distinct or self.constrained)

    @property
    def words(self) -> str:
        """What the problem is, in a few words for people."""
        kinds = {
            "constrained": self.opaque,
            "linear constraints": self.linear is not None,
            "routes": self.lists is not None and self.lists.routes is not None,
            "schedule": self.lists is not None and self.lists.schedule is not None,
            "lists": self.lists is not None and not self.lists.declared,
            "black box": self.black_box,
            "tour": self.tour is not None,
            "assignment": self.tour is None and self.assignment is not None,
            "chain": self.chain is not None,
            "binary": self.binary is not None,
            "permutation": self.distinct and self.tour is None and self.assignment is None,
            "pairwise": self.pairwise is not None,
        }
        return ", ".join(name for name, holds in kinds.items() if holds)

    @property
    def tables(self) -> Pairwise | None:
        """The tables of an unconstrained problem: all that there is to know about it."""
        return None if self.constrained else self.pairwise

    @property
    def free_tables(self) -> Pairwise | None:
        """Tables under which every combination of candidates is a solution, and which say how appealing each is."""
        return None if self.distinct or self.has_heuristic else self.tables

    @property
    def binary(self) -> Pairwise | None:
        """The tables, where every stage has two candidates and takes either."""
        form = self.tables
        return form if form is not None and not self.distinct and (form.sizes == 2).all() else None

    @cached_property
    def chain(self) -> Ints | None:
        """An order of the stages in which every edge joins consecutive ones."""
        form = self.tables
        return None if form is None or self.distinct else chain_order(len(form.sizes), form.edges)

    @cached_property
    def tour(self) -> Tour | None:
        """The problem as a travelling salesman problem, symmetric or not."""
        return None if self.tables is None else tour_of(self.tables)

    def symmetric_tour(self, cities: int = 3) -> Tour | None:
        """Return the tour if its costs are symmetric and it has at least this many cities, else None."""
        tour = self.tour
        return tour if tour is not None and len(tour.order) >= cities and tour.symmetric else None

    @cached_property
    def sequence(self) -> Ints | None:
        """The stages along the path, or the tour that is not symmetric, that tables of distinct stages are."""
        form, tour = self.tables, self.tour
        if form is None or not self.distinct or len(form.edges) < len(form.sizes) - 1:
            return None
        if tour is not None:
            return None if tour.symmetric else tour.order
        return chain_order(len(form.sizes), form.edges)

    @property
    def is_assignment(self) -> bool:
        """Whether `assignment` is not None, found out without making its matrices."""
        return self.tables is not None and is_assignment(self.tables)

    @cached_property
    def assignment(self) -> Assignment | None:
        """The problem as a quadratic assignment problem; tours are of this form too."""
        return None if self.tables is None else assignment_of(self.tables)


def structure_of(problem: Any) -> Structure:
    """Return the structure of a problem; its tables are those of the score to maximise."""
    form, rows = problem.pairwise(), problem.constraints
    opaque = problem.overrides("allowed") or problem.overrides("feasible")
    return Structure(
        pairwise=form.negated if form is not None and problem.direction == "minimise" else form,
        distinct=problem.distinct,
        constrained=opaque or rows is not None,
        has_heuristic=problem.overrides("heuristic_values"),
        linear=rows if rows is None or isinstance(rows, Constraints) else Constraints.of(problem.sizes, rows),
        lists=problem.shape,
        opaque=opaque,
    )


def distinct_pairs(n: int, edges: NDArray[Any]) -> Ints:
    """Return the pairs of n stages that edges join, each once, smaller stage first.

    >>> distinct_pairs(3, np.array([[2, 0], [0, 2], [1, 2]])).tolist()
    [[0, 2], [1, 2]]
    """
    keys = np.unique(edges.min(axis=1) * n + edges.max(axis=1)) if len(edges) else np.empty(0, np.int64)
    return np.column_stack(np.divmod(keys, n)) if len(keys) else np.empty((0, 2), np.int64)


def chain_order(n: int, edges: NDArray[Any]) -> Ints | None:
    """Return an order of n stages in which every edge joins consecutive ones, or None: only disjoint paths have one.

    >>> chain_order(5, np.array([[4, 0], [0, 2], [1, 3]])).tolist()
    [1, 3, 2, 0, 4]
    >>> chain_order(3, np.array([[0, 1], [1, 2], [2, 0]])) is None
    True
    """
    pairs = distinct_pairs(n, edges)
    # Cheap refusals first: most graphs have too many edges, or a stage with three.
    if len(pairs) > max(0, n - 1) or (len(pairs) and np.bincount(pairs.ravel()).max() > 2):
        return None
    adjacent = _adjacent(n, pairs)
    order: dict[int, None] = {}
    for end in range(n):
        if len(adjacent[end]) < 2 and end not in order:
            _follow(adjacent, end, order)
    return np.array(list(order), np.int64) if len(order) == n else None  # the stages left over lie on cycles


def tour_of(form: Pairwise) -> Tour | None:
    """Return tables as a tour, n distinct cities on one cycle of n edges of one table and equal weights, or None."""
    n = len(form.sizes)
    if not (form.distinct and n >= 3 and form.sizes[0] == n and len(form.edges) == n):
        return None
    unary = form.unary.reshape(n, n)
    # One table and one weight for all edges: anything else is no tour.
    if not ((form.starts == form.starts[0]).all() and (form.weights == form.weights[0]).all()):
        return None
    # Every city is visited once, so equal rows add the same to every tour.
    if not (unary == unary[0]).all():
        return None
    table = form.flat[form.starts[0] : form.starts[0] + n * n].reshape(n, n)
    order = _cycle(form.edges, directed=not np.array_equal(table, table.T))
    if order is None:
        return None
    return Tour(order, np.ascontiguousarray(_times(-form.weights[0], table)), float(unary[0].sum()))


def is_assignment(form: Pairwise) -> bool:
    """Whether tables are a quadratic assignment: one table for all edges, as many distinct candidates as stages."""
    n = len(form.sizes)
    return bool(form.distinct and len(form.edges) and form.sizes[0] == n and (form.starts == form.starts[0]).all())


def assignment_of(form: Pairwise) -> Assignment | None:
    """Return tables as a quadratic assignment: one table for all edges, as many candidates as stages; else None."""
    if not is_assignment(form):
        return None
    n = len(form.sizes)
    table = np.array(form.flat[form.starts[0] : form.starts[0] + n * n].reshape(n, n))
    symmetric = bool(np.array_equal(table, table.T))
    flow = np.zeros((n, n))
    # add.at and not +=, because two stages may be joined by several edges.
    np.add.at(flow, tuple(form.edges.T), form.weights)
    return Assignment(flow + flow.T if symmetric else flow, table, symmetric)


def _times(weight: float, table: Floats) -> Floats:
    """Return weight · table, without a copy where the weight is 1: the table may be most of the memory."""
    return table if weight == 1.0 else np.asarray(weight * table)


def _cycle(edges: Ints, directed: bool) -> Ints | None:
    """Return the stages in the order of the one cycle that n edges form, or None; directed edges must run along it."""
    n = len(edges)
    adjacent = _adjacent(n, edges, directed)
    if any(len(stages) != (1 if directed else 2) for stages in adjacent):
        return None
    order: dict[int, None] = {}
    last = _follow(adjacent, 0, order)
    return np.array(list(order), np.int64) if len(order) == n and 0 in adjacent[last] else None


def _adjacent(n: int, edges: Ints, directed: bool = False) -> list[list[int]]:
    """Return the stages that edges lead to from each of n stages, in both directions unless they are directed."""
    adjacent: list[list[int]] = [[] for _ in range(n)]
    for i, j in edges.tolist():
        adjacent[i].append(j)
        if not directed:
            adjacent[j].append(i)
    return adjacent


def _follow(adjacent: list[list[int]], stage: int, order: dict[int, None]) -> int:
    """Add a stage to an order, and as long as there is one the next adjacent stage not in it; return the last one."""
    onward: int | None = stage
    while onward is not None:
        stage = onward
        order[stage] = None
        onward = next((neighbour for neighbour in adjacent[stage] if neighbour not in order), None)
    return stage
