"""The genetic algorithm: `ga`.

Zhang, C., Zhou, Y. and Martin, T. 2008. Genetic word sense disambiguation algorithm. IITA 2008.
Cavicchio, D. 1970. Adaptive search using simulated evolution. University of Michigan: a child against its parent.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Literal, NamedTuple

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray
from pydantic import Field

from swarmkit import GRAIN, Found, Problem, Settings, Solver, Tour, local_search, random_solutions
from swarmkit.compiled import (
    Operators,
    batch_scores,
    breed,
    breed_tours,
    child_scores,
    kernel_words,
    prepare_kernels,
    round_trip,
    tables,
    wander,
)
from swarmkit_genetic.selection import pairs, partners, roulette, winners


@dataclass
class Population:
    """A generation: one chromosome (a candidate per stage) a row, and its fitness (the score)."""

    X: NDArray[np.int64]
    scores: NDArray[np.float64]
    words: NDArray[np.uint64]
    """The kernels' random numbers."""
    unpaid: int
    """Looks taken by `start`: the first step reports them."""


class Ways(NamedTuple):
    """How children are made, whom they replace, and the tour, where all this is done in one kernel."""

    operators: Operators
    replacement: Literal["generation", "parent"]
    tour: Tour | None


class Ga(Solver[Population]):
    """Breed solutions: the fitter become parents more often, children mix two of them and mutate a little."""

    reference = "Zhang, Zhou & Martin 2008, Genetic word sense disambiguation algorithm, IITA"

    class Params(Settings):
        """Operators and rates; the values are ours."""

        population: Annotated[int, Field(ge=2, le=1_000_000)] = 100
        """Solutions in a generation."""
        founders: Literal["random", "near"] | None = None
        """The first generation: random solutions, or (the default on round trips) walks from city to near city."""
        selection: Literal["roulette", "tournament"] = "tournament"
        """generation: how parents are chosen, in proportion to the score (from the worst) or as the best of a few."""
        entrants: Annotated[int, Field(ge=1, le=1000)] = 3
        """tournament: so many compete."""
        crossover: Literal["one-point", "uniform"] = "one-point"
        """How two parents mix."""
        arranging: Literal["order", "pmx", "tour"] | None = None
        """The same, where stages must differ; the default is tour on round trips, order elsewhere."""
        crossover_rate: Annotated[float, Field(ge=0, le=1)] | None = None
        """Chance of a child of two parents; otherwise it is a copy of one. The default is 0.5 on round trips, 0.9
        elsewhere."""
        mutation: Annotated[float, Field(ge=0)] = 1.0
        """Stages of a child that mutate, on average."""
        rearranging: Literal["swap", "inversion", "near"] | None = None
        """What a mutation does where stages must differ (elsewhere it is another candidate); the default is near, the
        2-opt move that joins a city with a near one, on round trips, swap elsewhere."""
        replacement: Literal["generation", "parent"] | None = None
        """Whom children replace: the generation before, or each its first parent, if it is better; the default is
        parent on round trips, generation elsewhere."""
        elite: Annotated[int, Field(ge=0)] = 2
        """generation: the best so many go on as they are."""
        local_search: Literal["none", "icm", "2opt"] = "none"
        """Every child climbs to its local optimum first (a memetic algorithm): icm anywhere, 2opt on tours."""

    params: Params

    def refuses(self, problem: Problem) -> str | None:
        """Refuse what is done on tours where there is none."""
        params, form = self.params, tables(problem)
        if params.local_search == "2opt" and not (form and form.tour and form.tour.symmetric):
            return "local_search=2opt is for tours with equal costs both ways; 'icm' and 'none' do any problem"
        if {"tour", "near"} & {params.founders, params.arranging, params.rearranging} and round_trip(problem) is None:
            return "tour and near are for tours of 8 cities and more with equal costs both ways"
        return None

    def prepare(self, problem: Problem) -> None:
        """Compile the kernels."""
        searching = {"none": (), "icm": ("icm", "swaps"), "2opt": ("tours",)}[self.params.local_search]
        prepare_kernels(problem, "breeding", "scoring", *searching)

    def start(self, problem: Problem, rng: Generator) -> Population:
        """Make the first generation."""
        k, words = self.params.population, kernel_words(rng)
        tour = None if self.params.founders == "random" else round_trip(problem)
        if tour is not None:
            X, looks = wander(tour, k, words)
            return Population(X, batch_scores(problem, X), words, looks + X.size)
        X = np.ascontiguousarray(random_solutions(problem, k, rng))  # kernels read it
        if 0 < len(X) < k:  # feasible ones are hard to find: begin with several copies
            X = X[np.arange(k) % len(X)]
        return Population(X, batch_scores(problem, X), words, k * len(problem.sizes))

    def step(self, problem: Problem, state: Population, rng: Generator) -> Found:
        """Breed as many generations as one grain would be worth, scored as a whole; each is one iteration."""
        looks, state.unpaid = state.unpaid, 0
        if len(state.X) == 0:  # no feasible solution was found to begin with: look again
            fresh = self.start(problem, rng)
            state.X, state.scores = fresh.X, fresh.scores
            return Found(None, None, looks + fresh.unpaid)
        ways, most = self._ways(problem), min(max(1, GRAIN // state.X.size), LONGEST)
        if ways.tour is not None:
            state.X = breed_tours(ways.tour, state.X, state.scores, ways.operators, most, state.words)
            generations, looks = most, looks + most * state.X.size
        else:
            generations, looks = self._breed(problem, ways, state, most, looks, rng)
        i = int(state.scores.argmax())
        return Found(state.X[i].copy(), float(state.scores[i]), looks, generations)

    def _ways(self, problem: Problem) -> Ways:
        """Choose what suits the problem, unless the parameters say it."""
        params, tour = self.params, round_trip(problem)
        arranging = params.arranging or ("order" if tour is None else "tour")
        rearranging = params.rearranging or ("swap" if tour is None else "near")
        replacement = params.replacement or ("generation" if tour is None else "parent")
        rate = params.crossover_rate
        operators = Operators(
            crossover=arranging if problem.distinct else params.crossover,
            crossover_rate=(0.9 if tour is None else 0.5) if rate is None else rate,
            mutation=rearranging if problem.distinct else "change",
            mutation_rate=min(1.0, params.mutation / len(problem.sizes)),
        )
        asked = (arranging, rearranging, replacement, params.local_search)
        return Ways(operators, replacement, tour if asked == ("tour", "near", "parent", "none") else None)

    def _breed(
        self, problem: Problem, ways: Ways, state: Population, most: int, looks: int, rng: Generator
    ) -> tuple[int, int]:
        """Make generations until there are so many or a grain of looks is spent; give how many, and the looks."""
        generations = 0
        while generations < most and (looks < GRAIN or not generations):
            looks += self._next(problem, ways, state, rng)
            generations += 1
        return generations, looks

    def _next(self, problem: Problem, ways: Ways, state: Population, rng: Generator) -> int:
        """Let children take the places of the generation, or of their parents; give the looks."""
        parents = self._parents(state.scores, ways.replacement, rng)
        X = breed(problem, state.X, parents, state.words, rng, ways.operators)
        if self.params.local_search != "none":
            X, scores, looks = local_search(problem, X, self.params.local_search, rng)
        else:
            scores, looks = child_scores(problem, state.X, state.scores, parents, X), X.size
        if ways.replacement == "parent":
            supersede(state, X, scores)
        else:
            succeed(state, X, scores, self._elite)
        return looks

    def _parents(self, scores: NDArray[np.float64], replacement: str, rng: Generator) -> NDArray[np.int64]:
        if replacement == "parent":
            return partners(len(scores), rng)
        count = len(scores) - self._elite
        if self.params.selection == "roulette":
            return pairs(roulette(scores), count, rng)
        return winners(scores, self.params.entrants, count, rng)

    @property
    def _elite(self) -> int:
        return min(self.params.elite, self.params.population - 1)


def succeed(state: Population, X: NDArray[np.int64], scores: NDArray[np.float64], elite: int) -> None:
    """Replace the population by its children and its elite."""
    kept = np.argsort(-state.scores, kind="stable")[:elite]
    state.X = np.vstack([state.X[kept], X])
    state.scores = np.concatenate([state.scores[kept], scores])


def supersede(state: Population, X: NDArray[np.int64], scores: NDArray[np.float64]) -> None:
    """Replace each of the population by its child, if that is better (Cavicchio's preselection)."""
    better = np.flatnonzero(scores > state.scores)
    state.X[better], state.scores[better] = X[better], scores[better]


LONGEST = 50
"""Most generations of a step: on small problems breeding takes the time, not looking."""
