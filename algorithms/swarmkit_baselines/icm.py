"""Iterated conditional modes (Besag 1986): `icm`.

Besag, J. 1986. On the statistical analysis of dirty pictures. Journal of the Royal Statistical Society B 48(3).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.random import Generator

from swarmkit import WHOLE_STEP, Floats, Found, Left, Problem, Solutions, Solver, random_solutions
from swarmkit.search import Climb, climb_together, start_climb, warm_up


@dataclass
class Restarts:
    """Where the search is."""

    climb: Climb | None
    """The climbs in progress; None if new ones are to begin."""
    best: Solutions | None
    """The best solution of earlier climbs."""
    score: float


SHOWN = 16
"""The most climbs that a snapshot shows."""


class Icm(Solver[Restarts]):
    """From random solutions, give each stage its best candidate until no stage improves; then start again."""

    reference = "Besag 1986, On the statistical analysis of dirty pictures, J. R. Statist. Soc. B 48(3)"
    unit = "one stage of a sweep; without tables, one stage's candidates of one solution"

    def prepare(self, problem: Problem) -> None:
        """Compile the kernels."""
        from swarmkit.kernels import icm, scoring, swap_gains

        warm_up(problem, icm, scoring, swap_gains)

    def start(self, problem: Problem, rng: Generator) -> Restarts:
        """Return an empty state: every climb starts from a new random solution."""
        return Restarts(None, None, -np.inf)

    def snapshot(self, state: Restarts) -> dict[str, Any]:
        """Return the solutions that climb."""
        return {} if state.climb is None else {"solutions": state.climb.X[:SHOWN]}

    def inject(self, problem: Problem, state: Restarts, X: Solutions, scores: Floats, rng: Generator) -> int:
        """Climb from the given solutions next; the climbs in progress are given up."""
        best = int(np.argmax(scores))
        if scores[best] > state.score:
            state.best, state.score = np.array(X[best], np.int64), float(scores[best])
            state.climb = start_climb(problem, X, "icm", rng)
        return 0

    def step(self, problem: Problem, state: Restarts, rng: Generator, left: Left = WHOLE_STEP) -> Found:
        """Climb from some random solutions at once; each is one iteration, reported when it is a local optimum."""
        looks = ended = 0
        before = problem.evaluations
        while looks == 0 or (
            looks < left.looks and ended < left.iterations and problem.evaluations - before < left.evaluations
        ):
            if state.climb is None:
                starts = random_solutions(problem, climb_together(problem), rng)
                if len(starts) == 0:
                    return Found(None, None, looks + climb_together(problem) * len(problem.sizes), ended)
                state.climb = start_climb(problem, starts, "icm", rng)
            already = state.climb.ended
            looks += state.climb.go_on(problem, rng, left.after(looks, problem.evaluations - before, ended))
            ended += state.climb.ended - already
            if state.climb.finished:
                _keep_best(problem, state, state.climb)
        found = None if state.climb is None else state.climb.found(problem)
        if found is not None and found[1] > state.score:
            return Found(*found, looks, ended)
        return Found(state.best, None if state.best is None else state.score, looks, ended)


def _keep_best(problem: Problem, state: Restarts, climb: Climb) -> None:
    found = climb.found(problem)
    if found is not None and found[1] > state.score:
        state.best, state.score = found
    state.climb = None
