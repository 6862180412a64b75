"""Annealing in any neighbourhood, by its random moves: chains of solutions side by side.

Each move is a call of the problem, so all chains move at once and one call serves them all.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from numpy.random import Generator

from swarmkit import Floats, Problem, Solutions, evaluate
from swarmkit.search import Neighbourhood, neighbourhood_of
from swarmkit_annealing.schedule import Schedule, Sweeps, acceptance

REST = 10
"""Chains have come to rest after this many sweeps in a row without a change of score: on a plateau, where moves of
equal score are accepted, one sweep may miss the move that leaves it; the chance that ten do is exp(-10)."""

LONGEST_SWEEP = 1_000
"""Proposals of a sweep where there are more moves than this, unless there are more stages: evaluations are dear."""

PROPOSALS = 16
"""Proposals for every chain in a step: about as many evaluations as a population takes."""

MOVES = 20
"""Random moves of each solution: enough to estimate a standard deviation to within a few per cent."""


@dataclass
class Chains:
    """Current solutions with their scores, and the best that any of them has met; at first nothing is scored."""

    X: Solutions
    """Before the start is scored, the solutions to start from: none where no feasible one was found."""
    count: int
    """The number of chains; equally many start from each solution, so there may be more."""
    sample: Solutions | None = None
    """Random solutions by whose moves the start temperature is calibrated; None: the solutions to start from."""
    warmth: float = 1.0
    """The share of the start temperature at which to begin: less than 1 around given solutions."""
    scores: Floats = field(default_factory=lambda: np.empty(0))
    best: Solutions = field(default_factory=lambda: np.empty(0, np.int64))
    best_score: float = -np.inf
    proposals: int = 0
    """Proposals for each chain in the sweep under way."""
    changes: int = 0
    """How many of them changed the score, of all chains."""
    quiet_sweeps: int = 0
    """Sweeps in a row that have not changed a score."""

    def score_start(self, problem: Problem, rng: Generator) -> tuple[float, int]:
        """Score the start, let chains begin there; return the deviation of the gains of random moves, and the looks."""
        near, scores = neighbourhood_of(problem), evaluate(problem, self.X)
        looks, sample, sample_scores = self.X.size, self.X, scores
        if self.sample is not None:
            sample, sample_scores = self.sample, np.zeros(len(self.sample))
            # Where gains are read, from tables or from the problem, the scores of the sample are not needed.
            if getattr(near, "scored", True) and len(sample):
                sample_scores, looks = evaluate(problem, sample), looks + sample.size
        gains = [np.empty(0)]
        for _ in range(MOVES if len(sample) else 0):
            moves = near.random_moves(sample, rng)
            gains.append(near.gains(sample, sample_scores, moves))
            looks += int(moves.looks.sum())
        # As many chains from each solution, even if that makes a few more than were asked for.
        copies = -(-self.count // len(self.X))
        self._record(self.X, scores)
        self.X, self.scores, self.sample = np.repeat(self.X, copies, axis=0), np.repeat(scores, copies), None
        return deviation(np.concatenate(gains)), looks

    def _record(self, X: Solutions, scores: Floats) -> None:
        """Keep the best of some solutions if it is the best of all."""
        i = int(scores.argmax())
        if scores[i] > self.best_score:
            self.best, self.best_score = X[i].copy(), float(scores[i])

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
        self.quiet_sweeps = 0 if self.changes else self.quiet_sweeps + 1
        self.proposals = self.changes = 0
        done = schedule.stop_early and self.quiet_sweeps >= REST
        return Sweeps(looks, np.array([self.scores.mean()]), np.array([accepted]), done)

    def _propose(self, near: Neighbourhood, schedule: Schedule, rng: Generator) -> int:
        """Propose a move for each chain, accept or reject it, and return the looks."""
        moves = near.random_moves(self.X, rng)
        gains = near.gains(self.X, self.scores, moves)
        # One number a chain, drawn for improvements as well: the draws do not depend on the gains.
        accepted = rng.random(len(gains)) < acceptance(gains, schedule.temperatures[0])
        near.apply(self.X, moves, accepted)
        self.scores[accepted] += gains[accepted]
        self._record(self.X, self.scores)
        self.proposals += 1
        self.changes += int(np.count_nonzero(np.abs(gains[accepted]) > schedule.negligible))
        return int(moves.looks.sum())


def deviation(gains: Floats) -> float:
    """Return the standard deviation of the gains of feasible moves that change the score; 1 if none does.

    Moves that change nothing say nothing about typical losses, and on plateaus they are most of all moves.

    >>> deviation(np.array([3.0, 0.0, -3.0, 0.0, -np.inf]))
    3.0
    """
    changing = gains[np.isfinite(gains) & (gains != 0)]
    return (float(np.sqrt(np.mean(changing**2))) if len(changing) else 0.0) or 1.0
