"""Crossover and mutation of a whole generation, for free choices and for arrangements (stages that must differ).

Operators take what was drawn as arguments, so that a plain twin can be given the same; `breed` draws.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numba import types

from swarmkit.kernels import Index
from swarmkit.kernels.chance import Words, below, draw, uniform
from swarmkit.kernels.compiling import (
    BOOL,
    FLOAT,
    GIVEN_INT_ROWS,
    GIVEN_INTS,
    INT,
    INT_ROWS,
    INTS,
    WORDS,
    Ints,
    kernel,
)
from swarmkit.tour import Near

ONE_POINT, UNIFORM, ORDER, PMX, TOUR = range(5)
CHANGE, SWAP, INVERSION, NEAR = range(4)

NEAREST = types.int32[:, ::1]

FAR = 1e15
"""More stages than there are: a number that is still a whole one."""


@kernel(types.void(GIVEN_INTS, GIVEN_INTS, INT, INTS))
def one_point(a: Ints, b: Ints, cut: int, child: Ints) -> None:
    """Take a up to the cut, b from there."""
    for i in range(len(child)):
        child[i] = a[i] if i < cut else b[i]


@kernel(types.void(GIVEN_INTS, GIVEN_INTS, WORDS, INTS))
def toss(a: Ints, b: Ints, words: Words, child: Ints) -> None:
    """Take each stage from a or b, as a bit says: one draw has 64 of them."""
    bits = np.uint64(0)
    for i in range(len(child)):
        if i & 63 == 0:
            bits = draw(words)
        child[i] = a[i] if bits & np.uint64(1) else b[i]
        bits >>= np.uint64(1)


@kernel(types.void(GIVEN_INTS, GIVEN_INTS, INT, INT, INTS, INTS))
def order_crossover(a: Ints, b: Ints, low: int, high: int, place: Ints, child: Ints) -> None:
    """Keep a's stretch (Davis 1985); from its end on, wrapped around, take what b has there and it does not."""
    n = len(child)
    for i in range(low, high):
        child[i] = a[i]
        place[a[i]] = i
    to = high if high < n else 0
    left, at = n - (high - low), to
    for _ in range(n):
        if left and place[b[at]] < 0:
            child[to] = b[at]
            to = to + 1 if to + 1 < n else 0
            left -= 1
        at = at + 1 if at + 1 < n else 0
    for i in range(low, high):
        place[a[i]] = -1


@kernel(types.void(GIVEN_INTS, GIVEN_INTS, INT, INT, INTS, INTS))
def partially_mapped(a: Ints, b: Ints, low: int, high: int, place: Ints, child: Ints) -> None:
    """Keep a's stretch (Goldberg & Lingle 1985); elsewhere b, and for what is taken what it replaced in the stretch."""
    for i in range(low, high):
        child[i] = a[i]
        place[a[i]] = i
    for i in range(len(child)):
        if i < low or i >= high:
            c = b[i]
            while place[c] >= 0:
                c = b[place[c]]
            child[i] = c
    for i in range(low, high):
        place[a[i]] = -1


@kernel(INT(GIVEN_INTS, INT), inline=True)
def find(x: Ints, city: Index) -> Any:
    """Say where a city stands; no early end, so that several are compared at once."""
    at = 0
    for i in range(len(x)):
        at = max(at, i * (x[i] == city))
    return at


@kernel(types.void(GIVEN_INTS, GIVEN_INTS, INT, INT, BOOL, INTS, INTS, INTS))
def tour_crossover(
    a: Ints, b: Ints, start: int, size: int, forward: bool, place: Ints, room: Ints, child: Ints
) -> None:
    """Keep a's round trip but for so many cities behind the start: these come as b, one way or the other, meets them.

    Order crossover, aligned: b is read from the city at which a breaks off, wherever and whichever way round it has it.
    """
    n = len(child)
    for i in range(n):
        child[i] = a[i]
    for i in range(start + 1, start + 1 + size):
        place[a[i if i < n else i - n]] = 1
    at, met = find(b, a[start]), 0
    while met < size:
        if forward:
            at = at + 1 if at + 1 < n else 0
        else:
            at = at - 1 if at > 0 else n - 1
        city = b[at]
        room[met] = city  # stays if it is one of them; no branch, which would be guessed wrong
        met += place[city] > 0
        place[city] = -1
    for i in range(size):
        to = start + 1 + i
        child[to if to < n else to - n] = room[i]


@kernel(types.void(INTS, INT, INT))
def invert(child: Ints, low: int, high: int) -> None:
    """Turn a stretch around."""
    high -= 1
    while low < high:
        child[low], child[high] = child[high], child[low]
        low, high = low + 1, high - 1


@kernel(types.void(INTS, INT, INT))
def turn(tour: Ints, low: int, high: int) -> None:
    """Turn a stretch of a round trip around, or all the rest, which makes the same tour, if that is shorter."""
    n = len(tour)
    if 2 * (high - low) <= n:
        invert(tour, low, high)
        return
    i, j = high, low - 1
    for _ in range((n - (high - low)) // 2):
        i, j = (i if i < n else 0), (j if j >= 0 else n - 1)
        tour[i], tour[j] = tour[j], tour[i]
        i, j = i + 1, j - 1


@kernel(types.void(INTS, GIVEN_INTS, NEAREST, INT, INT, WORDS))
def mutate_at(child: Ints, sizes: Ints, near: Near, i: int, kind: int, words: Words) -> None:
    """Let one stage mutate."""
    n = len(child)
    if kind >= INVERSION:
        other = below(words, n) if kind == INVERSION else find(child, near[child[i], below(words, near.shape[1])])
        low, high = (i, other) if i < other else (other, i)
        if kind == INVERSION:
            invert(child, low, high + 1)
        else:  # a 2-opt move: either of the two that make them neighbours
            ahead = below(words, 2)
            turn(child, low + ahead, high + ahead)
        return
    c = below(words, sizes[i] - 1)
    c += c >= child[i]
    if kind == SWAP:
        for j in range(n):
            if child[j] == c:
                child[j] = child[i]
    child[i] = c


@kernel(INT(FLOAT, FLOAT), inline=True)
def passed_over(rate: float, chance: float) -> int:
    """Say how many stages are passed over before the next one mutates, each mutating with the given rate."""
    return int(min(math.log(1.0 - chance) / math.log1p(-rate), FAR)) if rate < 1.0 else 0


@kernel(types.void(INTS, GIVEN_INTS, NEAREST, FLOAT, INT, WORDS))
def mutate(child: Ints, sizes: Ints, near: Near, rate: float, kind: int, words: Words) -> None:
    """Let each stage mutate with the given chance: take another candidate (or swap it in), or end an inversion."""
    n, i = len(child), 0
    while rate > 0.0:
        i += passed_over(rate, uniform(words))  # one draw a mutation, not one a stage
        if i >= n:
            break
        if sizes[i] > 1:
            mutate_at(child, sizes, near, i, kind, words)
        i += 1


@kernel(
    types.void(
        *(GIVEN_INT_ROWS,) * 2, GIVEN_INTS, NEAREST, INT, FLOAT, INT, FLOAT, *(INTS,) * 2, WORDS, INT_ROWS
    )
)
def breed(
    X: Ints,
    parents: Ints,
    sizes: Ints,
    near: Near,
    crossover: int,
    crossover_rate: float,
    mutation: int,
    mutation_rate: float,
    place: Ints,
    room: Ints,
    words: Words,
    children: Ints,
) -> None:
    """Make a child of each pair of parents; `place`, -1 for every candidate, and `room` are to work in."""
    n = len(sizes)
    for k in range(len(parents)):
        a, b, child = X[parents[k, 0]], X[parents[k, 1]], children[k]
        if uniform(words) >= crossover_rate:
            for i in range(n):
                child[i] = a[i]
        elif crossover == ONE_POINT:
            one_point(a, b, below(words, n + 1), child)
        elif crossover == UNIFORM:
            toss(a, b, words, child)
        elif crossover == TOUR:
            size = 1 + int(below(words, n // 2))
            tour_crossover(a, b, below(words, n), size, below(words, 2) == 1, place, room, child)
        else:
            low = int(below(words, n))
            high = low + 1 + int(below(words, n - low))
            if crossover == ORDER:
                order_crossover(a, b, low, high, place, child)
            else:
                partially_mapped(a, b, low, high, place, child)
        mutate(child, sizes, near, mutation_rate, mutation, words)
