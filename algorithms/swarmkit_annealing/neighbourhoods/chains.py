"""Chains of solutions side by side; for problems without tables, or with constraints.

Each move is a call of the problem, so all chains move at once and one call serves them all.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.random import Generator

from swarmkit import GRAIN, Floats, Ints, Problem, Solutions, evaluate, propose
from swarmkit_annealing.neighbourhoods.protocol import Temperatures
from swarmkit_annealing.schedule import Annealed, acceptance


@dataclass
class Chains:
    """Current solutions with their scores, and the best solution any of them has met."""

    X: Solutions
    scores: Floats
    best: Solutions
    best_score: float

    @classmethod
    def at(cls, problem: Problem, X: Solutions) -> Chains:
        """Return chains that start from the rows of X."""
        scores = evaluate(problem, X)
        i = int(scores.argmax())
        return cls(X, scores, X[i].copy(), float(scores[i]))


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

    @property
    def sweep(self) -> int:
        """The proposals for each chain in a sweep: as many as there are moves."""
        return int(np.sum(np.asarray(self.problem.sizes) - 1))

    def anneal(self, temperatures: Temperatures, progress: Ints, until_frozen: bool = True) -> Annealed:
        """Propose a move for every chain at a time, for about one grain of looks."""
        sweep, looks, frozen = self.sweep, 0, 0
        falls = temperatures(GRAIN // len(self.chains.X) // sweep + 2)  # a proposal costs each chain at least one look
        scores: list[float] = []
        accepted: list[float] = []
        while looks < GRAIN and not (until_frozen and frozen):
            changed, cost = self._propose(float(falls[len(scores)]))
            looks += cost
            progress += [1, changed]
            if progress[0] == sweep:
                scores.append(float(self.chains.scores.mean()))
                accepted.append(float(progress[1]) / (sweep * len(self.chains.X)))
                frozen += int(progress[1] == 0)
                progress[:] = 0
        return Annealed(looks, len(scores), frozen, np.array(scores), np.array(accepted))

    def _propose(self, temperature: float) -> tuple[int, int]:
        """Propose one move for each chain; return how many changed the score, and the looks."""
        chains = self.chains
        Y, gains, looks = propose(self.problem, chains.X, chains.scores, self.rng)
        taken = self.rng.random(len(Y)) < acceptance(gains, temperature)
        chains.X[taken] = Y[taken]
        chains.scores[taken] += gains[taken]
        i = int(chains.scores.argmax())
        if chains.scores[i] > chains.best_score:
            chains.best, chains.best_score = chains.X[i].copy(), float(chains.scores[i])
        return int((np.abs(gains[taken]) > self.negligible).sum()), looks
