"""Whole iterations of a bee colony on tables: forward passes, backward passes, and the way back to the best path.

Paths are never copied. A backward pass writes down whom each bee follows; the best path is read off at the end, from
the last pass to the first. Only the steps that later steps will look back at are kept in hand for every bee.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np
from numba import boolean, float64, int64, njit, types, uint64
from numpy.typing import NDArray

from swarmkit.compiled.bees import ColonyRules
from swarmkit.compiled.routes import Walk
from swarmkit.kernels.chance import below, uniform
from swarmkit.pairwise import Floats, Ints

Places = NDArray[np.uint64]

MAX, MIN_MAX, RAW = 0, 1, 2

PLAIN: Any = {"cache": True, "_nrt": False}
"""No memory is made here, so numba need not count who holds which array: half of the time, in loops this short."""

INTS, FLOATS, WORDS, GRID, PLACES = int64[::1], float64[::1], uint64[::1], uint64[:, ::1], uint64[::1]
"""What is used as an index is unsigned: a signed one might be negative, and numba would ask each time."""

ZERO, ONE = np.uint64(0), np.uint64(1)


class Tables(NamedTuple):
    """The part of a pairwise form that a walk reads."""

    sizes: Places
    offsets: Places
    unary: Floats
    flat: Floats


class Desk(NamedTuple):
    """Room to work in: what each bee chose and holds at each step, whom it followed after each pass, and scratch."""

    chosen: Any
    held: Any
    follows: Any
    in_hand: Ints
    path: Places
    qualities: Floats
    normalised: Floats
    recruiters: Ints
    row: Places
    urn: Places
    values: Floats
    bases: Places


TABLES = types.NamedTuple((PLACES, PLACES, FLOATS, FLOATS), Tables)
WALK = types.NamedTuple((PLACES, PLACES, PLACES, PLACES, PLACES, PLACES, FLOATS, PLACES), Walk)
DESK = types.NamedTuple(
    (GRID, GRID, int64[:, ::1], INTS, PLACES, FLOATS, FLOATS, INTS, PLACES, PLACES, FLOATS, PLACES), Desk
)
RULES = types.NamedTuple(
    (int64, int64, float64, int64, int64, boolean, boolean, boolean, float64, float64), ColonyRules
)


@njit(inline="always", **PLAIN)
def normalise(qualities: Floats, how: int, out: Floats) -> None:
    """Normalise qualities; the twin of `swarmkit_bees.formulas.normalised`."""
    low, high = qualities[0], qualities[0]
    for quality in qualities:
        low, high = min(low, quality), max(high, quality)
    floor = low if how == MIN_MAX else min(0.0, low)
    if how == MIN_MAX and high == low:
        for b in range(len(qualities)):
            out[b] = 1.0
        return
    scale = 1.0 if how == RAW or high <= floor else high - floor
    for b in range(len(qualities)):
        out[b] = (qualities[b] - floor) / scale


@njit(inline="always", **PLAIN)
def loyalty(quality: float, best: float, passes: int) -> float:
    """Give the chance that a bee stays with its path; the twin of `swarmkit_bees.formulas.loyalty`."""
    return math.exp(-(best - quality) / passes)


@njit(inline="always", **PLAIN)
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


@njit(inline="always", **PLAIN)
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


@njit(inline="always", **PLAIN)
def compare(desk: Any, rules: Any, turn: int, passes: int, words: Any) -> None:
    """Decide whom each bee follows (itself, if loyal), all at once: what counts is what was advertised."""
    qualities, normalised, recruiters, follows = desk.qualities, desk.normalised, desk.recruiters, desk.follows
    bees, count, best = len(qualities), 0, -np.inf
    normalise(qualities, rules.normalise, normalised)
    for b in range(bees):
        best = max(best, normalised[b])
    for b in range(bees):
        follows[turn, b] = -1
        if uniform(words) < loyalty(normalised[b], best, passes):
            follows[turn, b] = b
            recruiters[count] = b  # if every loyal bee recruits; the best is always one
            count += 1
    if rules.recruiters:
        count = best_bees(qualities, rules.recruiters, recruiters)
    for b in range(bees):
        if follows[turn, b] < 0:
            follows[turn, b] = recruit(normalised, recruiters, count, words)
    if rules.take_quality:
        for b in range(bees):
            normalised[b] = qualities[b]  # has served: now what was advertised
        for b in range(bees):
            qualities[b] = normalised[follows[turn, b]]


@njit(inline="always", **PLAIN)
def pass_on(desk: Any, last: Ints, turn: int, kept: int, t: int) -> int:
    """Let followers hold what they will look back at; drop the steps that nobody looks back at any more."""
    in_hand, held, follows, row = desk.in_hand, desk.held, desk.follows, desk.row
    still = 0
    for k in range(kept):
        s = in_hand[k]
        if last[s] >= t:
            in_hand[still] = s
            still += 1
            for b in range(len(row)):
                row[b] = held[s, b]
            for b in range(len(row)):
                held[s, b] = row[follows[turn, b]]
    return still


@njit(inline="always", **PLAIN)
def added(
    value: float, flat: Floats, first: Any, bases: Ints, own: Ints, weight: Floats, low: int, high: int, c: int
) -> float:
    """Give what candidate c adds: its own value, and its entry of every half-edge beside what is held there.

    The first half-edge comes in registers: a chain has no other.
    """
    base, stride, factor = first
    value += factor * flat[base + c * stride]
    for h in range(low + ONE, high):
        value += weight[h] * flat[bases[h - low] + c * own[h]]
    return value


@njit(inline="always", **PLAIN)
def sample(tables: Any, walk: Any, desk: Any, rules: Any, begin: int, end: int, words: Any) -> int:
    """Move every bee from step to step: try candidates in random order until one reaches θ or enough were tried.

    The best of those tried is taken. Gives the looks.
    """
    unary, flat, sizes, offsets = tables.unary, tables.flat, tables.sizes, tables.offsets
    order, indptr, earlier, start = walk.order, walk.indptr, walk.earlier, walk.start
    own, other, weight = walk.own, walk.other, walk.weight
    chosen, held, qualities, urn, bases = desk.chosen, desk.held, desk.qualities, desk.urn, desk.bases
    looks: Any = 0
    for t in range(begin, end):
        slot, m, low, high = offsets[order[t]], sizes[order[t]], indptr[t], indptr[t + 1]
        goal = rules.theta * np.int64(max(ONE, high - low))
        for c in range(m):
            urn[c] = c
        for b in range(len(qualities)):
            first = (ZERO, ZERO, 0.0)
            if low < high:
                first = (start[low] + held[earlier[low], b] * other[low], own[low], weight[low])
            for h in range(low + ONE, high):
                bases[h - low] = start[h] + held[earlier[h], b] * other[h]
            choice, most, first_seen = ZERO, -np.inf, False
            for i in range(min(rules.tries, np.int64(m))):
                # The urn stays shuffled from bee to bee: the next draws from it are as random as ever.
                left: Any = np.int64(m) - i
                j = np.uint64(i + below(words, left) if left > 1 else i)
                c = urn[j]
                urn[j] = urn[i]
                urn[i] = c
                value = added(unary[slot + c], flat, first, bases, own, weight, low, high, c)
                looks += 1
                first_seen |= c == ZERO
                if rules.first_on_ties and value == most:
                    choice = min(choice, c)
                if value > most:  # apart from the line below, so that neither becomes a branch to guess wrong
                    choice = c
                most = max(most, value)
                if value >= goal:
                    break
            if rules.first_on_ties and most <= 0.0 and not first_seen:  # related to nothing: look at the first one too
                value = added(unary[slot], flat, first, bases, own, weight, low, high, ZERO)
                looks += 1
                if value >= most:
                    choice, most = ZERO, value
            chosen[t, b] = choice
            held[t, b] = choice
            qualities[b] += most
    return looks


@njit(inline="always", **PLAIN)
def spin(tables: Any, walk: Any, desk: Any, begin: int, end: int, words: Any) -> int:
    """Move every bee from step to step: draw candidates in proportion to what they add; any, where none adds.

    What they add is lifted to 0 where it is negative. Gives the looks.
    """
    unary, flat, sizes, offsets = tables.unary, tables.flat, tables.sizes, tables.offsets
    order, indptr, earlier, start = walk.order, walk.indptr, walk.earlier, walk.start
    own, other, weight = walk.own, walk.other, walk.weight
    chosen, held, qualities, values, bases = desk.chosen, desk.held, desk.qualities, desk.values, desk.bases
    looks: Any = 0
    for t in range(begin, end):
        slot, m, low, high = offsets[order[t]], sizes[order[t]], indptr[t], indptr[t + 1]
        for b in range(len(qualities)):
            first = (ZERO, ZERO, 0.0)
            if low < high:
                first = (start[low] + held[earlier[low], b] * other[low], own[low], weight[low])
            for h in range(low + ONE, high):
                bases[h - low] = start[h] + held[earlier[h], b] * other[h]
            lowest, total, choice = 0.0, 0.0, m - ONE
            for c in range(m):
                value = added(unary[slot + c], flat, first, bases, own, weight, low, high, c)
                values[c] = value
                total += value
                if value < lowest:
                    lowest = value
            total -= np.int64(m) * lowest
            looks += np.int64(m)
            if total > 0.0:
                point = uniform(words) * total
                for c in range(m):
                    point -= values[c] - lowest
                    if point < 0.0:
                        choice = c
                        break
            else:
                every: Any = np.int64(m)
                choice = np.uint64(below(words, every))
            chosen[t, b] = choice
            held[t, b] = choice
            qualities[b] += values[choice]
    return looks


@njit(inline="always", **PLAIN)
def leave(tables: Any, walk: Any, desk: Any, hive: Ints) -> int:
    """Let every bee stand at its candidate of the hive, if it has one; give the looks."""
    looks = 0
    for b in range(len(hive)):
        desk.qualities[b] = 0.0
        if hive[b] >= 0:
            desk.chosen[0, b] = desk.held[0, b] = np.uint64(hive[b])
            desk.qualities[b] = tables.unary[tables.offsets[walk.order[0]] + np.uint64(hive[b])]
            looks += 1
    return looks


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
                looks += spin(tables, walk, desk, t, stop, words)
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


def unsigned(parts: Any) -> Any:
    """Give arrays as the kernel takes them: contiguous, whole numbers unsigned (the same memory, where it can be)."""
    arrays = map(np.ascontiguousarray, parts)
    return [array.view(np.uint64) if array.dtype == np.int64 else array for array in arrays]


def new_desk(walk: Walk, bees: int, most: int) -> Desk:
    """Make the room that a colony works in."""
    n = len(walk.order)
    return Desk(
        chosen=np.empty((n, bees), np.uint64),
        held=np.empty((n, bees), np.uint64),
        follows=np.empty((n, bees), np.int64),
        in_hand=np.empty(n, np.int64),
        path=np.empty(n, np.uint64),
        qualities=np.empty(bees),
        normalised=np.empty(bees),
        recruiters=np.empty(bees, np.int64),
        row=np.empty(bees, np.uint64),
        urn=np.empty(most, np.uint64),
        values=np.empty(most),
        bases=np.empty(n, np.uint64),
    )
