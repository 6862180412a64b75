"""Generations of symmetric tours: first tours, crossover, mutation, and each child against its parent.

Cavicchio, D. 1970. Adaptive search using simulated evolution. University of Michigan: preselection.
Croes, G. 1958. A method for solving traveling-salesman problems. Operations Research 6(6): 2-opt moves, the mutation.

Aligned order crossover: the child differs from one parent in one segment. Where a cycle begins and in which direction
it is read means nothing, so the other parent is read from the city before the segment on, in either direction.
Operators take what was drawn as arguments. `marks` is scratch memory: -1 for every city, before and after.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numba import types

from swarmkit import Floats, Ints, Near, RngState, Tour
from swarmkit.kernels.compiling import (
    BOOL,
    COST,
    FLOAT,
    FLOATS,
    INT,
    INT_ROWS,
    INTS,
    READONLY_INT_ROWS,
    READONLY_INTS,
    RNG_STATE,
    Index,
    copy,
    kernel,
    read_only,
)
from swarmkit.kernels.rng import below, uniform
from swarmkit.search import Neighbours
from swarmkit_genetic.kernels.offspring import invert, stages_skipped


class Cities(NamedTuple):
    """The cost of every edge, the nearest neighbours of each city, and the smallest saving that counts."""

    cost: Floats
    near: Near
    tolerance: float


class Workspace(NamedTuple):
    """Scratch memory of a crossover: marks of cities, the segment's cities in their new order, and one child."""

    marks: Ints
    segment: Ints
    child: Ints


class Rates(NamedTuple):
    """The rates of the operators."""

    crossover: float
    """The probability of crossover; otherwise the child starts as a copy of its first parent."""
    mutation: float
    """The probability that a position mutates."""


class Generation(NamedTuple):
    """A population of tours, and the best of all generations."""

    tours: Ints
    scores: Floats
    """Minus the lengths, up to a constant."""
    best: Ints
    highest: Floats
    """One number: the score of the best tour."""


READONLY_NEAR = types.Array(types.int32, 2, "C", readonly=True)
CITIES = types.NamedTuple((COST, READONLY_NEAR, FLOAT), Cities)
WORKSPACE = types.NamedUniTuple(INTS, 3, Workspace)
GENERATION = types.NamedTuple((INT_ROWS, FLOATS, INTS, FLOATS), Generation)
RATES = types.NamedUniTuple(FLOAT, 2, Rates)


def cities_of(tour: Tour) -> Cities:
    """Return the cities of a travelling salesman problem."""
    return read_only(Cities(tour.cost, tour.nearest(Neighbours.RECOMBINATION), tour.tolerance))


def new_workspace(n: int) -> Workspace:
    """Return scratch memory for tours of n cities."""
    return Workspace(np.full(n, -1), np.empty(n, np.int64), np.empty(n, np.int64))


@kernel(INT(INT_ROWS, CITIES, FLOAT, INTS, RNG_STATE))
def construct(tours: Ints, cities: Any, skipping: float, position: Ints, rng_state: RngState) -> int:
    """Fill rows with tours that go on to a near unvisited city; return the looks, scores included.

    Args:
        tours: receives the tours.
        cities: costs and nearest neighbours.
        skipping: the probability with which each unvisited near city is skipped, nearest first. The last of them is
            taken if all are skipped; where none is left, the nearest of all unvisited cities.
        position: scratch memory, -1 for every city.
        rng_state: the kernels' random numbers.
    """
    n, looks, cost = len(position), 0, cities.cost
    for k in range(len(tours)):
        looks += n  # its score
        here = below(rng_state, n)
        for i in range(n):
            tours[k, i], position[here], goal = here, i, -1
            for c in cities.near[here]:
                looks += 1
                if position[c] < 0:
                    goal = c
                    if uniform(rng_state) >= skipping:
                        break
            if goal < 0 and i < n - 1:  # all near cities are on the tour already
                looks += n
                for c in range(n):
                    if position[c] < 0 and (goal < 0 or cost[here, c] < cost[here, goal]):
                        goal = c
            here = goal
        for c in range(n):
            position[c] = -1
    return looks


@kernel(INT(READONLY_INTS, INT), inline=True)
def position_of(tour: Ints, city: Index) -> Any:
    """Return the position of a city on a tour; there is no early exit, so that the loop is vectorised."""
    at = 0
    for i in range(len(tour)):
        at = max(at, i * (tour[i] == city))
    return at


@kernel(INT(READONLY_INTS, INT, INT, INT, INT, INT, WORKSPACE))
def collect(b: Ints, first: int, step: int, count: int, length: Index, size: int, workspace: Any) -> Any:
    """Append the marked cities among `count` of tour b to the segment and remove their marks.

    Args:
        b: the tour that is read.
        first: the position of the first city read.
        step: 1 to read forwards, -1 to read backwards.
        count: the number of cities to read.
        length: the number of cities in the segment so far.
        size: the number at which it is complete.
        workspace: the marks and the segment.

    Returns:
        The number of cities in the segment now.
    """
    marks, segment = workspace.marks, workspace.segment
    # Unsigned: numba would test every signed index for being negative.
    at, so_far, whole = np.uint64(first), np.uint64(length), np.uint64(size)
    for _ in range(count):
        if so_far == whole:
            break
        city = np.uint64(b[at])
        segment[so_far] = b[at]  # overwritten unless marked: cheaper than a branch that is mispredicted half the time
        so_far += np.uint64(marks[city] + 1)
        marks[city] = -1
        at += np.uint64(step)
    return np.int64(so_far)


@kernel(types.void(READONLY_INTS, READONLY_INTS, INT, INT, BOOL, WORKSPACE, INTS))
def aligned_order_crossover(
    a: Ints, b: Ints, start: Index, size: Index, forward: bool, workspace: Any, child: Ints
) -> None:
    """Copy tour a, with the cities of a segment in the order in which tour b visits them.

    Args:
        a: the tour that the child is a copy of elsewhere.
        b: the other tour, read from the city before the segment on.
        start: the position before the segment.
        size: the number of cities in the segment.
        forward: whether tour b is read forwards.
        workspace: scratch memory.
        child: receives the tour.
    """
    n = len(child)
    for i in range(n):
        child[i] = a[i]
    for i in range(start + 1, start + 1 + size):
        workspace.marks[a[i if i < n else i - n]] = 0  # 0, so that a mark plus 1 is a step in the segment
    at = position_of(b, a[start])
    if forward:
        length = collect(b, at + 1, 1, n - 1 - at, 0, size, workspace)
        collect(b, 0, 1, at, length, size, workspace)
    else:
        length = collect(b, at - 1, -1, at, 0, size, workspace)
        collect(b, n - 1, -1, n - 1 - at, length, size, workspace)
    for i in range(size):
        to = start + 1 + i
        child[to if to < n else to - n] = workspace.segment[i]


@kernel(FLOAT(COST, READONLY_INTS, READONLY_INTS, INT, INT))
def crossover_cost(cost: Floats, a: Ints, child: Ints, start: Index, size: Index) -> float:
    """Return by how much the child of a crossover is longer than its parent a: they differ in the segment only."""
    n, old, new = len(a), 0.0, 0.0
    was = here = np.uint64(a[start])  # unsigned, as in `collect`
    for i in range(start + 1, start + size + 2):
        at = np.uint64(i if i < n else i - n)
        before, city = np.uint64(a[at]), np.uint64(child[at])
        old += cost[was, before]
        new += cost[here, city]
        was, here = before, city
    return new - old


@kernel(types.void(INTS, INT, INT))
def invert_cyclic(tour: Ints, low: int, high: int) -> None:
    """Reverse the segment low..high-1 of a cycle, or the rest, which gives the same cycle, if that is shorter."""
    n = len(tour)
    if 2 * (high - low) <= n:
        invert(tour, low, high)
        return
    i, j = high, low - 1  # the rest, from both of its ends, around the end of the array
    for _ in range((n - (high - low)) // 2):
        i, j = (i if i < n else 0), (j if j >= 0 else n - 1)
        tour[i], tour[j] = tour[j], tour[i]
        i, j = i + 1, j - 1


@kernel(types.UniTuple(INT, 2)(READONLY_INTS, INT, READONLY_NEAR, RNG_STATE), inline=True)
def near_inversion(tour: Ints, i: int, near: Near, rng_state: RngState) -> tuple[int, int]:
    """Return a segment low..high-1 whose reversal makes the i-th city adjacent to a random one of its nearest.

    There are two such 2-opt moves; one of them is drawn.
    """
    j = position_of(tour, near[tour[i], below(rng_state, near.shape[1])])
    ahead = below(rng_state, 2)
    return (i + ahead, j + ahead) if i < j else (j + ahead, i + ahead)


@kernel(FLOAT(COST, READONLY_INTS, INT, INT), inline=True)
def inversion_cost(cost: Floats, tour: Ints, low: int, high: int) -> float:
    """Return by how much the reversal of the segment low..high-1 lengthens a tour."""
    before, behind = tour[low - 1], tour[high if high < len(tour) else 0]
    first, last = tour[low], tour[high - 1]
    return cost[before, last] + cost[first, behind] - cost[before, first] - cost[last, behind]


@kernel(FLOAT(CITIES, FLOAT, RNG_STATE, INTS, FLOAT))
def mutate_tour(cities: Any, rate: float, rng_state: RngState, child: Ints, change: float) -> float:
    """Let each position mutate with probability `rate`; return `change` plus what that adds to the length."""
    i = stages_skipped(rate, uniform(rng_state))
    while i < len(child):
        low, high = near_inversion(child, i, cities.near, rng_state)
        change += inversion_cost(cities.cost, child, low, high)
        invert_cyclic(child, low, high)
        i += 1 + stages_skipped(rate, uniform(rng_state))
    return change


@kernel(FLOAT(COST, READONLY_INTS, READONLY_INTS, WORKSPACE, RNG_STATE, INTS))
def cross(cost: Floats, a: Ints, b: Ints, workspace: Any, rng_state: RngState, child: Ints) -> float:
    """Cross two tours in a random segment of up to half the cities; return by how much the child is longer than a."""
    n = len(child)
    start, size = below(rng_state, n), 1 + below(rng_state, n // 2)
    aligned_order_crossover(a, b, start, size, below(rng_state, 2) == 1, workspace, child)
    return crossover_cost(cost, a, child, start, size)


@kernel(types.void(INT_ROWS, READONLY_INT_ROWS, CITIES, RATES, WORKSPACE, RNG_STATE, INT_ROWS))
def make_children(
    tours: Ints, pairs: Ints, cities: Any, rates: Any, workspace: Any, rng_state: RngState, children: Ints
) -> None:
    """Fill `children`, a tour for each pair of rows of `tours`."""
    for k in range(len(pairs)):
        a, b, child = tours[pairs[k, 0]], tours[pairs[k, 1]], children[k]
        if uniform(rng_state) < rates.crossover:
            cross(cities.cost, a, b, workspace, rng_state, child)
        else:
            copy(a, child)
        mutate_tour(cities, rates.mutation, rng_state, child, 0.0)


@kernel(types.void(GENERATION, CITIES, RATES, INT, WORKSPACE, RNG_STATE))
def preselection(generation: Any, cities: Any, rates: Any, count: int, workspace: Any, rng_state: RngState) -> None:
    """Let every tour in turn have a child with a random one; it replaces its parent if it is shorter.

    A child is scored by its difference from that parent.

    Args:
        generation: the population and the best tour so far, changed in place.
        cities: costs and nearest neighbours.
        rates: of crossover and mutation.
        count: the number of generations.
        workspace: scratch memory.
        rng_state: the kernels' random numbers.
    """
    tours, scores, highest = generation.tours, generation.scores, generation.highest
    child = workspace.child
    for birth in range(count * len(tours)):
        k = birth % len(tours)
        a, change = tours[k], 0.0
        if uniform(rng_state) < rates.crossover:
            b = tours[below(rng_state, len(tours))]
            change = cross(cities.cost, a, b, workspace, rng_state, child)
        else:
            copy(a, child)
        change = mutate_tour(cities, rates.mutation, rng_state, child, change)
        if change < -cities.tolerance:  # rounding must not look like an improvement
            scores[k] -= change
            copy(child, a)
            if scores[k] > highest[0]:
                highest[0] = scores[k]
                copy(child, generation.best)
