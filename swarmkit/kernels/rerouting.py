"""Tours that change at random: annealed by 2-opt and Or-opt moves, or kicked and improved again; many in one call.

Costs are the same both ways. Scores are minus lengths.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import types

from swarmkit.kernels import Index
from swarmkit.kernels.annealing import HOPELESS, accepts
from swarmkit.kernels.chance import Words, below, draw, uniform
from swarmkit.kernels.compiling import (
    BOOL,
    COST,
    FLOAT,
    FLOATS,
    GIVEN_FLOATS,
    INT,
    INTS,
    NEAR,
    WORDS,
    Floats,
    Ints,
    copy,
    kernel,
)
from swarmkit.kernels.tours import LONGEST, ROUTE, ahead, cross, enqueue, insert, join, settle
from swarmkit.tour import Near

BIT = np.uint64(1)


@kernel(INT(ROUTE, INT, INT), inline=True)
def next_to(route: Any, city: Index, step: Index) -> Any:
    """Give the city some steps on, or back if negative; `tours.beside`, without a branch that cannot be foretold."""
    at, n = route.place[city] + step, len(route.tour)
    at = at + n if at < 0 else at
    return route.tour[at - n if at >= n else at]


@kernel(FLOAT(ROUTE, COST, NEAR, INT, types.uint64, INTS), inline=True)
def propose(route: Any, cost: Floats, near: Near, c: Index, bits: Any, move: Ints) -> float:
    """Read a move of a city from 32 random bits and give its gain: 2-opt or Or-opt, half the time each.

    `move` becomes the cities p, first, last and q of a stretch, v and w where it goes, and whether that is straight
    ahead (see `tours.insert`); for 2-opt, first is -1 and the edges p-q and v-w give way to p-v and q-w. Where v is -1
    there is no move.
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


@kernel(
    types.Tuple((INT, INT, INT))(
        *(ROUTE, COST, NEAR, INTS, INTS, FLOATS, WORDS),
        *(GIVEN_FLOATS, INT, INTS, INT, BOOL, FLOAT, FLOATS, FLOATS),
    )
)
def anneal(
    route: Any,
    cost: Floats,
    near: Near,
    move: Ints,
    best: Ints,
    scores: Floats,
    words: Words,
    temperatures: Floats,
    sweep: int,
    within: Ints,
    proposals: int,
    until_frozen: bool,
    slight: float,
    course: Floats,
    taken: Floats,
) -> tuple[int, int, int]:
    """Propose moves at the temperature of each sweep: `annealing.anneal` on tours. `move` is room for 7 numbers."""
    now, highest = scores[0], scores[1]
    done, changed = within[0], within[1]
    at_best = now >= highest
    ended, idle, made = 0, 0, 0
    temperature = temperatures[0]
    for _ in range(proposals):
        made += 1
        bits = draw(words)
        c = np.int64(((bits >> np.uint64(32)) * np.uint64(len(route.tour))) >> np.uint64(32))
        delta = propose(route, cost, near, c, bits, move)
        if move[4] >= 0 and (
            delta >= 0 or (delta > HOPELESS * temperature and accepts(delta, temperature, uniform(words)))
        ):
            if at_best and delta < 0:  # the best is copied when it is left, not at every step towards it
                copy(route.tour, best)
                at_best = False
            make(route, move)
            now += delta
            changed += abs(delta) > slight
            if now > highest:
                highest, at_best = now, True
        done += 1
        if done == sweep:
            course[ended], taken[ended] = now, changed / sweep
            ended += 1
            idle += changed == 0
            temperature = temperatures[ended]
            done, changed = 0, 0
            if until_frozen and idle:
                break
    if at_best:
        copy(route.tour, best)
    scores[0], scores[1] = now, highest
    within[0], within[1] = done, changed
    return 2 * made, ended, idle


@kernel(types.void(ROUTE, INTS))
def go_back(route: Any, best: Ints) -> None:
    """Go back to a tour."""
    for at in range(len(best)):
        route.tour[at] = best[at]
        route.place[best[at]] = at


@kernel(types.void(ROUTE, COST, NEAR, FLOAT, INTS, FLOATS))
def polish(route: Any, cost: Floats, near: Near, least: float, best: Ints, scores: Floats) -> None:
    """Go back to the best tour and improve it until no 3-opt or Or-opt move does."""
    go_back(route, best)
    for at in range(len(best)):
        enqueue(route, best[at])
    scores[1] += settle(route, cost, near, least)
    scores[0] = scores[1]
    copy(route.tour, best)


@kernel(FLOAT(ROUTE, COST, WORDS, INT))
def kick(route: Any, cost: Floats, words: Words, reach: int) -> float:
    """Let two short stretches side by side change places (a double bridge near by); give what that saves."""
    n = len(route.tour)
    at, first, second = below(words, n), 1 + below(words, reach), 1 + below(words, reach)
    p, a, b = route.tour[at], route.tour[(at + 1) % n], route.tour[(at + first) % n]
    after_both = at + first + second
    c, d, q = route.tour[(at + first + 1) % n], route.tour[after_both % n], route.tour[(after_both + 1) % n]
    join(route, p, a, d, q, b, c)
    route.ends[3] += 3
    return cost[p, a] + cost[b, c] + cost[d, q] - cost[p, c] - cost[d, a] - cost[b, q]


@kernel(INT(ROUTE, COST, NEAR, FLOAT, INTS, FLOATS, WORDS, INT, INT))
def kick_and_settle(
    route: Any,
    cost: Floats,
    near: Near,
    least: float,
    best: Ints,
    scores: Floats,
    words: Words,
    reach: int,
    enough: int,
) -> int:
    """Kick the best tour, improve it around there, go back if that was worse; and again. Gives how often."""
    rounds = 0
    while route.ends[3] < enough:
        rounds += 1
        now = scores[1] + kick(route, cost, words, reach)
        now += settle(route, cost, near, least)
        if now >= scores[1]:
            scores[1] = now
            copy(route.tour, best)
        else:
            go_back(route, best)
    scores[0] = scores[1]
    return rounds
