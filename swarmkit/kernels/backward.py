"""The backward pass of bees: who stays loyal, who recruits, and whom the others follow."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numba import njit

from swarmkit.kernels.chance import below, uniform
from swarmkit.kernels.desk import PLAIN
from swarmkit.pairwise import Floats, Ints

MAX, MIN_MAX, RAW = 0, 1, 2


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
