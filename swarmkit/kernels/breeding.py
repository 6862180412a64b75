"""Crossover and mutation of a whole generation, for free choices and for arrangements (stages that must differ).

Operators take what was drawn as arguments, so that a plain twin can be given the same; `breed` draws.
"""

from __future__ import annotations

import numpy as np
from numba import types

from swarmkit.kernels.chance import Words, below, draw, uniform
from swarmkit.kernels.compiling import FLOAT, GIVEN_INT_ROWS, GIVEN_INTS, INT, INT_ROWS, INTS, WORDS, Ints, kernel
from swarmkit.kernels.compiling import NEAR as NEAREST
from swarmkit.kernels.families import between, invert, passed_over, tour_crossover, turn
from swarmkit.tour import Near

ONE_POINT, UNIFORM, ORDER, PMX, TOUR = range(5)
CHANGE, SWAP, INVERSION, NEAR = range(4)


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


@kernel(types.void(INTS, GIVEN_INTS, NEAREST, INT, INT, WORDS))
def mutate_at(child: Ints, sizes: Ints, near: Near, i: int, kind: int, words: Words) -> None:
    """Let one stage mutate."""
    n = len(child)
    if kind == NEAR:
        low, high = between(child, i, near, words)
        turn(child, low, high)
        return
    if kind == INVERSION:
        other = below(words, n)
        low, high = (i, other) if i < other else (other, i)
        invert(child, low, high + 1)
        return
    c = below(words, sizes[i] - 1)
    c += c >= child[i]
    if kind == SWAP:
        for j in range(n):
            if child[j] == c:
                child[j] = child[i]
    child[i] = c


@kernel(types.void(INTS, GIVEN_INTS, NEAREST, FLOAT, INT, WORDS))
def mutate(child: Ints, sizes: Ints, near: Near, rate: float, kind: int, words: Words) -> None:
    """Let each stage mutate with the given chance: take another candidate (or swap it in), or end an inversion."""
    n, i = len(child), 0
    while True:
        i += passed_over(rate, uniform(words))  # one draw a mutation, not one a stage
        if i >= n:
            break
        if sizes[i] > 1:
            mutate_at(child, sizes, near, i, kind, words)
        i += 1


@kernel(types.void(*(GIVEN_INTS,) * 3, NEAREST, INT, FLOAT, INT, FLOAT, *(INTS,) * 2, WORDS, INTS))
def make_child(
    a: Ints,
    b: Ints,
    sizes: Ints,
    near: Near,
    crossover: int,
    crossover_rate: float,
    mutation: int,
    mutation_rate: float,
    place: Ints,
    room: Ints,
    words: Words,
    child: Ints,
) -> None:
    """Make a child of two parents; `place`, -1 for every candidate, and `room` are to work in."""
    n = len(sizes)
    if uniform(words) >= crossover_rate:
        for i in range(n):
            child[i] = a[i]
    elif crossover == ONE_POINT:
        one_point(a, b, below(words, n + 1), child)
    elif crossover == UNIFORM:
        toss(a, b, words, child)
    elif crossover == TOUR:
        start, size = below(words, n), 1 + below(words, n // 2)
        tour_crossover(a, b, start, size, below(words, 2) == 1, place, room, child)
    else:
        low = int(below(words, n))
        high = low + 1 + int(below(words, n - low))
        if crossover == ORDER:
            order_crossover(a, b, low, high, place, child)
        else:
            partially_mapped(a, b, low, high, place, child)
    mutate(child, sizes, near, mutation_rate, mutation, words)


@kernel(types.void(*(GIVEN_INT_ROWS,) * 2, GIVEN_INTS, NEAREST, INT, FLOAT, INT, FLOAT, *(INTS,) * 2, WORDS, INT_ROWS))
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
    """Make a child of each pair of parents."""
    for k in range(len(parents)):
        a, b = X[parents[k, 0]], X[parents[k, 1]]
        make_child(
            a, b, sizes, near, crossover, crossover_rate, mutation, mutation_rate, place, room, words, children[k]
        )
