"""Make a generation of children from pairs of parents: crossover and mutation, compiled."""

from __future__ import annotations

from typing import Literal, NamedTuple, get_args

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from swarmkit.compiled.rounds import round_trip
from swarmkit.construction import repair
from swarmkit.pairwise import Floats, Ints
from swarmkit.problem import Problem, Solutions
from swarmkit.tour import Tour

Crossover = Literal["one-point", "uniform", "order", "pmx", "tour"]
Mutation = Literal["change", "swap", "inversion", "near"]

NEAREST = 5
"""With how many of its nearest a city may be joined."""
DETOURS = 100
"""Near cities that a first tour passes over, about: more take too long to mend, fewer leave too little to inherit."""
NOWHERE = np.empty((0, 0), np.int32)
"""What is nearest where there are no cities."""


class Operators(NamedTuple):
    """How a child is made of two parents: how likely they mix, and how likely each stage mutates.

    `order`, `pmx`, `swap` and `inversion` are for stages that must differ, `tour` and `near` for a `round_trip`, the
    others for stages that need not differ.
    """

    crossover: Crossover
    crossover_rate: float
    mutation: Mutation
    mutation_rate: float


def breed(
    problem: Problem,
    X: Solutions,
    parents: Ints,
    words: NDArray[np.uint64],
    rng: Generator,
    operators: Operators,
) -> Solutions:
    """Make one feasible child of each pair of rows of X; one that cannot be repaired is a copy of its first parent."""
    from swarmkit.kernels import breeding

    sizes, tour = np.asarray(problem.sizes, np.int64), round_trip(problem)
    children = np.empty((len(parents), len(sizes)), np.int64)
    breeding.breed(
        np.ascontiguousarray(X) if tour is None else tour.rows(X),
        parents,
        sizes,
        NOWHERE if tour is None else tour.nearest(NEAREST),
        get_args(Crossover).index(operators.crossover),
        operators.crossover_rate,
        get_args(Mutation).index(operators.mutation),
        operators.mutation_rate,
        np.full(int(sizes.max()), -1),
        np.empty(len(sizes), np.int64),
        words,
        children,
    )
    if tour is not None and not tour.straight:
        children = tour.solutions(children)
    if problem.overrides("allowed") or problem.overrides("feasible"):
        good = repair(problem, children, rng)
        children[~good] = X[parents[~good, 0]]
    return children


def breed_tours(
    tour: Tour, X: Solutions, scores: Floats, operators: Operators, generations: int, words: NDArray[np.uint64]
) -> Solutions:
    """Breed round trips by `tour` and `near`, each child against its first parent; give them, and change their scores.

    A child is scored by its difference from that parent, which is a whole score, and as many looks, all the same.
    """
    from swarmkit.kernels import families

    tours, n = tour.rows(X), X.shape[1]
    room, child = np.empty((2, n), np.int64)
    rates, near = (operators.crossover_rate, operators.mutation_rate), tour.nearest(NEAREST)
    families.breed_tours(
        tours, scores, tour.cost, near, tour.least, generations, *rates, np.full(n, -1), room, child, words
    )
    return tours if tour.straight else tour.solutions(tours)


def wander(tour: Tour, count: int, words: NDArray[np.uint64]) -> tuple[Solutions, int]:
    """Make round trips that go on to a near city as long as there is one; give the looks as well."""
    from swarmkit.kernels import families

    n = len(tour.order)
    tours = np.empty((count, n), np.int64)
    passing = min(0.5, DETOURS / n)
    looks = families.wander(tours, tour.cost, tour.nearest(NEAREST), passing, np.full(n, -1), words)
    return tour.solutions(tours), looks
