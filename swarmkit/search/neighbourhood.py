"""Neighbourhoods: which solutions a move leads to, what it gains, and how local optima are reached.

Solvers ask `neighbourhood_of(problem)` once and work with what they get: random moves, their gains, their application,
climbs. Each kind of problem has a class of its own, in a file of its own: tables (`table_neighbourhood.py`), symmetric
tours (`tour_neighbourhood.py`), everything else (`score_neighbourhood.py`).

A further neighbourhood is a subclass of `Neighbourhood` that draws random moves, nothing else: gains are then
differences of scores, and a climb tries random moves. It overrides `gains` where it can compute them faster, and
`climb` where a better local search is known. A problem brings its neighbourhood by a method `neighbourhood()`:

>>> class Reversals(Neighbourhood):
...     '''Sequences: a stretch is reversed.'''
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

import numpy as np
from numpy.random import Generator

from swarmkit.contract.arrays import Bools, Floats, Ints, Solutions
from swarmkit.contract.problem import Problem
from swarmkit.contract.searched import Searched
from swarmkit.contract.validation import evaluate
from swarmkit.search.climb import BatchClimb, Climb


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

    A view of a problem (see `contract/searched.py`) has the neighbourhood of the whole one where both have the same
    solutions, and none where stages are fixed.

    Args:
        problem: the problem as solvers see it.
    """
    whole = problem.whole if isinstance(problem, Searched) and problem.structure is problem.whole.structure else problem
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

    def improve(self, problem: Problem, rng: Generator) -> int:
        """Try a move of every solution that climbs; before the first, score them. Return the looks.

        Args:
            problem: the problem of the climb, which brings the neighbourhood.
            rng: the generator to draw from.
        """
        near, rows, X = brought_neighbourhood(problem), self.climbing, self.X[self.climbing]
        assert near is not None  # noqa: S101  (no other has this climb)
        if self.pieces == 0:
            self.scores = evaluate(problem, X)
            self.record(X, self.scores)
            return int(X.size)
        moves = near.random_moves(X, rng)
        gains = near.gains(X, self.scores[rows], moves)
        better = gains > 0.0
        near.apply(X, moves, better)
        self.X[rows], self.scores[rows] = X, self.scores[rows] + np.where(better, gains, 0.0)
        self.record(X, self.scores[rows])
        self.failures[rows] = np.where(better, 0, self.failures[rows] + 1)
        self.climbing = rows[self.failures[rows] < np.sum(problem.sizes)]
        return int(moves.looks.sum())
