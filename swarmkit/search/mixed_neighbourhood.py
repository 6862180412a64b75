"""Neighbourhoods of several kinds of moves, where the gain of every move takes a score.

Moves of one solution are scored in batches, because a call of `score` costs as much as many rows. They are looked at in
the order in which they were drawn, and the first that is accepted is made; the rest of the batch is lost, so its size
follows how many moves it takes until one is accepted. Which kinds are drawn follows how many of each have improved the
solution (credit, as in adaptive operator selection: Fialho, Da Costa, Schoenauer and Sebag 2010).
"""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass, field
from typing import Self

import numpy as np
from numpy.random import Generator

from swarmkit.contract.arrays import Bools, Floats, Ints, RngState, Solutions
from swarmkit.contract.problem import Problem
from swarmkit.kernels.constants import LEAST
from swarmkit.search.construction import roulette_wheel
from swarmkit.search.neighbourhood import BatchClimb, Climb, Moves, Neighbourhood
from swarmkit.search.tables import batch_scores

PERIOD = 300
"""Moves between two changes of the shares."""

MEMORY = 0.7
"""What the rates of before count when they are measured again."""

LEAST_SHARE = 0.05
"""The share of a kind that never improves anything: it may later."""

BATCH = 16
"""The most moves of one solution that are scored at once: a call of `score` takes about as long as so many rows."""

PATIENCE = 16
"""A climb ends after this many moves for each stage without an improvement. Of all exchanges of 40 stages that is about
four fifths, of those of 100 a third: longer climbs reach better optima, but fewer of them."""


@dataclass
class Credit:
    """How likely each kind of move is drawn, and how many moves are scored at once; plain data, kept in a State."""

    shares: Floats
    rates: Floats
    """The rate at which moves of each kind have improved, relative to each other."""
    moves: Floats
    """The moves of each kind since the shares last changed, and how many of them improved."""
    improvements: Floats
    batch: int = 1
    rng_state: RngState = field(default_factory=lambda: np.empty(0, np.uint64))
    """The state of a kernel's generator; none before a kernel has drawn."""

    @classmethod
    def even(cls, kinds: int) -> Self:
        """Return the credit before anything is known."""
        share = np.full(kinds, 1.0 / kinds)
        return cls(share, share.copy(), np.zeros(kinds), np.zeros(kinds))

    def draw(self, count: int, rng: Generator) -> Ints:
        """Return the kinds of the next moves."""
        return roulette_wheel(self.shares, rng.random(count))

    def book(self, kinds: Ints, improved: Bools) -> None:
        """Count moves, and which have improved; after each period the shares change."""
        count = len(self.shares)
        self.moves += np.bincount(kinds, minlength=count)
        self.improvements += np.bincount(kinds, improved, count)
        self.renew()

    def renew(self) -> None:
        """Change the shares if a period has ended: in proportion to the squares of the rates."""
        count = len(self.shares)
        if self.moves.sum() < PERIOD:
            return
        recent = self.improvements / (self.moves + 1.0)
        if recent.any():
            self.rates = MEMORY * self.rates + (1 - MEMORY) * recent / recent.sum()
        squares = self.rates**2
        self.shares = LEAST_SHARE + (1 - LEAST_SHARE * count) * squares / squares.sum()
        self.moves, self.improvements = np.zeros(count), np.zeros(count)

    def resize(self, accepted: Bools, limit: int) -> None:
        """Set the size of the next batch: a little more than it took until a move was accepted, twice if none was.

        Args:
            accepted: a row for each solution, and in it whether each of its moves is accepted.
            limit: the most moves of a batch.
        """
        needed = np.where(accepted.any(axis=1), accepted.argmax(axis=1) + 2, 2 * accepted.shape[1])
        self.batch = max(1, min(limit, int(needed.mean())))


@dataclass
class MixedMoves(Moves):
    """Moves of several kinds."""

    feasible: Bools
    """Whether each is feasible; the others are not scored."""


@dataclass
class Proposals:
    """A batch of moves of each of some solutions: an array of k rows has an entry for each solution and move."""

    moves: MixedMoves
    gains: Floats
    """The gains, a row for each solution."""
    kinds: Ints

    def first(self, accepted: Bools) -> tuple[Ints, Ints]:
        """Return the solutions that have accepted a move, and the number of their first in its row.

        Args:
            accepted: whether each move is accepted, a row for each solution.
        """
        rows = np.flatnonzero(accepted.any(axis=1))
        return rows, accepted[rows].argmax(axis=1)

    def solutions(self, rows: Ints, columns: Ints) -> Solutions:
        """Return the solutions after some moves."""
        solutions: Solutions = self.moves.solutions[rows * self.gains.shape[1] + columns]
        return solutions


class MixedNeighbourhood(Neighbourhood):
    """Moves of several kinds."""

    @property
    @abstractmethod
    def kinds(self) -> int:
        """The number of kinds."""

    @abstractmethod
    def draw(self, X: Solutions, kinds: Ints, rng: Generator) -> Solutions:
        """Return each row after a random move of a kind.

        Args:
            X: complete solutions, one a row; they are not changed.
            kinds: the kind of each move, from 0.
            rng: the generator to draw from.
        """

    def moves(self, X: Solutions, kinds: Ints, rng: Generator) -> MixedMoves:
        """Return a random move of a kind for each row.

        Args:
            X: complete solutions, one a row; they are not changed.
            kinds: the kind of each move, from 0.
            rng: the generator to draw from.
        """
        Y, constrained = self.draw(X, kinds, rng), self.problem.structure.constrained
        feasible = np.asarray(self.problem.feasible(Y), bool) if constrained else np.ones(len(Y), bool)
        # An infeasible move is judged, which is a look, and not scored.
        return MixedMoves(Y, np.where(feasible, X.shape[1], 1), feasible)

    def random_moves(self, X: Solutions, rng: Generator) -> MixedMoves:
        """Draw a move for each row; all kinds are as likely.

        Args:
            X: complete solutions, one a row; they are not changed.
            rng: the generator to draw from.
        """
        return self.moves(X, rng.integers(self.kinds, size=len(X)), rng)

    def gains(self, X: Solutions, scores: Floats, moves: Moves) -> Floats:
        """Return the gain of each move, -inf where it is infeasible.

        Args:
            X: the solutions before the moves, one a row.
            scores: their scores.
            moves: a move for each row.
        """
        if not isinstance(moves, MixedMoves):
            return super().gains(X, scores, moves)
        gains = np.full(len(X), -np.inf)
        if moves.feasible.any():
            gains[moves.feasible] = batch_scores(self.problem, moves.solutions[moves.feasible])
        return gains - scores

    def propose(self, X: Solutions, scores: Floats, credit: Credit, rng: Generator) -> Proposals:
        """Return a batch of moves of each solution, with their gains.

        Args:
            X: complete solutions, one a row.
            scores: their scores.
            credit: the kinds that are drawn, and the size of the batch; what the moves gain is added to it.
            rng: the generator to draw from.
        """
        before, scores_before = np.repeat(X, credit.batch, axis=0), np.repeat(scores, credit.batch)
        kinds = credit.draw(len(before), rng)
        moves = self.moves(before, kinds, rng)
        gains = self.gains(before, scores_before, moves)
        credit.book(kinds, gains > LEAST * (1.0 + np.abs(scores_before)))
        return Proposals(moves, gains.reshape(len(X), -1), kinds)


@dataclass
class MixedClimb(BatchClimb):
    """Solutions that climb side by side: each makes the first of a batch of random moves that is no worse."""

    failures: Ints
    """The moves since each solution was last improved."""
    credit: Credit

    @abstractmethod
    def neighbourhood(self, problem: Problem) -> MixedNeighbourhood:
        """Return the neighbourhood of a problem in which the solutions climb."""

    @classmethod
    def begin(cls, near: MixedNeighbourhood, X: Solutions) -> Climb:
        """Return climbs from some solutions."""
        return cls.at(X, np.arange(len(X)), np.zeros(len(X), np.int64), Credit.even(near.kinds))

    def improve(self, problem: Problem, rng: Generator) -> int:
        """Score a batch of moves of every solution that climbs; before the first, score the solutions.

        Args:
            problem: the problem of the climb.
            rng: the generator to draw from.
        """
        rows, X = self.climbing, self.X[self.climbing]
        if self.pieces == 0:
            self.scores = batch_scores(problem, X)
            self.record(X, self.scores)
            return int(X.size)
        near, scores = self.neighbourhood(problem), self.scores[rows]
        proposals = near.propose(X, scores, self.credit, rng)
        gains = proposals.gains
        # Moves of equal score are made, so that climbs drift over plateaus, but only improvements prolong them.
        accepted = gains >= 0.0
        movers, columns = proposals.first(accepted)
        self.X[rows[movers]] = proposals.solutions(movers, columns)
        self.scores[rows[movers]] += gains[movers, columns]
        self.record(self.X[rows[movers]], self.scores[rows[movers]])
        self.failures[rows] += gains.shape[1]
        better = gains[movers, columns] > LEAST * (1.0 + np.abs(scores[movers]))
        self.failures[rows[movers[better]]] = 0
        self.credit.resize(accepted, max(1, BATCH // len(rows)))
        self.climbing = rows[self.failures[rows] < PATIENCE * X.shape[1]]
        return int(proposals.moves.looks.sum())
