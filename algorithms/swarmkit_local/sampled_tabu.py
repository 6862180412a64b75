"""Tabu search without a table of gains: each move is the best of a sample whose new candidates are not tabu."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np
from numpy.random import Generator

from swarmkit import Floats, Ints, Problem, Solutions, StepResult, random_solutions
from swarmkit.search import batch_scores, neighbourhood_of

SAMPLE = 10
"""Moves of which the best is made. Glover (1989) calls it a candidate list."""

START = 16
"""Random solutions the search begins at the best of."""


class Tenure(NamedTuple):
    """For how many moves a candidate that was given up is tabu, and after how many the search returns to its best."""

    shortest: int
    spread: int
    patience: int


@dataclass
class SampledTabu:
    """A solution, and the candidates that its stages may not take back; plain data, kept in a State."""

    until: Ints
    """For each slot the number of the move up to which it is tabu."""
    X: Solutions
    """The current solution, a row; no row before there is a feasible one."""
    score: float = -np.inf
    best: Solutions = field(default_factory=lambda: np.zeros(0, np.int64))
    """The incumbent; empty before there is one."""
    best_score: float = -np.inf
    now: int = 0
    """The moves made."""
    idle: int = 0
    """The moves since the incumbent was last improved, or returned to."""

    @classmethod
    def start(cls, problem: Problem) -> SampledTabu:
        """Return a search that has not begun; nothing is tabu."""
        n = len(problem.sizes)
        return cls(np.full(int(np.sum(problem.sizes)), -1), np.zeros((0, n), np.int64))

    def step(self, problem: Problem, tenure: Tenure, rng: Generator) -> StepResult:
        """Make the best of some random moves that is not tabu, or that leads to a better solution than any so far."""
        looks = self._begin(problem, rng) if not np.isfinite(self.score) else self._move(problem, tenure, rng)
        return StepResult(None, None, looks) if not len(self.best) else StepResult(self.best, self.best_score, looks)

    def inject(self, X: Solutions, scores: Floats) -> None:
        """Go on from the best of some solutions if it is better than the incumbent."""
        k = int(np.argmax(scores))
        if scores[k] > self.best_score:
            self.X, self.score = np.array(X[k : k + 1], np.int64), float(scores[k])
            self._record()

    def snapshot(self) -> dict[str, Any]:
        """Return the current solution, and how many candidates are tabu."""
        current = {"current": self.X[0]} if len(self.X) else {}
        return current | {"tabu moves": int((self.until > self.now).sum())}

    def _begin(self, problem: Problem, rng: Generator) -> int:
        """Take the best of some random solutions, and return the looks; there may be none that is feasible."""
        X = random_solutions(problem, START, rng)
        if len(X):
            scores = batch_scores(problem, X)
            self.inject(X, scores)
        return START * len(problem.sizes)

    def _move(self, problem: Problem, tenure: Tenure, rng: Generator) -> int:
        near, x = neighbourhood_of(problem), self.X[0]
        first = np.cumsum(problem.sizes) - problem.sizes
        before, scores = np.repeat(self.X, SAMPLE, axis=0), np.full(SAMPLE, self.score)
        moves = near.random_moves(before, rng)
        gains, changed = near.gains(before, scores, moves), moves.solutions != before
        tabu = (changed & (self.until[first + moves.solutions] > self.now)).any(axis=1)
        admissible = changed.any(axis=1) & (~tabu | (scores + gains > self.best_score))
        k = int(np.argmax(np.where(admissible, gains, -np.inf)))
        self.now, self.idle = self.now + 1, self.idle + 1
        if admissible[k] and np.isfinite(gains[k]):
            stages = np.flatnonzero(changed[k])
            self.until[first[stages] + x[stages]] = self.now + tenure.shortest + int(rng.integers(tenure.spread))
            self.X, self.score = moves.solutions[k : k + 1].copy(), self.score + float(gains[k])
        if self.score > self.best_score:
            self._record()
        elif self.idle > tenure.patience:
            self.X, self.score, self.idle = self.best[None].copy(), self.best_score, 0
        return max(1, int(moves.looks.sum()))

    def _record(self) -> None:
        self.best, self.best_score, self.idle = self.X[0].copy(), self.score, 0
