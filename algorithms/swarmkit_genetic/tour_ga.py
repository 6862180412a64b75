"""The genetic algorithm for symmetric tours: `tour-ga`.

Davis, L. 1985. Applying adaptive algorithms to epistatic domains. IJCAI: order crossover, here aligned.
Croes, G. 1958. A method for solving traveling-salesman problems. Operations Research 6(6): 2-opt moves, the mutation.
Cavicchio, D. 1970. Adaptive search using simulated evolution. University of Michigan: a child against its parent.
"""

from __future__ import annotations

from typing import Annotated, Literal

from numpy.random import Generator
from pydantic import Field

from swarmkit import Found, Problem, Settings, Solver, Tour, local_search, random_solutions
from swarmkit.search import batch_scores, rng_state, warm_up
from swarmkit_genetic.operators import Rates
from swarmkit_genetic.population import Population, make_generations
from swarmkit_genetic.selection import random_partners
from swarmkit_genetic.tours import nearest_neighbour_tours, preselect, tour_children

FEWEST = 8
"""Cities below which segments and near inversions leave hardly anything to recombine."""


class TourGa(Solver[Population]):
    """Genetic algorithm for symmetric tours: children inherit edges, and replace their parents if they are shorter."""

    reference = "Cavicchio 1970, Adaptive search using simulated evolution, University of Michigan"

    class Params(Settings):
        """Population, rates and local search; the values are ours."""

        population: Annotated[int, Field(ge=2, le=1_000_000)] = 100
        """Tours in the population."""
        initial: Literal["nearest", "random"] = "nearest"
        """The first tours: randomised nearest-neighbour tours, or random ones."""
        crossover_rate: Annotated[float, Field(ge=0, le=1)] = 0.5
        """Probability that a child has two parents; otherwise it is a copy of one, mutated."""
        mutation: Annotated[float, Field(ge=0)] = 1.0
        """Expected number of near inversions of a child: 2-opt moves that join a city with a near one."""
        local_search: Literal["none", "2opt"] = "none"
        """Improve every child to a local optimum first (a memetic algorithm): 2-opt, 3-opt and Or-opt moves."""

    params: Params

    def refuses(self, problem: Problem) -> str | None:
        """Refuse what is not a symmetric tour, or too short a one."""
        if problem.structure.symmetric_tour(cities=FEWEST) is None:
            return f"it is for symmetric tours of at least {FEWEST} cities; 'ga' solves any problem"
        return None

    def prepare(self, problem: Problem) -> None:
        """Compile the kernels."""
        from swarmkit.kernels import scoring, tour_moves
        from swarmkit_genetic.kernels import nearest_neighbour_tours, tour_generations

        improving = (tour_moves,) if self.params.local_search == "2opt" else ()
        warm_up(problem, nearest_neighbour_tours, tour_generations, scoring, *improving)

    def start(self, problem: Problem, rng: Generator) -> Population:
        """Make the first tours."""
        k, state = self.params.population, rng_state(rng)
        if self.params.initial == "nearest":
            X, looks = nearest_neighbour_tours(_tour(problem), k, state)
        else:
            X, looks = random_solutions(problem, k, rng), 0
        return Population(X, batch_scores(problem, X), state, looks + X.size)

    def step(self, problem: Problem, state: Population, rng: Generator) -> Found:
        """Make generations for about one grain; each is one iteration."""
        looks, state.unreported = state.unreported, 0
        tour, params = _tour(problem), self.params
        rates = Rates(params.crossover_rate, min(1.0, params.mutation / len(problem.sizes)))
        if params.local_search == "none":
            generations = state.generations
            preselect(tour, state, rates, generations)
            looks += generations * state.X.size  # a child is a whole score, whichever way it is computed
        else:
            generations, looks = make_generations(state, lambda: self._generation(problem, rates, state, rng), looks)
        return Found(*state.best(), looks, generations)

    def _generation(self, problem: Problem, rates: Rates, state: Population, rng: Generator) -> int:
        """Make a child of every tour with a random one, improve it, let it replace its parent; return the looks."""
        pairs = random_partners(len(state.X), rng)
        children = tour_children(_tour(problem), state.X, pairs, rates, state.rng_state)
        children, scores, looks = local_search(problem, children, "2opt", rng)
        state.replace_parents(children, scores)
        return looks


def _tour(problem: Problem) -> Tour:
    tour = problem.structure.symmetric_tour(cities=FEWEST)
    assert tour is not None  # noqa: S101  (refused otherwise)
    return tour
