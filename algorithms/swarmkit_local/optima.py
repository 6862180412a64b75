"""Iterated local search of any neighbourhood: several local optima, kicked and climbed side by side."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.random import Generator

from swarmkit import Floats, Found, Problem, Solutions, random_solutions
from swarmkit.search import Climb, climb_together, neighbourhood_of
from swarmkit_local.linkage import DONE, Linkage


@dataclass
class Optima:
    """Local optima, which are kicked and climb again side by side: plain data."""

    X: Solutions
    """The local optima; no rows where no feasible solution has been found."""
    scores: Floats
    """Their scores; -inf where a solution has not been improved yet."""
    most: int
    """The most optima that are wanted."""
    climb: Climb | None = None
    """The climb in progress; None between two rounds."""
    linkage: Linkage | None = None
    """Where nothing but a score is known: the search that comes first, and finds out which stages interact."""
    best: Solutions | None = None
    """The best solution met."""
    best_score: float = -np.inf

    @classmethod
    def draw(cls, problem: Problem, most: int, rng: Generator) -> Optima:
        """Return random solutions, none of them improved yet; fewer, or none, where feasible ones are hard to find.

        Args:
            problem: the problem.
            most: the most that are wanted; on large problems fewer are drawn, which give something earlier.
            rng: the generator of the run.
        """
        X = random_solutions(problem, min(most, climb_together(problem)), rng)
        return cls(X, np.full(len(X), -np.inf), most)

    def steps(self, problem: Problem, strength: int, rng: Generator, count: int) -> Found:
        """Kick all optima and climb from there, or go on with that: `count` pieces of rounds."""
        looks = rounds = 0
        for _ in range(count):
            piece, ended = self._step(problem, strength, rng)
            looks, rounds = looks + piece, rounds + ended
        best, score = (self.best, self.best_score) if self.linkage is None else self.linkage.best
        return Found(best, None if best is None else score, looks, rounds)

    def inject(self, problem: Problem, X: Solutions, scores: Floats, rng: Generator) -> int:
        """Replace the worst optima by solutions if one of these is better than the best; they climb unkicked."""
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
        """Return the local optima, and their scores once all are known."""
        return {"solutions": self.X} | ({"qualities": self.scores} if np.isfinite(self.scores).all() else {})

    def _step(self, problem: Problem, strength: int, rng: Generator) -> tuple[int, int]:
        """Make one piece of a round, and return its looks and the number of rounds that it ended."""
        if self.linkage is not None:
            return self._learn(self.linkage, problem, strength, rng)
        if len(self.X) == 0:
            self.X = random_solutions(problem, min(self.most, climb_together(problem)), rng)
            self.scores = np.full(len(self.X), -np.inf)
            return self.most * len(problem.sizes), 1
        if self.climb is None:
            self.climb = neighbourhood_of(problem).climb(self._kicked(problem, strength, rng), rng)
        pieces = -(-len(problem.sizes) // len(self.X))  # about as much as a pass of one solution over its stages
        looks, best = self.climb.steps(problem, rng, pieces), self.climb.best(problem)
        if best is not None and best[1] > self.best_score:
            self.best, self.best_score = best[0].copy(), best[1]
        if not self.climb.finished:
            return looks, 0
        better = self.climb.scores >= self.scores
        self.X[better], self.scores[better], self.climb = self.climb.X[better], self.climb.scores[better], None
        return looks, 1

    def _learn(self, linkage: Linkage, problem: Problem, strength: int, rng: Generator) -> tuple[int, int]:
        """Go on with the search that learns; when it is done, the solution that it has reached becomes an optimum."""
        looks, rounds = linkage.step(problem, strength, rng)
        if linkage.phase == DONE:
            self.linkage = None
            self.inject(problem, linkage.x[None], np.array([linkage.score]), rng)
        return looks, rounds

    def _kicked(self, problem: Problem, strength: int, rng: Generator) -> Solutions:
        """Return the optima after random moves, those that stay feasible; not kicked before their first climb."""
        X, near = self.X, neighbourhood_of(problem)
        for _ in range(int(rng.integers(1, strength, endpoint=True))):
            Y = near.random_moves(X, rng).solutions
            X = np.where(np.asarray(problem.feasible(Y), bool)[:, None], Y, X)
        return np.where(np.isinf(self.scores)[:, None], self.X, X)
