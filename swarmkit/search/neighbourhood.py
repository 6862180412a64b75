"""Neighbourhoods: which solutions a move leads to, what it gains, and how local optima are reached.

Solvers ask `neighbourhood_of(problem)` once and work with what they get: random moves, their gains, their application,
climbs. Each kind of problem has a class of its own, in a file of its own: tables (`table_neighbourhood.py`), symmetric
tours (`tour_neighbourhood.py`), everything else (`score_neighbourhood.py`).

A further neighbourhood is a subclass of `Neighbourhood` that draws random moves, nothing else: gains are then
differences of scores, and a climb tries random moves. It overrides `gains` where it can compute them faster, and
`climb` where a better local search is known. A problem brings its neighbourhood by a method `neighbourhood()`:

>>> class Reversals(Neighbourhood):
...     '''Sequences: a segment is reversed.'''
...
...     def random_moves(self, X, rng):
...         Y, n = X.copy(), X.shape[1]
...         for y in Y:
...             i, j = np.sort(rng.choice(n + 1, 2, replace=False))
...             y[i:j] = y[i:j][::-1]
...         return Moves(Y, np.full(len(X), n))

>>> from swarmkit import Problem, local_search
>>> class Sorting(Problem):
...     sizes, distinct = [6] * 6, True
...
...     def score_one(self, x):
...         return -np.abs(np.diff(x)).sum()
...
...     def neighbourhood(self):
...         return Reversals(self)

>>> X = np.array([[3, 1, 0, 5, 4, 2]] * 4)
>>> local_search(Sorting(), X, "local", np.random.default_rng(1)).scores.max()
np.float64(-5.0)
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import Any, Self

import numpy as np
from numpy.random import Generator

from swarmkit.contract.arrays import Bools, Floats, Ints, Solutions
from swarmkit.contract.problem import Problem
from swarmkit.contract.problem_view import ProblemView
from swarmkit.contract.validation import evaluate
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
        initial = np.full(k, -np.inf), 0, k == 0, 0, np.zeros(n, np.int64), -np.inf
        return cls(np.array(X, np.int64, order="C"), *initial, *fields)

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
        # The rows that ended in this call, and the one under way, whose score is recorded but not final.
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


@dataclass
class Moves:
    """A move for each row. Plain data; a neighbourhood may add fields by a subclass, from which it computes gains."""

    solutions: Solutions
    """The rows after their moves."""
    looks: Ints
    """The looks that the gain of each move takes: n where the row is scored."""


class Neighbourhood(ABC):
    """The moves from solutions of a problem. It holds no data but the problem: what a search needs is in its State.

    Args:
        problem: the problem as solvers see it: its score is maximised.
    """

    def __init__(self, problem: Problem) -> None:
        self.problem = problem

    @abstractmethod
    def random_moves(self, X: Solutions, rng: Generator) -> Moves:
        """Draw a random move for each row, without reading its gain; it may be infeasible.

        Args:
            X: complete solutions, one a row; they are not changed.
            rng: the generator to draw from.
        """

    def gains(self, X: Solutions, scores: Floats, moves: Moves) -> Floats:
        """Return the gain of each move, -inf where it is infeasible; by default the difference of the scores.

        A gain is an improvement: of a problem that minimises, minus the change of the cost.

        Args:
            X: the solutions before the moves, one a row.
            scores: their scores.
            moves: a move for each row.
        """
        gains = evaluate(self.problem, moves.solutions) - scores
        return np.where(np.asarray(self.problem.feasible(moves.solutions), bool), gains, -np.inf)

    def apply(self, X: Solutions, moves: Moves, accepted: Bools) -> None:
        """Make some of the moves, in place.

        Args:
            X: the solutions before the moves, one a row; they are changed.
            moves: a move for each row.
            accepted: the rows that move.
        """
        X[accepted] = moves.solutions[accepted]

    def climb(self, X: Solutions, rng: Generator) -> Climb:
        """Return climbs from solutions to local optima of this neighbourhood; by default random moves that improve.

        The climb is plain data, because solvers keep it in their State; `step` is given the problem.

        Args:
            X: feasible solutions, one a row; they are not changed.
            rng: the generator to draw from.
        """
        return RandomClimb.at(X, np.arange(len(X)), np.zeros(len(X), np.int64))


def brought_neighbourhood(problem: Problem) -> Neighbourhood | None:
    """Return the neighbourhood that a problem brings by its method `neighbourhood`, None if it brings none.

    A view of a problem (see `contract/view.py`) has the neighbourhood of the whole one where both have the same
    solutions, and none where stages are fixed.

    Args:
        problem: the problem as solvers see it.
    """
    whole = problem
    if isinstance(problem, ProblemView) and problem.structure is problem.whole.structure:
        whole = problem.whole
    near: Neighbourhood | None = whole.neighbourhood()
    if near is not None:
        near.problem = problem
    return near


@dataclass
class RandomClimb(BatchClimb):
    """Solutions that climb side by side: each tries a random move at a time and makes it if it gains.

    A solution counts as a local optimum when as many moves in a row have failed as there are slots.
    """

    failures: Ints
    """The moves in a row that have gained nothing, for each solution."""

    def neighbourhood(self, problem: Problem) -> Neighbourhood:
        """Return the neighbourhood that draws the moves: what the problem brings.

        Args:
            problem: the problem of the climb.
        """
        near = brought_neighbourhood(problem)
        assert near is not None  # noqa: S101  (no other has this climb)
        return near

    def improve(self, problem: Problem, rng: Generator) -> int:
        """Try a move of every solution that climbs; before the first, score them. Return the looks.

        Args:
            problem: the problem of the climb, which brings the neighbourhood.
            rng: the generator to draw from.
        """
        near, rows, X = self.neighbourhood(problem), self.climbing, self.X[self.climbing]
        if self.pieces == 0:
            self.scores = evaluate(problem, X)
            self.record(X, self.scores)
            return int(X.size)
        moves = near.random_moves(X, rng)
        gains = near.gains(X, self.scores[rows], moves)
        # Strictly: sideways moves would never end the climb.
        better = gains > 0.0
        near.apply(X, moves, better)
        self.X[rows], self.scores[rows] = X, self.scores[rows] + np.where(better, gains, 0.0)
        self.record(X, self.scores[rows])
        self.failures[rows] = np.where(better, 0, self.failures[rows] + 1)
        self.climbing = rows[self.failures[rows] < np.sum(problem.sizes)]
        return int(moves.looks.sum())
