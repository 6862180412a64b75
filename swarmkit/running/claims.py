"""The incumbent of a run: what a solver claims is judged, scored again and recorded."""

from __future__ import annotations

import copy
from collections.abc import Iterator
from contextlib import contextmanager

import numpy as np

from swarmkit.contract.arrays import Floats, Solutions
from swarmkit.contract.errors import SolverError
from swarmkit.contract.problem import Problem
from swarmkit.contract.progress import Progress, Trace
from swarmkit.contract.searched import Searched
from swarmkit.contract.solver import Found, Solver
from swarmkit.contract.validation import evaluate, judge

TOLERANCE = 1e-6
"""How far a solver's score may differ from the problem's, relative to its size: running sums gather rounding errors."""

ROUNDING = 1e-9
"""A bound this close to the best score, relative to its size, is reached: summing in another order changes as much."""


class Claims:
    """What a solver claims about a problem.

    Args:
        problem: the whole problem, its score maximised.
        searched: the problem that the solver sees, without the fixed stages.
        solver: the solver's name, for messages.
    """

    def __init__(self, problem: Problem, searched: Problem, solver: str) -> None:
        self._problem, self.searched, self._solver = problem, searched, solver

    @contextmanager
    def counting(self, progress: Progress) -> Iterator[None]:
        """Book the rows that are scored inside, and the looks: n for each row where nothing but a score is known."""
        rows, cost = self._problem.evaluations, self._problem.evaluation_looks
        try:
            yield
        finally:  # Ctrl-C may end a step
            progress.evaluations += self._problem.evaluations - rows
            progress.row_looks += self._problem.evaluation_looks - cost
            progress.looks = max(progress.reported_looks, progress.row_looks)

    def claim_found(self, progress: Progress, solution: Solutions, score: float) -> None:
        """Keep a solution of the searched problem as a claim about the whole one."""
        x = np.asarray(solution)
        if isinstance(self.searched, Searched):
            x, score = self.searched.complete(x[None])[0], self.searched.true_score(x, score)
        self.claim(progress, x, score)

    def record(self, progress: Progress, found: Found, method: Solver[object]) -> None:
        """Add what a step has spent to the progress."""
        if found.looks < (not (found.done or method.waits)) or found.iterations < 0:
            raise SolverError(f"solver '{self._solver}' took a step of {found.looks} looks; at least 1 is expected")
        progress.reported_looks += int(found.looks)
        progress.iterations += int(found.iterations)
        progress.steps += 1
        progress.done = bool(found.done)

    def claim(self, progress: Progress, solution: Solutions, score: float) -> None:
        """Keep a reported improvement until the next mark.

        It is scored again there: the rows that are scored do not depend on where else a run was cut.
        """
        if any(known is not None and not score > known for known in (progress.score, progress.claimed)):
            return
        x = np.array(solution, dtype=np.int64, copy=True)
        if judge(self._problem, x[None])[0]:
            progress.claim, progress.claimed = x, score

    def claim_scored_row(self, progress: Progress) -> None:
        """Claim the best solution that the problem has scored since the last mark: the step did not report any."""
        row, score = self._problem.meter.best
        if row is not None and score is not None and row.shape == (len(self._problem.sizes),):
            self.claim(progress, row, score)

    def accept(self, progress: Progress) -> bool:
        """Score the best claim since the last mark again, keep it if it is an improvement, and return whether it is."""
        x, claimed = progress.claim, progress.claimed
        progress.claim = progress.claimed = None
        if x is None or claimed is None or (progress.best is not None and np.array_equal(x, progress.best)):
            return False  # summed in another order, the same solution may have a slightly higher score
        score = self._rescored(x, claimed)
        if progress.score is not None and score <= progress.score:
            return False
        progress.best, progress.score = x, score
        return True

    def take(self, progress: Progress, X: Solutions) -> Floats:
        """Score feasible solutions, make the best of them the incumbent if it is an improvement; return the scores."""
        scores = evaluate(self._problem, X)
        i = int(np.argmax(scores))
        if progress.score is None or scores[i] > progress.score:
            progress.best, progress.score = np.array(X[i]), float(scores[i])
        return scores

    def tightest_bound(self, progress: Progress, bound: float) -> float:
        """Return the lower of a new bound and the bound so far; a bound below the best score is an error."""
        score, known = progress.score, progress.bound
        if score is not None and abs(bound - score) <= ROUNDING * max(1.0, abs(score)):
            return score
        if score is not None and bound < score:
            raise SolverError(f"solver '{self._solver}' claimed a bound of {bound}; there is a score of {score}")
        return bound if known is None else min(known, bound)

    def _rescored(self, x: Solutions, claimed: float) -> float:
        """Return the problem's score of a solution; a wrong claim is an error."""
        known = self._problem.meter.score_of(x)
        score = float(evaluate(self._problem, x[None])[0]) if known is None else known
        if not abs(score - claimed) <= TOLERANCE * max(1.0, abs(score)):
            raise SolverError(f"solver '{self._solver}' claimed a score of {claimed}; the problem says {score}")
        return score


def whole_trace(progress: Progress) -> Trace:
    """Return the trace with the best score as its last point, whether a mark has been reached since or not."""
    trace = progress.trace
    if progress.score is not None and (not trace.score or progress.score > trace.score[-1]):
        trace = copy.deepcopy(trace)
        trace.add(progress, progress.score)
    return trace


def add_to_trace(progress: Progress) -> None:
    """Add the best score to the trace if it is better than at the last mark."""
    if progress.score is not None and (progress.traced is None or progress.score > progress.traced):
        progress.traced, progress.improved_at = progress.score, progress.iterations
        progress.trace.add(progress, progress.score)
