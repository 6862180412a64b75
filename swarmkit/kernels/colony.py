"""Whole iterations of a bee colony on tables: forward passes, backward passes, and the way back to the best path.

Paths are never copied. A backward pass writes down whom each bee follows; the best path is read off at the end, from
the last pass to the first. Only the steps that later steps will look back at are kept in hand for every bee.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np
from numba import boolean, float64, int64, njit, types, uint64

from swarmkit.colony import ColonyRules
from swarmkit.kernels.chance import below, uniform
from swarmkit.pairwise import Floats, Ints
from swarmkit.walks import Walk

MAX, MIN_MAX, RAW = 0, 1, 2

INTS, FLOATS, WORDS, GRID = int64[::1], float64[::1], uint64[::1], int64[:, ::1]


class Tables(NamedTuple):
    """The part of a pairwise form that a walk reads."""

    sizes: Ints
    offsets: Ints
    unary: Floats
    flat: Floats


class Desk(NamedTuple):
    """Room to work in: what each bee chose and holds at each step, and whom it followed after each pass."""

    chosen: Any
    held: Any
    follows: Any
    in_hand: Ints
    qualities: Floats
    normalised: Floats
    recruiters: Ints
    row: Ints
    urn: Ints
    values: Floats


TABLES = types.NamedTuple((INTS, INTS, FLOATS, FLOATS), Tables)
WALK = types.NamedTuple((INTS, INTS, INTS, INTS, INTS, INTS, FLOATS, INTS), Walk)
DESK = types.NamedTuple((GRID, GRID, GRID, INTS, FLOATS, FLOATS, INTS, INTS, INTS, FLOATS), Desk)
RULES = types.NamedTuple(
    (int64, int64, float64, int64, int64, boolean, boolean, boolean, float64, float64), ColonyRules
)
CHOICE = types.Tuple((int64, float64, int64))


@njit(types.void(FLOATS, int64, FLOATS), cache=True)
def normalise(qualities: Floats, how: int, out: Floats) -> None:
    """Normalise qualities; the twin of `swarmkit_bees.formulas.normalised`."""
    low, high = qualities[0], qualities[0]
    for quality in qualities:
        low, high = min(low, quality), max(high, quality)
    floor = low if how == MIN_MAX else min(0.0, low)
    if how == MIN_MAX and high == low:
        out[:] = 1.0
        return
    scale = 1.0 if how == RAW or high <= floor else high - floor
    for b in range(len(qualities)):
        out[b] = (qualities[b] - floor) / scale


@njit(float64(float64, float64, int64), cache=True)
def loyalty(quality: float, best: float, passes: int) -> float:
    """Give the chance that a bee stays with its path; the twin of `swarmkit_bees.formulas.loyalty`."""
    return math.exp(-(best - quality) / passes)


@njit(int64(FLOATS, INTS, int64, WORDS), cache=True)
def recruit(normalised: Floats, recruiters: Ints, count: int, words: Any) -> int:
    """Draw one of the first so many recruiters by `swarmkit_bees.formulas.recruiting`."""
    total = 0.0
    for k in range(count):
        total += normalised[recruiters[k]]
    if total <= 0.0:
        return recruiters[below(words, count)]
    point = uniform(words) * total
    for k in range(count - 1):
        point -= normalised[recruiters[k]]
        if point < 0.0:
            return recruiters[k]
    return recruiters[count - 1]


@njit(int64(FLOATS, int64, INTS), cache=True)
def best_bees(qualities: Floats, wanted: int, out: Ints) -> int:
    """Name the best bees, best first, the earlier among equals; give how many there are."""
    count = 0
    for b in range(len(qualities)):
        if count == wanted and qualities[b] <= qualities[out[count - 1]]:
            continue
        place = count if count < wanted else count - 1
        count = min(wanted, count + 1)
        while place > 0 and qualities[out[place - 1]] < qualities[b]:
            out[place] = out[place - 1]
            place -= 1
        out[place] = b
    return count


@njit(types.void(DESK, INTS, RULES, int64, WORDS), cache=True)
def compare(desk: Any, follows: Ints, rules: Any, passes: int, words: Any) -> None:
    """Decide whom each bee follows (itself, if loyal), all at once: what counts is what was advertised."""
    normalise(desk.qualities, rules.normalise, desk.normalised)
    best = desk.normalised.max()
    count = 0
    for b in range(len(follows)):
        follows[b] = -1
        if uniform(words) < loyalty(desk.normalised[b], best, passes):
            follows[b] = b
            desk.recruiters[count] = b  # if every loyal bee recruits; the best is always one
            count += 1
    if rules.recruiters:
        count = best_bees(desk.qualities, rules.recruiters, desk.recruiters)
    for b in range(len(follows)):
        if follows[b] < 0:
            follows[b] = recruit(desk.normalised, desk.recruiters, count, words)


@njit(types.void(DESK, INTS, RULES), cache=True)
def take_over(desk: Any, follows: Ints, rules: Any) -> None:
    """Let followers have the quality they were shown."""
    if rules.take_quality:
        desk.normalised[:] = desk.qualities
        for b in range(len(follows)):
            desk.qualities[b] = desk.normalised[follows[b]]


@njit(int64(DESK, INTS, INTS, int64, int64), cache=True)
def pass_on(desk: Any, follows: Ints, last: Ints, kept: int, t: int) -> int:
    """Let followers hold what they will look back at; drop the steps that nobody looks back at any more."""
    still = 0
    for k in range(kept):
        s = desk.in_hand[k]
        if last[s] >= t:
            desk.in_hand[still] = s
            still += 1
            for b in range(len(follows)):
                desk.row[b] = desk.held[s, b]
            for b in range(len(follows)):
                desk.held[s, b] = desk.row[follows[b]]
    return still


@njit(float64(TABLES, WALK, GRID, int64, int64, int64), cache=True)
def added(tables: Any, walk: Any, held: Any, t: int, b: int, c: int) -> float:
    """Give what candidate c at step t adds to the path of bee b."""
    value = tables.unary[tables.offsets[walk.order[t]] + c]
    for h in range(walk.indptr[t], walk.indptr[t + 1]):
        d = held[walk.earlier[h], b]
        value += walk.weight[h] * tables.flat[walk.start[h] + c * walk.own[h] + d * walk.other[h]]
    return value


@njit(CHOICE(TABLES, WALK, DESK, RULES, int64, int64, int64, WORDS), cache=True)
def sampled(tables: Any, walk: Any, desk: Any, rules: Any, m: int, t: int, b: int, words: Any) -> Any:
    """Try candidates in random order until one reaches θ or enough were tried; give the best, its value, the looks."""
    goal = rules.theta * max(1, walk.indptr[t + 1] - walk.indptr[t])
    choice, most, looks, first_seen = 0, -np.inf, 0, False
    for i in range(min(rules.tries, m)):
        # The urn stays shuffled from bee to bee: the next draws from it are as random as ever.
        j = i + below(words, m - i) if m - i > 1 else i
        c = desk.urn[j]
        desk.urn[j] = desk.urn[i]
        desk.urn[i] = c
        value = added(tables, walk, desk.held, t, b, c)
        looks += 1
        first_seen = first_seen or c == 0
        if value > most or (rules.first_on_ties and value == most and c < choice):
            choice, most = c, value
        if value >= goal:
            break
    if rules.first_on_ties and most <= 0.0 and not first_seen:  # related to nothing: look at the first one too
        value = added(tables, walk, desk.held, t, b, 0)
        looks += 1
        if value >= most:
            choice, most = 0, value
    return choice, most, looks


@njit(CHOICE(TABLES, WALK, DESK, int64, int64, int64, WORDS), cache=True)
def drawn(tables: Any, walk: Any, desk: Any, m: int, t: int, b: int, words: Any) -> Any:
    """Draw a candidate in proportion to what it adds (lifted to 0 where it is negative); any, where none adds."""
    values, lowest, total = desk.values, 0.0, 0.0
    for c in range(m):
        values[c] = added(tables, walk, desk.held, t, b, c)
        lowest = min(lowest, values[c])
    for c in range(m):
        total += values[c] - lowest
    if total <= 0.0:
        choice = below(words, m)
        return choice, values[choice], m
    point = uniform(words) * total
    for c in range(m - 1):
        point -= values[c] - lowest
        if point < 0.0:
            return c, values[c], m
    return m - 1, values[m - 1], m


@njit(int64(TABLES, WALK, DESK, RULES, INTS, int64, WORDS), cache=True)
def forward(tables: Any, walk: Any, desk: Any, rules: Any, hive: Ints, t: int, words: Any) -> int:
    """Move every bee to step t; give the looks."""
    m = tables.sizes[walk.order[t]]
    looks = 0
    for c in range(m):
        desk.urn[c] = c
    for b in range(len(hive)):
        if t == 0 and hive[b] >= 0:
            choice, value, looked = hive[b], added(tables, walk, desk.held, t, b, hive[b]), 1
        elif rules.tries:
            choice, value, looked = sampled(tables, walk, desk, rules, m, t, b, words)
        else:
            choice, value, looked = drawn(tables, walk, desk, m, t, b, words)
        desk.chosen[t, b] = choice
        desk.held[t, b] = choice
        desk.qualities[b] += value
        looks += looked
    return looks


@njit(types.void(DESK, int64, int64, int64, int64, int64, INTS), cache=True)
def read_back(desk: Any, b: int, end: int, begin: int, turn: int, moves: int, path: Ints) -> None:
    """Read a bee's path from its last pass, which went from step `begin` to `end`, back to its first."""
    while True:
        for s in range(begin, end):
            path[s] = desk.chosen[s, b]
        if turn == 0:
            break
        turn -= 1
        b = desk.follows[turn, b]
        end, begin = begin, begin - moves if turn else 0


@njit(float64(TABLES, WALK, GRID, INTS), cache=True)
def add_up(tables: Any, walk: Any, held: Any, path: Ints) -> float:
    """Score a path."""
    score = 0.0
    for t in range(len(path)):
        held[t, 0] = path[t]
        score += added(tables, walk, held, t, 0, path[t])
    return score


@njit(
    types.Tuple((float64, int64, int64, int64, boolean))(
        TABLES, WALK, RULES, INTS, int64, int64, float64, WORDS, INTS
    ),
    cache=True,
)
def fly(
    tables: Any, walk: Any, rules: Any, hive: Ints, iterations: int, passes: int, record: float, words: Any, best: Ints
) -> Any:
    """Make iterations of the colony; leave the best path in `best`.

    `hive` holds each bee's candidate at the first step (-1: it chooses there too). Gives the best score, the looks, the
    iterations made, the passes so far, and whether the colony has come to its end.
    """
    n, bees, most = len(walk.order), len(hive), tables.sizes.max()
    desk = Desk(
        np.empty((n, bees), np.int64),
        np.empty((n, bees), np.int64),
        np.empty((n, bees), np.int64),
        np.empty(n, np.int64),
        np.empty(bees),
        np.empty(bees),
        np.empty(bees, np.int64),
        np.empty(bees, np.int64),
        np.empty(most, np.int64),
        np.empty(most),
    )
    path = np.empty(n, np.int64)
    best_score, looks, made, ended = -np.inf, 0, 0, False
    while made < iterations and not ended:
        desk.qualities[:] = 0.0
        passes = 0 if rules.reset_passes else passes
        t, turn, kept, begun = 0, 0, 0, 0
        while True:
            begun = t
            while t < n and t < begun + rules.moves + (1 if begun == 0 and hive[0] >= 0 else 0):
                looks += forward(tables, walk, desk, rules, hive, t, words)
                if walk.last[t] > t:
                    desk.in_hand[kept] = t
                    kept += 1
                t += 1
            passes += 1
            if t == n:
                break
            compare(desk, desk.follows[turn], rules, passes, words)
            take_over(desk, desk.follows[turn], rules)
            kept = pass_on(desk, desk.follows[turn], walk.last, kept, t)
            turn += 1
        made += 1
        b = desk.qualities.argmax()
        quality = desk.qualities[b]
        read_back(desk, b, n, begun, turn, rules.moves, path)
        score = quality
        if not rules.take_quality:  # then a bee's quality is not that of the path it took over
            score = add_up(tables, walk, desk.held, path)
            looks += n
        ended = quality <= rules.beta or score - record <= rules.tolerance
        record = max(record, score)
        if score > best_score:
            best_score = score
            best[walk.order] = path
    return best_score, looks, made, passes, ended
