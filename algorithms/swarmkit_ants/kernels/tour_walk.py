"""Ants that walk whole tours city by city, and the pheromone on the edges to each city's nearest neighbours.

An ant draws the next city among the nearest that it has not visited, in proportion to their weights τ^alpha·η^β. Only
when all of these are visited does it go to a city farther away, the nearest of all.
"""

from __future__ import annotations

from typing import Any, ClassVar, NamedTuple

import numpy as np
from numba import types
from numpy.typing import NDArray

from swarmkit import Floats, Ints, Near, RngState, Tour
from swarmkit.kernels.compiling import (
    BOOL,
    COST,
    FLOAT,
    FLOAT_ROWS,
    FLOATS,
    INT,
    INT_ROWS,
    INTS,
    NEAR,
    RNG_STATE,
    Index,
    kernel,
    read_only,
)
from swarmkit.kernels.rng import below, uniform
from swarmkit.search import Neighbours

Weights = NDArray[np.float32]
"""Weights of edges: single precision halves the memory that the hottest loop of the walks reads."""


class PheromoneTable(NamedTuple):
    """What ants choose by: a row for each city, a column for each of its nearest neighbours."""

    near: Near
    """The nearest neighbours of each city."""
    pheromone: Floats
    """τ of the edge to each of them."""
    heuristic: Floats
    """η^β of the edge to each of them."""
    weights: Weights
    """τ^alpha·η^β, to which an ant's probabilities are proportional."""


class Cities(NamedTuple):
    """The instance: the cost of every edge, longer lists of nearest neighbours, and whether costs are symmetric."""

    cost: Floats
    farther: Near
    symmetric: bool


class TransitionRule(NamedTuple):
    """How ants choose the next city, and what they do to the pheromone of the edges they cross.

    By default they draw every city by a roulette wheel, and pheromone stays as it is on their way.
    """

    alpha: float = 1.0
    greed: float = 0.0
    """The probability of taking the edge of greatest weight instead of drawing one (q0 of ant colony system)."""
    local_evaporation: float = 0.0
    """The share by which a crossed edge's pheromone moves towards its initial value (ξ of ant colony system)."""
    initial: float = 0.0
    """That initial value (τ_0 of ant colony system)."""


READONLY_NEAR = types.Array(types.int32, 2, "C", readonly=True)
UNVISITED = types.float32[::1]
"""1 for every city that an ant has not visited, else 0: a factor, so that sums of weights need no branch."""
WEIGHTS = types.float32[:, ::1]
PHEROMONE_TABLE = types.NamedTuple((NEAR, FLOAT_ROWS, FLOAT_ROWS, WEIGHTS), PheromoneTable)
CITIES = types.NamedTuple((COST, READONLY_NEAR, BOOL), Cities)
TRANSITION_RULE = types.NamedUniTuple(FLOAT, 4, TransitionRule)


@kernel(types.void(PHEROMONE_TABLE, INT, INT, FLOAT, FLOAT), inline=True)
def change_edge(table: Any, a: Index, b: Index, keep: float, amount: float) -> None:
    """Let the pheromone τ of the edge from a to b become keep·τ + amount, if b is one of a's nearest."""
    near, pheromone = table.near, table.pheromone
    for j in range(near.shape[1]):
        if near[a, j] == b:  # once at most: neighbours are distinct
            pheromone[a, j] = keep * pheromone[a, j] + amount
            break


@kernel(types.void(PHEROMONE_TABLE, INTS, FLOAT, FLOAT, BOOL))
def change_edges(table: Any, tour: Ints, keep: float, amount: float, symmetric: bool) -> None:
    """Let the pheromone τ of a tour's edges become keep·τ + amount, as far as they lead to one of a city's nearest."""
    n = len(tour)
    for at in range(n):
        a, b = tour[at], tour[at + 1 - n]
        change_edge(table, a, b, keep, amount)
        if symmetric:
            change_edge(table, b, a, keep, amount)


@kernel(types.void(PHEROMONE_TABLE, FLOAT, FLOAT, FLOAT))
def compute_weights(table: Any, alpha: float, lowest: float, highest: float) -> None:
    """Clip all pheromone to its limits and compute the weights τ^alpha·η^β."""
    pheromone, heuristic, weights = table.pheromone, table.heuristic, table.weights
    for i in range(pheromone.shape[0]):
        for j in range(pheromone.shape[1]):
            pheromone[i, j] = min(max(pheromone[i, j], lowest), highest)
            strength = pheromone[i, j] if alpha == 1.0 else pheromone[i, j] ** alpha
            weights[i, j] = strength * heuristic[i, j]


@kernel(INT(PHEROMONE_TABLE, UNVISITED, INT))
def best_neighbour(table: Any, unvisited: Weights, city: Index) -> Any:
    """Return the unvisited neighbour of greatest weight, -1 if all are visited."""
    best, most = np.int64(-1), np.float32(0.0)
    for j in range(table.near.shape[1]):
        weight = table.weights[city, j] * unvisited[table.near[city, j]]
        if weight > most:
            best, most = np.int64(table.near[city, j]), weight
    return best


@kernel(INT(PHEROMONE_TABLE, UNVISITED, INT, RNG_STATE), inline=True)
def draw_neighbour(table: Any, unvisited: Weights, city: Index, rng_state: RngState) -> Any:
    """Draw an unvisited neighbour in proportion to its weight; -1 if all are visited.

    A roulette wheel of its own, because all the time of an ant goes here: it masks visited cities while it sums, in
    single precision, where `swarmkit.kernels.roulette` would need the masked weights written out first.
    """
    row, cities, k = table.weights[city], table.near[city], table.near.shape[1]
    even = odd = np.float32(0.0)
    for j in range(0, k - 1, 2):  # two sums, because each addition waits for the one before
        even += row[j] * unvisited[np.uint32(cities[j])]
        odd += row[j + 1] * unvisited[np.uint32(cities[j + 1])]
    if k & 1:
        even += row[k - 1] * unvisited[np.uint32(cities[k - 1])]
    aim = np.float32(uniform(rng_state)) * (even + odd)
    for j in range(k):
        aim -= row[j] * unvisited[np.uint32(cities[j])]
        if aim < np.float32(0.0):
            return np.int64(cities[j])
    return best_neighbour(table, unvisited, city)  # rounding led beyond the last, or none is left


@kernel(INT(PHEROMONE_TABLE, UNVISITED, INT, INT, INT, RNG_STATE), inline=True)
def draw_new_edge(table: Any, unvisited: Weights, city: Index, a: Index, b: Index, rng_state: RngState) -> Any:
    """Draw a neighbour of a city as `draw_neighbour` does, but neither a nor b, which are beside it on a tour."""
    unvisited[a] = unvisited[b] = 0.0
    neighbour = draw_neighbour(table, unvisited, city, rng_state)
    unvisited[a] = unvisited[b] = 1.0
    return neighbour


@kernel(INT(CITIES, UNVISITED, INT))
def nearest_unvisited(cities: Any, unvisited: Weights, city: Index) -> Any:
    """Return the unvisited city of cheapest edge: from the longer list if one is left there, else of all."""
    for candidate in cities.farther[city]:
        if unvisited[np.uint32(candidate)] > 0.0:
            return np.int64(candidate)
    cost, best, least = cities.cost, -1, np.inf
    for candidate in range(len(unvisited)):
        if cost[city, candidate] < least and unvisited[candidate] > 0.0:
            best, least = candidate, cost[city, candidate]
    return best


@kernel(types.void(PHEROMONE_TABLE, INT, INT, TRANSITION_RULE))
def local_update(table: Any, a: Index, b: Index, rule: Any) -> None:
    """Move the pheromone of the edge from a to b towards its initial value: the local update of ant colony system."""
    near, pheromone = table.near, table.pheromone
    for j in range(near.shape[1]):
        if near[a, j] == b:
            pheromone[a, j] += rule.local_evaporation * (rule.initial - pheromone[a, j])
            table.weights[a, j] = pheromone[a, j] ** rule.alpha * table.heuristic[a, j]


@kernel(INT(PHEROMONE_TABLE, CITIES, TRANSITION_RULE, INTS, UNVISITED, RNG_STATE))
def build_tour(table: Any, cities: Any, rule: Any, tour: Ints, unvisited: Weights, rng_state: RngState) -> Any:
    """Write the tour that an ant builds from a random city, and return the looks."""
    n, k = table.near.shape
    looks = 0
    unvisited[:] = 1.0
    tour[0] = city = below(rng_state, n)
    for step in range(1, n):
        unvisited[city] = 0.0
        looks += k
        if rule.greed > 0.0 and uniform(rng_state) < rule.greed:
            next_city = best_neighbour(table, unvisited, city)
        else:
            next_city = draw_neighbour(table, unvisited, city, rng_state)
        if next_city < 0:
            next_city = nearest_unvisited(cities, unvisited, city)
            looks += n - step
        if rule.local_evaporation > 0.0:
            local_update(table, city, next_city, rule)
            if cities.symmetric:
                local_update(table, next_city, city, rule)
        tour[step] = city = next_city
    return looks


@kernel(FLOAT(COST, INTS))
def tour_length(cost: Floats, tour: Ints) -> float:
    """Return the length of a tour, summed in its order."""
    n, length = len(tour), 0.0
    for at in range(n):
        length += cost[tour[at], tour[at + 1 - n]]
    return length


@kernel(INT(PHEROMONE_TABLE, CITIES, TRANSITION_RULE, INT_ROWS, FLOATS, UNVISITED, RNG_STATE))
def build_tours(
    table: Any, cities: Any, rule: Any, tours: Ints, scores: Floats, unvisited: Weights, rng_state: RngState
) -> Any:
    """Let an ant build each of the tours, write these and their scores (minus their lengths), and return the looks.

    Args:
        table: what the ants choose by; changed in place by ants that update it as they walk.
        cities: the instance.
        rule: how ants choose.
        tours: a row for each ant.
        scores: a score for each ant.
        unvisited: scratch memory, for each city.
        rng_state: the state of the generator.
    """
    looks = 0
    for ant in range(len(tours)):
        looks += build_tour(table, cities, rule, tours[ant], unvisited, rng_state)
        scores[ant] = -tour_length(cities.cost, tours[ant])
    return looks


class Walk:
    """Every ant walks through all cities, as in ant system, ant colony system and MAX-MIN ant system.

    Args:
        tour: the travelling salesman problem.
        ants: how many ants walk in an iteration.
        rule: how they choose the next city.
    """

    rho: ClassVar[float] = 0.05

    def __init__(self, tour: Tour, ants: int, rule: TransitionRule = TransitionRule()) -> None:  # noqa: B008  (immutable)
        self.rows, self._rule, self._unvisited = ants, rule, np.empty(len(tour.cost), np.float32)
        self._cities = read_only(Cities(tour.cost, tour.nearest(Neighbours.CONSTRUCTION), tour.symmetric))

    def build(self, table: PheromoneTable, source: Ints, tours: Ints, scores: Floats, rng_state: RngState) -> int:
        """Write the tour and the score of each ant, and return the looks; the source tour plays no part."""
        cities, rule, unvisited = self._cities, self._rule, self._unvisited
        return int(build_tours(table, cities, rule, tours, scores, unvisited, rng_state))
