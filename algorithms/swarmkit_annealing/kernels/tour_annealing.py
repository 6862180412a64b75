"""Metropolis sampling of tours by 2-opt and Or-opt moves; many sweeps in one call.

Costs are symmetric. Scores are minus lengths.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import types

from swarmkit import Floats, Ints, Near, RngState
from swarmkit.kernels.compiling import COST, FLOAT, INT, INTS, NEAR, RNG_STATE, Index, kernel
from swarmkit.kernels.rng import random_bits, uniform
from swarmkit.kernels.tour_moves import LONGEST, ROUTE, ahead, cross, insert
from swarmkit_annealing.kernels.metropolis import HOPELESS, INCUMBENT, SCHEDULE, TRACE, accepts, keep

BIT = np.uint64(1)


@kernel(INT(ROUTE, INT, INT), inline=True)
def next_to(route: Any, city: Index, step: Index) -> Any:
    """Return the city some steps on, or back if negative: `beside` without a branch that is hard to predict."""
    at, n = route.position[city] + step, len(route.tour)
    at = at + n if at < 0 else at
    return route.tour[at - n if at >= n else at]


@kernel(FLOAT(ROUTE, COST, NEAR, INT, types.uint64, INTS), inline=True)
def propose(route: Any, cost: Floats, near: Near, c: Index, bits: Any, move: Ints) -> float:
    """Read a move of city c from 32 random bits and return its gain: 2-opt or Or-opt, with equal probability.

    `move` becomes the cities p, first, last and q of a segment, v and w between which it goes, and whether it keeps its
    direction (see `tour_moves.insert`); for 2-opt, first is -1 and the edges p-q and v-w are replaced by p-v and q-w.
    Where v is -1 there is no move.
    """
    n = len(route.tour)
    v = np.int64(near[c, ((bits & np.uint64(0xFFFF)) * np.uint64(near.shape[1])) >> np.uint64(16)])
    step = 1 - 2 * np.int64((bits >> np.uint64(16)) & BIT)
    move[4] = -1
    if (bits >> np.uint64(17)) & BIT == BIT:
        s, t = next_to(route, c, step), next_to(route, v, step)
        if s == v or t == c:
            return 0.0
        move[0], move[1], move[3], move[4], move[5] = c, -1, s, v, t
        return cost[c, s] + cost[v, t] - cost[c, v] - cost[s, t]
    straight = (bits >> np.uint64(18)) & BIT == BIT
    span = np.uint64(min(LONGEST, n - 3))
    length = 1 + np.int64((((bits >> np.uint64(19)) & np.uint64(0xFFF)) * span) >> np.uint64(12))
    p, last, q = next_to(route, c, -step), next_to(route, c, step * (length - 1)), next_to(route, c, step * length)
    if ahead(route, c, v, step == 1) < length or (straight and v == p) or (not straight and v == q):
        return 0.0
    w = next_to(route, v, step if straight else -step)
    move[0], move[1], move[2], move[3], move[4], move[5], move[6] = p, c, last, q, v, w, straight
    return cost[p, c] + cost[last, q] - cost[p, q] - cost[c, v] - cost[last, w] + cost[v, w]


@kernel(types.void(ROUTE, INTS))
def make(route: Any, move: Ints) -> None:
    """Make a proposed move."""
    if move[1] < 0:
        cross(route, move[3], move[0], move[4], move[5])
    else:
        insert(route, move[0], move[1], move[2], move[3], move[4], move[5], move[6] == 1)


@kernel(INT(ROUTE, COST, NEAR, INTS, INCUMBENT, RNG_STATE, SCHEDULE, TRACE))
def anneal(
    route: Any,
    cost: Floats,
    near: Near,
    move: Ints,
    incumbent: Any,
    rng_state: RngState,
    schedule: Any,
    trace: Floats,
) -> int:
    """Propose moves of random cities and accept or reject them at the temperature of the sweep.

    `move` is scratch memory for 7 numbers. Returns the sweeps made: all, or those until one changed nothing.
    """
    best, sweep, negligible = incumbent.best, schedule.sweep, schedule.negligible
    now, highest = incumbent.scores[0], incumbent.scores[1]
    at_best = False  # whether `best` is to be copied from the current solution
    sweeps = 0
    for temperature in schedule.temperatures:
        changed = 0
        for _ in range(sweep):
            bits = random_bits(rng_state)
            c = np.int64(((bits >> np.uint64(32)) * np.uint64(len(route.tour))) >> np.uint64(32))
            delta = propose(route, cost, near, c, bits, move)
            if move[4] >= 0 and (
                delta >= 0 or (delta > HOPELESS * temperature and accepts(delta, temperature, uniform(rng_state)))
            ):
                if at_best and delta <= 0:  # the best is copied when it is left, not at every step towards it
                    keep(route.tour, best)
                    at_best = False
                make(route, move)
                now += delta
                changed += abs(delta) > negligible
                if now > highest:
                    highest, at_best = now, True
        trace[0, sweeps], trace[1, sweeps] = now, changed / sweep
        sweeps += 1
        if schedule.until_frozen and changed == 0:
            break
    if at_best:
        keep(route.tour, best)
    incumbent.scores[0], incumbent.scores[1] = now, highest
    return sweeps
