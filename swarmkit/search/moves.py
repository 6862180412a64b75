"""The basic move as functions: a stage takes another candidate; in a `distinct` problem it swaps with its holder."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.random import Generator

from swarmkit.contract.arrays import Floats, Solutions
from swarmkit.contract.problem import Problem
from swarmkit.search.local_search import neighbourhood_of
from swarmkit.search.score_neighbourhood import ScoreNeighbourhood, StageMoves
from swarmkit.search.score_neighbourhood import move as move


def move_gains(problem: Problem, X: Solutions, stage: int) -> Floats:
    """Return, for each row, the gain of moving a stage to each candidate; -inf where the move is infeasible.

    Args:
        problem: the problem.
        X: complete solutions, one per row.
        stage: the stage that moves.

    >>> from swarmkit import Pairwise, PairwiseProblem
    >>> problem = PairwiseProblem(Pairwise.of([2, 2], [(0, 1, np.eye(2))]))
    >>> move_gains(problem, np.array([[0, 1]]), 0)
    array([[0., 1.]])
    """
    return ScoreNeighbourhood(problem).stage_gains(X, stage)


def random_moves(problem: Problem, X: Solutions, rng: Generator) -> StageMoves:  # goes with the last caller
    """Draw a random move for each row, without reading its gain."""
    return ScoreNeighbourhood(problem).random_moves(X, rng)


class Proposed(NamedTuple):
    """A move for each row."""

    solutions: Solutions
    """The rows after their moves."""
    gains: Floats
    """The gain of each move; -inf if it is infeasible."""
    looks: int
    """The looks that the gains took."""


def propose(problem: Problem, X: Solutions, scores: Floats, rng: Generator) -> Proposed:
    """Return a random move for each row, drawn from the problem's neighbourhood.

    Args:
        problem: the problem.
        X: complete solutions, one per row.
        scores: their scores.
        rng: the generator to draw from.
    """
    near = neighbourhood_of(problem)
    moves = near.random_moves(X, rng)
    return Proposed(moves.solutions, near.gains(X, scores, moves), int(moves.looks.sum()))


def gain_deviation(problem: Problem, X: Solutions, scores: Floats, rng: Generator) -> tuple[float, int]:
    """Return the standard deviation of the gains of random moves (1 if no move changes the score), and the looks.

    Args:
        problem: the problem.
        X: complete solutions to move from, one per row.
        scores: their scores.
        rng: the generator to draw from.

    >>> from swarmkit import Pairwise, PairwiseProblem
    >>> problem = PairwiseProblem(Pairwise.of([2], unary=[0.0, 3.0]))
    >>> gain_deviation(problem, np.array([[0], [1]]), np.array([0.0, 3.0]), np.random.default_rng(1))
    (3.0, 40)
    """
    moves = [propose(problem, X, scores, rng) for _ in range(SAMPLES)]
    gains = np.concatenate([proposed.gains for proposed in moves])
    finite = gains[np.isfinite(gains)]
    return (float(finite.std()) if len(finite) else 0.0) or 1.0, sum(proposed.looks for proposed in moves)


SAMPLES = 20
"""Random moves of each solution: enough to estimate a standard deviation to within a few per cent."""
