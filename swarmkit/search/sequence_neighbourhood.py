"""The neighbourhood of sequences, stages that must differ and nothing but a score: swaps, insertions and reversals."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.random import Generator

from swarmkit.contract.arrays import Ints, Solutions
from swarmkit.contract.problem import Problem
from swarmkit.search.compiled_walk import LONGER, walk_of
from swarmkit.search.mixed_neighbourhood import PATIENCE, MixedClimb, MixedNeighbourhood
from swarmkit.search.neighbourhood import Climb

SWAP, INSERTION, REVERSAL = range(3)

MOVES = 256
"""Moves of a sequence that a compiled climb makes in a piece."""


class SequenceNeighbourhood(MixedNeighbourhood):
    """Two stages swap, a segment of up to three stages moves elsewhere, or a segment is reversed.

    Where there are more candidates than stages, a swap may be with a candidate that no stage has.
    """

    @property
    def kinds(self) -> int:
        """The number of kinds: with two stages all are the same."""
        return 3 if len(self.problem.sizes) > 2 else 1

    def draw(self, X: Solutions, kinds: Ints, rng: Generator) -> Solutions:
        """Return each row after a random move of a kind.

        Args:
            X: complete solutions, one a row; they are not changed.
            kinds: SWAP, INSERTION or REVERSAL for each row.
            rng: the generator to draw from.
        """
        k, n = X.shape
        draws, swap = rng.random((k, 4)), kinds == SWAP
        i, j = (draws[:, 0] * n).astype(np.int64), (draws[:, 1] * (n - 1)).astype(np.int64)
        j = np.minimum(j + (j >= i), n - 1)  # a single stage has no other
        candidates, unheld = int(self.problem.sizes[0]), np.zeros(k, bool)
        candidate = (draws[:, 3] * (candidates - 1)).astype(np.int64)
        candidate += candidate >= X[np.arange(k), i]
        if candidates > n:  # a swap takes a candidate, wherever it is
            holders = candidate[:, None] == X
            unheld = swap & ~holders.any(axis=1)
            j = np.where(unheld, i, np.where(swap, holders.argmax(axis=1), j))
        length = np.minimum(1 + (draws[:, 2] < LONGER) + (draws[:, 2] < LONGER**2), np.abs(j - i))
        Y = np.take_along_axis(X, sources(n, np.column_stack([i, j, length]), kinds), axis=1)
        Y[unheld, i[unheld]] = candidate[unheld]
        return Y

    def climb(self, X: Solutions, rng: Generator) -> Climb:
        """Return climbs by random moves, which end when many in a row have not improved.

        Args:
            X: feasible solutions, one a row; they are not changed.
            rng: not used: the climbs draw their moves.
        """
        return SequenceClimb.begin(self, X)


@dataclass
class SequenceClimb(MixedClimb):
    """Sequences that climb side by side."""

    def neighbourhood(self, problem: Problem) -> MixedNeighbourhood:
        """Return the neighbourhood of sequences."""
        return SequenceNeighbourhood(problem)

    def improve(self, problem: Problem, rng: Generator) -> int:
        """Make moves of every sequence that climbs, compiled where the score is; return the looks.

        Args:
            problem: the problem of the climb.
            rng: the generator to draw from.
        """
        walk, rows = walk_of(problem), self.climbing
        if walk is None or self.pieces == 0:
            return super().improve(problem, rng)
        n, looks = self.X.shape[1], 0
        walk = walk._replace(patience=PATIENCE * n)
        for row in rows:
            course = walk.make(self.X[row], float(self.scores[row]), self.credit, MOVES, rng, int(self.failures[row]))
            self.scores[row], self.failures[row], looks = course.score, course.failures, looks + n * course.moves
            self.record(course.best[None], np.array([course.best_score]))
        self.climbing = rows[self.failures[rows] < PATIENCE * n]
        return looks


def sources(n: int, moves: Ints, kinds: Ints) -> Ints:
    """Return the place of each stage before a move, a row for each move.

    Args:
        n: the number of stages.
        moves: rows of two stages, and for insertions the length of the segment that begins or ends at the first.
        kinds: the kind of each.

    >>> sources(5, np.array([[1, 3, 1], [1, 3, 1], [3, 0, 2], [1, 4, 1]]), np.array([0, 1, 1, 2])).tolist()
    [[0, 3, 2, 1, 4], [0, 2, 3, 1, 4], [2, 3, 0, 1, 4], [0, 4, 3, 2, 1]]
    """
    i, j, length = moves.T[:, :, None]
    low, high, kind, place = np.minimum(i, j), np.maximum(i, j), kinds[:, None], np.arange(n)
    swapped = np.where(place == low, high, np.where(place == high, low, place))
    # The segment and the stages that it passes rotate.
    rotated = low + (place - low + np.where(i < j, length, -length)) % (high - low + 1)
    inside = np.where(kind == SWAP, swapped, np.where(kind == INSERTION, rotated, low + high - place))
    return np.where((place >= low) & (place <= high), inside, place)
