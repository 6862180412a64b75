"""Batches that are scored in portions, as much as a step may before it pauses; for problems without tables."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from swarmkit import Floats, Problem, Solutions, evaluate
from swarmkit.search import Moves, StepBudget


@dataclass
class PendingScores:
    """Solutions, and the scores of the first of them."""

    solutions: Solutions
    scores: Floats
    done: int
    """The number of solutions that are scored."""

    @classmethod
    def of(cls, X: Solutions) -> PendingScores:
        """Return solutions of which none is scored."""
        return cls(X, np.full(len(X), -np.inf), 0)

    @property
    def complete(self) -> bool:
        """Whether all are scored."""
        return self.done == len(self.solutions)

    def score(self, problem: Problem, budget: StepBudget) -> None:
        """Score as many as the step may, at least one."""
        n = self.solutions.shape[1]
        end = min(len(self.solutions), self.done + budget.rows(n, evaluated=True))
        self.scores[self.done : end] = evaluate(problem, self.solutions[self.done : end])
        budget.spend(n * (end - self.done), end - self.done)
        self.done = end


@dataclass
class PendingMoves:
    """A move for each of some solutions, and the gains of the first of them."""

    moves: Moves
    gains: Floats
    done: int
    """The number of moves whose gains are known."""

    @classmethod
    def of(cls, moves: Moves) -> PendingMoves:
        """Return moves of which no gain is known."""
        return cls(moves, np.empty(len(moves.solutions)), 0)

    @property
    def complete(self) -> bool:
        """Whether all gains are known."""
        return self.done == len(self.gains)

    def score(self, problem: Problem, X: Solutions, scores: Floats, budget: StepBudget) -> None:
        """Read as many gains as the step may, at least one.

        Args:
            problem: the problem.
            X: the solutions before the moves.
            scores: their scores.
            budget: where the step pauses; looks and evaluations are added.
        """
        begin, moves = self.done, self.moves
        end = min(len(X), begin + budget.rows(int(moves.looks[begin:].max()), moves.evaluated))
        part = moves.part(begin, end)
        self.gains[begin:end] = part.gains(problem, X[begin:end], scores[begin:end])
        budget.spend(int(part.looks.sum()), end - begin if moves.evaluated else 0)
        self.done = end
