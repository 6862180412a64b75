"""The neighbourhood of linear constraints: a change of one stage, or of two where one alone would violate a row."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.random import Generator

from swarmkit.contract.arrays import Floats, Solutions
from swarmkit.contract.problem import Problem
from swarmkit.kernels.constants import BEGIN
from swarmkit.kernels.linear_state import NOW, Rules, WeightingState
from swarmkit.search.construction import rng_state
from swarmkit.search.linear_construction import rows_of, search_at
from swarmkit.search.linear_tables import model_of
from swarmkit.search.neighbourhood import Climb, Moves, Neighbourhood, RandomClimb, RowClimb
from swarmkit.search.tables import batch_scores

STRICT = 1e4
"""The weight of violations in a climb: no change of the objective outweighs a violation that is no rounding."""

PIECE = 32
"""Changes in a piece of a climb."""

RULES = Rules(tenure=0, patience=0, forgetting=1.0)


class LinearNeighbourhood(Neighbourhood):
    """Changes of one stage, and compensating changes of two, under linear constraints; feasible solutions stay so."""

    @property
    def scored(self) -> bool:
        """Whether every gain takes a score: there are neither tables nor gains of the problem's own."""
        return self.problem.structure.black_box and not self.problem.overrides("gains")

    def random_moves(self, X: Solutions, rng: Generator) -> Moves:
        """Draw a change for each row, with a second one where the first alone violates a row.

        Where none is drawn that keeps the row feasible, it stays as it is.

        Args:
            X: feasible solutions, one a row; they are not changed.
            rng: the generator to draw from.
        """
        from swarmkit.kernels import linear

        rows = rows_of(self.problem.structure)
        chosen = np.ascontiguousarray(X + rows.offsets[:-1])
        linear.random_moves(rows, chosen, np.zeros(len(rows.lower)), rng_state(rng), np.zeros(len(X), np.int64))
        Y = chosen - rows.offsets[:-1]
        looks = np.full(len(X), X.shape[1]) if self.scored else np.maximum(1, (X != Y).sum(axis=1))
        return Moves(Y, looks)

    def gains(self, X: Solutions, scores: Floats, moves: Moves) -> Floats:
        """Return the gain of each move, -inf where it is infeasible.

        Args:
            X: the solutions before the moves, one a row.
            scores: their scores; used only where nothing but the score is known.
            moves: a move for each row.
        """
        if self.scored:
            return super().gains(X, scores, moves)
        if self.problem.structure.pairwise is not None:
            gains = batch_scores(self.problem, moves.solutions) - batch_scores(self.problem, X)
        else:
            gains = np.array([self._gain(x, y) for x, y in zip(X, moves.solutions, strict=True)])
        return np.where(np.asarray(self.problem.feasible(moves.solutions), bool), gains, -np.inf)

    def _gain(self, x: Solutions, y: Solutions) -> float:
        """Return the gain of a move as the sum of the problem's own gains of its changes, one after another."""
        gain, x = 0.0, x.copy()
        for stage in np.flatnonzero(x != y):
            gain += float(self.problem.gains(x, int(stage))[y[stage]])
            x[stage] = y[stage]
        return gain

    def climb(self, X: Solutions, rng: Generator) -> Climb:
        """Return climbs by the best sampled changes and pairs of them on tables, else by random moves that gain.

        Args:
            X: feasible solutions, one a row; they are not changed.
            rng: the run's generator, from which the kernels' generator is seeded.
        """
        structure = self.problem.structure
        if structure.pairwise is None or structure.opaque or not len(X):
            return LinearRandomClimb.at(X, np.arange(len(X)), np.zeros(len(X), np.int64))
        return LinearClimb.at(X, np.array([0, BEGIN, 0, 0]), search_at(model_of(structure), X[0], rng_state(rng)))


@dataclass
class LinearRandomClimb(RandomClimb):
    """Solutions that climb by random moves under linear constraints."""

    def neighbourhood(self, problem: Problem) -> Neighbourhood:
        """Return the neighbourhood that draws the moves.

        Args:
            problem: the problem of the climb.
        """
        return LinearNeighbourhood(problem)


@dataclass
class LinearClimb(RowClimb):
    """Solutions that climb one after another on tables under linear constraints; a piece of work is a few changes."""

    search: WeightingState
    """The solution that climbs."""

    def improve(self, problem: Problem, count: int) -> int:
        """Make `count` pieces of work, and return the looks.

        Args:
            problem: the problem of the climb.
            count: the number of pieces.
        """
        from swarmkit.kernels import weighting

        model, search, looks = model_of(problem.structure), self.search, 0
        first = model.rows.offsets[:-1]
        while count > 0 and self.state[0] < len(self.X):
            row = int(self.state[0])
            if self.state[1] == BEGIN:
                search.chosen[:], search.best[:], search.until[:] = first + self.X[row], -1, 0
                search.counters[NOW] = 0
                weighting.begin(model, search, STRICT)
                self.state[1] = row
            ended, read = weighting.climb(model, search, RULES, PIECE)
            looks, count = looks + int(read), count - 1
            self.X[row] = search.best - first
            self.state[3] += 1
            if ended:
                self.state[0], self.state[1] = row + 1, BEGIN
        return looks

    def score(self, problem: Problem, rows: slice) -> Floats:
        """Return the scores of some rows.

        Args:
            problem: the problem of the climb.
            rows: the rows.
        """
        return batch_scores(problem, self.X[rows])
