"""Tabu search on tables, in rounds; between rounds paths lead from one solution of the elite towards another.

Glover, F., Lü, Z. and Hao, J.-K. 2010. Diversification-driven tabu search for unconstrained binary quadratic problems.
4OR 8(3). Wang, Y., Lü, Z., Glover, F. and Hao, J.-K. 2012. Path relinking for unconstrained binary quadratic
programming. European Journal of Operational Research 223(3). Hertz, A. and de Werra, D. 1987. Using tabu search
techniques for graph coloring. Computing 39.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numba import types

from swarmkit import Ints
from swarmkit.kernels.compiling import FLOAT, INT, INTS, Index, copy, kernel
from swarmkit.kernels.icm import LEAST
from swarmkit.kernels.rng import below
from swarmkit_local.kernels.tabu_moves import (
    NEVER,
    SEARCH,
    TABLES,
    best_open,
    binary,
    fill,
    move_to,
    put,
    random_move,
    take,
)

ROUND, PATH, TARGET, BEST = range(4)
"""Rows of `TabuState.solutions`: the best of the round, the best on the path, where it leads to, the incumbent."""

NOW, PROGRESS, TABU, ON_PATH, STEPS, BEGIN, END, AROUND, MEMBERS, TURNED_AWAY = range(10)
"""Places in `TabuState.counters`: moves made, the one that found the round's best, entries that are tabu; whether the
search is on a path, its steps so far, and those from which and up to which it may be left; whether rounds start around
given solutions instead of at random ones; members of the elite, and how many solutions in a row it has turned away."""


class Rules(NamedTuple):
    """The parameters, see `swarmkit_local.tabu.Tabu.Params`, in moves and stages."""

    patience: int
    tenure: int
    spread: int
    """A tabu tenure is `tenure` moves and up to `spread` more."""
    kick: int


RULES = types.NamedUniTuple(INT, 4, Rules)


@kernel(INT(INTS, INTS))
def distance(x: Ints, y: Ints) -> int:
    """Return the number of stages at which two solutions differ."""
    total = 0
    for i in range(len(x)):
        total += x[i] != y[i]
    return total


@kernel(types.void(INTS, INTS, SEARCH))
def relabel(x: Ints, y: Ints, search: Any) -> None:
    """Rename the candidates of y, in place, so that it agrees with x at many stages, if they are interchangeable.

    The pair of candidates that agree most often is matched first.
    """
    overlap, label = search.overlap, search.label
    k = len(overlap)
    if k == 0:
        return
    label[:] = -1
    overlap[:] = 0
    for i in range(len(x)):
        overlap[y[i], x[i]] += 1
    for _ in range(k):
        first, second, agreement = 0, 0, -1
        for a in range(k):
            if label[a] < 0:
                for b in range(k):
                    if overlap[a, b] > agreement:
                        first, second, agreement = a, b, overlap[a, b]
        label[first] = second
        overlap[:, second] = -1
    for i in range(len(x)):
        y[i] = label[y[i]]


@kernel(types.void(SEARCH, INTS, FLOAT))
def join(search: Any, x: Ints, score: float) -> None:
    """Let a solution join the elite if it is new, and there is room or a member that is worse.

    Args:
        search: the state of the search, the elite of which is changed.
        x: the solution.
        score: its score.
    """
    members, scores, counters, target = search.members, search.member_scores, search.counters, search.solutions[TARGET]
    worst = 0
    counters[TURNED_AWAY] += 1
    for k in range(counters[MEMBERS]):
        copy(members[k], target)  # no path is walked between rounds: the row is free to rename candidates in
        relabel(x, target, search)
        if distance(target, x) == 0:
            return
        if scores[k] < scores[worst]:
            worst = k
    if counters[MEMBERS] < len(members):
        worst = counters[MEMBERS]
        counters[MEMBERS] += 1
    elif score <= scores[worst]:  # no room, and no member that is worse
        return
    copy(x, members[worst])
    scores[worst] = score
    counters[TURNED_AWAY] = 0


@kernel(types.void(SEARCH))
def dissolve(search: Any) -> None:
    """Dismiss all members of the elite but the best."""
    members, scores, counters = search.members, search.member_scores, search.counters
    best = scores[: counters[MEMBERS]].argmax()
    copy(members[best], members[0])
    scores[0] = scores[best]
    counters[MEMBERS], counters[TURNED_AWAY], counters[AROUND] = 1, 0, 0


@kernel(types.void(TABLES, SEARCH, INTS, FLOAT))
def begin_round(tables: Any, search: Any, x: Ints, score: float) -> None:
    """Begin a round of tabu search at a solution; nothing is tabu."""
    counters = search.counters
    copy(x, search.x)
    search.until[:] = 0
    fill(tables, search)
    search.scores[0] = search.scores[1] = score
    copy(x, search.solutions[ROUND])
    counters[PROGRESS], counters[TABU], counters[ON_PATH] = counters[NOW], 0, 0


@kernel(INT(TABLES, SEARCH, INT))
def kick(tables: Any, search: Any, strength: Index) -> int:
    """Let random stages take random other candidates, `strength` times, and begin a round; return the looks."""
    for _ in range(strength):
        take(tables, search, random_move(tables, search), NEVER)
    begin_round(tables, search, search.x, search.scores[0])
    return strength


@kernel(INT(TABLES, SEARCH, RULES))
def next_round(tables: Any, search: Any, rules: Any) -> int:
    """Choose where the next round begins, and return the looks.

    While the elite has room: at a random solution, or around the best that was given. Then on the path from one member
    to another; if these are near each other, at the first, kicked.
    """
    counters, rng_state, n = search.counters, search.rng_state, len(search.x)
    members, scores, target = search.members, search.member_scores, search.solutions[TARGET]
    join(search, search.solutions[ROUND], search.scores[1])
    if counters[MEMBERS] == len(members) and counters[TURNED_AWAY] >= len(members):
        dissolve(search)
    room = counters[MEMBERS] < len(members)
    if room and not counters[AROUND]:
        return n + kick(tables, search, 2 * n)
    first = scores[: counters[MEMBERS]].argmax() if room else below(rng_state, len(members))
    copy(members[first], search.x)
    search.scores[0] = scores[first]
    fill(tables, search)
    if room:
        return n + kick(tables, search, rules.kick + below(rng_state, 1 + n // 8))
    second = below(rng_state, len(members) - 1)
    second += second >= first
    copy(members[second], target)
    relabel(search.x, target, search)
    apart = distance(search.x, target)
    if apart < rules.kick:
        return n + kick(tables, search, rules.kick)
    search.scores[2] = -np.inf
    search.open[:] = -np.inf
    for i in range(n):
        if search.x[i] != target[i]:
            e = move_to(tables, i, target[i])
            put(search, e, search.gains[e])
    counters[ON_PATH], counters[STEPS] = 1, 0
    # A round that begins near either end of the path would lead back there.
    counters[BEGIN], counters[END] = max(1, apart // 4), max(1, 3 * apart // 4)
    return n


@kernel(INT(TABLES, SEARCH, RULES))
def tabu_move(tables: Any, search: Any, rules: Any) -> int:
    """Make the best admissible move, and return the looks.

    A tabu move is admissible if it leads to a better solution than the round has met (aspiration). If none is, a tabu
    one is made, or one of any stage.
    """
    counters, scores, tabu, until, gains = search.counters, search.scores, search.tabu, search.until, search.gains
    x, now, flips = search.x, counters[NOW], binary(tables)
    threshold, aspirant = scores[1] - scores[0] + LEAST * (1.0 + abs(scores[1])), -1
    k, count = 0, counters[TABU]
    while k < count:
        e = tabu[k]
        if until[e] < now:
            count -= 1  # no longer tabu: the last takes its place
            tabu[k] = tabu[count]
            i = tables.stage[e]
            if flips or not (search.optimal[i] or move_to(tables, i, x[i]) == e):
                put(search, e, gains[e])
        else:
            if gains[e] > threshold:
                threshold, aspirant = gains[e], e
            k += 1
    e, looks = best_open(search)
    looks += count
    if aspirant >= 0 and (e < 0 or threshold > gains[e]):
        e = aspirant
    if e < 0:
        e = random_move(tables, search)
    back = move_to(tables, tables.stage[e], x[tables.stage[e]])
    if until[back] < now:
        tabu[count] = back
        count += 1
    until[back] = now + rules.tenure + below(search.rng_state, rules.spread)
    take(tables, search, e, now)
    put(search, back, -np.inf)  # after `take`, which may have opened it
    counters[TABU] = count
    return looks


@kernel(types.void(SEARCH))
def remember(search: Any) -> None:
    """Keep the current solution if it is the best of the round, or of all."""
    counters, scores = search.counters, search.scores
    if scores[0] > scores[1] + LEAST * (1.0 + abs(scores[1])):
        scores[1], counters[PROGRESS] = scores[0], counters[NOW]
        copy(search.x, search.solutions[ROUND])
    if scores[0] > scores[3] + LEAST * (1.0 + abs(scores[3])):
        scores[3] = scores[0]
        copy(search.x, search.solutions[BEST])


@kernel(INT(TABLES, SEARCH))
def path_move(tables: Any, search: Any) -> int:
    """Make the best move towards the target; at the end of the path begin a round at its best. Return the looks."""
    counters, scores = search.counters, search.scores
    e, looks = best_open(search)
    take(tables, search, e, NEVER)
    put(search, e, -np.inf)
    counters[STEPS] += 1
    if counters[STEPS] >= counters[BEGIN] and scores[0] > scores[2]:
        scores[2] = scores[0]
        copy(search.x, search.solutions[PATH])
    if counters[STEPS] >= counters[END]:
        begin_round(tables, search, search.solutions[PATH], scores[2])
        remember(search)
    return looks


@kernel(INT(TABLES, SEARCH, RULES, INT))
def iterate(tables: Any, search: Any, rules: Any, count: int) -> int:
    """Make `count` moves, and return the looks.

    Args:
        tables: the problem.
        search: the state of the search.
        rules: the parameters.
        count: the number of moves.
    """
    counters, looks = search.counters, 0
    for _ in range(count):
        counters[NOW] += 1
        if counters[ON_PATH]:
            looks += path_move(tables, search)
            continue
        looks += tabu_move(tables, search, rules)
        remember(search)
        if counters[NOW] - counters[PROGRESS] >= rules.patience:
            looks += next_round(tables, search, rules)
    return looks
