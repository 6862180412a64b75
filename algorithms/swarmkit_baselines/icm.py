"""Iterated conditional modes (Besag 1986): `icm`.

Besag, J. 1986. On the statistical analysis of dirty pictures. Journal of the Royal Statistical Society B 48(3).
"""

from __future__ import annotations

import numpy as np
from numpy.random import Generator

from swarmkit import GRAIN, Found, Problem, Solver, local_search, random_solutions
from swarmkit.search import warm_up


class Icm(Solver[None]):
    """From random solutions, give each stage its best candidate until no stage improves; then start again."""

    reference = "Besag 1986, On the statistical analysis of dirty pictures, J. R. Statist. Soc. B 48(3)"

    def prepare(self, problem: Problem) -> None:
        """Compile the kernels."""
        from swarmkit.kernels import icm, scoring

        warm_up(problem, icm, scoring)

    def start(self, problem: Problem, rng: Generator) -> None:
        """Keep no state: every local search starts from a new random solution."""

    def step(self, problem: Problem, state: None, rng: Generator) -> Found:
        """Improve as many random solutions at once as take about one grain of looks; each is one iteration."""
        sweep = int(np.sum(problem.sizes)) * (2 if problem.structure.distinct else 1)
        batch = max(1, GRAIN // (SWEEPS * sweep))
        starts = random_solutions(problem, batch, rng)
        if len(starts) == 0:
            return Found(None, None, looks=batch * len(problem.sizes), iterations=batch)
        improved = local_search(problem, starts, "icm", rng)
        i = int(improved.scores.argmax())
        return Found(improved.solutions[i], float(improved.scores[i]), improved.looks, iterations=len(starts))


SWEEPS = 5
"""Sweeps until no stage improves, roughly; only the size of a batch depends on it."""
