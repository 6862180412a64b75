"""Ants that renew a part of a tour: each walks some way from anywhere, and keeps the tour's order for all the rest.

Costs are the same both ways.

Chitty, D. 2017. Applying ACO to large scale TSP instances. Advances in Computational Intelligence Systems (UKCI).
Skinderowicz, R. 2022. Improving ant colony optimization efficiency for solving large TSP instances. Applied Soft
Computing 120.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import types

from swarmkit.kernels import Index
from swarmkit.kernels.chance import Words, below
from swarmkit.kernels.compiling import COST, FLOAT, INT, INT_ROWS, INTS, NEAR, WORDS, Floats, Ints, copy, kernel
from swarmkit.kernels.walks import FREE, WEIGHTS, Weights, follow
from swarmkit.tour import Near


@kernel(INT(NEAR, WEIGHTS, FREE, WORDS, INTS, INTS, INT, INTS))
def stroll(
    near: Near, weights: Weights, free: Weights, words: Words, source: Ints, place: Ints, most: Index, part: Ints
) -> Any:
    """Walk from a random city to at least one more and `most` at most, until all near are visited; give how many.

    The first step leaves the source tour, if it can: an ant that keeps to it changes nothing. Cities that were walked
    are no longer free.
    """
    n, many = len(source), 1
    city = below(words, n)
    last = 2 + below(words, most - 1) if most > 1 else 1
    part[0] = city
    free[city] = 0.0
    ahead, behind = source[place[city] + 1 - n], source[place[city] - 1]
    free[ahead] = free[behind] = 0.0
    j = follow(near, weights, free, city, words)
    free[ahead] = free[behind] = 1.0
    if j < 0:
        j = follow(near, weights, free, city, words)
    while j >= 0 and many < last:
        city = np.int64(near[city, j])
        free[city] = 0.0
        part[many] = city
        many += 1
        j = follow(near, weights, free, city, words) if many < last else -1
    return many


@kernel(INT(FREE, INTS, INT), inline=True)
def free_behind(free: Weights, source: Ints, at: Index) -> Any:
    """Give the place of the next free city, from a place on."""
    n = len(source)
    while free[source[at]] == 0.0:
        at = at + 1 if at + 1 < n else 0
    return at


@kernel(INT(FREE, INTS, INT), inline=True)
def free_before(free: Weights, source: Ints, at: Index) -> Any:
    """Give the place of the last free city, up to a place."""
    n = len(source)
    while free[source[at]] == 0.0:
        at = at - 1 if at > 0 else n - 1
    return at


@kernel(FLOAT(FREE, COST, INTS, INTS, INTS, INT))
def without(free: Weights, cost: Floats, source: Ints, place: Ints, part: Ints, many: Index) -> float:
    """Give what the length changes by if the part's cities are left out of the source tour."""
    n, change = len(source), 0.0
    for i in range(many):
        city, at = part[i], place[part[i]]
        change -= cost[city, source[at + 1 - n]]
        before = source[at - 1]
        if free[before] > 0.0:
            change += cost[before, source[free_behind(free, source, at)]] - cost[before, city]
    return change


@kernel(types.Tuple((FLOAT, INT))(FREE, COST, INTS, INTS, INT, INT))
def rejoin(free: Weights, cost: Floats, source: Ints, place: Ints, first: Index, last: Index) -> tuple[float, Any]:
    """Find where the part goes: into the gap that its last or its first city left, and turned around if that is less.

    Give what it adds, and the place of the city before it: k for place k, -1 - k if the part is turned around.
    """
    least, where = np.inf, 0
    for city in (last, first):
        at = free_before(free, source, place[city])
        before, behind = source[at], source[free_behind(free, source, place[city])]
        added = cost[before, first] + cost[last, behind] - cost[before, behind]
        if added < least:
            least, where = added, at
        added = cost[before, last] + cost[first, behind] - cost[before, behind]
        if added < least:
            least, where = added, -1 - at
    return least, where


@kernel(types.void(FREE, INTS, INTS, INT, INT, INTS))
def write(free: Weights, source: Ints, part: Ints, many: Index, where: Index, found: Ints) -> None:
    """Write the tour down: the free cities in the source's order, and the part where it goes."""
    n, at = len(source), 0
    for i in range(many):
        free[part[i]] = 0.0
    place = where if where >= 0 else -1 - where
    for _ in range(n):
        place = place + 1 if place + 1 < n else 0
        if free[source[place]] > 0.0:
            found[at] = source[place]
            at += 1
    for i in range(many):
        found[at + i] = part[i] if where >= 0 else part[many - 1 - i]
        free[part[i]] = 1.0


@kernel(FLOAT(COST, INTS))
def length_of(cost: Floats, tour: Ints) -> float:
    """Give what a tour costs."""
    n, length = len(tour), 0.0
    for at in range(n):
        length += cost[tour[at], tour[at + 1 - n]]
    return length


@kernel(types.Tuple((FLOAT, INT))(NEAR, WEIGHTS, FREE, COST, INT, INT, WORDS, INTS, INT_ROWS))
def renew(
    near: Near,
    weights: Weights,
    free: Weights,
    cost: Floats,
    ants: Index,
    most: Index,
    words: Words,
    source: Ints,
    room: Ints,
) -> Any:
    """Let every ant renew a part of the source tour; give the length of the best tour they made, and the looks.

    That tour is in the first row of `room`, which has four.
    """
    n, looks, least, renewed, where = len(source), 0, np.inf, 0, 0
    found, place, part, kept = room[0], room[1], room[2], room[3]
    for i in range(n):
        free[i] = 1.0
        place[source[i]] = i
    for _ in range(ants):
        many = stroll(near, weights, free, words, source, place, min(most, n - 2), part)
        looks += many * near.shape[1]
        change = without(free, cost, source, place, part, many)
        for i in range(1, many):
            change += cost[part[i - 1], part[i]]
        added, at = rejoin(free, cost, source, place, part[0], part[many - 1])
        for i in range(many):
            free[part[i]] = 1.0
        if change + added < least:
            least, renewed, where = change + added, many, at
            copy(part[:many], kept)
    write(free, source, kept, renewed, where, found)
    return length_of(cost, found), looks
