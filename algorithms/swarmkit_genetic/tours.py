"""Populations of symmetric tours: first tours, children, and whole generations, compiled."""

from __future__ import annotations

from dataclasses import dataclass
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


@dataclass
class TourPopulation(Population):
    """A population of tours."""

    made: int = 0
    """The children that the generation under way has had, each against its parent."""


def construct_tours(tour: Tour, state: TourPopulation, looks: int) -> int:
    """Construct and score randomised nearest-neighbour tours of the first generation; return the looks.

    Args:
        tour: the travelling salesman problem.
        state: the population.
        looks: where to pause; at least one tour is constructed.
    """
    from swarmkit_genetic.kernels.nearest_neighbour_tours import construct

    n = len(tour.order)
    tours = np.empty((min(len(state.X) - state.scored, 1 + looks // n), n), np.int64)
    count, spent = construct(tours, _cities(tour), min(0.5, DETOURS / n), np.full(n, -1), state.rng_state, looks)
    rows = slice(state.scored, state.scored + count)
    state.X[rows] = tour.solutions(tours[:count])
    state.scores[rows] = tour.constant - tour.lengths(tours[:count])
    state.record_best(state.X[rows], state.scores[rows])
    state.scored = rows.stop
    return int(spent)


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


def preselect(tour: Tour, state: TourPopulation, rates: Rates, count: int) -> None:
    """Make children one by one; each replaces its first parent if it is shorter, in place.

    Args:
        tour: the travelling salesman problem.
        state: the population; the first of these children is that of tour `made`.
        rates: of crossover and mutation.
        count: the number of children.
    """
    from swarmkit_genetic.kernels.tour_generations import Generation, preselection

    tours, best, highest = tour.as_tours(state.X), tour.tours(state.best), np.array([state.best_score])
    generation = Generation(tours, state.scores, best, highest)
    preselection(generation, _cities(tour), rates, state.made, count, _workspace(len(best)), state.rng_state)
    state.X = tours if tour.in_stage_order else tour.solutions(tours)
    state.best, state.best_score = tour.solutions(best), float(highest[0])


def _cities(tour: Tour) -> Cities:
    from swarmkit.kernels.compiling import read_only
    from swarmkit_genetic.kernels.tour_mutation import Cities

    return read_only(Cities(tour.cost, tour.nearest(Neighbours.RECOMBINATION), tour.tolerance))


def _workspace(n: int) -> Workspace:
    from swarmkit_genetic.kernels.tour_crossover import Workspace

    return Workspace(np.full(n, -1), np.empty(n, np.int64), np.empty(n, np.int64))
