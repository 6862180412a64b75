"""Randomised nearest-neighbour tours, the first generation of the tour GA."""

from __future__ import annotations

from typing import Any

from swarmkit import Ints, RngState
from swarmkit.kernels.compiling import FLOAT, INT, INT_ROWS, INTS, RNG_STATE, kernel
from swarmkit.kernels.rng import below, uniform
from swarmkit_genetic.kernels.tour_mutation import CITIES


@kernel(INT(INT_ROWS, CITIES, FLOAT, INTS, RNG_STATE))
def construct(tours: Ints, cities: Any, skipping: float, position: Ints, rng_state: RngState) -> int:
    """Fill rows with tours that go on to a near unvisited city; return the looks, scores included.

    Args:
        tours: receives the tours.
        cities: costs and nearest neighbours.
        skipping: the probability with which each unvisited near city is skipped, nearest first. The last of them is
            taken if all are skipped; where none is left, the nearest of all unvisited cities.
        position: scratch memory, -1 for every city.
        rng_state: the kernels' random numbers.
    """
    n, looks, cost = len(position), 0, cities.cost
    for k in range(len(tours)):
        looks += n  # its score
        here = below(rng_state, n)
        for i in range(n):
            tours[k, i], position[here], goal = here, i, -1
            for c in cities.near[here]:
                looks += 1
                if position[c] < 0:
                    goal = c
                    if uniform(rng_state) >= skipping:
                        break
            if goal < 0 and i < n - 1:
                looks += n
                for c in range(n):
                    if position[c] < 0 and (goal < 0 or cost[here, c] < cost[here, goal]):
                        goal = c
            here = goal
        for c in range(n):
            position[c] = -1
    return looks
