"""Iterated local search on symmetric tours: double bridges over short segments, and 3-opt around them."""

from __future__ import annotations

from typing import Any

from swarmkit import Floats, Near, RngState
from swarmkit.kernels.compiling import COST, FLOAT, INT, NEAR, RNG_STATE, copy, kernel
from swarmkit.kernels.rng import below
from swarmkit.kernels.tour_moves import ROUTE, join, load, optimise
from swarmkit_local.kernels.ils import INCUMBENT


@kernel(FLOAT(ROUTE, COST, RNG_STATE, INT))
def double_bridge(route: Any, cost: Floats, rng_state: RngState, longest: int) -> float:
    """Exchange two adjacent segments of up to `longest` cities at a random place; return what that saves."""
    n = len(route.tour)
    at, first, second = below(rng_state, n), 1 + below(rng_state, longest), 1 + below(rng_state, longest)
    p, a, b = route.tour[at], route.tour[(at + 1) % n], route.tour[(at + first) % n]
    after_both = at + first + second
    c, d, q = route.tour[(at + first + 1) % n], route.tour[after_both % n], route.tour[(after_both + 1) % n]
    join(route, p, a, d, q, b, c)
    route.counters[3] += 3
    return cost[p, a] + cost[b, c] + cost[d, q] - cost[p, c] - cost[d, a] - cost[b, q]


@kernel(INT(ROUTE, COST, NEAR, FLOAT, INCUMBENT, INT, INT))
def iterate(route: Any, cost: Floats, near: Near, tolerance: float, incumbent: Any, longest: int, enough: int) -> int:
    """Kick the best tour, improve it around there, and return to it if that was worse, until enough looks are spent.

    Args:
        route: the current tour, equal to the incumbent; it counts the looks.
        cost: the cost of every edge.
        near: the nearest neighbours of each city.
        tolerance: the smallest saving that counts as an improvement.
        incumbent: the best tour; scores are minus lengths.
        longest: the longest segment that a kick moves.
        enough: the looks of the route after which no new round begins.

    Returns:
        The number of rounds.
    """
    rounds, scores = 0, incumbent.scores
    while route.counters[3] < enough:
        rounds += 1
        now = scores[1] + double_bridge(route, cost, incumbent.rng_state, longest)
        now += optimise(route, cost, near, tolerance)
        if now >= scores[1]:
            scores[1] = now
            copy(route.tour, incumbent.best)
        else:
            load(route, incumbent.best)
    scores[0] = scores[1]
    return rounds
