"""Populations of symmetric tours: first tours, children, and whole generations, compiled."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from swarmkit import Ints, RngState, Solutions, Tour
from swarmkit.search import Neighbours
from swarmkit_genetic.operators import Rates
from swarmkit_genetic.population import Population

if TYPE_CHECKING:
    from swarmkit_genetic.kernels.tour_crossover import Workspace
    from swarmkit_genetic.kernels.tour_mutation import Cities

DETOURS = 100
"""Near cities that a first tour skips, on average: more take too long to repair, fewer leave too little to inherit."""


def nearest_neighbour_tours(tour: Tour, count: int, rng_state: RngState) -> tuple[Solutions, int]:
    """Return randomised nearest-neighbour tours, as solutions, and the looks.

    Args:
        tour: the travelling salesman problem.
        count: the number of tours.
        rng_state: the kernels' random numbers.
    """
    from swarmkit_genetic.kernels.nearest_neighbour_tours import construct

    n = len(tour.order)
    tours = np.empty((count, n), np.int64)
    looks = construct(tours, _cities(tour), min(0.5, DETOURS / n), np.full(n, -1), rng_state)
    return tour.solutions(tours), int(looks)


def tour_children(tour: Tour, X: Solutions, pairs: Ints, rates: Rates, rng_state: RngState) -> Solutions:
    """Return one child of each pair of rows of X, by aligned order crossover and near inversions.

    Args:
        tour: the travelling salesman problem.
        X: the population.
        pairs: the rows of each child's parents.
        rates: of crossover and mutation.
        rng_state: the kernels' random numbers.
    """
    from swarmkit_genetic.kernels.tour_generations import make_children

    children = np.empty((len(pairs), X.shape[1]), np.int64)
    make_children(tour.as_tours(X), pairs, _cities(tour), rates, _workspace(X.shape[1]), rng_state, children)
    return children if tour.in_stage_order else tour.solutions(children)


def preselect(tour: Tour, state: Population, rates: Rates, generations: int) -> None:
    """Make generations in which each child replaces its first parent if it is shorter, in place.

    Args:
        tour: the travelling salesman problem.
        state: the population.
        rates: of crossover and mutation.
        generations: how many to make.
    """
    from swarmkit_genetic.kernels.tour_generations import preselection

    tours, n = tour.as_tours(state.X), state.X.shape[1]
    child = np.empty(n, np.int64)
    preselection(tours, state.scores, _cities(tour), rates, generations, _workspace(n), child, state.rng_state)
    state.X = tours if tour.in_stage_order else tour.solutions(tours)


def _cities(tour: Tour) -> Cities:
    from swarmkit.kernels.compiling import read_only
    from swarmkit_genetic.kernels.tour_mutation import Cities

    return read_only(Cities(tour.cost, tour.nearest(Neighbours.RECOMBINATION), tour.tolerance))


def _workspace(n: int) -> Workspace:
    from swarmkit_genetic.kernels.tour_crossover import Workspace

    return Workspace(np.full(n, -1), np.empty(n, np.int64))
