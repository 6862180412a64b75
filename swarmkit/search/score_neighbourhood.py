"""The neighbourhood of any problem: a stage takes another candidate; where stages must differ, by a swap.

Gains are read from the problem's own `gains` where it has any, from tables where there are some (here: tables with
constraints), and from scores of batches otherwise.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.random import Generator

from swarmkit.contract.arrays import Bools, Floats, Ints, Solutions
from swarmkit.contract.problem import Problem
from swarmkit.contract.validation import evaluate
from swarmkit.kernels.constants import LEAST
from swarmkit.search.construction import pick_best
from swarmkit.search.neighbourhood import BatchClimb, Climb, Moves, Neighbourhood

LARGEST = 4_000_000
"""The most entries of a batch of solutions that is scored at once: 32 MB."""


@dataclass
class StageMoves(Moves):
    """Another candidate at one stage, which is the same for all rows."""

    stage: int
    """The stage that moves."""
    candidates: Ints
    """The candidate that it takes in each row."""


class ScoreNeighbourhood(Neighbourhood):
    """Changes of one stage, for any problem."""

    @property
    def scored(self) -> bool:
        """Whether every gain takes a score: there are neither tables nor gains of the problem's own."""
        return self.problem.structure.pairwise is None and not self.problem.overrides("gains")

    @property
    def looks(self) -> int:
        """The looks of the gain of one candidate at one stage, by a swap where stages must differ."""
        return len(self.problem.sizes) if self.scored else 1 + self.problem.distinct

    def random_moves(self, X: Solutions, rng: Generator) -> StageMoves:
        """Draw another candidate for each row, at one stage, which is the same for all rows.

        Args:
            X: complete solutions, one a row; they are not changed.
            rng: the generator to draw from.
        """
        sizes = np.asarray(self.problem.sizes, np.int64)
        free = np.flatnonzero(sizes > 1)
        stage = int(free[rng.integers(len(free))])
        candidates = rng.integers(sizes[stage] - 1, size=len(X))
        # Another candidate than the present one, each as likely: numbers from there on move up by one.
        candidates += candidates >= X[:, stage]
        Y, swaps = X.copy(), np.zeros(len(X), bool)
        if self.problem.distinct:
            holders = X == candidates[:, None]
            swaps = holders.any(axis=1)
            Y[holders] = X[swaps, stage]
        Y[:, stage] = candidates
        looks = np.full(len(X), len(sizes)) if self.scored else 1 + swaps
        return StageMoves(Y, looks, stage, candidates)

    def gains(self, X: Solutions, scores: Floats, moves: Moves) -> Floats:
        """Return the gain of each move, -inf where it is infeasible.

        Args:
            X: the solutions before the moves, one a row.
            scores: their scores; used only where nothing but the score is known.
            moves: a move for each row, as `random_moves` draws them.
        """
        if self.scored or not isinstance(moves, StageMoves):
            return super().gains(X, scores, moves)
        gains = self._gains(X, moves.stage)[np.arange(len(X)), moves.candidates]
        return np.where(np.asarray(self.problem.feasible(moves.solutions), bool), gains, -np.inf)

    def stage_gains(self, X: Solutions, stage: int) -> Floats:
        """Return, for each row, the gain of a stage's taking each candidate; -inf where that is infeasible.

        Args:
            X: complete solutions, one a row.
            stage: the stage that moves.
        """
        return np.where(self.feasible_candidates(X, stage), self._gains(X, stage), -np.inf)

    def _gains(self, X: Solutions, stage: int) -> Floats:
        form, m = self.problem.pairwise(), int(self.problem.sizes[stage])
        if self.problem.overrides("gains"):
            return np.array([self.problem.gains(x, stage) for x in X]).reshape(len(X), m)
        if form is not None:
            return form.gains(X, stage)
        # One batch for all rows: a score in Python costs much per call and little per row.
        scores = evaluate(self.problem, self.problem.neighbours(X, stage)).reshape(len(X), m)
        return scores - np.take_along_axis(scores, X[:, stage, None], axis=1)

    def feasible_candidates(self, X: Solutions, stage: int) -> Bools:
        """Return, for each row, which candidates a stage may take.

        Args:
            X: complete solutions, one a row.
            stage: the stage that moves.
        """
        problem, m = self.problem, int(self.problem.sizes[stage])
        if not problem.structure.constrained:
            return np.ones((len(X), m), bool)
        if problem.distinct:  # a swap changes two stages, so whole solutions are judged
            return np.asarray(problem.feasible(problem.neighbours(X, stage)), bool).reshape(len(X), m)
        Y = X.copy()
        Y[:, stage] = -1
        return np.asarray(problem.allowed(Y, stage), bool)

    def climb(self, X: Solutions, rng: Generator) -> Climb:
        """Return climbs that take the best candidate stage by stage.

        Args:
            X: feasible solutions, one a row; they are not changed.
            rng: orders the stages, and breaks ties.
        """
        k, n = X.shape
        order = rng.permutation(n) if k else np.arange(n)
        fields = np.arange(k), np.zeros(k, bool), order, 0, np.zeros((0, 0), bool)
        return StageClimb.at(X, *fields)


@dataclass
class StageClimb(BatchClimb):
    """Solutions that climb side by side: each takes the best candidate at a stage, then at the next; plain data."""

    movers: Bools
    """Which of the solutions that climb have moved in this sweep."""
    order: Ints
    """The stages in the order of this sweep."""
    place: int
    """The stages of this sweep that are done."""
    unread: Bools
    """Which candidates of the next stage are to be scored, for each solution that climbs; empty where gains are read.

    They are judged ahead, because stages at which there is nothing to score are passed in the step before: every step
    makes looks."""

    def improve(self, problem: Problem, rng: Generator) -> int:
        """Let one stage of all solutions that climb take its best candidate; return the looks.

        Args:
            problem: the problem of the climb.
            rng: breaks ties and orders the stages.
        """
        near = ScoreNeighbourhood(problem)
        # Looking ahead draws nothing, so a climb that goes on has seen the same.
        if near.scored and self.pieces == 0:
            self._look_ahead(near)
        looks = self._improve_stage(near, rng) + self._next_stage(near, rng)
        while near.scored and len(self.climbing) and not self._look_ahead(near):
            looks += self._next_stage(near, rng)
        return looks

    def _improve_stage(self, near: ScoreNeighbourhood, rng: Generator) -> int:
        """Read the candidates of a stage for all solutions that climb, and move those that gain; return the looks."""
        stage, rows = int(self.order[self.place]), self.climbing
        if near.scored:
            values, looks = self._scores(near, stage), near.looks * int(self.unread.sum())
            gains = values - self.scores[rows, None]
        else:
            gains = values = np.concatenate([near.stage_gains(self.X[part], stage) for part in self._parts(near)])
            looks = gains.size * near.looks
        choice, better = self._choice(gains, rng)
        for i in np.flatnonzero(better):
            move(near.problem, self.X[rows[i]], stage, int(choice[i]))
        if near.scored:
            self.scores[rows[better]] = values[better, choice[better]]
        self.movers |= better
        return looks

    def _parts(self, near: ScoreNeighbourhood) -> list[Ints]:
        """Return the rows that climb in parts whose candidates at the next stage can be in memory together."""
        # n numbers for each candidate: whole solutions are scored.
        entries = len(self.order) * int(near.problem.sizes[self.order[self.place]])
        limit = max(1, LARGEST // entries)
        return [self.climbing[begin : begin + limit] for begin in range(0, len(self.climbing), limit)]

    def _look_ahead(self, near: ScoreNeighbourhood) -> bool:
        """Note which candidates of the next stage are to be scored, and return whether there are any."""
        stage, rows = int(self.order[self.place]), self.climbing
        self.unread = np.concatenate([near.feasible_candidates(self.X[part], stage) for part in self._parts(near)])
        # The present solution is scored once, at its first stage, and remembered from then on.
        self.unread[np.arange(len(rows)), self.X[rows, stage]] = np.isinf(self.scores[rows])
        return bool(self.unread.any())

    def _scores(self, near: ScoreNeighbourhood, stage: int) -> Floats:
        """Return the scores of the candidates of all solutions that climb, -inf for infeasible ones."""
        values, rows = np.full(self.unread.shape, -np.inf), self.climbing
        begin = 0
        for part in self._parts(near):
            unread = self.unread[begin : begin + len(part)]
            Y = near.problem.neighbours(self.X[part], stage)[unread.ravel()]
            values[begin : begin + len(part)][unread] = self._evaluate(near.problem, Y)
            begin += len(part)
        present = np.arange(len(rows)), self.X[rows, stage]
        self.scores[rows] = np.where(np.isinf(self.scores[rows]), values[present], self.scores[rows])
        values[present] = self.scores[rows]
        return values

    def _choice(self, gains: Floats, rng: Generator) -> tuple[Ints, Bools]:
        """Return the best candidate of each solution, and whether it is better than the present one.

        Rounding must not look like an improvement, or two equal candidates would alternate for ever.
        """
        least = LEAST * (1.0 + np.abs(gains).max(axis=1, initial=0.0, where=np.isfinite(gains)))
        better = gains.max(axis=1) > least
        return pick_best(gains, np.isfinite(gains), rng) if better.any() else np.zeros(len(gains), np.int64), better

    def _next_stage(self, near: ScoreNeighbourhood, rng: Generator) -> int:
        """Go to the next stage, after the last one to the next sweep of the solutions that have moved.

        The others are scored, where gains were read; the looks are returned.
        """
        self.place += 1
        if self.place < len(self.order):
            return 0
        optima = self.climbing[~self.movers]
        self.climbing = self.climbing[self.movers]
        self.movers, self.place = np.zeros(len(self.climbing), bool), 0
        # A new order in every sweep, so that no stage has the last word for ever.
        if len(self.climbing):
            self.order = rng.permutation(len(self.order))
        if near.scored:
            return 0
        self.scores[optima] = self._evaluate(near.problem, self.X[optima])
        return len(self.order) * len(optima)

    def _evaluate(self, problem: Problem, X: Solutions) -> Floats:
        scores = evaluate(problem, X) if len(X) else np.zeros(0)
        self.record(X, scores)
        return scores


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
