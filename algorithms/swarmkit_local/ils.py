"""Iterated local search: `ils`.

Lourenço, H. R., Martin, O. C. and Stützle, T. 2003. Iterated local search. Handbook of Metaheuristics, chapter 11.

On quadratic assignment problems the local search is a tabu search: Taillard, É. 1991. Robust taboo search for the
quadratic assignment problem. Parallel Computing 17(4-5).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray
from pydantic import Field

from swarmkit import GRAIN, Found, Pairwise, Problem, Settings, Solver, Tour, local_search, propose, random_solutions
from swarmkit.compiled import (
    Round,
    Swaps,
    Walk,
    kick_and_climb,
    kick_round,
    prepare_kernels,
    round_trip,
    search_swaps,
    start_round,
    start_swaps,
    start_walk,
    swappable,
    tables,
)

Ints = NDArray[np.int64]


@dataclass
class Climbed:
    """Where the search is: a walk on tables, a tour, swaps of an assignment, or several local optima without tables."""

    walk: Walk | None
    trip: Round | None
    swaps: Swaps | None
    X: Ints
    scores: NDArray[np.float64]


class Ils(Solver[Climbed]):
    """Kick the best local optimum out of its valley, climb again, and stay where it is no worse."""

    reference = "Lourenço, Martin & Stützle 2003, Iterated local search, Handbook of Metaheuristics"

    class Params(Settings):
        """The kick; values ours."""

        strength: Annotated[int, Field(ge=1, le=1000)] = 40
        """Most stages that a kick changes; each kick draws its number. On tables they lie near each other."""
        patience: Annotated[int, Field(ge=1, le=10**6)] = 5
        """Quadratic assignment: a kick comes so many times n² swaps after the last that bettered anything."""
        optima: Annotated[int, Field(ge=1, le=100_000)] = 128
        """Local optima kept side by side where the problem has no tables, or constraints."""

    params: Params

    def prepare(self, problem: Problem) -> None:
        """Compile the kernels."""
        prepare_kernels(problem, *(["rerouting"] if round_trip(problem) else ["icm", "iterating", "swaps"]))

    def start(self, problem: Problem, rng: Generator) -> Climbed:
        """Draw solutions to climb from; the first step takes them to their local optima."""
        form = tables(problem)
        X = random_solutions(problem, 1 if form else self.params.optima, rng)
        if form is None:
            return Climbed(None, None, None, X, np.full(len(X), -np.inf))
        tour, assignment = round_trip(problem), swappable(form)
        return Climbed(
            walk=start_walk(form, X[0], rng) if tour is None and assignment is None else None,
            trip=start_round(tour, X[0], rng) if tour is not None else None,
            swaps=start_swaps(form, assignment, X[0], rng) if tour is None and assignment is not None else None,
            X=X[:0],
            scores=np.zeros(0),
        )

    def step(self, problem: Problem, state: Climbed, rng: Generator) -> Found:
        """Kick and climb for one grain; one kick (of an assignment: one swap) is one iteration."""
        form, tour = tables(problem), round_trip(problem)
        if state.trip is not None and tour is not None:
            return self._reroute(tour, state.trip)
        if state.swaps is not None and form is not None:
            return self._swap(form, state.swaps)
        if state.walk is not None and form is not None:
            looks, rounds = kick_and_climb(form, state.walk, min(self.params.strength, len(form.sizes)), GRAIN)
            return Found(state.walk.best, float(state.walk.scores[1]), looks, rounds)
        if len(state.X) == 0:  # no feasible solution was found to climb from: look again
            state.X = random_solutions(problem, self.params.optima, rng)
            state.scores = np.full(len(state.X), -np.inf)
            return Found(None, None, looks=self.params.optima * len(problem.sizes))
        return self._side_by_side(problem, state, rng)

    def _reroute(self, tour: Tour, trip: Round) -> Found:
        """Let two stretches of the best tour change places and climb around there by 3-opt."""
        looks, rounds = kick_round(tour, trip, GRAIN)
        return Found(tour.solutions(trip.best), tour.constant + float(trip.scores[1]), looks, rounds)

    def _swap(self, form: Pairwise, swaps: Swaps) -> Found:
        """Search by tabu in rounds, each from a kick of where the best one ended."""
        assignment, n = swappable(form), len(form.sizes)
        assert assignment is not None  # noqa: S101  (for the type checker: start has seen it)
        strength = max(1, min(self.params.strength, n) // 4)
        looks, made = search_swaps(form, assignment, swaps, self.params.patience * n * n, strength, GRAIN)
        return Found(swaps.best, float(swaps.scores[3]), looks, made)

    def _side_by_side(self, problem: Problem, state: Climbed, rng: Generator) -> Found:
        looks = rounds = 0
        while looks < GRAIN:
            fresh = np.isinf(state.scores)  # not climbed yet: no kick before the first climb
            Y, cost = self._kicked(problem, state.X, rng)
            X, scores, climbing = local_search(problem, np.where(fresh[:, None], state.X, Y), "icm", rng)
            better = scores >= state.scores
            state.X[better], state.scores[better] = X[better], scores[better]
            looks, rounds = looks + cost + climbing, rounds + len(X)
        i = int(state.scores.argmax())
        return Found(state.X[i], float(state.scores[i]), looks, rounds)

    def _kicked(self, problem: Problem, X: Ints, rng: Generator) -> tuple[Ints, int]:
        """Make random moves, whatever they gain, as far as they stay feasible."""
        looks = 0
        for _ in range(int(rng.integers(1, min(self.params.strength, X.shape[1]), endpoint=True))):
            Y, gains, cost = propose(problem, X, np.zeros(len(X)), rng)
            X = np.where(np.isfinite(gains)[:, None], Y, X)
            looks += cost
        return X, looks
