"""Iterated conditional modes (Besag 1986): `icm`.

Besag, J. 1986. On the statistical analysis of dirty pictures. Journal of the Royal Statistical Society B 48(3).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.random import Generator

from swarmkit import Floats, Problem, Solutions, Solver, StepResult, random_solutions
from swarmkit.search import Climb, climb_together, start_climb, warm_up


@dataclass
class Restarts:
    """Where the search is."""

    climb: Climb | None
    """The climbs in progress; None if new ones are to begin."""
    best: Solutions | None
    """The best solution so far."""
    score: float


SNAPSHOT_ROWS = 16
"""The most climbs that a snapshot shows."""


class Icm(Solver[Restarts]):
    """From random solutions, give each stage its best candidate until no stage improves; then start again."""

    reference = "Besag 1986, On the statistical analysis of dirty pictures, J. R. Statist. Soc. B 48(3)"

    def prepare(self, problem: Problem) -> None:
        """Compile the kernels."""
        from swarmkit.kernels import icm, scoring, swap_gains

        warm_up(problem, icm, scoring, swap_gains)

    def start(self, problem: Problem, rng: Generator) -> Restarts:
        """Return an empty state: every climb starts from a new random solution."""
        return Restarts(None, None, -np.inf)

    def snapshot(self, state: Restarts) -> dict[str, Any]:
        """Return the solutions that climb."""
        return {} if state.climb is None else {"solutions": state.climb.X[:SNAPSHOT_ROWS]}

    def inject(self, problem: Problem, state: Restarts, X: Solutions, scores: Floats, rng: Generator) -> int:
        """Climb from the given solutions next; the climbs in progress are given up."""
        best = int(np.argmax(scores))
        if scores[best] > state.score:
            state.best, state.score = np.array(X[best], np.int64), float(scores[best])
            state.climb = start_climb(problem, X, "icm", rng)
        return 0

    def steps(self, problem: Problem, state: Restarts, rng: Generator, count: int) -> StepResult:
        """Make pieces of climbs, which are iterations; where all have ended, begin others from new random solutions."""
        looks = iterations = 0
        while count > 0:
            if state.climb is None:
                starts = random_solutions(problem, climb_together(problem), rng)
                if len(starts) == 0:  # no feasible solution was drawn
                    looks, count = looks + climb_together(problem) * len(problem.sizes), count - 1
                    continue
                state.climb = start_climb(problem, starts, "icm", rng)
            climb, pieces, before = state.climb, state.climb.pieces, state.climb.ended
            looks += climb.steps(problem, rng, count)
            count, iterations = count - (climb.pieces - pieces), iterations + climb.ended - before
            self._keep_best(problem, state, climb)
        return StepResult(state.best, None if state.best is None else state.score, looks, iterations)

    def _keep_best(self, problem: Problem, state: Restarts, climb: Climb) -> None:
        """Keep the best solution of climbs; forget them when all have ended."""
        best = climb.best(problem)
        if best is not None and best[1] > state.score:
            state.best, state.score = best[0].copy(), best[1]
        if climb.finished:
            state.climb = None
