"""The basic move: a stage takes another candidate; in a `distinct` problem it swaps with the stage that has it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.random import Generator

from swarmkit.contract.arrays import Bools, Floats, Ints, Solutions
from swarmkit.contract.problem import Problem
from swarmkit.contract.validation import evaluate


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
    return np.where(feasible_moves(problem, X, stage), _gains(problem, X, stage), -np.inf)


def move(problem: Problem, x: Solutions, stage: int, candidate: int) -> None:
    """Move a stage to a candidate, in place; in a `distinct` problem the stage that has it takes the old one.

    Args:
        problem: the problem.
        x: a complete solution, which is changed.
        stage: the stage that moves.
        candidate: the candidate that it takes.
    """
    if problem.distinct:
        x[x == candidate] = x[stage]
    x[stage] = candidate


@dataclass
class Moves:
    """A random move for each row: another candidate at one stage, which is the same for all rows. Plain data."""

    solutions: Solutions
    """The rows after their moves."""
    stage: int
    """The stage that moves."""
    candidates: Ints
    """The candidate that it takes in each row."""
    looks: Ints
    """The looks that each gain takes."""
    evaluated: bool
    """Whether each gain takes an evaluation, because nothing but the score is known."""

    def part(self, begin: int, end: int) -> Moves:
        """Return the moves of some rows."""
        rows = slice(begin, end)
        return Moves(self.solutions[rows], self.stage, self.candidates[rows], self.looks[rows], self.evaluated)

    def gains(self, problem: Problem, X: Solutions, scores: Floats) -> Floats:
        """Return the gain of each move; -inf where it is infeasible.

        Args:
            problem: the problem.
            X: the solutions before the moves, one per row.
            scores: their scores; used only where moves are evaluated.
        """
        if self.evaluated:
            gains = evaluate(problem, self.solutions) - scores
        else:
            gains = _gains(problem, X, self.stage)[np.arange(len(X)), self.candidates]
        return np.where(np.asarray(problem.feasible(self.solutions), bool), gains, -np.inf)


def random_moves(problem: Problem, X: Solutions, rng: Generator) -> Moves:
    """Draw a random move for each row, without reading its gain.

    Args:
        problem: the problem.
        X: complete solutions, one per row.
        rng: the generator to draw from.
    """
    sizes = np.asarray(problem.sizes, np.int64)
    free = np.flatnonzero(sizes > 1)
    stage = int(free[rng.integers(len(free))])
    candidates = rng.integers(sizes[stage] - 1, size=len(X))
    candidates += candidates >= X[:, stage]
    Y, swapped = X.copy(), np.zeros(len(X), bool)
    if problem.distinct:
        held = X == candidates[:, None]
        swapped = held.any(axis=1)
        Y[held] = X[swapped, stage]
    Y[:, stage] = candidates
    evaluated = problem.structure.black_box and not problem.overrides("gains")
    looks = np.full(len(X), len(sizes)) if evaluated else 1 + swapped
    return Moves(Y, stage, candidates, looks, evaluated)


class Proposed(NamedTuple):
    """A move for each row."""

    solutions: Solutions
    """The rows after their moves."""
    gains: Floats
    """The gain of each move; -inf if it is infeasible."""
    looks: int
    """The looks that the gains took."""


def propose(problem: Problem, X: Solutions, scores: Floats, rng: Generator) -> Proposed:
    """Return a random move for each row: another candidate at one stage, which is the same for all rows.

    Args:
        problem: the problem.
        X: complete solutions, one per row.
        scores: their scores.
        rng: the generator to draw from.
    """
    moves = random_moves(problem, X, rng)
    return Proposed(moves.solutions, moves.gains(problem, X, scores), int(moves.looks.sum()))


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


def _gains(problem: Problem, X: Solutions, stage: int) -> Any:
    form, m = problem.pairwise(), int(problem.sizes[stage])
    if problem.overrides("gains"):
        return np.array([problem.gains(x, stage) for x in X]).reshape(len(X), m)
    if form is not None:
        return form.gains(X, stage)
    # One batch for all rows: a score in Python costs much per call and little per row.
    scores = evaluate(problem, problem.neighbours(X, stage)).reshape(len(X), m)
    return scores - np.take_along_axis(scores, X[:, stage, None], axis=1)


def feasible_moves(problem: Problem, X: Solutions, stage: int) -> Bools:
    """Return, for each row, which candidates a stage may move to."""
    m = int(problem.sizes[stage])
    if not problem.structure.constrained:
        return np.ones((len(X), m), bool)
    if problem.distinct:  # a swap changes two stages, so whole solutions are judged
        return np.asarray(problem.feasible(problem.neighbours(X, stage)), bool).reshape(len(X), m)
    opened = X.copy()
    opened[:, stage] = -1
    return np.asarray(problem.allowed(opened, stage), bool)
