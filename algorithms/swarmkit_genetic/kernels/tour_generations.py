"""Generations of symmetric tours: aligned order crossover, near inversions, and each child against its parent.

Cavicchio, D. 1970. Adaptive search using simulated evolution. University of Michigan: preselection.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from numba import types

from swarmkit import Floats, Ints, RngState
from swarmkit.kernels.compiling import (
    COST,
    FLOAT,
    FLOATS,
    GIVEN_INT_ROWS,
    GIVEN_INTS,
    INT,
    INT_ROWS,
    INTS,
    RNG_STATE,
    copy,
    kernel,
)
from swarmkit.kernels.rng import below, uniform
from swarmkit_genetic.kernels.tour_crossover import WORKSPACE, Segment, aligned_order_crossover, crossover_cost
from swarmkit_genetic.kernels.tour_mutation import CITIES, mutate_tour
from swarmkit_genetic.operators import Rates


class Generation(NamedTuple):
    """A population of tours, and the best of all generations."""

    tours: Ints
    scores: Floats
    """Minus the lengths, up to a constant."""
    best: Ints
    highest: Floats
    """One number: the score of the best tour."""


GENERATION = types.NamedTuple((INT_ROWS, FLOATS, INTS, FLOATS), Generation)
RATES = types.NamedUniTuple(FLOAT, 2, Rates)


@kernel(FLOAT(COST, GIVEN_INTS, GIVEN_INTS, WORKSPACE, RNG_STATE, INTS))
def cross(cost: Floats, a: Ints, b: Ints, workspace: Any, rng_state: RngState, child: Ints) -> float:
    """Cross two tours in a random segment of up to half the cities; return by how much the child is longer than a."""
    n = len(child)
    start, size = below(rng_state, n), 1 + below(rng_state, n // 2)
    segment = Segment(start, size, below(rng_state, 2) == 1)
    aligned_order_crossover(a, b, segment, workspace, child)
    return crossover_cost(cost, a, child, segment)


@kernel(types.void(GIVEN_INT_ROWS, GIVEN_INT_ROWS, CITIES, RATES, WORKSPACE, RNG_STATE, INT_ROWS))
def make_children(
    tours: Ints, pairs: Ints, cities: Any, rates: Any, workspace: Any, rng_state: RngState, children: Ints
) -> None:
    """Fill `children`, a tour for each pair of rows of `tours`."""
    for k in range(len(pairs)):
        a, b, child = tours[pairs[k, 0]], tours[pairs[k, 1]], children[k]
        if uniform(rng_state) < rates.crossover:
            cross(cities.cost, a, b, workspace, rng_state, child)
        else:
            for i in range(len(child)):
                child[i] = a[i]
        mutate_tour(cities, rates.mutation, rng_state, child, 0.0)


@kernel(types.void(GENERATION, CITIES, RATES, INT, WORKSPACE, RNG_STATE))
def preselection(generation: Any, cities: Any, rates: Any, count: int, workspace: Any, rng_state: RngState) -> None:
    """Let every tour in turn have a child with a random one; it replaces its parent if it is shorter.

    A child is scored by its difference from that parent.

    Args:
        generation: the population and the best tour so far, changed in place.
        cities: costs and nearest neighbours.
        rates: of crossover and mutation.
        count: the number of generations.
        workspace: scratch memory.
        rng_state: the kernels' random numbers.
    """
    tours, scores, highest = generation.tours, generation.scores, generation.highest
    child = workspace.child
    for birth in range(count * len(tours)):
        k = birth % len(tours)
        a, change = tours[k], 0.0
        if uniform(rng_state) < rates.crossover:
            b = tours[below(rng_state, len(tours))]
            change = cross(cities.cost, a, b, workspace, rng_state, child)
        else:
            copy(a, child)
        change = mutate_tour(cities, rates.mutation, rng_state, child, change)
        if change < -cities.tolerance:
            scores[k] -= change
            copy(child, a)
            if scores[k] > highest[0]:
                highest[0] = scores[k]
                copy(child, generation.best)
