"""Ants that walk tours by trail and visibility: whole ones, or (focused) a few new edges in a tour that is there.

Weights are τ^alpha·η^β of each city's nearest, in the order of `near`; a city further away is taken, nearest
first, only when all of these have been visited.

Skinderowicz, R. 2022. Improving ant colony optimization efficiency for solving large TSP instances. Applied Soft
Computing 120.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import njit
from numpy.typing import NDArray

from swarmkit.kernels import Index
from swarmkit.kernels.chance import Words, below, uniform
from swarmkit.kernels.tours import after, before, enqueue, exchange, settle
from swarmkit.pairwise import Floats, Ints
from swarmkit.tour import Near

Weights = NDArray[np.float32]

REACH = 50
"""The longest stretch that a focused ant moves where no trail leads back."""


@njit(
    "int64(int32[:, ::1], float32[:, ::1], float32[::1], float32[::1], int64, float64, uint64[::1])",
    cache=True,
    inline="always",
)
def follow(near: Near, weights: Weights, free: Weights, sums: Weights, city: Index, greed: float, words: Words) -> Any:
    """Choose among a city's nearest that are free: the best with probability `greed`, else by roulette; -1 for none."""
    k = near.shape[1]
    total = np.float32(0.0)
    for j in range(k):
        total += weights[city, j] * free[near[city, j]]
        sums[j] = total
    if total <= 0.0:
        return -1
    if greed > 0.0 and uniform(words) < greed:
        chosen = 0
        for j in range(1, k):
            if weights[city, j] * free[near[city, j]] > weights[city, chosen] * free[near[city, chosen]]:
                chosen = j
        return chosen
    aim = np.float32(uniform(words)) * total
    chosen = 0
    for j in range(k):  # no early way out: a branch that cannot be foretold costs more than the whole row
        chosen += sums[j] <= aim
    if chosen < k:
        return chosen
    while free[near[city, chosen - 1]] == 0.0:  # rounding led beyond the last
        chosen -= 1
    return chosen - 1


@njit("void(float64[:, ::1], float64[:, ::1], int32[:, ::1], float32[:, ::1], int64, int64, float64[::1])", cache=True)
def wear(trail: Floats, charm: Floats, near: Near, weights: Weights, a: Index, b: Index, rules: Floats) -> None:
    """Wear the trail from a to b down towards its floor: the local update of ant colony system."""
    for j in range(near.shape[1]):
        if near[a, j] == b:
            trail[a, j] += rules[2] * (rules[3] - trail[a, j])
            weights[a, j] = trail[a, j] ** rules[0] * charm[a, j]


@njit(
    "int64(int32[:, ::1], float32[:, ::1], float64[:, ::1], float64[:, ::1], float64[:, ::1], float64[::1], boolean, "
    "uint64[::1], int64[:, ::1], float64[::1])",
    cache=True,
)
def walk(
    near: Near,
    weights: Weights,
    trail: Floats,
    charm: Floats,
    cost: Floats,
    rules: Floats,
    both: bool,
    words: Words,
    tours: Ints,
    lengths: Floats,
) -> Any:
    """Let every ant walk a whole tour; give the looks. `rules` are alpha, greed, wear, and the trail's floor."""
    n, k = near.shape
    free, sums = np.empty(n, np.float32), np.empty(k, np.float32)
    left, place = np.arange(n), np.arange(n)
    looks, greed, wears = 0, rules[1], rules[2] > 0.0
    for ant in range(len(tours)):
        free[:] = 1.0
        city = below(words, n)
        length = 0.0
        for step in range(n):
            tours[ant, step] = city
            free[city] = 0.0
            rest = n - 1 - step
            at, other = place[city], left[rest]
            left[at], place[other] = other, at
            left[rest], place[city] = city, rest
            if rest == 0:
                break
            j = follow(near, weights, free, sums, city, greed, words)
            looks += k
            chosen = left[0]
            if j >= 0:
                chosen = np.int64(near[city, j])
            else:
                for i in range(1, rest):
                    if cost[city, left[i]] < cost[city, chosen]:
                        chosen = left[i]
                looks += rest
            if wears:
                wear(trail, charm, near, weights, city, chosen, rules)
                if both:
                    wear(trail, charm, near, weights, chosen, city, rules)
            length += cost[city, chosen]
            city = chosen
        lengths[ant] = length + cost[city, tours[ant, 0]]
    return looks


@njit(
    "int64(int32[:, ::1], float32[:, ::1], float32[::1], float32[::1], uint64[::1], int64[::1], int64[::1], "
    "int64, int64, int64, int64)",
    cache=True,
)
def way_back(
    near: Near,
    weights: Weights,
    free: Weights,
    sums: Weights,
    words: Words,
    tour: Ints,
    place: Ints,
    city: Index,
    s: Index,
    v: Index,
    span: Index,
) -> Any:
    """Choose the end of the stretch from v on that goes before s: by a trail of s if it leads there, else near v."""
    n = len(tour)
    beyond = after(tour, place, s)
    free[city] = free[s] = free[beyond] = 0.0
    j = follow(near, weights, free, sums, s, 0.0, words)
    free[city] = free[s] = free[beyond] = 1.0
    if j >= 0:
        ahead = place[near[s, j]] - place[v]
        if (ahead if ahead >= 0 else ahead + n) < span:
            return np.int64(near[s, j])
    ahead = place[v] + below(words, min(span, REACH))
    return tour[ahead if ahead < n else ahead - n]


@njit(
    "float64(int32[:, ::1], float32[:, ::1], float32[::1], float32[::1], float64[:, ::1], int64, uint64[::1], "
    "int64[::1], int64[::1], int64[::1], int64[::1], boolean[::1])",
    cache=True,
)
def stray(
    near: Near,
    weights: Weights,
    free: Weights,
    sums: Weights,
    cost: Floats,
    fresh: Index,
    words: Words,
    tour: Ints,
    place: Ints,
    queue: Ints,
    ends: Ints,
    waiting: Any,
) -> float:
    """Leave the tour at a random city along a trail, and swap the two stretches that make it a tour again.

    The way back is by a trail too where one leads there. Give what that saves; cities whose edges changed wait to be
    looked at. An ant that keeps to the tour changes nothing: it starts where it leaves it.
    """
    n, k = near.shape
    saved = 0.0
    city = below(words, n)
    for _ in range(fresh):
        s, r = after(tour, place, city), before(tour, place, city)
        free[city] = free[s] = free[r] = 0.0
        j = follow(near, weights, free, sums, city, 0.0, words)
        free[city] = free[s] = free[r] = 1.0
        ends[3] += k
        if j < 0:
            break
        v = np.int64(near[city, j])
        p = before(tour, place, v)
        span = place[r] - place[v]
        span += n if span < 0 else 0
        if span == 0:
            break
        e = way_back(near, weights, free, sums, words, tour, place, city, s, v, span)
        ends[3] += k
        f = after(tour, place, e)
        saved += cost[city, s] + cost[p, v] + cost[e, f] - cost[city, v] - cost[e, s] - cost[p, f]
        exchange(tour, place, city, s, p, v)
        exchange(tour, place, city, p, e, f)
        exchange(tour, place, city, e, v, s)
        for changed in (city, s, p, v, e, f):
            enqueue(queue, ends, waiting, changed)
        city = v
    return saved


@njit(
    "int64(int32[:, ::1], float32[:, ::1], float64[:, ::1], int64, int64, float64, boolean, uint64[::1], "
    "int64[::1], int64[::1], float64[::1])",
    cache=True,
)
def focus(
    near: Near,
    weights: Weights,
    cost: Floats,
    ants: Index,
    fresh: Index,
    least: float,
    improving: bool,
    words: Words,
    source: Ints,
    found: Ints,
    lengths: Floats,
) -> Any:
    """Let ants make so many fresh edges in the source tour, one after the other; give the looks.

    An ant's tour that is no longer than the source becomes the source of the next. `lengths` are the source's, and
    that of the best tour met, which is left in `found`.
    """
    n, k = near.shape
    free, sums = np.empty(n, np.float32), np.empty(k, np.float32)
    tour, place, queue, ends = (
        np.empty(n, np.int64),
        np.empty(n, np.int64),
        np.empty(n, np.int64),
        np.zeros(4, np.int64),
    )
    waiting, places = np.zeros(n, np.bool_), np.empty(n, np.int64)
    for at in range(n):
        places[source[at]] = at
    lengths[1] = np.inf
    free[:] = 1.0
    for _ in range(ants):
        tour[:] = source
        place[:] = places
        saved = stray(near, weights, free, sums, cost, fresh, words, tour, place, queue, ends, waiting)
        if improving:
            saved += settle(tour, place, cost, near, least, queue, ends, waiting)
        else:
            ends[:3] = 0
            waiting[:] = False
        length = lengths[0] - saved
        if length < lengths[1]:
            lengths[1] = length
            found[:] = tour
        if length <= lengths[0]:
            lengths[0] = length
            source[:] = tour
            places[:] = place
    return ends[3]
