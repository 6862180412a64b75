"""Ants that build whole tours city by city.

An ant draws the next city among the nearest that it has not visited, in proportion to their weights τ^alpha·η^β. Only
when all of these are visited does it go to a city farther away, the nearest of all.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numba import types

from swarmkit import Floats, Ints, Near, RngState
from swarmkit.kernels.compiling import BOOL, COST, FLOAT, FLOATS, INT, INT_ROWS, NEAR, RNG_STATE, Index, kernel
from swarmkit.kernels.rng import below, uniform
from swarmkit_ants.kernels.pheromone import PHEROMONE_TABLE, WEIGHTS
from swarmkit_ants.kernels.portion import ANT_AND_LOOKS, PORTION
from swarmkit_ants.pheromone_table import Weights

UNVISITED = types.float32[::1]
"""1 for every city that an ant has not visited, else 0: a factor, so that sums of weights need no branch."""


class Cities(NamedTuple):
    """The instance: the cost of every edge, longer lists of nearest neighbours, and whether costs are symmetric."""

    cost: Floats
    farther: Near
    symmetric: bool


class TransitionRule(NamedTuple):
    """How ants choose the next city, and what they do to the pheromone of the edges they cross."""

    alpha: float
    greed: float
    """The probability of taking the edge of greatest weight instead of drawing one (q0 of ant colony system)."""
    local_evaporation: float
    """The share by which a crossed edge's pheromone moves towards its initial value (ξ of ant colony system)."""
    initial: float
    """That initial value (τ_0 of ant colony system)."""


class AntTours(NamedTuple):
    """The tours built, one a row, their lengths, and scratch memory: which cities the current ant has not visited."""

    tours: Ints
    lengths: Floats
    unvisited: Weights


GIVEN_NEAR = types.Array(types.int32, 2, "C", readonly=True)
CITIES = types.NamedTuple((COST, GIVEN_NEAR, BOOL), Cities)
TRANSITION_RULE = types.NamedUniTuple(FLOAT, 4, TransitionRule)
ANT_TOURS = types.NamedTuple((INT_ROWS, FLOATS, UNVISITED), AntTours)


@kernel(INT(NEAR, WEIGHTS, UNVISITED, INT))
def best_neighbour(near: Near, weights: Weights, unvisited: Weights, city: Index) -> Any:
    """Return the column of the unvisited neighbour of greatest weight, -1 if all are visited."""
    best, most = -1, np.float32(0.0)
    for j in range(near.shape[1]):
        weight = weights[city, j] * unvisited[near[city, j]]
        if weight > most:
            best, most = j, weight
    return best


@kernel(INT(PHEROMONE_TABLE, UNVISITED, INT, RNG_STATE), inline=True)
def draw_neighbour(table: Any, unvisited: Weights, city: Index, rng_state: RngState) -> Any:
    """Draw the column of an unvisited neighbour in proportion to its weight; -1 if all are visited.

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
            return j
    return best_neighbour(table.near, table.weights, unvisited, city)  # rounding led beyond the last, or none is left


@kernel(INT(CITIES, UNVISITED, INT))
def nearest_unvisited(cities: Any, unvisited: Weights, city: Index) -> Any:
    """Return the unvisited city of cheapest edge: from the longer list if one is left there, else of all."""
    for other in cities.farther[city]:
        if unvisited[np.uint32(other)] > 0.0:
            return np.int64(other)
    cost, best, least = cities.cost, -1, np.inf
    for other in range(len(unvisited)):
        if cost[city, other] < least and unvisited[other] > 0.0:
            best, least = other, cost[city, other]
    return best


@kernel(types.void(PHEROMONE_TABLE, INT, INT, TRANSITION_RULE))
def local_update(table: Any, a: Index, b: Index, rule: Any) -> None:
    """Move the pheromone of the edge from a to b towards its initial value: the local update of ant colony system."""
    near, pheromone = table.near, table.pheromone
    for j in range(near.shape[1]):
        if near[a, j] == b:
            pheromone[a, j] += rule.local_evaporation * (rule.initial - pheromone[a, j])
            table.weights[a, j] = pheromone[a, j] ** rule.alpha * table.heuristic[a, j]


@kernel(INT(PHEROMONE_TABLE, CITIES, TRANSITION_RULE, RNG_STATE, ANT_TOURS, INT))
def build_tour(table: Any, cities: Any, rule: Any, rng_state: RngState, built: Any, ant: Index) -> Any:
    """Let an ant build a whole tour from a random city and return the looks."""
    (n, k), cost, unvisited = table.near.shape, cities.cost, built.unvisited
    looks = 0
    for other in range(n):
        unvisited[other] = 1.0
    city, length, tour = below(rng_state, n), 0.0, built.tours[ant]
    tour[0] = city
    for step in range(1, n):
        unvisited[city] = 0.0
        looks += k
        if rule.greed > 0.0 and uniform(rng_state) < rule.greed:
            j = best_neighbour(table.near, table.weights, unvisited, city)
        else:
            j = draw_neighbour(table, unvisited, city, rng_state)
        if j >= 0:
            chosen = np.int64(table.near[city, j])
        else:
            chosen = nearest_unvisited(cities, unvisited, city)
            looks += n - step
        if rule.local_evaporation > 0.0:
            local_update(table, city, chosen, rule)
            if cities.symmetric:
                local_update(table, chosen, city, rule)
        length += cost[city, chosen]
        city = chosen
        tour[step] = city
    built.lengths[ant] = length + cost[city, tour[0]]
    return looks


@kernel(ANT_AND_LOOKS(PHEROMONE_TABLE, CITIES, TRANSITION_RULE, RNG_STATE, ANT_TOURS, PORTION))
def build_tours(table: Any, cities: Any, rule: Any, rng_state: RngState, built: Any, portion: Any) -> Any:
    """Let ants build whole tours; return the ant to go on with, and the looks."""
    looks, ant = 0, portion.first
    while ant < portion.last and (ant == portion.first or looks < portion.looks):
        looks += build_tour(table, cities, rule, rng_state, built, ant)
        ant += 1
    return ant, looks
