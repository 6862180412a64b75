"""The genetic algorithm for symmetric tours: `tour-ga`.

Davis, L. 1985. Applying adaptive algorithms to epistatic domains. IJCAI: order crossover, here aligned.
Croes, G. 1958. A method for solving traveling-salesman problems. Operations Research 6(6): 2-opt moves, the mutation.
Cavicchio, D. 1970. Adaptive search using simulated evolution. University of Michigan: a child against its parent.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Literal

import numpy as np
from numpy.random import Generator
from pydantic import Field

from swarmkit import (
    Floats,
    Ints,
    Problem,
    RngState,
    Settings,
    Solutions,
    StepResult,
    Suitability,
    Tour,
    random_solutions,
)
from swarmkit.search import TourNeighbourhood, batch_scores, rng_state, warm_up
from swarmkit_genetic import kernels
from swarmkit_genetic.population import GeneticSolver, Population

if TYPE_CHECKING:
    from swarmkit_genetic.kernels.tours import Rates

FEWEST = 8
"""Cities below which segments and near inversions leave hardly anything to recombine."""

DETOURS = 100
"""Near cities that a first tour skips, on average: more take too long to repair, fewer leave too little to inherit."""


class TourGa(GeneticSolver):
    """Genetic algorithm for symmetric tours: children inherit edges, and replace their parents if they are shorter."""

    reference = "Cavicchio 1970, Adaptive search using simulated evolution, University of Michigan"

    class Params(Settings):
        """Population, rates and local search; the values are ours, found by `swarmkit tune`."""

        population: Annotated[int, Field(ge=2, le=1_000_000)] = 100
        """Tours in the population."""
        initial: Literal["nearest", "random"] = "random"
        """The first tours: randomised nearest-neighbour tours, or random ones."""
        crossover_rate: Annotated[float, Field(ge=0, le=1)] = 0.5
        """Probability that a child has two parents; otherwise it is a copy of one, mutated."""
        mutation: Annotated[float, Field(ge=0)] = 1.0
        """Expected number of near inversions of a child: 2-opt moves that join a city with a near one."""
        local_search: Literal["none", "2opt"] = "2opt"
        """Improve every child to a local optimum first (a memetic algorithm): 2-opt, 3-opt and Or-opt moves."""

    params: Params

    def refuses(self, problem: Problem) -> str | None:
        """Refuse what is not a symmetric tour, or too short a one."""
        if problem.structure.symmetric_tour(cities=FEWEST) is None:
            return f"it is for symmetric tours of at least {FEWEST} cities; 'ga' solves any problem"
        return None

    def suits(self, problem: Problem) -> Suitability | None:
        """Suit the tours that it takes, with local search."""
        return Suitability(0.2, "it is a symmetric tour", nanoseconds=2.0, params={"local_search": "2opt"})

    def prepare(self, problem: Problem) -> None:
        """Compile the kernels."""
        from swarmkit.kernels import scoring, tour_moves

        climbs = (tour_moves,) if self.params.local_search == "2opt" else ()
        warm_up(problem, kernels.tours, scoring, *climbs)

    def start(self, problem: Problem, rng: Generator) -> Population:
        """Draw random tours, or leave room for those that the first step constructs."""
        k, state = self.params.population, rng_state(rng)
        random = self.params.initial == "random"
        X = random_solutions(problem, k, rng) if random else np.zeros((k, len(problem.sizes)), np.int64)
        return Population.of(X, state)

    def generate(self, problem: Problem, state: Population, rng: Generator, count: int) -> StepResult:
        """Make `count` generations in one call of the kernel: every tour has a child, which replaces it if shorter."""
        return preselect(TourNeighbourhood(problem).tour, state, self._rates(problem), count)

    def breed(self, problem: Problem, state: Population, rng: Generator) -> Solutions:
        """Return a child of every tour with a random partner."""
        tour, k = TourNeighbourhood(problem).tour, len(state.X)
        pairs = np.column_stack([np.arange(k), rng.integers(k, size=k)])
        return tour_children(tour, state.X, pairs, self._rates(problem), state.rng_state)

    def replace(self, state: Population, children: Solutions, scores: Floats) -> None:
        """Let each child replace the tour in its row if it is shorter (Cavicchio's preselection)."""
        shorter = scores > state.scores
        state.X[shorter], state.scores[shorter] = children[shorter], scores[shorter]

    def inject(self, problem: Problem, state: Population, X: Solutions, scores: Floats, rng: Generator) -> int:
        """Let the given tours be among the first ones, or replace the longest; children that climb are lost."""
        if scores.max() > state.best_score:
            best = np.argsort(-scores, kind="stable")[: len(state.X) // 2]
            rows = np.argsort(state.scores, kind="stable")[: len(best)]  # those without a score first
            state.X[rows], state.scores[rows], state.climb = X[best], scores[best], None
            state.record(X, scores)
        return 0

    def score_first(self, problem: Problem, state: Population, rng: Generator) -> int:
        """Score first tours, constructed before if they are not random, and return the looks.

        Constructed ones are randomised nearest-neighbour tours, their scores included in the looks.
        """
        rows, tour, n = state.new_rows, TourNeighbourhood(problem).tour, len(problem.sizes)
        if self.params.initial == "random":
            looks = len(rows) * n
            state.scores[rows] = batch_scores(problem, state.X[rows])
        else:
            tours, skipping = np.empty((len(rows), n), np.int64), min(0.5, DETOURS / n)
            cities, position = kernels.tours.cities_of(tour), np.full(n, -1)
            looks = int(kernels.tours.construct(tours, cities, skipping, position, state.rng_state))
            state.X[rows], state.scores[rows] = tour.solutions(tours), tour.constant - tour.lengths(tours)
        state.record(state.X, state.scores)
        return looks

    def _rates(self, problem: Problem) -> Rates:
        return kernels.tours.Rates(self.params.crossover_rate, min(1.0, self.params.mutation / len(problem.sizes)))


def tour_children(tour: Tour, X: Solutions, pairs: Ints, rates: Rates, rng_state: RngState) -> Solutions:
    """Return one child of each pair of rows of X, by aligned order crossover and near inversions.

    Args:
        tour: the travelling salesman problem.
        X: the population.
        pairs: the rows of each child's parents.
        rates: of crossover and mutation.
        rng_state: the kernels' random numbers.
    """
    cities, workspace = kernels.tours.cities_of(tour), kernels.tours.new_workspace(X.shape[1])
    children = np.empty((len(pairs), X.shape[1]), np.int64)
    kernels.tours.make_children(tour.as_tours(X), pairs, cities, rates, workspace, rng_state, children)
    return children if tour.in_stage_order else tour.solutions(children)


def preselect(tour: Tour, state: Population, rates: Rates, generations: int) -> StepResult:
    """Make generations without local search: each child replaces its first parent at once if it is shorter.

    Args:
        tour: the travelling salesman problem.
        state: the population, changed in place.
        rates: of crossover and mutation.
        generations: the number of generations, an iteration each.
    """
    tours, best, highest = tour.as_tours(state.X), tour.tours(state.best), np.array([state.best_score])
    generation = kernels.tours.Generation(tours, state.scores, best, highest)
    cities, workspace = kernels.tours.cities_of(tour), kernels.tours.new_workspace(len(best))
    kernels.tours.preselection(generation, cities, rates, generations, workspace, state.rng_state)
    state.X = tours if tour.in_stage_order else tour.solutions(tours)
    state.best, state.best_score = tour.solutions(best), float(highest[0])
    looks = generations * tours.size  # a child is a whole score, however it is computed
    return state.result(looks, generations, steps=generations)
