"""Tours that have children: crossover and mutation that keep most ways, and generations of child against parent.

Croes, G. 1958. A method for solving traveling-salesman problems. Operations Research 6(6).
Cavicchio, D. 1970. Adaptive search using simulated evolution. University of Michigan.

Costs are the same both ways. Operators take what was drawn as arguments, so that a plain twin can be given the same.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numba import types

from swarmkit.kernels import Index
from swarmkit.kernels.chance import Words, below, uniform
from swarmkit.kernels.compiling import (
    BOOL,
    COST,
    FLOAT,
    FLOATS,
    GIVEN_INTS,
    INT,
    INT_ROWS,
    INTS,
    NEAR,
    WORDS,
    Floats,
    Ints,
    copy,
    kernel,
)
from swarmkit.tour import Near

FAR = 1e15
"""More stages than there are: a number that is still a whole one."""


@kernel(INT(FLOAT, FLOAT), inline=True)
def passed_over(rate: float, chance: float) -> int:
    """Say how many stages are passed over before the next one mutates, each mutating with the given rate."""
    if rate >= 1.0:
        return 0
    return int(min(math.log(1.0 - chance) / math.log1p(-rate), FAR)) if rate > 0.0 else int(FAR)


@kernel(INT(INT_ROWS, COST, NEAR, FLOAT, INTS, WORDS))
def wander(tours: Ints, cost: Floats, near: Near, passing: float, place: Ints, words: Words) -> int:
    """Let each tour go on from city to city, to a near one where any is left; give the looks.

    Of the near ones each is passed over with a chance of `passing`, nearest first; if all are, it is the last. Without
    any, it is the nearest of all cities that are left. `place`, -1 for every city, is to work in.
    """
    n, looks = len(place), 0
    for k in range(len(tours)):
        here = below(words, n)
        for i in range(n):
            tours[k, i], place[here], goal = here, i, -1
            for c in near[here]:
                looks += 1
                if place[c] < 0:
                    goal = c
                    if uniform(words) >= passing:
                        break
            if goal < 0 and i < n - 1:
                looks += n
                for c in range(n):
                    if place[c] < 0 and (goal < 0 or cost[here, c] < cost[here, goal]):
                        goal = c
            here = goal
        for c in range(n):
            place[c] = -1
    return looks


@kernel(INT(GIVEN_INTS, INT), inline=True)
def find(tour: Ints, city: Index) -> Any:
    """Say where a city stands; without an early end, so that several are compared at once."""
    at = 0
    for i in range(len(tour)):
        at = max(at, i * (tour[i] == city))
    return at


@kernel(INT(GIVEN_INTS, INT, INT, INT, INT, INT, INTS, INTS))
def collect(b: Ints, first: int, step: int, count: int, met: Index, size: int, place: Ints, room: Ints) -> Any:
    """Write down the marked cities of a run of b, until there are so many, and take the marks away."""
    # Unsigned, because a signed index might be negative, and numba would ask each time.
    at, so_far, whole = np.uint64(first), np.uint64(met), np.uint64(size)
    for _ in range(count):
        if so_far == whole:
            break
        city = np.uint64(b[at])
        room[so_far] = b[at]  # stays if it is marked; no branch, which would be guessed wrong
        so_far += np.uint64(place[city] + 1)
        place[city] = -1
        at += np.uint64(step)
    return np.int64(so_far)


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
        place[a[i if i < n else i - n]] = 0
    at = find(b, a[start])
    if forward:
        met = collect(b, at + 1, 1, n - 1 - at, 0, size, place, room)
        collect(b, 0, 1, at, met, size, place, room)
    else:
        met = collect(b, at - 1, -1, at, 0, size, place, room)
        collect(b, n - 1, -1, n - 1 - at, met, size, place, room)
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


@kernel(types.UniTuple(INT, 2)(GIVEN_INTS, INT, NEAR, WORDS), inline=True)
def between(tour: Ints, i: int, near: Near, words: Words) -> tuple[int, int]:
    """Draw a near city of the i-th and give a stretch that joins them when it turns: one of two such 2-opt moves."""
    j = find(tour, near[tour[i], below(words, near.shape[1])])
    ahead = below(words, 2)
    return (i + ahead, j + ahead) if i < j else (j + ahead, i + ahead)


@kernel(FLOAT(COST, GIVEN_INTS, GIVEN_INTS, INT, INT))
def stretch_cost(cost: Floats, a: Ints, child: Ints, start: int, size: int) -> float:
    """Give what the child of a crossover costs more than a: they differ in so many cities behind the start."""
    n, old, new = len(a), 0.0, 0.0
    was = here = np.uint64(a[start])
    for i in range(start + 1, start + size + 2):
        at = np.uint64(i if i < n else i - n)
        before, city = np.uint64(a[at]), np.uint64(child[at])
        old += cost[was, before]
        new += cost[here, city]
        was, here = before, city
    return new - old


@kernel(FLOAT(COST, GIVEN_INTS, INT, INT), inline=True)
def turn_cost(cost: Floats, tour: Ints, low: int, high: int) -> float:
    """Give what it adds to turn a stretch around."""
    before, behind = tour[low - 1], tour[high if high < len(tour) else 0]
    first, last = tour[low], tour[high - 1]
    return cost[before, last] + cost[first, behind] - cost[before, first] - cost[last, behind]


@kernel(types.void(INT_ROWS, FLOATS, COST, NEAR, FLOAT, INT, FLOAT, FLOAT, *(INTS,) * 3, WORDS))
def breed_tours(
    tours: Ints,
    scores: Floats,
    cost: Floats,
    near: Near,
    least: float,
    generations: int,
    crossover_rate: float,
    mutation_rate: float,
    place: Ints,
    room: Ints,
    child: Ints,
    words: Words,
) -> None:
    """Let every tour have a child with any other, generation by generation, which takes its place if it is shorter.

    By at least so much, that is. `place`, -1 for every city, `room` and `child` are to work in.
    """
    n = len(child)
    for _ in range(generations):
        for k in range(len(tours)):
            a, change = tours[k], 0.0
            if uniform(words) < crossover_rate:
                b, start, size = tours[below(words, len(tours))], below(words, n), 1 + below(words, n // 2)
                tour_crossover(a, b, start, size, below(words, 2) == 1, place, room, child)
                change = stretch_cost(cost, a, child, start, size)
            else:
                copy(a, child)
            i = passed_over(mutation_rate, uniform(words))
            while i < n:
                low, high = between(child, i, near, words)
                change += turn_cost(cost, child, low, high)
                turn(child, low, high)
                i += 1 + passed_over(mutation_rate, uniform(words))
            if change < -least:
                scores[k] -= change
                copy(child, a)
