"""Tabu search on tables, in rounds; between rounds paths lead from one good solution towards another.

Glover, F., Lü, Z. and Hao, J.-K. 2010. Diversification-driven tabu search for unconstrained binary quadratic problems.
4OR 8(3). Wang, Y., Lü, Z., Glover, F. and Hao, J.-K. 2012. Path relinking for unconstrained binary quadratic
programming. European Journal of Operational Research 223(3). Hertz, A. and de Werra, D. 1987. Using tabu search
techniques for graph coloring. Computing 39.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numba import types

from swarmkit import Floats, Ints, RngState
from swarmkit.kernels.compiling import FLOAT, FLOATS, INT, INT_ROWS, INTS, RNG_STATE, Index, copy, kernel
from swarmkit.kernels.icm import LEAST
from swarmkit.kernels.rng import below
from swarmkit_local.kernels.elite import ELITE, best_member, dissolve, distance, join, relabel
from swarmkit_local.kernels.tabu_moves import (
    MOVES,
    NEVER,
    TABLES,
    best_open,
    binary,
    fill,
    move_to,
    put,
    refresh,
    take,
    way_back,
)

ROUND, PATH, TARGET, BEST = 0, 1, 2, 3
"""Rows of `Search.solutions`: the best of the round, the best on the path, where the path leads to, the incumbent."""

NOW, IMPROVED, TABU, ON_PATH, STEPS, BEGIN, END, AROUND = range(8)
"""Places in `Search.counters`: moves made, the one that found the round's best, entries that are tabu; whether the
search is on a path, its steps so far, and those from which and up to which it may be left; whether rounds start around
given solutions instead of at random ones."""


class Search(NamedTuple):
    """Where the search is, besides the current solution and its moves."""

    solutions: Ints
    scores: Floats
    """The current score, and those of the rows ROUND, PATH (1, 2) and of the incumbent (3)."""
    counters: Ints
    tabu: Ints
    """The entries that are tabu, at the front."""
    rng_state: RngState


class Rules(NamedTuple):
    """The parameters, see `swarmkit_local.tabu.Tabu.Params`, in moves and stages."""

    patience: int
    tenure: int
    spread: int
    """A tabu tenure is `tenure` moves and up to `spread` more."""
    kick: int
    stagnation: int
    """Solutions that the elite turns away in a row before it is dissolved."""


SEARCH = types.NamedTuple((INT_ROWS, FLOATS, INTS, INTS, RNG_STATE), Search)
RULES = types.NamedUniTuple(INT, 5, Rules)


@kernel(types.void(TABLES, MOVES, SEARCH, INTS, FLOAT))
def begin_round(tables: Any, moves: Any, search: Any, x: Ints, score: float) -> None:
    """Begin a round of tabu search at a solution; nothing is tabu."""
    counters = search.counters
    copy(x, moves.x)
    for k in range(counters[TABU]):
        moves.until[search.tabu[k]] = 0
    fill(tables, moves)
    search.scores[0] = search.scores[1] = score
    copy(x, search.solutions[ROUND])
    counters[IMPROVED], counters[TABU], counters[ON_PATH] = counters[NOW], 0, 0


@kernel(INT(TABLES, MOVES, SEARCH, INT))
def kick(tables: Any, moves: Any, search: Any, strength: Index) -> int:
    """Let random stages take random other candidates, `strength` times, and begin a round; return the looks."""
    x, rng_state, offsets = moves.x, search.rng_state, tables.links.offsets
    for _ in range(strength):
        i = tables.free[below(rng_state, len(tables.free))]
        c = 1 - x[i]
        if not binary(tables):
            c = below(rng_state, offsets[i + 1] - offsets[i] - 1)
            c += c >= x[i]
        e = move_to(tables, i, c)
        search.scores[0] += moves.gains[e]
        take(tables, moves, e, NEVER)
    copy(x, search.solutions[PATH])
    begin_round(tables, moves, search, search.solutions[PATH], search.scores[0])
    return strength


@kernel(INT(TABLES, MOVES, SEARCH, ELITE, RULES))
def next_round(tables: Any, moves: Any, search: Any, elite: Any, rules: Any) -> int:
    """Choose where the next round begins, and return the looks.

    While the elite has room: at a random solution, or around the best that was given. Then on the path from one member
    to another; if these are near each other, at the first, kicked.
    """
    counters, rng_state, n = search.counters, search.rng_state, len(moves.x)
    join(elite, search.solutions[ROUND], search.solutions[TARGET], search.scores[1])
    if elite.tally[0] == len(elite.members) and elite.tally[1] >= rules.stagnation:
        dissolve(elite)
        counters[AROUND] = 0
    if elite.tally[0] < len(elite.members):
        if not counters[AROUND]:
            return n + kick(tables, moves, search, 2 * n)
        first = best_member(elite)
        copy(elite.members[first], moves.x)
        search.scores[0] = elite.scores[first]
        fill(tables, moves)
        return n + kick(tables, moves, search, rules.kick + below(rng_state, 1 + n // 8))
    first, second = below(rng_state, len(elite.members)), below(rng_state, len(elite.members) - 1)
    second += second >= first
    target = search.solutions[TARGET]
    copy(elite.members[first], moves.x)
    copy(elite.members[second], target)
    if len(elite.overlap):
        relabel(moves.x, target, elite)
    apart = distance(moves.x, target)
    search.scores[0], search.scores[2] = elite.scores[first], -np.inf
    fill(tables, moves)
    if apart < rules.kick:
        return n + kick(tables, moves, search, rules.kick)
    for e in range(len(moves.open)):
        put(moves, e, -np.inf)
    for i in range(n):
        if moves.x[i] != target[i]:
            e = move_to(tables, i, target[i])
            put(moves, e, moves.gains[e])
    counters[ON_PATH], counters[STEPS] = 1, 0
    counters[BEGIN], counters[END] = max(1, apart // 4), max(1, 3 * apart // 4)
    return n


@kernel(INT(TABLES, MOVES, SEARCH, RULES))
def tabu_move(tables: Any, moves: Any, search: Any, rules: Any) -> int:
    """Make the best admissible move, and return the looks.

    A tabu move is admissible if it leads to a better solution than the round has met (aspiration). If none is, a tabu
    one is made, or one of any stage.
    """
    counters, scores, tabu, until, gains = search.counters, search.scores, search.tabu, moves.until, moves.gains
    x, now, flips = moves.x, counters[NOW], binary(tables)
    wanted, aspired = scores[1] - scores[0] + LEAST * (1.0 + abs(scores[1])), -1
    k, count = 0, counters[TABU]
    while k < count:
        e = tabu[k]
        if until[e] < now:
            count -= 1
            tabu[k] = tabu[count]
            i = tables.stage[e]
            if flips or not (moves.satisfied[i] or way_back(tables, x, i) == e):
                put(moves, e, gains[e])
        else:
            if gains[e] > wanted:
                wanted, aspired = gains[e], e
            k += 1
    looks = refresh(moves) + count
    e = best_open(moves, search.rng_state)
    if aspired >= 0 and (e < 0 or wanted > gains[e]):
        e = aspired
    if e < 0:
        i = tables.free[below(search.rng_state, len(tables.free))]
        e = i
        if not flips:
            c = below(search.rng_state, tables.links.offsets[i + 1] - tables.links.offsets[i] - 1)
            e = move_to(tables, i, c + (c >= x[i]))
    back = way_back(tables, x, tables.stage[e])
    scores[0] += gains[e]
    if until[back] < now:
        tabu[count] = back
        count += 1
    until[back] = now + rules.tenure + below(search.rng_state, rules.spread)
    take(tables, moves, e, now)
    put(moves, back, -np.inf)
    counters[TABU] = count
    return looks


@kernel(types.void(MOVES, SEARCH))
def remember(moves: Any, search: Any) -> None:
    """Keep the current solution if it is the best of the round, or of all."""
    counters, scores = search.counters, search.scores
    if scores[0] > scores[1] + LEAST * (1.0 + abs(scores[1])):
        scores[1], counters[IMPROVED] = scores[0], counters[NOW]
        copy(moves.x, search.solutions[ROUND])
    if scores[0] > scores[3] + LEAST * (1.0 + abs(scores[3])):
        scores[3] = scores[0]
        copy(moves.x, search.solutions[BEST])


@kernel(INT(TABLES, MOVES, SEARCH))
def path_move(tables: Any, moves: Any, search: Any) -> int:
    """Make the best move towards the target; at the end of the path begin a round at its best. Return the looks."""
    counters, scores = search.counters, search.scores
    looks = refresh(moves)
    e = best_open(moves, search.rng_state)
    scores[0] += moves.gains[e]
    take(tables, moves, e, NEVER)
    put(moves, e, -np.inf)
    counters[STEPS] += 1
    if counters[STEPS] >= counters[BEGIN] and scores[0] > scores[2]:
        scores[2] = scores[0]
        copy(moves.x, search.solutions[PATH])
    if counters[STEPS] >= counters[END]:
        begin_round(tables, moves, search, search.solutions[PATH], scores[2])
        remember(moves, search)
    return looks


@kernel(INT(TABLES, MOVES, SEARCH, ELITE, RULES, INT))
def iterate(tables: Any, moves: Any, search: Any, elite: Any, rules: Any, count: int) -> int:
    """Make `count` moves, and return the looks.

    Args:
        tables: the problem.
        moves: the current solution and its moves.
        search: the state of the search.
        elite: good solutions of earlier rounds.
        rules: the parameters.
        count: the number of moves.
    """
    counters, looks = search.counters, 0
    for _ in range(count):
        counters[NOW] += 1
        if counters[ON_PATH]:
            looks += path_move(tables, moves, search)
            continue
        looks += tabu_move(tables, moves, search, rules)
        remember(moves, search)
        if counters[NOW] - counters[IMPROVED] >= rules.patience:
            looks += next_round(tables, moves, search, elite, rules)
    return looks
