"""Iterated local search where there are no tables, or constraints: several local optima, climbed in batches."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.random import Generator

from swarmkit import Floats, Found, Left, Problem, Solutions, random_solutions
from swarmkit.search import Climb, climb_together, random_moves, start_climb


@dataclass
class Optima:
    """Local optima, which are kicked and climb again side by side: plain data."""

    X: Solutions
    """The local optima."""
    scores: Floats
    """Their scores; -inf where a solution has not been improved yet."""
    climb: Climb | None
    """The climb in progress; None between two rounds."""
    best: Solutions
    """The best solution met."""
    best_score: float

    @classmethod
    def draw(cls, problem: Problem, most: int, rng: Generator) -> Optima:
        """Return random solutions, none of them improved yet; fewer, or none, where feasible ones are hard to find.

        Args:
            problem: the problem.
            most: the most that are wanted; on large problems fewer are drawn, which give something earlier.
            rng: the generator of the run.
        """
        X = random_solutions(problem, min(most, climb_together(problem)), rng)
        return cls(X, np.full(len(X), -np.inf), None, np.zeros(len(problem.sizes), np.int64), -np.inf)

    def take_up(self, X: Solutions, scores: Floats) -> None:
        """Replace the worst solutions by given ones that are better than the best; a climb in progress is given up."""
        best = np.argsort(-scores, kind="stable")[: max(1, len(self.X) // 2)]
        if scores[best[0]] <= self.best_score:
            return
        if len(self.X) == 0:
            self.X, self.scores = np.array(X[best]), np.full(len(best), -np.inf)
        worst = np.argsort(self.scores, kind="stable")[: len(best)]
        self.X[worst], self.scores[worst], self.climb = X[best], -np.inf, None
        self.best, self.best_score = np.array(X[best[0]]), float(scores[best[0]])

    def step(self, problem: Problem, strength: int, rng: Generator, left: Left) -> Found:
        """Kick local optima and climb from there, until what is left is used up.

        Args:
            problem: the problem.
            strength: the most stages that a kick changes.
            rng: the generator of the run.
            left: where to pause.
        """
        looks = rounds = 0
        before = problem.evaluations
        while looks == 0 or (
            looks < left.looks and rounds < left.iterations and problem.evaluations - before < left.evaluations
        ):
            if self.climb is None:
                self.climb = start_climb(problem, self._kicked(problem, strength, rng), "icm", rng)
            looks += self.climb.go_on(problem, rng, left.after(looks, problem.evaluations - before))
            if self.climb.finished:
                self._end_round(problem, self.climb)
                rounds += 1
        found = self.climb.found(problem) if self.climb is not None else None
        if found is not None and found[1] > self.best_score:
            return Found(*found, looks, rounds)
        known = np.isfinite(self.best_score)
        return Found(self.best if known else None, self.best_score if known else None, looks, rounds)

    def _kicked(self, problem: Problem, strength: int, rng: Generator) -> Solutions:
        """Return the optima after random moves, those that stay feasible; not kicked before their first climb."""
        X = self.X
        for _ in range(int(rng.integers(1, strength, endpoint=True))):
            Y = random_moves(problem, X, rng).solutions
            X = np.where(np.asarray(problem.feasible(Y), bool)[:, None], Y, X)
        return np.where(np.isinf(self.scores)[:, None], self.X, X)

    def _end_round(self, problem: Problem, climb: Climb) -> None:
        """Stay at the new local optima that are no worse."""
        better = climb.scores >= self.scores
        self.X[better], self.scores[better] = climb.X[better], climb.scores[better]
        found = climb.found(problem)
        if found is not None and found[1] > self.best_score:
            self.best, self.best_score = found
        self.climb = None
