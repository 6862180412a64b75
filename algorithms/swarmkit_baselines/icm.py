"""Iterated conditional modes (Besag 1986): `icm`.

Besag, J. 1986. On the statistical analysis of dirty pictures. Journal of the Royal Statistical Society B 48(3).
"""

from __future__ import annotations

import numpy as np
from numpy.random import Generator

from swarmkit import GRAIN, Found, Problem, Solver, local_search, random_solutions
from swarmkit.search import warm_up


class Icm(Solver[None]):
    """Climb from random starts: the best candidate at each stage, until nothing improves; then start again."""

    reference = "Besag 1986, On the statistical analysis of dirty pictures, J. R. Statist. Soc. B 48(3)"

    def prepare(self, problem: Problem) -> None:
        """Compile the kernels."""
        from swarmkit.kernels import icm, scoring

        warm_up(problem, icm, scoring)

    def start(self, problem: Problem, rng: Generator) -> None:
        """Every climb starts afresh: there is nothing to remember."""

    def step(self, problem: Problem, state: None, rng: Generator) -> Found:
        """Climb from as many random starts at once as one grain is worth; one climb is one iteration."""
        sweep = int(np.sum(problem.sizes)) * (2 if problem.distinct else 1)
        climbs = max(1, GRAIN // (SWEEPS * sweep))
        starts = random_solutions(problem, climbs, rng)
        if len(starts) == 0:
            return Found(None, None, looks=climbs * len(problem.sizes), iterations=climbs)
        improved = local_search(problem, starts, "icm", rng)
        i = int(improved.scores.argmax())
        return Found(improved.solutions[i], float(improved.scores[i]), improved.looks, iterations=len(starts))


SWEEPS = 5
"""About how many sweeps a climb takes: only the size of a batch depends on it."""
