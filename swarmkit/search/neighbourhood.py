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
from typing import TYPE_CHECKING

import numpy as np
from numpy.random import Generator

from swarmkit.contract.arrays import Bools, Floats, Ints, Solutions
from swarmkit.contract.problem import Problem
from swarmkit.contract.searched import Searched
from swarmkit.contract.validation import evaluate

if TYPE_CHECKING:
    from swarmkit.search.local_search import Climb


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

        The climb is plain data of one of the classes that `swarmkit.search.Climb` unites, because solvers keep it in
        their State. It finds its neighbourhood by the problem, which `step` is given.

        Args:
            X: feasible solutions, one a row; they are not changed.
            rng: the generator to draw from.
        """
        from swarmkit.search.random_climb import RandomClimb  # it asks `neighbourhood_of`

        return RandomClimb.start(X)


def neighbourhood_of(problem: Problem) -> Neighbourhood:
    """Return the neighbourhood of a problem: what the problem brings, or that of its kind.

    A view of a problem (see `contract/searched.py`) has the neighbourhood of the whole one where both have the same
    solutions; where stages are fixed, the one of its kind.

    Args:
        problem: the problem as solvers see it.
    """
    from swarmkit.search.score_neighbourhood import ScoreNeighbourhood
    from swarmkit.search.table_neighbourhood import TableNeighbourhood
    from swarmkit.search.tour_neighbourhood import TourNeighbourhood

    whole = problem.whole if isinstance(problem, Searched) and problem.structure is problem.whole.structure else problem
    bring = getattr(whole, "neighbourhood", None)
    if bring is not None:
        near: Neighbourhood = bring()
        near.problem = problem
        return near
    if problem.structure.symmetric_tour() is not None:
        return TourNeighbourhood(problem)
    return ScoreNeighbourhood(problem) if problem.structure.tables is None else TableNeighbourhood(problem)
