"""Partial ants: each walks a segment of its own from anywhere and keeps the order of an existing tour for the rest.

Chitty, D. 2017. Applying ACO to large scale TSP instances. Advances in Computational Intelligence Systems (UKCI).
Costs are symmetric.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numba import types

from swarmkit import Floats, Ints, RngState
from swarmkit.kernels.compiling import COST, FLOAT, FLOATS, INT, INTS, RNG_STATE, Index, copy, kernel
from swarmkit.kernels.rng import below
from swarmkit_ants.kernels.pheromone import PHEROMONE_TABLE
from swarmkit_ants.kernels.portion import ANT_AND_LOOKS, PORTION
from swarmkit_ants.kernels.tour_construction import UNVISITED, draw_neighbour
from swarmkit_ants.pheromone_table import Weights


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
    insertion: Ints
    """The number of cities of the best segment, and where it is inserted, as `cheapest_insertion` says it."""
    lengths: Floats
    """The length of the source tour, the least change of it that an ant made, and the length of `best`, if written."""


PARTIAL_TOURS = types.NamedTuple((INTS, INTS, INTS, INTS, INTS, UNVISITED, INTS, FLOATS), PartialTours)


@kernel(INT(PHEROMONE_TABLE, PARTIAL_TOURS, INT, RNG_STATE))
def walk_segment(table: Any, tours: Any, longest: Index, rng_state: RngState) -> Any:
    """Walk from a random city to one more at least and `longest` cities at most; return how many.

    The walk ends early where all neighbours are visited. Its first edge is not one of the source tour, if possible: an
    ant that keeps to it changes nothing. The cities walked are marked as visited.
    """
    source, position, unvisited, segment = tours.source, tours.position, tours.unvisited, tours.segment
    n, count = len(source), 1
    city = below(rng_state, n)
    last = 2 + below(rng_state, longest - 1) if longest > 1 else 1
    segment[0] = city
    unvisited[city] = 0.0
    following, preceding = source[position[city] + 1 - n], source[position[city] - 1]
    unvisited[following] = unvisited[preceding] = 0.0
    j = draw_neighbour(table, unvisited, city, rng_state)
    unvisited[following] = unvisited[preceding] = 1.0
    if j < 0:
        j = draw_neighbour(table, unvisited, city, rng_state)
    while j >= 0 and count < last:
        city = np.int64(table.near[city, j])
        unvisited[city] = 0.0
        segment[count] = city
        count += 1
        j = draw_neighbour(table, unvisited, city, rng_state) if count < last else -1
    return count


@kernel(INT(UNVISITED, INTS, INT), inline=True)
def next_kept(unvisited: Weights, source: Ints, at: Index) -> Any:
    """Return the position of the first city from a position on that is not in the segment."""
    n = len(source)
    while unvisited[source[at]] == 0.0:
        at = at + 1 if at + 1 < n else 0
    return at


@kernel(INT(UNVISITED, INTS, INT), inline=True)
def last_kept(unvisited: Weights, source: Ints, at: Index) -> Any:
    """Return the position of the last city up to a position that is not in the segment."""
    n = len(source)
    while unvisited[source[at]] == 0.0:
        at = at - 1 if at > 0 else n - 1
    return at


@kernel(FLOAT(COST, PARTIAL_TOURS, INT))
def removal_cost(cost: Floats, tours: Any, count: Index) -> float:
    """Return the change of the source tour's length if the segment's cities are removed from it."""
    source, position, unvisited, segment = tours.source, tours.position, tours.unvisited, tours.segment
    n, change = len(source), 0.0
    for i in range(count):
        city, at = segment[i], position[segment[i]]
        change -= cost[city, source[at + 1 - n]]
        preceding = source[at - 1]
        if unvisited[preceding] > 0.0:
            change += cost[preceding, source[next_kept(unvisited, source, at)]] - cost[preceding, city]
    return change


@kernel(types.Tuple((FLOAT, INT))(COST, PARTIAL_TOURS, INT, INT))
def cheapest_insertion(cost: Floats, tours: Any, first: Index, last: Index) -> tuple[float, Any]:
    """Return the least cost of inserting the segment into the gap that its last or its first city left, and where.

    That is the position of the kept city before it: k for position k, -1 - k if the segment is reversed.
    """
    source, position, unvisited = tours.source, tours.position, tours.unvisited
    least, where = np.inf, 0
    for city in (last, first):
        at = last_kept(unvisited, source, position[city])
        before, behind = source[at], source[next_kept(unvisited, source, position[city])]
        added = cost[before, first] + cost[last, behind] - cost[before, behind]
        if added < least:
            least, where = added, at
        added = cost[before, last] + cost[first, behind] - cost[before, behind]
        if added < least:
            least, where = added, -1 - at
    return least, where


@kernel(FLOAT(COST, INTS))
def tour_length(cost: Floats, tour: Ints) -> float:
    """Return the length of a tour, summed in its order."""
    n, length = len(tour), 0.0
    for at in range(n):
        length += cost[tour[at], tour[at + 1 - n]]
    return length


@kernel(FLOAT(COST, PARTIAL_TOURS))
def write_best(cost: Floats, tours: Any) -> float:
    """Write the best tour and return its length: the source with the best segment removed and inserted again."""
    source, unvisited, segment, best = tours.source, tours.unvisited, tours.best_segment, tours.best
    n, at, count, where = len(source), 0, tours.insertion[0], tours.insertion[1]
    for i in range(count):
        unvisited[segment[i]] = 0.0
    position = where if where >= 0 else -1 - where
    for _ in range(n):
        position = position + 1 if position + 1 < n else 0
        if unvisited[source[position]] > 0.0:
            best[at] = source[position]
            at += 1
    for i in range(count):
        best[at + i] = segment[i] if where >= 0 else segment[count - 1 - i]
        unvisited[segment[i]] = 1.0
    return tour_length(cost, best)


@kernel(ANT_AND_LOOKS(PHEROMONE_TABLE, COST, INT, RNG_STATE, PARTIAL_TOURS, PORTION))
def rebuild_segments(
    table: Any, cost: Floats, longest: Index, rng_state: RngState, tours: Any, portion: Any
) -> tuple[Any, Any]:
    """Let ants rebuild a segment of the source tour; return the ant to go on with, and the looks.

    Args:
        table: the weights that ants choose by.
        cost: the cost of every edge.
        longest: the most cities that an ant walks.
        rng_state: the state of the generator.
        tours: the source; `best` is written at the end of the iteration, and after a tour that is to be recorded.
        portion: which ants, and where they pause.
    """
    source, unvisited, segment, lengths = tours.source, tours.unvisited, tours.segment, tours.lengths
    n, looks, ant, shortest = len(source), 0, portion.first, np.inf
    if ant == 0:
        lengths[0], lengths[1] = tour_length(cost, source), np.inf
    for i in range(n):
        unvisited[i] = 1.0
        tours.position[source[i]] = i
    while ant < portion.last and (ant == portion.first or (looks < portion.looks and shortest >= portion.length)):
        count = walk_segment(table, tours, min(longest, n - 2), rng_state)
        looks += count * table.near.shape[1]
        change = removal_cost(cost, tours, count)
        for i in range(1, count):
            change += cost[segment[i - 1], segment[i]]
        added, where = cheapest_insertion(cost, tours, segment[0], segment[count - 1])
        for i in range(count):
            unvisited[segment[i]] = 1.0
        change += added
        shortest = min(shortest, lengths[0] + change)
        if change < lengths[1]:
            lengths[1] = change
            tours.insertion[0], tours.insertion[1] = count, where
            copy(segment[:count], tours.best_segment)
        ant += 1
    lengths[2] = write_best(cost, tours) if ant == portion.last or shortest < portion.length else np.inf
    return ant, looks
