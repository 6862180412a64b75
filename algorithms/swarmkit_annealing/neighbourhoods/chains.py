"""Chains of solutions side by side; for problems without tables, or with constraints.

Each move is a call of the problem, so all chains move at once and one call serves them all. Scores are computed in
portions, as much as a step may make; nothing is decided before a batch is complete.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.random import Generator

from swarmkit import GRAIN, Floats, Ints, Left, Problem, Solutions
from swarmkit.search import StepBudget, random_moves
from swarmkit_annealing.neighbourhoods.pending import PendingMoves, PendingScores
from swarmkit_annealing.neighbourhoods.protocol import Temperatures
from swarmkit_annealing.schedule import Annealed, acceptance

FROZEN = 10
"""Chains are frozen after this many sweeps in a row without a change of score: on a plateau, where moves of equal score
are accepted, one sweep may miss the move that leaves it; the chance that ten do is exp(-10)."""


LONGEST_SWEEP = 1_000
"""Proposals of a sweep where there are more moves than this, unless there are more stages: evaluations are dear."""


@dataclass
class Chains:
    """Current solutions with their scores, the best solution any of them has met, and the moves under way."""

    X: Solutions
    scores: Floats
    best: Solutions
    best_score: float
    proposed: PendingMoves | None = None
    still: int = 0
    """Sweeps in a row that have not changed a score."""

    @classmethod
    def at(cls, scored: PendingScores, copies: int = 1) -> Chains:
        """Return chains that start from scored solutions, as many from each as there are `copies`."""
        i = int(scored.scores.argmax())
        best, score = scored.solutions[i].copy(), float(scored.scores[i])
        return cls(np.repeat(scored.solutions, copies, axis=0), np.repeat(scored.scores, copies), best, score)


@dataclass
class SideBySide:
    """The neighbourhood of all chains: another candidate at one stage, the same stage for all."""

    problem: Problem
    chains: Chains
    negligible: float
    rng: Generator

    @property
    def found(self) -> tuple[Solutions, float]:
        """The best solution met, and its score."""
        return self.chains.best, self.chains.best_score

    @cached_property
    def sweep(self) -> int:
        """The proposals for each chain in a sweep: as many as there are moves; on large problems as many as stages."""
        sizes = np.asarray(self.problem.sizes)
        return int(min(np.sum(sizes - 1), max(len(sizes), LONGEST_SWEEP)))

    def anneal(self, temperatures: Temperatures, progress: Ints, left: Left, until_frozen: bool = True) -> Annealed:
        """Propose a move for every chain at a time until the step pauses."""
        sweep, budget, frozen = self.sweep, StepBudget(left), 0
        most = min(left.looks, GRAIN) // len(self.chains.X) // sweep + 2  # a proposal costs each chain a look or more
        falls = temperatures(most)
        scores: list[float] = []
        accepted: list[float] = []
        while budget.open and len(scores) < left.iterations and not (until_frozen and frozen):
            changed = self._propose(float(falls[len(scores)]), budget)
            if changed is None:
                continue
            progress += [1, changed]
            if progress[0] == sweep:
                scores.append(float(self.chains.scores.mean()))
                accepted.append(float(progress[1]) / (sweep * len(self.chains.X)))
                self.chains.still = 0 if progress[1] else self.chains.still + 1
                frozen += int(self.chains.still >= FROZEN)
                progress[:] = 0
        return Annealed(budget.looks, len(scores), frozen, np.array(scores), np.array(accepted))

    def _propose(self, temperature: float, budget: StepBudget) -> int | None:
        """Propose one move for each chain; return how many changed the score, None if gains are still missing."""
        chains = self.chains
        if chains.proposed is None:
            chains.proposed = PendingMoves.of(random_moves(self.problem, chains.X, self.rng))
        proposed = chains.proposed
        proposed.score(self.problem, chains.X, chains.scores, budget)
        if not proposed.complete:
            return None
        chains.proposed = None
        gains, Y = proposed.gains, proposed.moves.solutions
        taken = self.rng.random(len(Y)) < acceptance(gains, temperature)
        chains.X[taken] = Y[taken]
        chains.scores[taken] += gains[taken]
        i = int(chains.scores.argmax())
        if chains.scores[i] > chains.best_score:
            chains.best, chains.best_score = chains.X[i].copy(), float(chains.scores[i])
        return int((np.abs(gains[taken]) > self.negligible).sum())
