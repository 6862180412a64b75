"""The rows that a run scores: counted, limited, logged, and the best feasible one recorded as the incumbent.

A step that meets a limit is ended by `StepCut` after exactly as many rows as the limit allows. The scores since the
last copy of the solver's state are kept in a log; a run that goes on makes the steps since that copy again and reads
their scores from the log, so nothing is evaluated twice. Beside tables a solver reports scores itself: they are
claims, judged and scored again at the next mark (`Incumbent`).
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np

from swarmkit.contract.arrays import Floats, Solutions
from swarmkit.contract.budget import Budget
from swarmkit.contract.errors import ProblemError, SolverError
from swarmkit.contract.meter import Piece, ScorePiece, StepCut
from swarmkit.contract.problem import Problem
from swarmkit.contract.problem_view import ProblemView, problem_view
from swarmkit.contract.progress import CLOSEST, ROWS, Progress
from swarmkit.contract.result import rounding
from swarmkit.contract.solver import GRAIN, NO_LIMIT, Solver, StepResult
from swarmkit.contract.validation import check_scores, evaluate, judge

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
        # Looks are refused as a whole: gains of a stage cannot be read by halves.
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

    def walk(self, problem: Problem, score_piece: ScorePiece, rows: int) -> int:
        """Let a compiled search score up to a number of rows; here alone a limit is told: as a number of values."""
        made, n = 0, len(problem.sizes)
        try:
            while made < rows:
                room, reason = self._room(n)
                if room == 0:
                    raise StepCut(reason)
                if not self.replaying:
                    self._between()
                to_mark = -((self.progress.looks - self.progress.mark) // n)
                count = max(1, min(rows - made, room, self._piece_rows(), to_mark))
                piece = self._walk_piece(problem, score_piece, count)
                made += piece.rows
                self.progress.count(meter_looks=n * piece.rows, rows=piece.rows)
                self.take_best(piece.solution[None], np.array([piece.score]))
                if self._limits.target is not None and piece.score >= self._limits.target:
                    raise StepCut("target")
                if self.progress.looks >= self.progress.mark:
                    self.reach_mark()
                if piece.ended:
                    break
        except StepCut:
            self.cut = True
            raise
        return made

    def _walk_piece(self, problem: Problem, score_piece: ScorePiece, count: int) -> Piece:
        """Let a compiled search score some rows; those of an earlier attempt are read from the log."""
        values, known = np.full(count, np.nan), self.unread[:count]
        values[: len(known)] = known
        target, start = np.inf if self._limits.target is None else self._limits.target, time.perf_counter()
        piece = score_piece(values, target)
        if not np.isfinite(values[: piece.rows]).all():
            raise ProblemError(f"{type(problem).__name__}.score_one returned {values[: piece.rows].sum()}: not finite")
        if len(known):
            self.unread = self.unread[piece.rows :]
        else:
            self._seconds = (time.perf_counter() - start) / piece.rows
            self.problem.meter.count(problem, piece.rows)
        self._log.append(values[: piece.rows])
        return piece

    def _score_pieces(self, score: Callable[..., Any], problem: Problem, X: Solutions) -> Floats:
        """Score rows in pieces that take a short time each."""
        # n is 0 beside tables: there a row costs an evaluation but no looks, and the solver counts its own.
        n = len(problem.sizes) if problem.structure.black_box else 0
        is_cost, pieces, begin = problem.direction == "minimise", [], 0
        while begin < len(X):
            # Asked for each piece: the rows of the one before are counted by now.
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
        # Whole multiples of the processes, so that none waits for the last rows of a piece.
        at_once = self.problem.meter.at_once
        seconds = PIECE if at_once == 1 else SHARED_PIECE
        return max(1, int(seconds / max(self._seconds, 1e-8)) // at_once) * at_once

    def _values(self, score: Callable[..., Any], problem: Problem, rows: Solutions) -> Floats:
        """Return the scores of a piece, from the log or computed, and add them to the log."""
        if self.replaying:
            # The same rows as before, by the same generator and state: a solver that draws elsewhere fails the kit.
            values, self.unread = np.split(self.unread, [len(rows)])
        else:
            start = time.perf_counter()
            values = check_scores(problem, rows, self.problem.meter.compute(score, problem, rows))
            self._seconds = (time.perf_counter() - start) / len(rows)
            self.problem.meter.count(problem, len(rows))
        self._log.append(values.copy())  # the solver may change what it is given
        return values

    def _record(self, problem: Problem, rows: Solutions, scores: Floats, n: int) -> None:
        """Count rows and record the best, up to each mark; raise `StepCut` at the row that reaches the target."""
        progress, begin = self.progress, 0
        while begin < len(rows):
            # Up to the next mark: what observers see there must not depend on the size of the batch.
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
                # The rows behind the one that reached the target were computed, but are not part of the run.
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
        # Without tables a row takes n looks: marks less than some rows apart would be one for every row.
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
        # Only rows that are good enough are judged: feasibility may cost as much as a score.
        good = np.flatnonzero(scores >= self._limits.target)
        good = good[judge(self._view, rows[good])] if len(good) else good
        return int(good[0]) if len(good) else None

    def take_best(self, rows: Solutions, scores: Floats) -> None:
        """Make the first of the best feasible rows the incumbent if it is better."""
        progress = self.progress
        if progress.score is not None and scores.max() <= progress.score:
            return
        order = np.flatnonzero(scores > (-np.inf if progress.score is None else progress.score))
        # Stable: of equally good rows the first wins, as it would if rows came one at a time.
        order = order[np.argsort(-scores[order], kind="stable")]
        # Mostly the best row is feasible, and the others need not be judged.
        if not judge(self._view, rows[order[:1]])[0]:
            order = order[judge(self._view, rows[order])]
        if len(order):
            progress.best, progress.score = np.array(rows[order[0]], np.int64), float(scores[order[0]])


TOLERANCE = 1e-6
"""How far a solver's score may differ from the problem's, relative to its size: running sums gather rounding errors."""


class Incumbent:
    """The best solution of a run, and the checks before another one takes its place.

    Args:
        problem: the whole problem, its score maximised.
        view: the problem that the solver sees, without the fixed stages.
        solver: the solver's name, for messages.
    """

    def __init__(self, problem: Problem, view: Problem, solver: str) -> None:
        self._problem, self.view, self._solver = problem, view, solver

    def record(self, progress: Progress, result: StepResult, method: Solver[object]) -> None:
        """Add what steps have spent to the progress, and keep a better solution as a claim."""
        # False counts as 0: a step without looks is allowed where the solver is done or waits for a process.
        if result.looks < (not (result.done or method.waits)) or result.iterations < 0:
            raise SolverError(f"solver '{self._solver}' took a step of {result.looks} looks; at least 1 is expected")
        progress.count(looks=int(result.looks))
        progress.iterations += int(result.iterations)
        progress.done = bool(result.done)
        if result.solution is not None and result.score is not None:
            self.claim(progress, result.solution, float(result.score))

    def claim(self, progress: Progress, solution: Solutions, score: float) -> None:
        """Keep a reported improvement, a solution of the searched problem, until the next mark.

        It is scored again there: the rows that are scored do not depend on where else a run was cut.
        """
        x = np.asarray(solution)
        if isinstance(self.view, ProblemView):
            x, score = self.view.complete(x[None])[0], self.view.true_score(x, score)
        if any(present is not None and not score > present for present in (progress.score, progress.claim_score)):
            return
        if progress.best is not None and np.array_equal(x, progress.best):
            return  # summed in another order, the same solution may have a slightly higher score
        # A copy, because solvers may return an array that their next step changes.
        x = np.array(x, dtype=np.int64, copy=True)
        if judge(self._problem, x[None])[0]:
            progress.claim, progress.claim_score = x, score

    def accept(self, progress: Progress) -> None:
        """Score the claim again, and make it the incumbent if it is an improvement.

        Without tables, and without gains of the problem's own, whatever was scored is the incumbent if it is better:
        a claim is better by rounding alone, or wrong.
        """
        x, claim_score = progress.claim, progress.claim_score
        if x is not None and claim_score is not None and not self._is_redundant(progress, claim_score):
            self.take(progress, x[None], claim_score)  # the limit of evaluations may end the run here: the claim stays
        progress.claim = progress.claim_score = None

    def _is_redundant(self, progress: Progress, claim_score: float) -> bool:
        """Return whether a claim is no better than the incumbent, but for rounding where all rows were recorded."""
        score, problem = progress.score, self._problem
        if score is None:
            return False
        is_complete = problem.structure.black_box and not problem.parts and not problem.overrides("gains")
        return claim_score <= score or (is_complete and claim_score - score <= TOLERANCE * max(1.0, abs(score)))

    def take(self, progress: Progress, X: Solutions, claim_score: float | None = None) -> Floats:
        """Score feasible solutions, make the best of them the incumbent if it is an improvement; return the scores.

        Args:
            progress: the progress, which is changed in place.
            X: solutions of the whole problem.
            claim_score: the score of the first, as the solver says.

        Raises:
            SolverError: the solver's score is wrong.
        """
        scores = evaluate(self._problem, X)
        if claim_score is not None and not abs(scores[0] - claim_score) <= TOLERANCE * max(1.0, abs(scores[0])):
            raise SolverError(f"solver '{self._solver}' claimed a score of {claim_score}; the problem says {scores[0]}")
        # argmax takes the first of equal scores, so the incumbent changes only for something better.
        i = int(np.argmax(scores))
        if progress.score is None or scores[i] > progress.score:
            progress.best, progress.score = np.array(X[i], np.int64), float(scores[i])
        return scores

    def tightest_bound(self, progress: Progress, bound: float) -> float:
        """Return the lower of a new bound and the bound so far; a bound below the best score is an error."""
        score, present = progress.score, progress.bound
        if score is not None and abs(bound - score) <= rounding(score):
            return score
        if score is not None and bound < score:
            raise SolverError(f"solver '{self._solver}' claimed a bound of {bound}; there is a score of {score}")
        return bound if present is None else min(present, bound)
