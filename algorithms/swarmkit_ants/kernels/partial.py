"""Partial ants: each walks a segment of its own from anywhere and keeps the order of an existing tour for the rest.

Chitty, D. 2017. Applying ACO to large scale TSP instances. Advances in Computational Intelligence Systems (UKCI).
Costs are symmetric.
"""

from __future__ import annotations

from typing import Any, ClassVar, NamedTuple

import numpy as np
from numba import types

from swarmkit import Floats, Ints, RngState, Tour
from swarmkit.kernels.compiling import COST, FLOAT, INT, INTS, RNG_STATE, Index, kernel
from swarmkit.kernels.rng import below
from swarmkit_ants.kernels.tour_walk import (
    PHEROMONE_TABLE,
    UNVISITED,
    PheromoneTable,
    Weights,
    draw_neighbour,
    draw_new_edge,
    tour_length,
)

SHARE, SHORTEST, LONGEST = 0.4, 10, 80
"""The most cities of a partial ant's segment as a share of all cities, and its limits; ours."""


class PartialTours(NamedTuple):
    """The source tour, the best tour that an ant made, and scratch memory."""

    source: Ints
    best: Ints
    position: Ints
    """The position of each city on the source tour."""
    segment: Ints
    """The cities of the current ant's segment."""
    best_segment: Ints
    """The cities of the segment of the best tour."""
    unvisited: Weights
    """0 for the cities of the current ant's segment, else 1."""


PARTIAL_TOURS = types.NamedTuple((INTS, INTS, INTS, INTS, INTS, UNVISITED), PartialTours)


@kernel(INT(PHEROMONE_TABLE, PARTIAL_TOURS, INT, RNG_STATE))
def walk_segment(table: Any, tours: Any, longest: Index, rng_state: RngState) -> Any:
    """Walk from a random city to one more at least and `longest` cities at most; return how many.

    The walk ends early where all neighbours are visited. Its first edge is not one of the source tour, if possible: an
    ant that keeps to it changes nothing. The cities walked are marked as visited.
    """
    source, position, unvisited, segment = tours.source, tours.position, tours.unvisited, tours.segment
    n, count = len(source), 1
    segment[0] = city = below(rng_state, n)
    last = 2 + below(rng_state, longest - 1) if longest > 1 else 1
    unvisited[city] = 0.0
    following, preceding = source[position[city] + 1 - n], source[position[city] - 1]
    next_city = draw_new_edge(table, unvisited, city, following, preceding, rng_state)
    if next_city < 0:
        next_city = draw_neighbour(table, unvisited, city, rng_state)
    while next_city >= 0 and count < last:
        segment[count] = city = next_city
        unvisited[city] = 0.0
        count += 1
        next_city = draw_neighbour(table, unvisited, city, rng_state) if count < last else -1
    return count


@kernel(INT(PARTIAL_TOURS, INT, INT), inline=True)
def next_outside(tours: Any, at: Index, step: Index) -> Any:
    """Return the position of the first city from a position on that is not in the segment; step: 1, or -1 backwards."""
    n = len(tours.source)
    while tours.unvisited[tours.source[at]] == 0.0:
        at = at + step if at + step < n else 0  # a position below 0 counts from the end
    return at % n


@kernel(FLOAT(COST, PARTIAL_TOURS, INT))
def removal_cost(cost: Floats, tours: Any, count: Index) -> float:
    """Return the change of the source tour's length if the segment's cities are removed from it."""
    source, position, unvisited, segment = tours.source, tours.position, tours.unvisited, tours.segment
    n, change = len(source), 0.0
    for i in range(count):
        city, at = segment[i], position[segment[i]]
        change -= cost[city, source[at + 1 - n]]
        preceding = source[at - 1]
        if unvisited[preceding] > 0.0:  # the first of a run of removed cities: the gap is closed once
            change += cost[preceding, source[next_outside(tours, at, 1)]] - cost[preceding, city]
    return change


@kernel(types.Tuple((FLOAT, INT))(COST, PARTIAL_TOURS, INT, INT))
def cheapest_insertion(cost: Floats, tours: Any, first: Index, last: Index) -> tuple[float, Any]:
    """Return the least cost of inserting the segment into the gap that its last or its first city left, and where.

    That is the position of the kept city before it: k for position k, -1 - k if the segment is reversed.
    """
    least, where = np.inf, 0
    for city in (last, first):
        at = next_outside(tours, tours.position[city], -1)
        before, behind = tours.source[at], tours.source[next_outside(tours, tours.position[city], 1)]
        for head, tail, place in ((first, last, at), (last, first, -1 - at)):
            cost_of_place = cost[before, head] + cost[tail, behind] - cost[before, behind]
            if cost_of_place < least:
                least, where = cost_of_place, place
    return least, where


@kernel(types.void(PARTIAL_TOURS, INT, INT))
def write_best(tours: Any, count: Index, where: Index) -> None:
    """Write the best tour: the source with the `count` cities of the best segment removed and inserted again.

    `where` says it as `cheapest_insertion` does.
    """
    source, unvisited, segment, best = tours.source, tours.unvisited, tours.best_segment, tours.best
    n, at = len(source), 0
    for i in range(count):
        unvisited[segment[i]] = 0.0
    position = where if where >= 0 else -1 - where
    for k in range(position + 1 - n, position + 1):
        if unvisited[source[k]] > 0.0:
            best[at] = source[k]
            at += 1
    for i in range(count):
        best[at + i] = segment[i] if where >= 0 else segment[count - 1 - i]
        unvisited[segment[i]] = 1.0


@kernel(types.Tuple((FLOAT, INT))(PHEROMONE_TABLE, COST, INT, INT, RNG_STATE, PARTIAL_TOURS))
def rebuild_segments(
    table: Any, cost: Floats, longest: Index, ants: Index, rng_state: RngState, tours: Any
) -> tuple[float, Any]:
    """Let ants rebuild a segment of the source each; write the best tour, and return its length and the looks.

    Args:
        table: the weights that ants choose by.
        cost: the cost of every edge.
        longest: the most cities that an ant walks.
        ants: their number.
        rng_state: the state of the generator.
        tours: the source tour and the best.
    """
    source, unvisited, segment = tours.source, tours.unvisited, tours.segment
    n, looks, least, best_count, best_where = len(source), 0, np.inf, 0, 0
    unvisited[:] = 1.0  # as before and after each ant
    for i in range(n):
        tours.position[source[i]] = i
    for _ in range(ants):
        count = walk_segment(table, tours, min(longest, n - 2), rng_state)
        looks += count * table.near.shape[1]
        change = removal_cost(cost, tours, count)
        for i in range(1, count):
            change += cost[segment[i - 1], segment[i]]
        insertion, where = cheapest_insertion(cost, tours, segment[0], segment[count - 1])
        for i in range(count):
            unvisited[segment[i]] = 1.0
        change += insertion
        if change < least:
            least, best_count, best_where = change, count, where
            for i in range(count):
                tours.best_segment[i] = segment[i]
    write_best(tours, best_count, best_where)
    return tour_length(cost, tours.best), looks


class Partial:
    """Ants walk a segment of the source tour each and keep its order for the rest; costs are symmetric.

    A walk starts anywhere and leaves the source at once. It is inserted where its last or its first city was. The best
    of these tours, longer or not, is the next source.

    Args:
        tour: the travelling salesman problem.
        ants: how many ants rebuild a segment in an iteration.
        segment: the most cities that each walks; None for two fifths of all, at least 10 and at most 80.
    """

    rows: ClassVar[int] = 1
    rho: ClassVar[float] = 0.02
    """As in MAX-MIN ant system: pheromone that evaporates slowly, because few edges change in an iteration."""

    def __init__(self, tour: Tour, ants: int, segment: int | None = None) -> None:
        n = len(tour.cost)
        self._cost, self._ants, self.segment = tour.cost, ants, default_segment(n) if segment is None else segment
        self._scratch: tuple[Any, ...] = *np.empty((3, n), np.int64), np.ones(n, np.float32)

    def build(self, table: PheromoneTable, source: Ints, tours: Ints, scores: Floats, rng_state: RngState) -> int:
        """Write the best tour that an ant made and its score, let it be the source, and return the looks."""
        rebuilt = PartialTours(source, tours[0], *self._scratch)
        length, looks = rebuild_segments(table, self._cost, self.segment, self._ants, rng_state, rebuilt)
        scores[0], source[:] = -length, tours[0]
        return int(looks)


def default_segment(cities: int) -> int:
    """Return the most cities that a partial ant walks where it is not said.

    >>> [default_segment(cities) for cities in (10, 100, 1000)]
    [10, 40, 80]
    """
    return int(min(max(SHARE * cities, SHORTEST), LONGEST))
