"""Climbs: solutions on their way to local optima, improved by bounded pieces of work."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import Any, Self

import numpy as np
from numpy.random import Generator

from swarmkit.contract.arrays import Floats, Ints, Solutions
from swarmkit.contract.problem import Problem
from swarmkit.kernels.constants import BEGIN


@dataclass
class Climb(ABC):
    """Solutions that are improved until they are local optima; plain data, kept in a solver's State.

    A subclass is a dataclass of arrays and JSON scalars. Its `steps` makes bounded pieces of work, as a function of the
    problem, the climb and the generator alone, so that a climb goes on from a copy, or from a checkpoint, as from the
    original. A State announces any climb by this class.
    """

    X: Solutions
    """The solutions, changed in place."""
    scores: Floats
    """The scores of the local optima; -inf for others, unless they are known."""
    ended: int
    """The number of climbs that have ended."""
    finished: bool
    """Whether every solution is a local optimum, and scored."""
    pieces: int
    """The pieces of work so far: how many of the `count` of `steps` were made is the difference."""
    best_solution: Solutions
    best_score: float
    """The best solution that was scored, and its score; -inf before any was."""

    @classmethod
    def at(cls, X: Solutions, *fields: Any) -> Self:
        """Return a climb that has not begun.

        Args:
            X: feasible solutions, one a row; they are not changed.
            fields: the fields that the subclass adds.
        """
        k, n = X.shape
        known = np.full(k, -np.inf), 0, k == 0, 0, np.zeros(n, np.int64), -np.inf
        return cls(np.array(X, np.int64, order="C"), *known, *fields)

    def step(self, problem: Problem, rng: Generator) -> int:
        """Make one piece of work, and return its looks: at least 1, unless the climb has finished.

        Args:
            problem: the problem of the climb.
            rng: the generator of the run.
        """
        return self.steps(problem, rng, 1)

    @abstractmethod
    def steps(self, problem: Problem, rng: Generator, count: int) -> int:
        """Make `count` pieces of work, fewer if the climb finishes, and return their looks: the same as single steps.

        Args:
            problem: the problem of the climb.
            rng: the generator of the run.
            count: the number of pieces.
        """

    def best(self, problem: Problem) -> tuple[Solutions, float] | None:
        """Return the best solution so far, and its score; None before the first piece of work.

        Args:
            problem: the problem of the climb.
        """
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


@dataclass
class BatchClimb(Climb):
    """Solutions that climb side by side, because batches are scored at once: all make one climb together."""

    climbing: Ints
    """The rows that still climb."""

    def steps(self, problem: Problem, rng: Generator, count: int) -> int:
        """Make `count` pieces of work, fewer if the climb finishes, and return their looks.

        Args:
            problem: the problem of the climb.
            rng: the generator of the run.
            count: the number of pieces.
        """
        looks = 0
        while count > 0 and not self.finished:
            looks += self.improve(problem, rng)
            self.finished = len(self.climbing) == 0
            self.ended, self.pieces, count = int(self.finished), self.pieces + 1, count - 1
        return looks

    @abstractmethod
    def improve(self, problem: Problem, rng: Generator) -> int:
        """Make a piece of work on all rows that climb, and return the looks.

        Args:
            problem: the problem of the climb.
            rng: the generator of the run.
        """


@dataclass
class RowClimb(Climb):
    """Solutions that climb one after another, by a kernel."""

    state: Ints
    """The row that climbs, BEGIN before its first piece of work, what the kernel notes, and the pieces so far."""

    def steps(self, problem: Problem, rng: Generator, count: int) -> int:
        """Make `count` pieces of work, fewer if the climb finishes, and return their looks.

        Args:
            problem: the problem of the climb.
            rng: not used: kernels have random numbers of their own.
            count: the number of pieces.
        """
        before, looks = self.ended, self.improve(problem, count)
        self.ended, self.pieces = int(self.state[0]), int(self.state[3])
        self.finished = self.ended == len(self.X)
        rows = slice(before, self.ended + int(self.state[1] != BEGIN))
        scores = self.score(problem, rows)
        self.scores[before : self.ended] = scores[: self.ended - before]
        self.record(self.X[rows], scores)
        return looks

    @abstractmethod
    def improve(self, problem: Problem, count: int) -> int:
        """Make `count` pieces of work, and return the looks.

        Args:
            problem: the problem of the climb.
            count: the number of pieces.
        """

    @abstractmethod
    def score(self, problem: Problem, rows: slice) -> Floats:
        """Write what some rows have become to X, and return their scores.

        Args:
            problem: the problem of the climb.
            rows: the rows.
        """
