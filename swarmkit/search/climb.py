"""What every climb has: solutions on their way to local optima, improved by bounded pieces of work."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass

import numpy as np
from numpy.random import Generator

from swarmkit.contract.arrays import Floats, Solutions
from swarmkit.contract.problem import Problem
from swarmkit.contract.solver import Left
from swarmkit.contract.validation import evaluate


@dataclass
class Climb(ABC):
    """Solutions that are improved until they are local optima; plain data, kept in a solver's State.

    A subclass is a dataclass of arrays and JSON scalars. Its `step` makes a bounded piece of work, as a function of
    the problem, the climb and the generator alone, so that a climb goes on from a copy, or from a checkpoint, as from
    the original. A State announces it by this class.
    """

    X: Solutions
    """The solutions, changed in place."""
    scores: Floats
    """The scores of the local optima; -inf for others, unless they are known."""

    @property
    @abstractmethod
    def ended(self) -> int:
        """The number of climbs that have ended."""

    @property
    @abstractmethod
    def finished(self) -> bool:
        """Whether every solution is a local optimum, and scored."""

    @property
    @abstractmethod
    def pieces(self) -> int:
        """The pieces of work so far: how many of the `count` of `steps` were made is the difference."""

    @abstractmethod
    def step(self, problem: Problem, rng: Generator) -> int:
        """Make one piece of work, and return its looks: at least 1, unless the climb has finished.

        Args:
            problem: the problem of the climb.
            rng: the generator of the run.
        """

    def steps(self, problem: Problem, rng: Generator, count: int) -> int:
        """Make `count` pieces of work, fewer if the climb finishes, and return their looks: the same as single steps.

        Args:
            problem: the problem of the climb.
            rng: the generator of the run.
            count: the number of pieces.
        """
        looks = 0
        for _ in range(count):
            if self.finished:
                break
            looks += self.step(problem, rng)
        return looks

    @abstractmethod
    def best(self, problem: Problem) -> tuple[Solutions, float] | None:
        """Return the best solution so far, and its score; None before the first piece of work."""

    def go_on(self, problem: Problem, rng: Generator, left: Left) -> int:  # goes with the last caller
        """Climb until all are local optima, or what is left is used up; return the looks."""
        looks, before, ended = 0, problem.evaluations, self.ended
        while not self.finished and looks < left.looks and self.ended - ended < left.iterations:
            if looks and problem.evaluations - before >= left.evaluations:
                break
            looks += self.step(problem, rng)
        return looks

    def found(self, problem: Problem) -> tuple[Solutions, float] | None:  # goes with the last caller
        """Return what `best` returns."""
        return self.best(problem)


@dataclass
class ScoredClimb(Climb):
    """A climb that keeps the best solution of all that it has scored."""

    climbing: Solutions
    """The rows that still climb."""
    best_solution: Solutions
    best_score: float
    count: int
    """The pieces of work so far."""

    @property
    def finished(self) -> bool:
        """Whether every solution is a local optimum."""
        return len(self.climbing) == 0

    @property
    def ended(self) -> int:
        """The number of climbs that have ended: all solutions make one together."""
        return int(self.finished)

    @property
    def pieces(self) -> int:
        """The pieces of work so far."""
        return self.count

    def best(self, problem: Problem) -> tuple[Solutions, float] | None:
        """Return the best solution that was scored, and its score; None if there is none yet."""
        return (self.best_solution, self.best_score) if np.isfinite(self.best_score) else None

    def record(self, X: Solutions, scores: Floats) -> None:
        """Keep the best of some solutions if it is the best of all.

        Args:
            X: feasible solutions, one a row.
            scores: their scores.
        """
        if len(X) and scores.max() > self.best_score:
            i = int(scores.argmax())
            self.best_solution, self.best_score = X[i].copy(), float(scores[i])

    def evaluate(self, problem: Problem, X: Solutions) -> Floats:
        """Return the scores of feasible solutions, of which the best is kept.

        Args:
            problem: the problem of the climb.
            X: feasible solutions, one a row.
        """
        scores = evaluate(problem, X) if len(X) else np.zeros(0)
        self.record(X, scores)
        return scores
