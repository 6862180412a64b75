"""Climbing by random moves: what a neighbourhood without a local search of its own has."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.random import Generator

from swarmkit.contract.arrays import Ints, Solutions
from swarmkit.contract.problem import Problem
from swarmkit.search.climb import ScoredClimb
from swarmkit.search.neighbourhood import neighbourhood_of


@dataclass
class RandomClimb(ScoredClimb):
    """Solutions that climb side by side: each tries a random move at a time and makes it if it gains.

    A solution counts as a local optimum when as many moves in a row have failed as there are slots.
    """

    failures: Ints
    """The moves in a row that have gained nothing, for each solution."""

    @classmethod
    def start(cls, X: Solutions) -> RandomClimb:
        """Return climbs from solutions.

        Args:
            X: feasible solutions, one a row; they are not changed.
        """
        X = np.array(X, np.int64, order="C")
        k, n = X.shape
        return cls(X, np.full(k, -np.inf), np.arange(k), np.zeros(n, np.int64), -np.inf, 0, np.zeros(k, np.int64))

    def step(self, problem: Problem, rng: Generator) -> int:
        """Try a move of every solution that climbs; before the first, score them.

        Args:
            problem: the problem of the climb.
            rng: the generator to draw from.
        """
        self.count += 1
        rows, n = self.climbing, len(self.best_solution)
        if self.count == 1:
            self.scores = self.evaluate(problem, self.X)
            return n * len(rows)
        near = neighbourhood_of(problem)
        X, scores = self.X[rows], self.scores[rows]
        moves = near.random_moves(X, rng)
        gains = near.gains(X, scores, moves)
        better = gains > 0.0
        near.apply(X, moves, better)
        self.X[rows] = X
        self.scores[rows[better]] += gains[better]
        self.record(X[better], self.scores[rows[better]])
        self.failures[rows] = np.where(better, 0, self.failures[rows] + 1)
        self.climbing = rows[self.failures[rows] < np.sum(problem.sizes)]
        return int(moves.looks.sum())
