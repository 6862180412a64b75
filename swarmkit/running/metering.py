"""The rows that a run scores: counted, limited, logged, and the best feasible one recorded as the incumbent.

A step that meets a limit is ended by `StepCut` after exactly as many rows as the limit allows. The scores since the
last copy of the solver's state are kept in a log; a run that goes on makes the steps since that copy again and reads
their scores from the log, so nothing is evaluated twice.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np

from swarmkit.contract.arrays import Floats, Solutions
from swarmkit.contract.budget import Budget
from swarmkit.contract.meter import StepCut
from swarmkit.contract.problem import Problem
from swarmkit.contract.problem_view import problem_view
from swarmkit.contract.progress import CLOSEST, ROWS, Progress
from swarmkit.contract.solver import GRAIN, NO_LIMIT
from swarmkit.contract.validation import check_scores, judge

PIECE = 0.05
"""Seconds of a batch after which limits of time, Ctrl-C and checkpoints have their turn."""

SHARED_PIECE = 0.1
"""The same where several processes score the rows: sending them takes time."""


class Metering:
    """The session of a problem's meter during a run.

    Args:
        problem: the problem as it was given.
        progress: what the run has spent, and its incumbent; both are updated.
        between: called between two pieces of a batch; it may raise `StepCut`.
        observe: called where the looks reach a mark.
    """

    def __init__(
        self, problem: Problem, progress: Progress, between: Callable[[], None], observe: Callable[[], None]
    ) -> None:
        self.problem, self.progress, self._limits = problem, progress, Budget()
        self._between, self._observe = between, observe
        self._view = problem_view(problem)
        self._seconds = problem.evaluation_seconds or 0.0
        self._log: list[Floats] = []
        """The scores since the last copy of the state, piece by piece."""
        self.unread: Floats = np.zeros(0)
        """Scores of an earlier attempt at the next steps, which are read instead of computed."""
        self.row: tuple[Solutions, Floats] | None = None
        """The best row that was scored beside tables, as a batch of one, and its score."""
        self.cut = False
        """Whether a step was ended at a limit: it must not go on after that."""

    @contextmanager
    def attached(self, limits: Budget) -> Iterator[None]:
        """Score the problem's rows inside, within limits of looks and evaluations, and up to the target."""
        meter, self._limits, self.cut = self.problem.meter, limits, False
        meter.session = self
        try:
            yield
        finally:
            meter.session = None

    @contextmanager
    def aside(self, limits: Budget) -> Iterator[None]:
        """Score rows inside that are no part of the search: neither logged nor observed, whatever their time."""
        watching = self._log, self.unread, self._between, self._observe
        self._log, self.unread, self._between, self._observe = [], np.zeros(0), lambda: None, lambda: None
        try:
            with self.attached(Budget(looks=limits.looks, evaluations=limits.evaluations)):
                yield
        finally:
            self._log, self.unread, self._between, self._observe = watching

    @property
    def replaying(self) -> bool:
        """Whether scores are read from the log of an earlier attempt at the same steps."""
        return len(self.unread) > 0

    def scores_so_far(self) -> Floats:
        """Return all scores since the last copy."""
        return np.concatenate([*self._log, self.unread]) if self._log else self.unread

    def replay(self, scores: Floats) -> None:
        """Read the next scores from a log instead of computing them; the step that was cut is made again."""
        self.unread, self._log, self.cut = scores, [], False

    def forget(self) -> None:
        """Clear the log: the state has been copied after all that is in it."""
        self._log = []

    def look(self, looks: int) -> None:
        """Count looks of the problem's own `gains`; raise `StepCut` if the limit does not allow them."""
        if self.progress.looks + looks > (self._limits.looks or NO_LIMIT):
            self.cut = True
            raise StepCut("looks")
        self.progress.count(meter_looks=looks)

    def score(self, score: Callable[..., Any], problem: Problem, X: Solutions) -> Floats:
        """Return the scores of rows, as the problem has them, or raise `StepCut` after those that a limit allows."""
        try:
            return self._score_pieces(score, problem, X)
        except StepCut:
            self.cut = True
            raise

    def _score_pieces(self, score: Callable[..., Any], problem: Problem, X: Solutions) -> Floats:
        """Score rows in pieces that take a short time each."""
        n = len(problem.sizes) if problem.structure.black_box else 0
        is_cost, pieces, begin = problem.direction == "minimise", [], 0
        while begin < len(X):
            rows, reason = self._room(n)
            if rows == 0:
                raise StepCut(reason)
            if n and not self.replaying:  # before rows are scored, never after: a step that needs no more of them ends
                self._between()
            piece = X[begin : begin + min(rows, self._piece_rows())]
            values = self._values(score, problem, piece)
            self._record(problem, piece, 0.0 - values if is_cost else values, n)
            pieces.append(values)
            begin += len(piece)
        return pieces[0] if len(pieces) == 1 else np.concatenate([np.zeros(0), *pieces])

    def _room(self, n: int) -> tuple[int, str]:
        """Return how many rows the limits allow, and which of them is the nearest."""
        progress, limits = self.progress, self._limits
        rows, reason = (limits.evaluations or NO_LIMIT) - progress.evaluations, "evaluations"
        if n and limits.looks is not None and (limits.looks - progress.looks) // n < rows:
            rows, reason = (limits.looks - progress.looks) // n, "looks"
        return max(0, rows), reason

    def _piece_rows(self) -> int:
        """Return how many rows take about PIECE seconds, by the time of the last ones."""
        if self.replaying:
            return len(self.unread)
        at_once = self.problem.meter.at_once
        seconds = PIECE if at_once == 1 else SHARED_PIECE
        return max(1, int(seconds / max(self._seconds, 1e-8)) // at_once) * at_once

    def _values(self, score: Callable[..., Any], problem: Problem, rows: Solutions) -> Floats:
        """Return the scores of a piece, from the log or computed, and add them to the log."""
        if self.replaying:
            values, self.unread = np.split(self.unread, [len(rows)])
        else:
            start = time.perf_counter()
            values = check_scores(problem, rows, self.problem.meter.compute(score, problem, rows))
            self._seconds = (time.perf_counter() - start) / len(rows)
            self.problem.meter.count(problem, len(rows))
        self._log.append(values)
        return values

    def _record(self, problem: Problem, rows: Solutions, scores: Floats, n: int) -> None:
        """Count rows and record the best, up to each mark; raise `StepCut` at the row that reaches the target."""
        progress, begin = self.progress, 0
        while begin < len(rows):
            end = len(rows) if not n else min(len(rows), begin + max(1, -((progress.looks - progress.mark) // n)))
            hit = self._target_row(rows[begin:end], scores[begin:end]) if n and problem is self.problem else None
            if hit is not None:
                end = begin + hit + 1
            progress.count(meter_looks=n * (end - begin), rows=end - begin)
            if n and problem is self.problem:  # a row of a part, or one beside tables, is not the whole story
                self.take_best(rows[begin:end], scores[begin:end])
            elif problem is self.problem:
                self._remember(rows, scores)
            if hit is not None:
                self._log[-1] = self._log[-1][:end]
                raise StepCut("target")
            if n and progress.looks >= progress.mark:
                self.reach_mark()
            begin = end

    def reach_mark(self) -> None:
        """Extend the trace, set the next mark, and let observers see the run."""
        self.set_mark()
        self._observe()

    def set_mark(self) -> None:
        """Extend the trace if the score has improved since the last mark, and set the next one."""
        closest = max(CLOSEST, ROWS * len(self.problem.sizes)) if self.problem.structure.black_box else CLOSEST
        self.progress.reach_mark(GRAIN, closest)
        self.progress.add_to_trace()

    def _remember(self, rows: Solutions, scores: Floats) -> None:
        """Keep the best row that was scored beside tables: all that there is if a step is interrupted."""
        best = int(scores.argmax())
        if self.row is None or scores[best] > self.row[1][0]:
            self.row = np.array(rows[best : best + 1], np.int64), scores[best : best + 1].copy()

    def _target_row(self, rows: Solutions, scores: Floats) -> int | None:
        """Return the number of the first feasible row that reaches the target, or None."""
        if self._limits.target is None:
            return None
        good = np.flatnonzero(scores >= self._limits.target)
        good = good[judge(self._view, rows[good])] if len(good) else good
        return int(good[0]) if len(good) else None

    def take_best(self, rows: Solutions, scores: Floats) -> None:
        """Make the first of the best feasible rows the incumbent if it is better."""
        progress = self.progress
        if progress.score is not None and scores.max() <= progress.score:
            return
        order = np.flatnonzero(scores > (-np.inf if progress.score is None else progress.score))
        order = order[np.argsort(-scores[order], kind="stable")]
        if not judge(self._view, rows[order[:1]])[0]:
            order = order[judge(self._view, rows[order])]
        if len(order):
            progress.best, progress.score = np.array(rows[order[0]], np.int64), float(scores[order[0]])
