"""Metropolis sampling of tours by 2-opt and Or-opt moves; many sweeps in one call.

Costs are symmetric. Scores are minus lengths.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numba import types

from swarmkit import Floats, Ints, Near, RngState
from swarmkit.kernels.compiling import COST, FLOAT, INT, INTS, NEAR, RNG_STATE, Index, kernel, read_only
from swarmkit.kernels.rng import random_bits
from swarmkit.kernels.tour_moves import LONGEST, ROUTE, Route, ahead, cross, insert
from swarmkit_annealing.kernels.table_annealing import INCUMBENT, SCHEDULE, TRACE, accepted_gain, sample

BIT = np.uint64(1)


class TourSearch(NamedTuple):
    """The current tour, and the move that is considered."""

    route: Route
    cost: Floats
    near: Near
    move: Ints
    """Cities p, first, last and q of a segment, v and w between which it goes, and whether it keeps its direction (see
    `tour_moves.insert`); for 2-opt, first is -1 and the edges p-q and v-w are replaced by p-v and q-w."""


TOUR_SEARCH = types.NamedTuple((ROUTE, COST, NEAR, INTS), TourSearch)


def new_search(route: Route, cost: Floats, near: Near) -> TourSearch:
    """Return a search that considers no move yet."""
    search = TourSearch(route, cost, near, np.empty(7, np.int64))
    # Only the costs are read-only to the kernels: they may be a memory map.
    return read_only(search)._replace(near=near, move=search.move)


@kernel(INT(ROUTE, INT, INT), inline=True)
def next_to(route: Any, city: Index, step: Index) -> Any:
    """Return the city some steps on, or back if negative: `beside` without a branch that is hard to predict."""
    at, n = route.position[city] + step, len(route.tour)
    at = at + n if at < 0 else at
    return route.tour[at - n if at >= n else at]


@kernel(FLOAT(TOUR_SEARCH, INT, types.uint64), inline=True)
def read_move(search: Any, c: Index, bits: Any) -> float:
    """Read a move of city c from 32 random bits, and return its gain, -inf where they are none.

    2-opt and Or-opt have equal probability.
    """
    route, cost, near, move = search.route, search.cost, search.near, search.move
    n = len(route.tour)
    # Bits 0-15: a near city v; 16: the direction; 17: the kind of move; 18: turned or not; 19-30: the segment's length.
    v = np.int64(near[c, ((bits & np.uint64(0xFFFF)) * np.uint64(near.shape[1])) >> np.uint64(16)])
    step = 1 - 2 * np.int64((bits >> np.uint64(16)) & BIT)
    if (bits >> np.uint64(17)) & BIT == BIT:
        s, t = next_to(route, c, step), next_to(route, v, step)
        if s == v or t == c:  # the edge c-v is on the tour already
            return -np.inf
        move[0], move[1], move[3], move[4], move[5] = c, -1, s, v, t
        return cost[c, s] + cost[v, t] - cost[c, v] - cost[s, t]
    straight = (bits >> np.uint64(18)) & BIT == BIT
    span = np.uint64(min(LONGEST, n - 3))
    length = 1 + np.int64((((bits >> np.uint64(19)) & np.uint64(0xFFF)) * span) >> np.uint64(12))
    p, last, q = next_to(route, c, -step), next_to(route, c, step * (length - 1)), next_to(route, c, step * length)
    # v in the segment, or a segment that would return to its place
    if ahead(route, c, v, step == 1) < length or (straight and v == p) or (not straight and v == q):
        return -np.inf
    w = next_to(route, v, step if straight else -step)
    move[0], move[1], move[2], move[3], move[4], move[5], move[6] = p, c, last, q, v, w, straight
    return cost[p, c] + cost[last, q] - cost[p, q] - cost[c, v] - cost[last, w] + cost[v, w]


@kernel(FLOAT(TOUR_SEARCH, INT, FLOAT, RNG_STATE), inline=True)
def propose(search: Any, k: int, temperature: float, rng_state: RngState) -> float:  # noqa: ARG001  (as `sample` calls it)
    """Propose a random move of a random city, and return its gain if it is accepted, -inf otherwise."""
    bits = random_bits(rng_state)
    c = np.int64(((bits >> np.uint64(32)) * np.uint64(len(search.route.tour))) >> np.uint64(32))
    return accepted_gain(read_move(search, c, bits), temperature, rng_state)


@kernel(types.void(TOUR_SEARCH))
def make_move(search: Any) -> None:
    """Make the move that is considered."""
    move = search.move
    if move[1] < 0:
        cross(search.route, move[3], move[0], move[4], move[5])
    else:
        insert(search.route, move[0], move[1], move[2], move[3], move[4], move[5], move[6] == 1)


@kernel(INT(TOUR_SEARCH, INCUMBENT, RNG_STATE, SCHEDULE, TRACE))
def anneal(search: Any, incumbent: Any, rng_state: RngState, schedule: Any, trace: Floats) -> Any:
    """Propose moves of random cities, and return the sweeps made."""
    return sample(propose, make_move, search, search.route.tour, incumbent, rng_state, schedule, trace)
