"""The incumbent of a run: what a solver reports is judged, scored again and recorded."""

from __future__ import annotations

import numpy as np

from swarmkit.contract.arrays import Floats, Solutions
from swarmkit.contract.errors import SolverError
from swarmkit.contract.problem import Problem
from swarmkit.contract.problem_view import ProblemView
from swarmkit.contract.progress import Progress
from swarmkit.contract.solver import Solver, StepResult
from swarmkit.contract.validation import evaluate, judge

TOLERANCE = 1e-6
"""How far a solver's score may differ from the problem's, relative to its size: running sums gather rounding errors."""

ROUNDING = 1e-9
"""A bound this close to the best score, relative to its size, is reached: summing in another order changes as much."""


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
        i = int(np.argmax(scores))
        if progress.score is None or scores[i] > progress.score:
            progress.best, progress.score = np.array(X[i], np.int64), float(scores[i])
        return scores

    def tightest_bound(self, progress: Progress, bound: float) -> float:
        """Return the lower of a new bound and the bound so far; a bound below the best score is an error."""
        score, present = progress.score, progress.bound
        if score is not None and abs(bound - score) <= ROUNDING * max(1.0, abs(score)):
            return score
        if score is not None and bound < score:
            raise SolverError(f"solver '{self._solver}' claimed a bound of {bound}; there is a score of {score}")
        return bound if present is None else min(present, bound)
