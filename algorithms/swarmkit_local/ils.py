"""Iterated local search: `ils`.

Lourenço, H. R., Martin, O. C. and Stützle, T. 2003. Iterated local search. Handbook of Metaheuristics, chapter 11.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Annotated, Any, ClassVar

import numpy as np
from numpy.random import Generator
from pydantic import Field

from swarmkit import Floats, Problem, Settings, Solutions, Solver, StepResult, Suitability, random_solutions
from swarmkit.search import (
    Climb,
    Credit,
    MixedClimb,
    MixedNeighbourhood,
    ScoreNeighbourhood,
    TableNeighbourhood,
    TourNeighbourhood,
    TourState,
    climb_together,
    neighbourhood_of,
    warm_up,
)
from swarmkit_local import kernels
from swarmkit_local.linkage import DONE, Linkage
from swarmkit_local.rounds import TableRounds, TourRounds

KICK = 2
"""The most random moves of a kick by moves of several kinds: each may change all stages."""


@dataclass
class Optima:
    """Local optima of any neighbourhood, which are kicked and climb again side by side: plain data."""

    limit: int
    """The most optima; on large problems fewer are drawn, which give something earlier."""
    X: Solutions = field(default_factory=lambda: np.empty((0, 0), np.int64))
    """The local optima; no rows where no feasible solution has been found."""
    scores: Floats = field(default_factory=lambda: np.empty(0))
    """Their scores; -inf where a solution has not been improved yet."""
    climb: Climb | None = None
    """The climb in progress; None between two rounds."""
    credit: Credit | None = None
    """Where moves are of several kinds: which of them have improved solutions so far."""
    linkage: Linkage | None = None
    """Where nothing but a score is known: the search that comes first, and finds out which stages interact."""
    best: Solutions | None = None
    """The best solution met."""
    best_score: float = -np.inf

    def draw(self, problem: Problem, rng: Generator) -> None:
        """Draw random solutions, none of them improved yet; fewer, or none, where feasible ones are hard to find."""
        # Moves of several kinds are scored in batches of one solution.
        mixed = isinstance(neighbourhood_of(problem), MixedNeighbourhood)
        self.X = random_solutions(problem, 1 if mixed else min(self.limit, climb_together(problem)), rng)
        self.scores = np.full(len(self.X), -np.inf)

    def steps(self, problem: Problem, strength: int, rng: Generator, count: int) -> StepResult:
        """Kick all optima and climb from there, or go on with that: `count` pieces of rounds."""
        pieces = [self._step(problem, strength, rng) for _ in range(count)]
        looks, rounds = map(sum, zip(*pieces, strict=True))
        best, score = (self.best, self.best_score) if self.linkage is None else self.linkage.best
        return StepResult(best, None if best is None else score, looks, rounds)

    def inject(self, problem: Problem, X: Solutions, scores: Floats, rng: Generator) -> int:
        """Replace the worst optima by solutions if one of these is better than the best; they climb without a kick."""
        best = np.argsort(-scores, kind="stable")[: max(1, len(self.X) // 2)]
        if self.linkage is not None:
            self.linkage.inject(problem, X[best[0]], float(scores[best[0]]))
        if scores[best[0]] > self.best_score:
            if len(self.X) == 0:
                self.X, self.scores = np.array(X[best]), np.full(len(best), -np.inf)
            worst = np.argsort(self.scores, kind="stable")[: len(best)]
            self.X[worst], self.scores[worst], self.climb = X[best], -np.inf, None
            self.best, self.best_score = np.array(X[best[0]]), float(scores[best[0]])
        return 0

    def snapshot(self) -> dict[str, Any]:
        """Return the local optima, and their scores once all are known; before that, the solutions that climb."""
        if self.climb is not None and np.isinf(self.scores).all():  # the first climb is under way
            return {"solutions": self.climb.X}
        return {"solutions": self.X} | ({"qualities": self.scores} if np.isfinite(self.scores).all() else {})

    def _step(self, problem: Problem, strength: int, rng: Generator) -> tuple[int, int]:
        """Make one piece of a round, and return its looks and the number of rounds that it ended."""
        linkage = self.linkage
        if linkage is not None:
            result = linkage.step(problem, strength, rng)
            if linkage.phase == DONE:  # the solution that it has reached becomes one of the optima
                self.linkage = None
                self.inject(problem, linkage.x[None], np.array([linkage.score]), rng)
            return result
        if len(self.X) == 0:
            self.draw(problem, rng)
            return self.limit * len(problem.sizes), 1  # looks, so that a run without a feasible solution ends
        if self.climb is None:
            self.climb = neighbourhood_of(problem).climb(self._kick(problem, strength, rng), rng)
            if isinstance(self.climb, MixedClimb):  # what is known of the kinds is kept between climbs
                self.climb.credit = self.credit or self.climb.credit
        if isinstance(self.climb, MixedClimb):  # one object, also after a checkpoint, which restores two
            self.credit = self.climb.credit
        pieces = -(-len(problem.sizes) // len(self.X))  # about as much as a pass of one solution over its stages
        looks, best = self.climb.steps(problem, rng, pieces), self.climb.best(problem)
        if best is not None and best[1] > self.best_score:
            self.best, self.best_score = best[0].copy(), best[1]
        if not self.climb.finished:
            return looks, 0
        better = self.climb.scores >= self.scores  # equal optima take turns: plateaus are crossed
        self.X[better], self.scores[better], self.climb = self.climb.X[better], self.climb.scores[better], None
        return looks, 1

    def _kick(self, problem: Problem, strength: int, rng: Generator) -> Solutions:
        """Return the optima after random moves, those that stay feasible; none before their first climb."""
        X, near = self.X, neighbourhood_of(problem)
        strength = min(strength, KICK) if isinstance(near, MixedNeighbourhood) else strength
        for _ in range(int(rng.integers(1, strength, endpoint=True))):  # as many moves for all rows: one batch each
            Y = near.random_moves(X, rng).solutions
            X = np.where(np.asarray(problem.feasible(Y), bool)[:, None], Y, X)
        return np.where(np.isinf(self.scores)[:, None], self.X, X)


IlsState = TableRounds | TourRounds | Optima
"""Where the search is: on a gain table, on a tour, or at several local optima of any other neighbourhood."""


class Ils(Solver[IlsState]):
    """Iterated local search: kick a local optimum, climb again, and stay there if that is no worse."""

    reference = "Lourenço, Martin & Stützle 2003, Iterated local search, Handbook of Metaheuristics"

    class Params(Settings):
        """The kick; values ours."""

        renamed: ClassVar[Mapping[str, str]] = {"patience": "-a robust-tabu -A patience=N"}

        strength: Annotated[int, Field(ge=1, le=1000)] = 40
        """The most stages that a kick changes; each kick draws its number. On tables they lie near each other. Of
        sequences without tables, whose moves may change all stages, a kick makes one or two."""
        optima: Annotated[int, Field(ge=1, le=100_000)] = 128
        """The most local optima kept side by side without tables, or with constraints; fewer on large problems, and one
        of sequences, whose moves are scored in batches."""

    params: Params

    def suits(self, problem: Problem) -> Suitability | None:
        """Suit tours most, and any other problem well."""
        if problem.structure.symmetric_tour(cities=TourState.SMALLEST) is not None:
            return Suitability(1.0, "it is a symmetric tour", nanoseconds=3.5)
        if problem.structure.linear is not None and problem.structure.pairwise is not None:
            return Suitability(0.1, "local search takes any problem", nanoseconds=20.0)
        if problem.structure.tables is not None:
            return Suitability(0.4, "local search takes any problem", nanoseconds=20.0)
        if not problem.structure.distinct and max(problem.sizes) <= 2:  # a stage's candidates are no batch
            return Suitability(0.5, "nothing but its score is known", nanoseconds=35.0)
        # without permutations, which stages interact is learnt
        return Suitability(1.0, "nothing but its score is known", 17.0 if problem.structure.distinct else 40.0)

    def prepare(self, problem: Problem) -> None:
        """Compile the kernels."""
        on_tour = problem.structure.symmetric_tour(cities=TourState.SMALLEST) is not None
        warm_up(problem, kernels.tour_ils if on_tour else kernels.ils)

    def start(self, problem: Problem, rng: Generator) -> IlsState:
        """Draw solutions; the first steps improve them to local optima."""
        near = neighbourhood_of(problem)
        if isinstance(near, TourNeighbourhood) and len(problem.sizes) >= TourState.SMALLEST:
            return TourRounds.start(problem, random_solutions(problem, 1, rng)[0], rng)
        if isinstance(near, TableNeighbourhood | TourNeighbourhood):  # the shortest tours by the moves of tables
            return TableRounds.start(problem, random_solutions(problem, 1, rng)[0], self._strength(problem), rng)
        optima = Optima(self.params.optima)
        optima.draw(problem, rng)
        if isinstance(near, ScoreNeighbourhood) and near.scored and problem.structure.free_black_box:
            optima.linkage = Linkage.start(problem, rng)
        return optima

    def inject(self, problem: Problem, state: IlsState, X: Solutions, scores: Floats, rng: Generator) -> int:
        """Go on from the best of the given solutions, after a climb of all its stages, if it is the best known."""
        return state.inject(problem, X, scores, rng)

    def snapshot(self, state: IlsState) -> dict[str, Any]:
        """Return the solution or tour that is kicked and climbs, or the local optima side by side."""
        return state.snapshot()

    def steps(self, problem: Problem, state: IlsState, rng: Generator, count: int) -> StepResult:
        """Kick and climb, and stay there if that is no worse; a long climb goes on in the next step.

        On tables and tours one call of a kernel makes all steps.
        """
        return state.steps(problem, self._strength(problem), rng, count)

    def _strength(self, problem: Problem) -> int:
        return min(self.params.strength, len(problem.sizes))
