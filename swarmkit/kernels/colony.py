"""Whole iterations of a bee colony on tables: forward passes, backward passes, and the way back to the best path.

Paths are never copied. A backward pass writes down whom each bee follows; the best path is read off at the end, from
the last pass to the first. Only the steps that later steps will look back at are kept in hand for every bee.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import boolean, float64, int64, njit, types

from swarmkit.kernels.backward import compare, pass_on
from swarmkit.kernels.desk import DESK, INTS, PLACES, PLAIN, RULES, TABLES, WALK, WORDS
from swarmkit.kernels.forward import leave, sample, spin
from swarmkit.pairwise import Ints


@njit(types.void(DESK, int64, int64, int64, int64, int64), **PLAIN)
def read_back(desk: Any, b: int, end: int, begin: int, turn: int, moves: int) -> None:
    """Read a bee's path from its last pass, which went from step `begin` to `end`, back to its first."""
    while True:
        for s in range(begin, end):
            desk.path[s] = desk.chosen[s, b]
        if turn == 0:
            break
        turn -= 1
        b = desk.follows[turn, b]
        end, begin = begin, begin - moves if turn else 0


@njit(float64(TABLES, WALK, PLACES), **PLAIN)
def add_up(tables: Any, walk: Any, path: Ints) -> float:
    """Score a path."""
    score = 0.0
    for t in range(len(path)):
        score += tables.unary[tables.offsets[walk.order[t]] + path[t]]
        for h in range(walk.indptr[t], walk.indptr[t + 1]):
            beside = path[walk.earlier[h]] * walk.other[h]
            score += walk.weight[h] * tables.flat[walk.start[h] + path[t] * walk.own[h] + beside]
    return score


@njit(
    types.Tuple((float64, int64, int64, int64, boolean))(
        TABLES, WALK, DESK, RULES, INTS, int64, int64, float64, WORDS, INTS
    ),
    **PLAIN,
)
def fly(
    tables: Any,
    walk: Any,
    desk: Any,
    rules: Any,
    hive: Ints,
    iterations: int,
    passes: int,
    record: float,
    words: Any,
    best: Ints,
) -> Any:
    """Make iterations of the colony; leave the best path in `best`.

    `hive` holds each bee's candidate at the first step (-1: it chooses there too). Gives the best score, the looks, the
    iterations made, the passes so far, and whether the colony has come to its end.
    """
    n, best_score, looks, made, ended = len(walk.order), -np.inf, 0, 0, False
    while made < iterations and not ended:
        passes = 0 if rules.reset_passes else passes
        t, turn, kept, begun = 0, 0, 0, 0
        looks += leave(tables, walk, desk, hive)
        if hive[0] >= 0:
            t = 1
        while True:
            stop = min(n, t + rules.moves)
            if rules.tries:
                looks += sample(tables, walk, desk, rules, t, stop, words)
            else:
                looks += spin(tables, walk, desk, rules, t, stop, words)
            t = stop
            passes += 1
            if t == n:
                break
            for s in range(begun, t):
                if walk.last[s] >= t:
                    desk.in_hand[kept] = s
                    kept += 1
            compare(desk, rules, turn, passes, words)
            kept = pass_on(desk, walk.last, turn, kept, t)
            turn += 1
            begun = t
        made += 1
        b = 0
        for other in range(len(hive)):
            if desk.qualities[other] > desk.qualities[b]:
                b = other
        score = desk.qualities[b]
        ended = score <= rules.beta
        if not rules.take_quality or score > best_score:
            read_back(desk, b, n, begun, turn, rules.moves)
        if not rules.take_quality:  # then a bee's quality is not that of the path it took over
            score = add_up(tables, walk, desk.path)
            looks += n
        ended |= score - record <= rules.tolerance
        record = max(record, score)
        if score > best_score:
            best_score = score
            for s in range(n):
                best[walk.order[s]] = desk.path[s]
    return best_score, looks, made, passes, ended
