"""The genetic algorithm: `ga`.

Zhang, C., Zhou, Y. and Martin, T. 2008. Genetic word sense disambiguation algorithm. IITA 2008.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, ClassVar, Literal

import numpy as np
from numpy.random import Generator
from pydantic import Field

from swarmkit import (
    WHOLE_STEP,
    Floats,
    Found,
    Ints,
    Left,
    Problem,
    Settings,
    Solutions,
    Solver,
    Suitability,
    random_solutions,
)
from swarmkit.search import StepBudget, rng_state, start_climb, warm_up
from swarmkit_genetic.operators import CROSSOVERS, MUTATIONS, Operators
from swarmkit_genetic.population import MOST_GENERATIONS, Brood, Population, shown_population
from swarmkit_genetic.recombination import make_children
from swarmkit_genetic.scoring import score_brood
from swarmkit_genetic.selection import Parents, roulette_pairs, tournament_pairs


class Ga(Solver[Population]):
    """Genetic algorithm: fitter solutions become parents more often; children mix two of them and mutate a little."""

    reference = "Zhang, Zhou & Martin 2008, Genetic word sense disambiguation algorithm, IITA"
    unit = "one child (with local search: one stage of its climb)"
    renamed: ClassVar[Mapping[str, str]] = {
        "founders": "-a tour-ga -A initial=nearest (or random)",
        "entrants": "-A tournament_size=N",
        "arranging": "-A permutation_crossover=order (or pmx); for 'tour': -a tour-ga",
        "rearranging": "-A permutation_mutation=swap (or inversion); for 'near': -a tour-ga",
        "replacement": "-a ga for 'generation'; for 'parent', on tours: -a tour-ga",
        "local_search=2opt": "-a tour-ga -A local_search=2opt",
    }

    class Params(Settings):
        """Operators and rates; the values are ours."""

        population: Annotated[int, Field(ge=2, le=1_000_000)] = 100
        """Solutions in a generation."""
        selection: Literal["roulette", "tournament"] = "tournament"
        """How parents are chosen: in proportion to the score above the worst, or as the best of a few."""
        tournament_size: Annotated[int, Field(ge=1, le=1000)] = 3
        """Solutions that compete in a tournament."""
        crossover: Literal["one-point", "uniform"] = "one-point"
        """How two parents are mixed."""
        permutation_crossover: Literal["order", "pmx"] = "order"
        """The same where stages must differ: order crossover, or partially mapped crossover."""
        crossover_rate: Annotated[float, Field(ge=0, le=1)] = 0.9
        """Probability that a child has two parents; otherwise it is a copy of one, mutated."""
        mutation: Annotated[float, Field(ge=0)] = 1.0
        """Expected number of stages of a child that mutate to another candidate."""
        permutation_mutation: Literal["swap", "inversion"] = "swap"
        """What a mutation does where stages must differ: swap two stages, or reverse a segment."""
        elite: Annotated[int, Field(ge=0)] = 2
        """The best solutions that survive unchanged, as many as this."""
        local_search: Literal["none", "icm"] = "none"
        """Improve every child to a local optimum first (a memetic algorithm): icm is iterated conditional modes."""

    params: Params

    def suits(self, problem: Problem) -> Suitability | None:
        """Suit problems of which nothing but the score is known."""
        if problem.structure.tables is not None:
            return None
        if not problem.distinct and max(problem.sizes) <= 2:
            # The order of the bits may mean nothing, and evaluations may be few.
            params = {"crossover": "uniform", "tournament_size": 6}
            return Suitability(0.64, "nothing but its score is known", nanoseconds=25.0, params=params)
        return Suitability(0.5, "nothing but its score is known", nanoseconds=18.0)

    def prepare(self, problem: Problem) -> None:
        """Compile the kernels."""
        from swarmkit.kernels import icm, scoring, swap_gains
        from swarmkit_genetic.kernels import child_scores, offspring

        climbing = (icm, swap_gains) if self.params.local_search == "icm" else ()
        warm_up(problem, offspring, child_scores, scoring, *climbing)

    def start(self, problem: Problem, rng: Generator) -> Population:
        """Draw the first generation at random."""
        k, state = self.params.population, rng_state(rng)
        X = np.ascontiguousarray(random_solutions(problem, k, rng))  # kernels read it
        if 0 < len(X) < k:  # feasible solutions are hard to find: begin with several copies
            X = X[np.arange(k) % len(X)]
        return Population.of(X, state)

    def snapshot(self, state: Population) -> dict[str, Any]:
        """Return the fittest chromosomes, their fitness, and the diversity of the population."""
        return shown_population(state)

    def inject(self, problem: Problem, state: Population, X: Solutions, scores: Floats, rng: Generator) -> int:
        """Let the given solutions, and mutated copies of them, replace the worse half of the population."""
        if scores.max() > state.best_score:
            if len(state.X) == 0:
                state.__dict__.update(vars(Population.of(np.repeat(X, self.params.population, 0), state.rng_state)))
            state.take_up(problem, X, scores, rng)
        return 0

    def step(self, problem: Problem, state: Population, rng: Generator, left: Left = WHOLE_STEP) -> Found:
        """Score the first generation, then make others, until the step pauses; each is one iteration."""
        if len(state.X) == 0:  # no feasible solution has been found: draw again
            fresh = self.start(problem, rng)
            state.X, state.scores = fresh.X, fresh.scores
            return Found(None, None, len(problem.sizes), iterations=0)
        budget, generations = StepBudget(left), 0
        most = min(left.iterations, MOST_GENERATIONS)
        while not budget.looks or (budget.open and generations < most):
            if not state.complete:
                state.score_first(problem, budget)
            else:
                generations += self._go_on(problem, state, rng, budget)
        return state.found(budget.looks, generations)

    def _go_on(self, problem: Problem, state: Population, rng: Generator, budget: StepBudget) -> bool:
        """Select parents and make children, unless they are under way; when all are scored, replace the generation.

        Returns:
            Whether the generation was replaced.
        """
        elite = min(self.params.elite, self.params.population - 1)
        if state.brood is None:
            state.brood = self._breed(problem, state, len(state.X) - elite, rng)
        score_brood(problem, state, state.brood, rng, budget)
        complete = state.brood.complete
        if complete:
            state.replace_generation(state.brood, elite)
        return complete

    def _breed(self, problem: Problem, state: Population, count: int, rng: Generator) -> Brood:
        pairs = self._pairs(state, count, rng)
        parents = Parents(state.X, state.scores, pairs)
        children = make_children(problem, parents, self._operators(problem), state.rng_state, rng)
        search = self.params.local_search
        return Brood.of(children, pairs, None if search == "none" else start_climb(problem, children, search, rng))

    def _pairs(self, state: Population, count: int, rng: Generator) -> Ints:
        if self.params.selection == "roulette":
            return roulette_pairs(state.scores, count, rng)
        return tournament_pairs(state.scores, self.params.tournament_size, count, rng)

    def _operators(self, problem: Problem) -> Operators:
        params = self.params
        return Operators(
            crossover=CROSSOVERS[params.permutation_crossover if problem.distinct else params.crossover],
            crossover_rate=params.crossover_rate,
            mutation=MUTATIONS[params.permutation_mutation if problem.distinct else "change"],
            mutation_rate=min(1.0, params.mutation / len(problem.sizes)),
        )
