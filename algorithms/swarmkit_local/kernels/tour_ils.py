"""Iterated local search on symmetric tours: double bridges over short segments, and 3-opt around them."""

from __future__ import annotations

from collections import namedtuple
from typing import Any

from numba import types

from swarmkit import Floats, Near, RngState
from swarmkit.kernels.compiling import COST, FLOAT, FLOATS, INT, INTS, NEAR, RNG_STATE, copy, kernel
from swarmkit.kernels.rng import below
from swarmkit.kernels.tour_moves import ROUTE, join, load, optimise_for

Tours = namedtuple("Tours", "base best scores rng_state saved")
"""The base of `swarmkit_local.rounds.TourRounds`, and arrays of its `TourState`, which document them. The current score
is that after the kick, and the other one that of base and incumbent."""

TOURS = types.NamedTuple((INTS, INTS, FLOATS, RNG_STATE, FLOATS), Tours)


@kernel(FLOAT(ROUTE, COST, RNG_STATE, INT))
def double_bridge(route: Any, cost: Floats, rng_state: RngState, longest: int) -> float:
    """Exchange two adjacent segments of up to `longest` cities at a random place; return what that saves."""
    n = len(route.tour)
    at, first, second = below(rng_state, n), 1 + below(rng_state, longest), 1 + below(rng_state, longest)
    p, a, b = route.tour[at], route.tour[(at + 1) % n], route.tour[(at + first) % n]
    end = at + first + second
    c, d, q = route.tour[(at + first + 1) % n], route.tour[end % n], route.tour[(end + 1) % n]
    join(route, p, a, d, q, b, c)
    route.counters[3] += 3
    return cost[p, a] + cost[b, c] + cost[d, q] - cost[p, c] - cost[d, a] - cost[b, q]


@kernel(INT(ROUTE, COST, NEAR, FLOAT, TOURS, INT, INT))
def iterate(route: Any, cost: Floats, near: Near, tolerance: float, tours: Any, longest: int, count: int) -> int:
    """Make some steps: kick the base tour, improve it around there, and return to it if that is longer.

    A step examines at most as many cities as there are; a longer improvement takes several steps.

    Args:
        route: the current tour with the queue of the round in progress, empty between rounds; it counts the looks.
        cost: the cost of every edge.
        near: the nearest neighbours of each city.
        tolerance: the smallest saving that counts as an improvement.
        tours: the tour that rounds start from, the incumbent, the scores, and what the round has saved.
        longest: the longest segment that a kick moves.
        count: the number of steps.

    Returns:
        The number of rounds that have ended.
    """
    rounds, counters, scores, saving = 0, route.counters, tours.scores, tours.saved
    for _ in range(count):
        if not counters[2]:
            scores[0] += double_bridge(route, cost, tours.rng_state, longest)
        saving[0] = optimise_for(route, cost, near, tolerance, saving[0], len(route.tour))
        score = scores[0] + saving[0]
        if score > scores[1]:  # also on the way: the first improvement of a large tour takes many steps
            scores[1] = score
            copy(route.tour, tours.best)
        if counters[2]:
            continue
        if score == scores[1]:  # no longer than the base: equal tours take turns
            copy(route.tour, tours.base)
        else:
            load(route, tours.base)
        scores[0], saving[0] = scores[1], 0.0
        rounds += 1
    return rounds
