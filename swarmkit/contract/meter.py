"""Evaluations: the rows passed to a problem's `score`, counted where nobody can forget to."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

import numpy as np

from swarmkit.contract.arrays import Solutions
from swarmkit.contract.errors import ProblemError


class Meter:
    """The rows that a problem has scored, and the best of them since it was last cleared (by the maximised score)."""

    def __init__(self) -> None:
        self.rows = 0
        self.looks = 0
        """The stages of the rows of problems of which nothing but the score is known."""
        self.reported = 0
        """The rows that belong to earlier runs."""
        self.shared = False
        """Whether the parts of the problem count here too; the best row is then that of the whole alone."""
        self.evaluator: Callable[..., Any] | None = None
        """What scores batches in place of the problem itself: other processes."""
        self.at_once = 1
        """The rows that are scored at the same time."""
        self._busy = False
        self._best: Solutions | None = None
        self._score = -np.inf

    def __getstate__(self) -> dict[str, Any]:
        """Return what another process is sent: the count, without the processes that help this one."""
        return self.__dict__ | {"evaluator": None, "at_once": 1, "_busy": False}

    def clear(self) -> None:
        """Forget the best row."""
        self._best, self._score = None, -np.inf

    def recall(self, row: Solutions | None, score: float | None) -> None:
        """Set the best row, for a run that goes on; None forgets it."""
        self._best, self._score = row, -np.inf if score is None else score

    @property
    def best(self) -> tuple[Solutions | None, float | None]:
        """The best row and its score, None where there is none."""
        return self._best, None if self._best is None else self._score

    def score_of(self, x: Solutions) -> float | None:
        """Return the score of a solution if it is the best row since the last clearing: it need not be scored again."""
        return self._score if self._best is not None and np.array_equal(self._best, x) else None

    def measure(self, score: Callable[..., Any], problem: Any, X: Any) -> Any:
        """Call a problem's `score` and count its rows; one that calls that of its base class is counted once."""
        if self._busy:
            return score(problem, X)
        self._busy = True
        self.rows += len(X)
        self.looks += len(X) * len(problem.sizes) if problem.structure.black_box else 0
        try:
            scores = self.evaluator(score, problem, X) if self.evaluator else score(problem, X)
        finally:
            self._busy = False
        self._remember(problem, X, scores)
        return scores

    def _remember(self, problem: Any, X: Any, scores: Any) -> None:
        if self.shared and not problem.parts:
            return
        values = np.asarray(scores)
        if problem.direction == "minimise" and values.dtype.kind in "fiub":
            values = 0.0 - values
        if values.shape == (len(X),) and len(values) and values.dtype.kind in "fiub":  # `evaluate` refuses the others
            i = int(values.argmax())
            if np.isnan(values[i]):
                name = type(problem).__name__
                raise ProblemError(f"{name}.score returned nan for {_short(X[i])}; scores must be finite")
            if values[i] > self._score:
                self._best, self._score = np.array(X[i]), float(values[i])


def counted(score: Callable[..., Any]) -> Callable[..., Any]:
    """Return a `score` whose rows are counted by the problem's meter."""

    @functools.wraps(score)
    def counting(self: Any, X: Any) -> Any:
        return self.meter.measure(score, self, X)

    return counting


def one_by_one(problem: Any, X: Any) -> Any:
    """Return the scores of solutions by a problem's `score_one`."""
    scores = [problem.score_one(x) for x in X]
    for x, value in zip(X, scores, strict=True):
        if np.ndim(value) != 0:
            name, shape = type(problem).__name__, np.shape(value)
            raise ProblemError(f"{name}.score_one returned shape {shape} for {_short(x)}; expected one number")
    return np.array(scores, np.float64) if not scores else np.array(scores)


def _short(x: Solutions) -> str:
    return f"[{', '.join(map(str, x[:12]))}{', …' if len(x) > 12 else ''}]"
