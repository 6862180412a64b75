"""The best solutions of a colony, and which of them deposits pheromone."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from swarmkit import Solutions
from swarmkit_ants.formulas import restart_best_period

STAGNATION = 250
"""Iterations without a better solution, with the pheromone converged, after which a colony is restarted [SH]."""

FRUITLESS = 50
"""Iterations without a better solution, late in a restart, after which the best of all restarts deposits [SH]."""


@dataclass
class Incumbents:
    """The best solution of all, the best since the restart, and the iterations in which these were found."""

    best: Solutions
    restart_best: Solutions
    score: float = -np.inf
    restart_score: float = -np.inf
    iteration: int = 0
    """Iterations so far."""
    restarted: int = 0
    """The iteration of the last restart."""
    improved: int = 0
    """The iteration in which the restart-best was found."""

    @classmethod
    def of(cls, n: int) -> Incumbents:
        """Return incumbents of n stages before the first iteration."""
        return cls(np.zeros(n, np.int64), np.zeros(n, np.int64))

    @property
    def waited(self) -> int:
        """Iterations since the restart-best was found."""
        return self.iteration - self.improved

    def record(self, found: Solutions, score: float) -> None:
        """Count an iteration and keep its best solution if it is better."""
        self.iteration += 1
        if score > self.restart_score:
            self.restart_best, self.restart_score, self.improved = found.copy(), score, self.iteration
        self.note(found, score)

    def note(self, found: Solutions, score: float) -> None:
        """Keep a solution if it is the best of all: as soon as it is known, before its iteration ends."""
        if score > self.score:
            self.best, self.score = found.copy(), score

    def depositing(self, found: Solutions, score: float, period: int | None) -> tuple[Solutions, float]:
        """Return the solution that deposits pheromone in MAX-MIN ant system, and its score [SH].

        Args:
            found: the iteration-best.
            score: its score.
            period: every `period` iterations the restart-best deposits; None for the schedule with local search.
        """
        every = period or restart_best_period(self.iteration - self.restarted)
        if self.iteration % every:
            return found, score
        if every == 1 and self.waited > FRUITLESS:
            return self.best, self.score
        return self.restart_best, self.restart_score

    def restart(self) -> None:
        """Forget the restart-best."""
        self.restarted = self.improved = self.iteration
        self.restart_score = -np.inf
