"""Focused ants: each makes a few new edges in an existing tour, and only what changed is improved again.

Skinderowicz, R. 2022. Improving ant colony optimization efficiency for solving large TSP instances. Applied Soft
Computing 120. Costs are symmetric.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np
from numba import types

from swarmkit import Floats, Ints, RngState
from swarmkit.kernels.compiling import BOOL, COST, FLOAT, FLOATS, INT, INTS, RNG_STATE, Index, copy, kernel
from swarmkit.kernels.rng import below, uniform
from swarmkit.kernels.tour_moves import ROUTE, Route, after, ahead, before, dequeue, enqueue, exchange, optimise
from swarmkit_ants.kernels.tour_walk import PHEROMONE_TABLE, UNVISITED, Weights, draw_neighbour

REACH = 50
"""The longest segment that an ant moves where no neighbour leads back to the tour: longer ones take longer to move."""


class FocusRule(NamedTuple):
    """How focused ants change the source tour, and when a changed tour becomes the source."""

    ants: int
    """The ants of an iteration."""
    new_edges: int
    """New edges along which an ant leaves the source tour."""
    improving: bool
    """Whether 2-opt, 3-opt and Or-opt moves improve each tour around the changes."""
    tolerance: float
    """The smallest saving that counts as an improvement."""
    temperature: float
    """A tour longer by Δ mean edges becomes the source with probability exp(-Δ/temperature); 0: never."""


class FocusedTours(NamedTuple):
    """The source tour, the best tour that an ant made, and scratch memory."""

    route: Route
    """The current ant's tour; its counters hold the looks."""
    unvisited: Weights
    """1 for every city, before and after each choice."""
    source: Ints
    position: Ints
    """The position of each city on the source tour."""
    best: Ints
    lengths: Floats
    """The length of the source tour, and of the best tour that an ant made, give or take a rounding error."""


FOCUS_RULE = types.NamedTuple((INT, INT, BOOL, FLOAT, FLOAT), FocusRule)
FOCUSED_TOURS = types.NamedTuple((ROUTE, UNVISITED, INTS, INTS, INTS, FLOATS), FocusedTours)


@kernel(INT(PHEROMONE_TABLE, FOCUSED_TOURS, RNG_STATE, INT, INT, INT, INT))
def segment_end(table: Any, tours: Any, rng_state: RngState, city: Index, s: Index, v: Index, length: Index) -> Any:
    """Choose the last city of the segment from v on that is moved to before s.

    It is a neighbour of s, drawn by weight, if that lies among the `length` cities from v on; else a random one of the
    first of these.
    """
    route, unvisited = tours.route, tours.unvisited
    n, position, beyond = len(unvisited), route.position, after(route, s)
    unvisited[city] = unvisited[s] = unvisited[beyond] = 0.0
    e = draw_neighbour(table, unvisited, s, rng_state)
    route.counters[3] += table.near.shape[1]
    unvisited[city] = unvisited[s] = unvisited[beyond] = 1.0
    if e >= 0 and ahead(route, v, e, True) < length:
        return e
    at = position[v] + below(rng_state, min(length, REACH))
    return route.tour[at if at < n else at - n]


@kernel(FLOAT(PHEROMONE_TABLE, COST, INT, RNG_STATE, FOCUSED_TOURS))
def make_new_edges(table: Any, cost: Floats, new_edges: Index, rng_state: RngState, tours: Any) -> float:
    """Leave the route's tour along new edges, swap segments so that it stays a tour, and return what that saves.

    The first edge starts at a random city: an ant that kept to the tour at first would change nothing there. The tour
    city, s..p, v..e, f becomes city, v..e, s..p, f for a drawn neighbour v of the city; the next edge starts at v.
    Cities whose edges changed are queued.
    """
    route, unvisited = tours.route, tours.unvisited
    n, saved = len(unvisited), 0.0
    city = below(rng_state, n)
    for _ in range(new_edges):
        s, r = after(route, city), before(route, city)
        unvisited[city] = unvisited[s] = unvisited[r] = 0.0
        v = draw_neighbour(table, unvisited, city, rng_state)
        route.counters[3] += table.near.shape[1]
        unvisited[city] = unvisited[s] = unvisited[r] = 1.0
        if v < 0:
            break
        p, length = before(route, v), ahead(route, v, r, True)
        e = segment_end(table, tours, rng_state, city, s, v, length)
        f = after(route, e)
        saved += cost[city, s] + cost[p, v] + cost[e, f] - cost[city, v] - cost[e, s] - cost[p, f]
        exchange(route, city, s, p, v)
        exchange(route, city, p, e, f)
        exchange(route, city, e, v, s)
        for changed in (city, s, p, v, e, f):
            enqueue(route, changed)
        city = v
    return saved


@kernel(INT(PHEROMONE_TABLE, COST, FOCUS_RULE, RNG_STATE, FOCUSED_TOURS))
def change_source(table: Any, cost: Floats, rule: Any, rng_state: RngState, tours: Any) -> Any:
    """Let ants, one after another, change the source tour; write the best of their tours, and return the looks.

    A tour that is accepted is the source of the next ant.
    """
    route, source, position, lengths = tours.route, tours.source, tours.position, tours.lengths
    lengths[1], route.counters[3] = np.inf, 0
    temperature = rule.temperature * abs(lengths[0]) / len(source)
    for at in range(len(source)):
        position[source[at]] = at
    for _ in range(rule.ants):
        copy(source, route.tour)
        copy(position, route.position)
        saved = make_new_edges(table, cost, rule.new_edges, rng_state, tours)
        if rule.improving:
            saved += optimise(route, cost, table.near, rule.tolerance)
        while route.counters[2]:
            dequeue(route)
        length = lengths[0] - saved
        if length < lengths[1]:
            lengths[1] = length
            copy(route.tour, tours.best)
        if saved >= 0.0 or (temperature > 0.0 and uniform(rng_state) < math.exp(saved / temperature)):
            lengths[0] = length
            copy(route.tour, source)
            copy(route.position, position)
    return route.counters[3]
