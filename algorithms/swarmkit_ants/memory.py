"""What a colony remembers beside its trail, and who teaches the trail."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from swarmkit_ants.formulas import period

STALE = 250
"""Iterations without a better solution, with the trail converged, until a colony starts anew [SH]."""

RHO = 0.05
"""Share of the trail that evaporates with each update, where it is not said; ours."""

HOPELESS = 50
"""Iterations without a better one, late in a restart, after which the best of all restarts teaches [SH]."""


@dataclass
class Memory:
    """The best solution of all, the best since the restart, and when these were found, in iterations."""

    best: NDArray[np.int64]
    restart_best: NDArray[np.int64]
    score: float = -np.inf
    restart_score: float = -np.inf
    iteration: int = 0
    restarted: int = 0
    improved: int = 0

    @classmethod
    def of(cls, n: int) -> Memory:
        """Make an empty one for solutions of n stages."""
        return cls(np.zeros(n, np.int64), np.zeros(n, np.int64))

    def note(self, found: NDArray[np.int64], score: float) -> None:
        """Remember an iteration's best."""
        self.iteration += 1
        if score > self.restart_score:
            self.restart_best, self.restart_score, self.improved = found.copy(), score, self.iteration
        if score > self.score:
            self.best, self.score = found.copy(), score

    def teacher(self, found: NDArray[np.int64], score: float, often: int | None) -> tuple[NDArray[np.int64], float]:
        """Say which solution MAX-MIN ant system lays trail on: the iteration's, the restart's or the very best [SH].

        `often` is the period of the restart's best; None follows the schedule for ants with local search.
        """
        every = often or period(self.iteration - self.restarted)
        if self.iteration % every:
            return found, score
        if every == 1 and self.iteration - self.improved > HOPELESS:
            return self.best, self.score
        return self.restart_best, self.restart_score

    def restart(self) -> None:
        """Forget what was found since the last restart."""
        self.restarted = self.improved = self.iteration
        self.restart_score = -np.inf
