"""Ants that walk whole tours by trail and visibility.

Weights are τ^alpha·η^β of each city's nearest, in the order of `near`; a city further away is taken, nearest
first, only when all of these have been visited.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import types
from numpy.typing import NDArray

from swarmkit.kernels import Index
from swarmkit.kernels.chance import Words, below, uniform
from swarmkit.kernels.compiling import BOOL, COST, FLOAT, FLOATS, INT, INT_ROWS, NEAR, WORDS, kernel
from swarmkit.pairwise import Floats, Ints
from swarmkit.tour import Near

Weights = NDArray[np.float32]

WEIGHTS, FREE, TRAIL = types.float32[:, ::1], types.float32[::1], FLOAT[:, ::1]


@kernel(INT(NEAR, WEIGHTS, FREE, INT))
def best_way(near: Near, weights: Weights, free: Weights, city: Index) -> Any:
    """Give the free one of a city's nearest that has the greatest weight; -1 for none."""
    best, most = -1, np.float32(0.0)
    for j in range(near.shape[1]):
        weight = weights[city, j] * free[near[city, j]]
        if weight > most:
            best, most = j, weight
    return best


@kernel(INT(NEAR, WEIGHTS, FREE, INT, WORDS), inline=True)
def follow(near: Near, weights: Weights, free: Weights, city: Index, words: Words) -> Any:
    """Choose among a city's nearest that are free, each in proportion to its weight; -1 for none."""
    row, cities, k = weights[city], near[city], near.shape[1]
    even = odd = np.float32(0.0)
    for j in range(0, k - 1, 2):  # two sums, because each has to wait for the one before
        even += row[j] * free[np.uint32(cities[j])]
        odd += row[j + 1] * free[np.uint32(cities[j + 1])]
    if k & 1:
        even += row[k - 1] * free[np.uint32(cities[k - 1])]
    aim = np.float32(uniform(words)) * (even + odd)
    for j in range(k):
        aim -= row[j] * free[np.uint32(cities[j])]
        if aim < np.float32(0.0):
            return j
    return best_way(near, weights, free, city)  # rounding led beyond the last, or all are taken


@kernel(INT(COST, NEAR, FREE, INT))
def nearest_free(cost: Floats, wide: Near, free: Weights, city: Index) -> Any:
    """Give the cheapest of all free cities to go on to: the first of a wide list, as a rule."""
    for other in wide[city]:
        if free[np.uint32(other)] > 0.0:
            return np.int64(other)
    best, least = -1, np.inf
    for other in range(len(free)):
        if cost[city, other] < least and free[other] > 0.0:
            best, least = other, cost[city, other]
    return best


@kernel(types.void(TRAIL, TRAIL, NEAR, WEIGHTS, INT, INT, FLOATS))
def wear(trail: Floats, charm: Floats, near: Near, weights: Weights, a: Index, b: Index, rules: Floats) -> None:
    """Wear the trail from a to b down towards its floor: the local update of ant colony system."""
    for j in range(near.shape[1]):
        if near[a, j] == b:
            trail[a, j] += rules[2] * (rules[3] - trail[a, j])
            weights[a, j] = trail[a, j] ** rules[0] * charm[a, j]


@kernel(INT(NEAR, NEAR, WEIGHTS, TRAIL, TRAIL, COST, FLOATS, BOOL, WORDS, FREE, INT_ROWS, FLOATS))
def walk(
    near: Near,
    wide: Near,
    weights: Weights,
    trail: Floats,
    charm: Floats,
    cost: Floats,
    rules: Floats,
    both: bool,
    words: Words,
    free: Weights,
    tours: Ints,
    lengths: Floats,
) -> Any:
    """Let every ant walk a whole tour; give the looks.

    `rules` are alpha, greed, wear, and the trail's floor; `wide` are more of each city's nearest, `free` is room.
    """
    n, k = near.shape
    greed, wears, looks = rules[1], rules[2] > 0.0, 0
    for ant in range(len(tours)):
        for other in range(n):
            free[other] = 1.0
        city, length, tour = below(words, n), 0.0, tours[ant]
        tour[0] = city
        for step in range(1, n):
            free[city] = 0.0
            looks += k
            if greed > 0.0 and uniform(words) < greed:
                j = best_way(near, weights, free, city)
            else:
                j = follow(near, weights, free, city, words)
            if j >= 0:
                chosen = np.int64(near[city, j])
            else:
                chosen = nearest_free(cost, wide, free, city)
                looks += n - step
            if wears:
                wear(trail, charm, near, weights, city, chosen, rules)
                if both:
                    wear(trail, charm, near, weights, chosen, city, rules)
            length += cost[city, chosen]
            city = chosen
            tour[step] = city
        lengths[ant] = length + cost[city, tour[0]]
    return looks
