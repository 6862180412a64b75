"""Focused ants: each makes a few new edges in an existing tour, and only what changed is improved again.

Skinderowicz, R. 2022. Improving ant colony optimization efficiency for solving large TSP instances. Applied Soft
Computing 120. Costs are symmetric.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np
from numba import types

from swarmkit import Floats, Ints, RngState, Tour
from swarmkit.kernels.compiling import BOOL, COST, FLOAT, INT, INTS, RNG_STATE, Index, copy, kernel
from swarmkit.kernels.rng import below, uniform
from swarmkit.kernels.tour_moves import (
    ROUTE,
    Route,
    after,
    ahead,
    before,
    dequeue,
    empty_route,
    enqueue,
    exchange,
    optimise,
)
from swarmkit_ants.kernels.tour_walk import PHEROMONE_TABLE, UNVISITED, PheromoneTable, Weights, draw_new_edge

REACH = 50
"""The longest segment that an ant moves where no neighbour leads back to the tour: longer ones take longer to move."""

TEMPERATURE = 0.1
"""Mean edges by which a focused ant's tour may be longer than the source and still become it, with probability 1/e;
ours."""


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


FOCUS_RULE = types.NamedTuple((INT, INT, BOOL, FLOAT, FLOAT), FocusRule)
FOCUSED_TOURS = types.NamedTuple((ROUTE, UNVISITED, INTS, INTS, INTS), FocusedTours)


@kernel(INT(PHEROMONE_TABLE, FOCUSED_TOURS, RNG_STATE, INT, INT, INT, INT))
def segment_end(table: Any, tours: Any, rng_state: RngState, city: Index, s: Index, v: Index, length: Index) -> Any:
    """Choose the last city of the segment from v on that is moved to before s.

    It is a neighbour of s, drawn by weight, if that lies among the `length` cities from v on; else a random one of the
    first of these.
    """
    route = tours.route
    e = draw_new_edge(table, tours.unvisited, s, city, after(route, s), rng_state)
    route.counters[3] += table.near.shape[1]
    if e >= 0 and ahead(route, v, e, True) < length:
        return e
    at = route.position[v] + below(rng_state, min(length, REACH))
    return route.tour[at - len(route.tour)]  # a position below 0 counts from the end


@kernel(FLOAT(PHEROMONE_TABLE, COST, INT, RNG_STATE, FOCUSED_TOURS))
def make_new_edges(table: Any, cost: Floats, new_edges: Index, rng_state: RngState, tours: Any) -> float:
    """Leave the route's tour along new edges, swap segments so that it stays a tour, and return what that saves.

    The first edge starts at a random city: an ant that kept to the tour at first would change nothing there. The tour
    city, s..p, v..e, f becomes city, v..e, s..p, f for a drawn neighbour v of the city; the next edge starts at v.
    Cities whose edges changed are queued.
    """
    route, saving = tours.route, 0.0
    city = below(rng_state, len(route.tour))
    for _ in range(new_edges):
        s, r = after(route, city), before(route, city)
        v = draw_new_edge(table, tours.unvisited, city, s, r, rng_state)
        route.counters[3] += table.near.shape[1]
        if v < 0:
            break
        p, length = before(route, v), ahead(route, v, r, True)
        e = segment_end(table, tours, rng_state, city, s, v, length)
        f = after(route, e)
        saving += cost[city, s] + cost[p, v] + cost[e, f] - cost[city, v] - cost[e, s] - cost[p, f]
        exchange(route, city, s, p, v)
        exchange(route, city, p, e, f)
        exchange(route, city, e, v, s)
        for endpoint in (city, s, p, v, e, f):
            enqueue(route, endpoint)
        city = v
    return saving


@kernel(INT(PHEROMONE_TABLE, COST, FOCUS_RULE, FLOAT, RNG_STATE, FOCUSED_TOURS))
def change_source(table: Any, cost: Floats, rule: Any, length: float, rng_state: RngState, tours: Any) -> Any:
    """Let ants, one after another, change the source tour; write the best of their tours, and return the looks.

    A tour that is accepted is the source of the next ant; `length` is that of the first source.
    """
    route, source, position, least = tours.route, tours.source, tours.position, np.inf
    route.counters[3] = 0  # the looks
    temperature = rule.temperature * abs(length) / len(source)
    for at in range(len(source)):
        position[source[at]] = at
    for _ in range(rule.ants):
        copy(source, route.tour)
        copy(position, route.position)
        saving = make_new_edges(table, cost, rule.new_edges, rng_state, tours)
        if rule.improving:
            saving += optimise(route, cost, table.near, rule.tolerance)
        while route.counters[2]:  # the queue: without improvement nothing has emptied it
            dequeue(route)
        if length - saving < least:
            least = length - saving
            copy(route.tour, tours.best)
        if saving >= 0.0 or (temperature > 0.0 and uniform(rng_state) < math.exp(saving / temperature)):
            length -= saving
            copy(route.tour, source)
            copy(route.position, position)
    return route.counters[3]


class Focused:
    """Ants make a few new edges in the source tour, one after another; costs are symmetric.

    A tour that is not longer, now and then a longer one, replaces the source.

    Args:
        tour: the travelling salesman problem.
        ants: how many ants change the source in an iteration.
        new_edges: the number of new edges along which each ant leaves it.
        improves: whether 2-opt, 3-opt and Or-opt moves improve each tour around the changes.
        temperature: a tour longer by Δ mean edges replaces the source with probability exp(-Δ/temperature).
    """

    rows, rho = 1, 0.05

    def __init__(
        self, tour: Tour, ants: int, new_edges: int, *, improves: bool, temperature: float = TEMPERATURE
    ) -> None:
        n = len(tour.cost)
        self._tour, self._rule = tour, FocusRule(ants, new_edges, improves, tour.tolerance, temperature)
        self._route, self._unvisited, self._position = empty_route(n), np.ones(n, np.float32), np.empty(n, np.int64)

    def build(self, table: PheromoneTable, source: Ints, tours: Ints, scores: Floats, rng_state: RngState) -> int:
        """Change the source, write the best tour that an ant made and its score, and return the looks."""
        length = float(self._tour.lengths(source))
        state = FocusedTours(self._route, self._unvisited, source, self._position, tours[0])
        looks = change_source(table, self._tour.cost, self._rule, length, rng_state, state)
        scores[:] = -self._tour.lengths(tours)
        return int(looks)
