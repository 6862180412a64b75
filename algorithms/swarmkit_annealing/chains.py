"""Annealing in any neighbourhood, by its random moves: chains of solutions side by side.

Each move is a call of the problem, so all chains move at once and one call serves them all.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.random import Generator

from swarmkit import Floats, Problem, Solutions, evaluate
from swarmkit.search import Neighbourhood, neighbourhood_of
from swarmkit_annealing.schedule import Schedule, Sweeps, acceptance

FROZEN = 10
"""Chains are frozen after this many sweeps in a row without a change of score: on a plateau, where moves of equal score
are accepted, one sweep may miss the move that leaves it; the chance that ten do is exp(-10)."""

LONGEST_SWEEP = 1_000
"""Proposals of a sweep where there are more moves than this, unless there are more stages: evaluations are dear."""

PROPOSALS = 16
"""Proposals for every chain in a step: about as many evaluations as a population takes."""

MOVES = 20
"""Random moves of each solution: enough to estimate a standard deviation to within a few per cent."""


@dataclass
class ChainStart:
    """Chains before their first step: nothing is scored yet."""

    X: Solutions
    """The solutions to start from; none where no feasible one was found."""
    chains: int
    """The number of chains; equally many start from each solution, so there may be more."""
    sample: Solutions | None = None
    """Random solutions whose moves tell how hot is hot; None: the solutions to start from."""
    warmth: float = 1.0
    """The share of the start temperature at which to begin: less than 1 around given solutions."""

    def score(self, problem: Problem, rng: Generator) -> tuple[Chains, float, int]:
        """Return the chains, the standard deviation of the gains of random moves, and the looks."""
        near, scores = neighbourhood_of(problem), evaluate(problem, self.X)
        looks, sample, known = self.X.size, self.X, scores
        if self.sample is not None:
            sample, known = self.sample, np.zeros(len(self.sample))
            if getattr(near, "scored", True) and len(sample):
                known, looks = evaluate(problem, sample), looks + sample.size
        gains = [np.empty(0)]
        for _ in range(MOVES if len(sample) else 0):
            moves = near.random_moves(sample, rng)
            gains.append(near.gains(sample, known, moves))
            looks += int(moves.looks.sum())
        i, copies = int(scores.argmax()), -(-self.chains // len(self.X))
        rows = np.repeat(self.X, copies, axis=0), np.repeat(scores, copies)
        return Chains(*rows, self.X[i].copy(), float(scores[i])), deviation(np.concatenate(gains)), looks


@dataclass
class Chains:
    """Current solutions with their scores, and the best solution that any of them has met."""

    X: Solutions
    scores: Floats
    best: Solutions
    best_score: float
    proposals: int = 0
    """Proposals for each chain in the sweep under way."""
    changes: int = 0
    """How many of them changed the score, of all chains."""
    still: int = 0
    """Sweeps in a row that have not changed a score."""

    def incumbent(self, problem: Problem) -> tuple[Solutions, float]:
        """Return the best solution met, and its score."""
        return self.best, self.best_score

    def sweep(self, problem: Problem) -> int:
        """Return the proposals for each chain in a sweep: one for each move; on large problems one for each stage."""
        sizes = np.asarray(problem.sizes)
        return int(min(np.sum(sizes - 1), max(len(sizes), LONGEST_SWEEP)))

    def anneal(self, problem: Problem, schedule: Schedule, rng: Generator) -> Sweeps:
        """Make a piece of a sweep at the first temperature of a schedule: some proposals for every chain."""
        near, looks = neighbourhood_of(problem), 0
        for _ in range(min(PROPOSALS, schedule.sweep - self.proposals)):
            looks += self._propose(near, schedule, rng)
        if self.proposals < schedule.sweep:
            return Sweeps(looks, np.empty(0), np.empty(0))
        accepted = self.changes / (schedule.sweep * len(self.X))
        self.still = 0 if self.changes else self.still + 1
        self.proposals = self.changes = 0
        frozen = schedule.until_frozen and self.still >= FROZEN
        return Sweeps(looks, np.array([self.scores.mean()]), np.array([accepted]), frozen)

    def _propose(self, near: Neighbourhood, schedule: Schedule, rng: Generator) -> int:
        """Propose a move for each chain, accept or reject it, and return the looks."""
        moves = near.random_moves(self.X, rng)
        gains = near.gains(self.X, self.scores, moves)
        accepted = rng.random(len(gains)) < acceptance(gains, schedule.temperatures[0])
        near.apply(self.X, moves, accepted)
        gains = gains[accepted]
        self.scores[accepted] += gains
        i = int(self.scores.argmax())
        if self.scores[i] > self.best_score:
            self.best, self.best_score = self.X[i].copy(), float(self.scores[i])
        self.proposals += 1
        self.changes += int(np.count_nonzero(np.abs(gains) > schedule.negligible))
        return int(moves.looks.sum())


def deviation(gains: Floats) -> float:
    """Return the standard deviation of the gains of feasible moves that change the score; 1 if none does.

    Moves that change nothing say nothing about how hot is hot, and on plateaus they are most of all moves.

    >>> deviation(np.array([3.0, 0.0, -3.0, 0.0, -np.inf]))
    3.0
    """
    changing = gains[np.isfinite(gains) & (gains != 0)]
    return (float(np.sqrt(np.mean(changing**2))) if len(changing) else 0.0) or 1.0
