"""The meter: every row passed to a problem's `score`, and every call of its own `gains`, goes through it.

Outside of a run it counts. Inside a run the harness attaches a session (`swarmkit.running.metering`), which scores as
many rows as the limits allow and then ends the step by raising `StepCut`. So no solver knows a budget.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any, NamedTuple, Protocol

import numpy as np

from swarmkit.contract.arrays import Floats, Solutions
from swarmkit.contract.errors import ProblemError


class StepCut(BaseException):
    """Ends a step at a limit. Only the harness catches it: it is no `Exception`, so that no other code does."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


class Piece(NamedTuple):
    """What a compiled search has scored in one call."""

    rows: int
    """The number of rows, fewer than it was given values for if it has ended, or reached the target."""
    ended: bool
    """Whether it has nothing more to score, whatever the limits."""
    solution: Solutions
    """The best of them."""
    score: float
    """Its score, to be maximised."""


ScorePiece = Callable[[Floats, float], Piece]
"""A compiled search: (values, target) -> what it has scored. It writes what the problem's function returns for each row
to `values`, reads those that are no NaN instead of computing them, and ends at a row that reaches the target."""


class Session(Protocol):
    """What scores rows and counts looks in place of the meter, while a run is under way."""

    def score(self, score: Callable[..., Any], problem: Any, X: Solutions) -> Any:
        """Return the scores of rows, or raise `StepCut` after as many as a limit allows."""

    def walk(self, problem: Any, score_piece: ScorePiece, rows: int) -> int:
        """Let a compiled search score up to a number of rows, or raise `StepCut` after as many as a limit allows."""

    def look(self, looks: int) -> None:
        """Count looks that the problem's own `gains` take, or raise `StepCut` if a limit does not allow them."""


class Meter:
    """The number of rows that a problem has scored, and the looks of problems without tables."""

    def __init__(self) -> None:
        self.rows = 0
        self.looks = 0
        """n for each row, and the candidates of each call of `gains`, where nothing but the score is known."""
        self.reported = 0
        """The rows that belong to earlier runs."""
        self.evaluator: Callable[..., Any] | None = None
        """What scores batches in place of the problem itself: other processes."""
        self.at_once = 1
        """The rows that are scored at the same time."""
        self.session: Session | None = None
        self._busy = False

    def __getstate__(self) -> dict[str, Any]:
        """Return what another process is sent: the count, without the processes and the run of this one."""
        # Processes, sessions and the flag belong to this process.
        return self.__dict__ | {"evaluator": None, "at_once": 1, "session": None, "_busy": False}

    def measure(self, score: Callable[..., Any], problem: Any, X: Any) -> Any:
        """Call a problem's `score` and count its rows; one that calls that of its base class is counted once."""
        # score of a subclass may call that of its base class: the rows are counted once.
        if self._busy:
            return score(problem, X)
        self._busy = True
        try:
            if self.session is not None:
                return self.session.score(score, problem, X)
            self.count(problem, len(X))
            return self.compute(score, problem, X)
        finally:
            self._busy = False

    def walk(self, problem: Any, score_piece: ScorePiece, rows: int) -> int:
        """Let a compiled search score up to a number of rows, and return how many it has scored.

        Args:
            problem: a problem of which nothing but a compiled score is known.
            score_piece: the search.
            rows: the number of rows.
        """
        if self.session is not None:
            return self.session.walk(problem, score_piece, rows)
        piece = score_piece(np.full(rows, np.nan), np.inf)
        self.count(problem, piece.rows)
        return piece.rows

    def compute(self, score: Callable[..., Any], problem: Any, X: Any) -> Any:
        """Return what a problem's `score` returns, by other processes if there are any; nothing is counted."""
        return score(problem, X) if self.evaluator is None else self.evaluator(score, problem, X)

    def count(self, problem: Any, rows: int) -> None:
        """Count rows, and their looks where nothing but the score is known."""
        self.rows += rows
        if problem.structure.black_box:
            self.looks += rows * len(problem.sizes)

    def measure_gains(self, gains: Callable[..., Any], problem: Any, x: Any, stage: int) -> Any:
        """Call a problem's own `gains` and count a look for each candidate, two where the move is a swap."""
        if problem.structure.black_box:
            # A swap reads the value at both stages.
            looks = int(problem.sizes[stage]) * (2 if problem.distinct else 1)
            if self.session is not None:
                self.session.look(looks)
            self.looks += looks
        return gains(problem, x, stage)


def through_meter(member: Callable[..., Any], measure: Callable[..., Any] = Meter.measure) -> Callable[..., Any]:
    """Return a member of a problem that goes through the problem's meter.

    Args:
        member: the problem's `score`, whose rows are counted, or its own `gains`, whose looks are.
        measure: the method of the meter that counts and calls it.
    """

    @functools.wraps(member)
    def call(self: Any, *arguments: Any) -> Any:
        return measure(self.meter, member, self, *arguments)

    return call


def score_rows(problem: Any, X: Any) -> Any:
    """Return the scores of solutions by a problem's `score_one`."""
    scores = [problem.score_one(x) for x in X]
    for x, value in zip(X, scores, strict=True):
        if np.ndim(value) != 0:
            name, shape = type(problem).__name__, np.shape(value)
            raise ProblemError(f"{name}.score_one returned shape {shape} for {short(x)}; expected one number")
    return np.array(scores, np.float64) if not scores else np.array(scores)


def short(x: Solutions) -> str:
    """Return a solution for a message, cut after twelve stages."""
    return f"[{', '.join(map(str, x[:12]))}{', …' if len(x) > 12 else ''}]"
