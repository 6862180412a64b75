"""Focused ants: each makes a few new edges in a tour that is there, and only what changed is improved again.

Skinderowicz, R. 2022. Improving ant colony optimization efficiency for solving large TSP instances. Applied Soft
Computing 120.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numba import types

from swarmkit.kernels import Index
from swarmkit.kernels.chance import Words, below, uniform
from swarmkit.kernels.compiling import BOOL, COST, FLOAT, FLOATS, INT, INTS, NEAR, WORDS, Floats, Ints, copy, kernel
from swarmkit.kernels.tours import ROUTE, after, before, dequeue, enqueue, exchange, settle
from swarmkit.kernels.walks import FREE, WEIGHTS, Weights, follow
from swarmkit.tour import Near

REACH = 50
"""The longest stretch that an ant moves where no trail leads back."""


@kernel(INT(NEAR, WEIGHTS, FREE, WORDS, ROUTE, INT, INT, INT, INT))
def way_back(
    near: Near, weights: Weights, free: Weights, words: Words, route: Any, city: Index, s: Index, v: Index, span: Index
) -> Any:
    """Choose the end of the stretch from v on that goes before s: by a trail of s if it leads there, else near v."""
    n, place, beyond = len(free), route.place, after(route, s)
    free[city] = free[s] = free[beyond] = 0.0
    j = follow(near, weights, free, s, words)
    route.ends[3] += near.shape[1]
    free[city] = free[s] = free[beyond] = 1.0
    if j >= 0:
        steps = place[near[s, j]] - place[v]
        if (steps if steps >= 0 else steps + n) < span:
            return np.int64(near[s, j])
    at = place[v] + below(words, min(span, REACH))
    return route.tour[at if at < n else at - n]


@kernel(FLOAT(NEAR, WEIGHTS, FREE, COST, INT, WORDS, ROUTE))
def stray(near: Near, weights: Weights, free: Weights, cost: Floats, fresh: Index, words: Words, route: Any) -> float:
    """Leave the tour at a random city along a trail, and swap the two stretches that make it a tour again.

    The way back is by a trail too where one leads there. Give what that saves; cities whose edges changed wait to be
    looked at. An ant that keeps to the tour changes nothing: it starts where it leaves it.
    """
    n, saved = len(free), 0.0
    city = below(words, n)
    for _ in range(fresh):
        s, r = after(route, city), before(route, city)
        free[city] = free[s] = free[r] = 0.0
        j = follow(near, weights, free, city, words)
        route.ends[3] += near.shape[1]
        free[city] = free[s] = free[r] = 1.0
        if j < 0:
            break
        v = np.int64(near[city, j])
        p, span = before(route, v), route.place[r] - route.place[v]
        span += n if span < 0 else 0
        if span == 0:
            break
        e = way_back(near, weights, free, words, route, city, s, v, span)
        f = after(route, e)
        saved += cost[city, s] + cost[p, v] + cost[e, f] - cost[city, v] - cost[e, s] - cost[p, f]
        exchange(route, city, s, p, v)
        exchange(route, city, p, e, f)
        exchange(route, city, e, v, s)
        for changed in (city, s, p, v, e, f):
            enqueue(route, changed)
        city = v
    return saved


@kernel(types.void(NEAR, WEIGHTS, FREE, COST, INT, INT, FLOAT, FLOAT, BOOL, WORDS, ROUTE, INTS, INTS, INTS, FLOATS))
def focus(
    near: Near,
    weights: Weights,
    free: Weights,
    cost: Floats,
    ants: Index,
    fresh: Index,
    least: float,
    heat: float,
    improving: bool,
    words: Words,
    route: Any,
    source: Ints,
    places: Ints,
    found: Ints,
    lengths: Floats,
) -> None:
    """Let ants make so many fresh edges in the source tour, one after the other; `found` is the best they made.

    An ant's tour becomes the source of the next where it is not longer, and, with a chance of exp(-Δ/heat), where it
    is. `lengths` are the source's and that of the best; `places` says where the source's cities stand.
    """
    lengths[1] = np.inf
    for _ in range(ants):
        copy(source, route.tour)
        copy(places, route.place)
        saved = stray(near, weights, free, cost, fresh, words, route)
        if improving:
            saved += settle(route, cost, near, least)
        while route.ends[2]:
            dequeue(route)
        length = lengths[0] - saved
        if length < lengths[1]:
            lengths[1] = length
            copy(route.tour, found)
        if saved >= 0.0 or (heat > 0.0 and uniform(words) < math.exp(saved / heat)):
            lengths[0] = length
            copy(route.tour, source)
            copy(route.place, places)
