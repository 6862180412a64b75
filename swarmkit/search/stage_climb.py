"""Climbing with nothing but scores, or gains by definition: solutions side by side, stage by stage."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.random import Generator

from swarmkit.contract.arrays import Bools, Floats, Ints, Solutions
from swarmkit.contract.problem import Problem
from swarmkit.contract.solver import Left
from swarmkit.contract.validation import evaluate
from swarmkit.search.construction import pick_best
from swarmkit.search.moves import feasible_moves, move, move_gains

LEAST = 1e-9
"""A gain counts as an improvement from this share of the largest gain around: anything below may be rounding."""

LARGEST = 4_000_000
"""The most entries of a batch of solutions that is scored at once: 32 MB."""


@dataclass
class StageClimb:
    """Solutions that climb side by side: each takes the best candidate at a stage, then at the next; plain data.

    A pause may fall between the candidates of one solution and those of the next: a stage moves when the candidates of
    all solutions are known.
    """

    X: Solutions
    """The solutions, changed in place."""
    scores: Floats
    """Their scores as far as known; -inf otherwise."""
    climbing: Ints
    """The rows that still climb."""
    moved: Bools
    """Which of them have moved in this sweep."""
    unscored: Ints
    """The rows that are local optima but have not been scored yet."""
    order: Ints
    """The stages in the order of this sweep."""
    at: int
    """The stages of this sweep that are done."""
    values: Floats
    """The score or the gain of each candidate at the stage in progress, a row for each solution that climbs."""
    known: int
    """The number of these rows that are known."""
    best: Solutions
    """The best solution that was scored."""
    best_score: float

    @classmethod
    def start(cls, problem: Problem, X: Solutions, rng: Generator) -> StageClimb:
        """Return a climb from every row of X, which is changed.

        Args:
            problem: any problem.
            X: feasible solutions, one a row.
            rng: orders the stages.
        """
        k, n = X.shape
        return cls(
            X=X,
            scores=np.full(k, -np.inf),
            climbing=np.arange(k),
            moved=np.zeros(k, bool),
            unscored=np.zeros(0, np.int64),
            order=rng.permutation(n) if k else np.arange(n),
            at=0,
            values=np.empty((k, max(problem.sizes, default=0))),
            known=0,
            best=np.zeros(n, np.int64),
            best_score=-np.inf,
        )

    @property
    def finished(self) -> bool:
        """Whether every solution is a local optimum, and scored."""
        return len(self.climbing) + len(self.unscored) == 0

    @property
    def ended(self) -> int:
        """The number of climbs that have ended: all solutions make one together."""
        return int(self.finished)

    def go_on(self, problem: Problem, rng: Generator, left: Left) -> int:
        """Climb until all are local optima, or what is left is used up; return the looks.

        Args:
            problem: the problem.
            rng: breaks ties and orders the stages.
            left: where to pause.
        """
        looks, before = 0, problem.evaluations
        while not self.finished:
            spent = problem.evaluations - before
            if (looks >= left.looks or spent >= left.evaluations) and self._costs(problem):
                break
            room = left.after(looks, spent)
            looks += self._score_optima(problem, room) if len(self.unscored) else self._go_on(problem, rng, room)
        return looks

    def found(self, problem: Problem) -> tuple[Solutions, float] | None:
        """Return the best solution that was scored, and its score; None if there is none yet."""
        return (self.best, self.best_score) if np.isfinite(self.best_score) else None

    def _costs(self, problem: Problem) -> bool:
        """Whether going on takes a look: what takes none is done before a pause, so that every step takes some."""
        if len(self.unscored) or not scores_only(problem):
            return True
        row, stage = self.climbing[self.known], int(self.order[self.at])
        others = np.array(feasible_moves(problem, self.X[[row]], stage)[0])
        others[self.X[row, stage]] = np.isinf(self.scores[row])
        return bool(others.any())

    def _go_on(self, problem: Problem, rng: Generator, left: Left) -> int:
        """Read candidates of the stage in progress, as many as may be; when all are known, move."""
        stage = int(self.order[self.at])
        read = self._read_scores if scores_only(problem) else self._read_gains
        looks = read(problem, stage, left)
        if self.known == len(self.climbing):
            self._move(problem, stage, rng)
        return looks

    def _read_scores(self, problem: Problem, stage: int, left: Left) -> int:
        """Score the candidates of some solutions, those that are feasible and not known; return the looks."""
        n, m = int(self.X.shape[1]), int(problem.sizes[stage])
        rows = self.climbing[self.known :][: max(1, min(-(-left.rows(n) // m), LARGEST // (n * m)))]
        X, each = self.X[rows], np.arange(len(rows))
        wanted = np.array(feasible_moves(problem, X, stage))
        wanted[each, X[:, stage]] = np.isinf(self.scores[rows])
        values = self.values[self.known : self.known + len(rows), :m]
        values[:] = -np.inf
        values[wanted] = self._evaluate(problem, problem.neighbours(X, stage)[wanted.ravel()])
        first = wanted[each, X[:, stage]]
        self.scores[rows[first]] = values[first, X[first, stage]]
        values[each, X[:, stage]] = self.scores[rows]
        self.known += len(rows)
        return n * int(wanted.sum())

    def _read_gains(self, problem: Problem, stage: int, left: Left) -> int:
        """Read the gains of the candidates of some solutions, and return the looks."""
        m = int(problem.sizes[stage])
        cost = m * (2 if problem.distinct else 1)
        rows = self.climbing[self.known :][: max(1, min(-(-left.looks // cost), LARGEST // m))]
        self.values[self.known : self.known + len(rows), :m] = move_gains(problem, self.X[rows], stage)
        self.known += len(rows)
        return cost * len(rows)

    def _move(self, problem: Problem, stage: int, rng: Generator) -> None:
        """Let the stage of every solution take its best candidate if that is better; after the last stage, sweep again.

        Rounding must not look like an improvement, or two equal candidates would alternate for ever.
        """
        scored, rows = scores_only(problem), self.climbing
        values = self.values[: len(rows), : int(problem.sizes[stage])]
        gains = values - self.scores[rows, None] if scored else values
        least = LEAST * (1.0 + np.abs(gains).max(axis=1, initial=0.0, where=np.isfinite(gains)))
        better = gains.max(axis=1) > least
        if better.any():
            choice = pick_best(gains, np.isfinite(gains), rng)
            for i in np.flatnonzero(better):
                move(problem, self.X[rows[i]], stage, int(choice[i]))
            if scored:
                self.scores[rows[better]] = values[better, choice[better]]
        self.moved |= better
        self.known, self.at = 0, self.at + 1
        if self.at == len(self.order):
            self._end_sweep(problem, rng)

    def _end_sweep(self, problem: Problem, rng: Generator) -> None:
        if not scores_only(problem):
            self.unscored = self.climbing[~self.moved]
        self.climbing = self.climbing[self.moved]
        self.moved, self.at = np.zeros(len(self.climbing), bool), 0
        if len(self.climbing):
            self.order = rng.permutation(len(self.order))

    def _score_optima(self, problem: Problem, left: Left) -> int:
        """Score local optima whose gains were read without their scores, and return the looks."""
        n = int(self.X.shape[1])
        rows, self.unscored = np.split(self.unscored, [left.rows(n)])
        for row in rows:  # sums of batches may differ in the last digit, which would depend on the pauses
            self.scores[row] = self._evaluate(problem, self.X[[row]])[0]
        return n * len(rows)

    def _evaluate(self, problem: Problem, X: Solutions) -> Floats:
        """Return the scores of solutions, and keep the best of all."""
        if len(X) == 0:
            return np.zeros(0)
        scores = evaluate(problem, X)
        i = int(scores.argmax())
        if scores[i] > self.best_score:
            self.best, self.best_score = X[i].copy(), float(scores[i])
        return scores


def scores_only(problem: Problem) -> bool:
    """Return whether every gain takes a score: there are neither tables nor gains of the problem's own."""
    return problem.structure.black_box and not problem.overrides("gains")


def sweep_looks(problem: Problem) -> int:
    """Return the looks of one sweep of a solution over all stages."""
    slots = int(np.sum(problem.sizes))
    if scores_only(problem):
        return slots * len(problem.sizes)
    return slots * (2 if problem.distinct else 1)
