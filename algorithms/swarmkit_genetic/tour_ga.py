"""The genetic algorithm for symmetric tours: `tour-ga`.

Davis, L. 1985. Applying adaptive algorithms to epistatic domains. IJCAI: order crossover, here aligned.
Croes, G. 1958. A method for solving traveling-salesman problems. Operations Research 6(6): 2-opt moves, the mutation.
Cavicchio, D. 1970. Adaptive search using simulated evolution. University of Michigan: a child against its parent.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal

import numpy as np
from numpy.random import Generator
from pydantic import Field

from swarmkit import (
    WHOLE_STEP,
    Floats,
    Found,
    Left,
    Problem,
    Settings,
    Solutions,
    Solver,
    Suitability,
    Tour,
    random_solutions,
)
from swarmkit.search import StepBudget, rng_state, start_climb, warm_up
from swarmkit_genetic.operators import Rates
from swarmkit_genetic.population import MOST_GENERATIONS, Brood, shown_population
from swarmkit_genetic.scoring import score_brood
from swarmkit_genetic.selection import random_partners
from swarmkit_genetic.tours import TourPopulation, construct_tours, preselect, tour_children

FEWEST = 8
"""Cities below which segments and near inversions leave hardly anything to recombine."""


class TourGa(Solver[TourPopulation]):
    """Genetic algorithm for symmetric tours: children inherit edges, and replace their parents if they are shorter."""

    reference = "Cavicchio 1970, Adaptive search using simulated evolution, University of Michigan"
    unit = "one child, or one constructed tour (with local search: one city's moves)"

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
        from swarmkit_genetic.kernels import nearest_neighbour_tours, tour_generations

        improving = (tour_moves,) if self.params.local_search == "2opt" else ()
        warm_up(problem, nearest_neighbour_tours, tour_generations, scoring, *improving)

    def start(self, problem: Problem, rng: Generator) -> TourPopulation:
        """Draw random tours, or leave room for those that the first steps construct."""
        k, state = self.params.population, rng_state(rng)
        nearest = self.params.initial == "nearest"
        return TourPopulation.of(
            np.zeros((k, len(problem.sizes)), np.int64) if nearest else random_solutions(problem, k, rng), state
        )

    def snapshot(self, state: TourPopulation) -> dict[str, Any]:
        """Return the shortest tours, their scores, and the diversity of the population."""
        return shown_population(state)

    def inject(self, problem: Problem, state: TourPopulation, X: Solutions, scores: Floats, rng: Generator) -> int:
        """Let the given tours replace the longest ones, or be the first ones."""
        if scores.max() <= state.best_score:
            return 0
        chosen = np.argsort(-scores, kind="stable")[: max(1, len(state.X) // 2)]
        free = len(state.X) - state.scored
        rows = np.arange(state.scored, state.scored + min(free, len(chosen)))
        rows = np.append(rows, np.argsort(state.scores[: state.scored], kind="stable")[: len(chosen) - len(rows)])
        state.X[rows], state.scores[rows], state.brood = X[chosen], scores[chosen], None
        state.scored += min(free, len(chosen))
        state.record_best(X, scores)
        return 0

    def step(self, problem: Problem, state: TourPopulation, rng: Generator, left: Left = WHOLE_STEP) -> Found:
        """Make the first tours, then generations, until the step pauses; each generation is one iteration."""
        budget, generations = StepBudget(left), 0
        most = min(left.iterations, MOST_GENERATIONS)
        while not budget.looks or (budget.open and generations < most):
            if not state.complete:
                self._make_first(problem, state, budget)
            elif self.params.local_search == "none":
                generations += self._preselect(problem, state, most - generations, budget)
            else:
                generations += self._improve(problem, state, rng, budget)
        return state.found(budget.looks, generations)

    def _make_first(self, problem: Problem, state: TourPopulation, budget: StepBudget) -> None:
        """Construct first tours, if they are not random, and score them."""
        if self.params.initial == "nearest":
            budget.spend(construct_tours(_tour(problem), state, budget.left.looks))
        else:
            state.score_first(problem, budget)

    def _preselect(self, problem: Problem, state: TourPopulation, generations: int, budget: StepBudget) -> int:
        """Make children one by one, each against its parent; return the generations that ended."""
        k, n = state.X.shape
        count = min(budget.rows(n, evaluated=False), generations * k - state.made)
        preselect(_tour(problem), state, self._rates(n), count)
        budget.spend(count * n)  # a child is a whole score, whichever way it is computed
        ended, state.made = divmod(state.made + count, k)
        return int(ended)

    def _improve(self, problem: Problem, state: TourPopulation, rng: Generator, budget: StepBudget) -> bool:
        """Make a child of every tour with a random one, unless they are under way, and improve them.

        When all are improved each replaces its parent if it is shorter.

        Returns:
            Whether the generation ended.
        """
        k, n = state.X.shape
        if state.brood is None:
            pairs = random_partners(k, rng)
            children = tour_children(_tour(problem), state.X, pairs, self._rates(n), state.rng_state)
            state.brood = Brood.of(children, pairs, start_climb(problem, children, "2opt", rng))
        score_brood(problem, state, state.brood, rng, budget)
        complete = state.brood.complete
        if complete:
            state.replace_parents(state.brood)
        return complete

    def _rates(self, n: int) -> Rates:
        return Rates(self.params.crossover_rate, min(1.0, self.params.mutation / n))


def _tour(problem: Problem) -> Tour:
    tour = problem.structure.symmetric_tour(cities=FEWEST)
    assert tour is not None  # noqa: S101  (refused otherwise)
    return tour
