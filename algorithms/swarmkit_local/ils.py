"""Iterated local search: `ils`.

Lourenço, H. R., Martin, O. C. and Stützle, T. 2003. Iterated local search. Handbook of Metaheuristics, chapter 11.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, ClassVar

import numpy as np
from numpy.random import Generator
from pydantic import Field

from swarmkit import GRAIN, Floats, Found, Problem, Settings, Solutions, Solver, local_search, propose, random_solutions
from swarmkit.search import GainTable, TourState, warm_up
from swarmkit_local.kicks import kick_and_climb, kick_tour

FEWEST = 8
"""Cities of the shortest tour that is searched by double bridges: below, the segments of a kick would overlap."""


@dataclass
class Optima:
    """Where the search is: on a gain table, on a tour, or at several local optima of a problem without tables."""

    table: GainTable | None
    tour: TourState | None
    X: Solutions
    """The local optima; empty on tables and tours."""
    scores: Floats
    """Their scores; -inf where a solution has not been improved yet."""


class Ils(Solver[Optima]):
    """Iterated local search: kick a local optimum, climb again, and stay there if that is no worse."""

    reference = "Lourenço, Martin & Stützle 2003, Iterated local search, Handbook of Metaheuristics"
    renamed: ClassVar[Mapping[str, str]] = {"patience": "-a robust-tabu -A patience=N"}

    class Params(Settings):
        """The kick; values ours."""

        strength: Annotated[int, Field(ge=1, le=1000)] = 40
        """The most stages that a kick changes; each kick draws its number. On tables they lie near each other."""
        optima: Annotated[int, Field(ge=1, le=100_000)] = 128
        """Local optima kept side by side where the problem has no tables, or constraints."""

    params: Params

    def prepare(self, problem: Problem) -> None:
        """Compile the kernels."""
        if problem.structure.symmetric_tour(cities=FEWEST) is not None:
            from swarmkit_local.kernels import tour_ils

            warm_up(problem, tour_ils)
        else:
            from swarmkit_local.kernels import ils

            warm_up(problem, ils)

    def start(self, problem: Problem, rng: Generator) -> Optima:
        """Draw solutions; the first step improves them to local optima."""
        form, tour = problem.structure.tables, problem.structure.symmetric_tour(cities=FEWEST)
        X = random_solutions(problem, 1 if form else self.params.optima, rng)
        if tour is not None:
            return Optima(None, TourState.at(tour, X[0], rng), X[:0], np.zeros(0))
        if form is not None:
            return Optima(GainTable.at(form, X[0], rng), None, X[:0], np.zeros(0))
        return Optima(None, None, X, np.full(len(X), -np.inf))

    def step(self, problem: Problem, state: Optima, rng: Generator) -> Found:
        """Kick and climb for one grain; one kick is one iteration."""
        form, tour = problem.structure.tables, problem.structure.symmetric_tour(cities=FEWEST)
        if state.tour is not None and tour is not None:
            looks, rounds = kick_tour(tour, state.tour, GRAIN)
            return Found(*state.tour.found(tour), looks, rounds)
        if state.table is not None and form is not None:
            looks, rounds = kick_and_climb(form, state.table, min(self.params.strength, len(form.sizes)), GRAIN)
            return Found(state.table.best, float(state.table.scores[1]), looks, rounds)
        if len(state.X) == 0:  # no feasible solution has been found: draw again
            state.X = random_solutions(problem, self.params.optima, rng)
            state.scores = np.full(len(state.X), -np.inf)
            return Found(None, None, looks=self.params.optima * len(problem.sizes))
        return self._side_by_side(problem, state, rng)

    def _side_by_side(self, problem: Problem, state: Optima, rng: Generator) -> Found:
        """Kick every local optimum and climb from there, in batches."""
        looks = rounds = 0
        while looks < GRAIN:
            fresh = np.isinf(state.scores)  # no kick before the first climb
            Y, cost = self._kicked(problem, state.X, rng)
            X, scores, climbing = local_search(problem, np.where(fresh[:, None], state.X, Y), "icm", rng)
            better = scores >= state.scores
            state.X[better], state.scores[better] = X[better], scores[better]
            looks, rounds = looks + cost + climbing, rounds + len(X)
        i = int(state.scores.argmax())
        return Found(state.X[i], float(state.scores[i]), looks, rounds)

    def _kicked(self, problem: Problem, X: Solutions, rng: Generator) -> tuple[Solutions, int]:
        """Return solutions after random moves, those that stay feasible, and the looks."""
        looks = 0
        for _ in range(int(rng.integers(1, min(self.params.strength, X.shape[1]), endpoint=True))):
            Y, gains, cost = propose(problem, X, np.zeros(len(X)), rng)
            X = np.where(np.isfinite(gains)[:, None], Y, X)
            looks += cost
        return X, looks
