"""Mutation of symmetric tours by near inversions: 2-opt moves that make a city adjacent to one of its nearest.

Croes, G. 1958. A method for solving traveling-salesman problems. Operations Research 6(6).
"""

from __future__ import annotations

from typing import Any, NamedTuple

from numba import types

from swarmkit import Floats, Ints, Near, RngState
from swarmkit.kernels.compiling import COST, FLOAT, GIVEN_INTS, INT, INTS, RNG_STATE, kernel
from swarmkit.kernels.rng import below, uniform
from swarmkit_genetic.kernels.offspring import invert, stages_skipped
from swarmkit_genetic.kernels.tour_crossover import position_of


class Cities(NamedTuple):
    """The cost of every edge, the nearest neighbours of each city, and the smallest saving that counts."""

    cost: Floats
    near: Near
    tolerance: float


GIVEN_NEAR = types.Array(types.int32, 2, "C", readonly=True)
CITIES = types.NamedTuple((COST, GIVEN_NEAR, FLOAT), Cities)


@kernel(types.void(INTS, INT, INT))
def invert_cyclic(tour: Ints, low: int, high: int) -> None:
    """Reverse the segment low..high-1 of a cycle, or the rest, which gives the same cycle, if that is shorter."""
    n = len(tour)
    if 2 * (high - low) <= n:
        invert(tour, low, high)
        return
    i, j = high, low - 1
    for _ in range((n - (high - low)) // 2):
        i, j = (i if i < n else 0), (j if j >= 0 else n - 1)
        tour[i], tour[j] = tour[j], tour[i]
        i, j = i + 1, j - 1


@kernel(types.UniTuple(INT, 2)(GIVEN_INTS, INT, GIVEN_NEAR, RNG_STATE), inline=True)
def near_inversion(tour: Ints, i: int, near: Near, rng_state: RngState) -> tuple[int, int]:
    """Return a segment low..high-1 whose reversal makes the i-th city adjacent to a random one of its nearest.

    There are two such 2-opt moves; one of them is drawn.
    """
    j = position_of(tour, near[tour[i], below(rng_state, near.shape[1])])
    ahead = below(rng_state, 2)
    return (i + ahead, j + ahead) if i < j else (j + ahead, i + ahead)


@kernel(FLOAT(COST, GIVEN_INTS, INT, INT), inline=True)
def inversion_cost(cost: Floats, tour: Ints, low: int, high: int) -> float:
    """Return by how much the reversal of the segment low..high-1 lengthens a tour."""
    before, behind = tour[low - 1], tour[high if high < len(tour) else 0]
    first, last = tour[low], tour[high - 1]
    return cost[before, last] + cost[first, behind] - cost[before, first] - cost[last, behind]


@kernel(FLOAT(CITIES, FLOAT, RNG_STATE, INTS, FLOAT))
def mutate_tour(cities: Any, rate: float, rng_state: RngState, child: Ints, change: float) -> float:
    """Let each position mutate with probability `rate`; return `change` plus what that adds to the length."""
    i = stages_skipped(rate, uniform(rng_state))
    while i < len(child):
        low, high = near_inversion(child, i, cities.near, rng_state)
        change += inversion_cost(cities.cost, child, low, high)
        invert_cyclic(child, low, high)
        i += 1 + stages_skipped(rate, uniform(rng_state))
    return change
