"""Local search where nothing but a score is known: which stages interact is found out, and then made use of.

Przewozniczek, M. and Komarnicki, M. 2020. Empirical linkage learning. IEEE Transactions on Evolutionary Computation
24(6): two stages interact if the gain of changing one depends on whether the other is changed.

The phases: one sweep, in which every stage takes its best candidate; tests of neighbouring stages, then of each stage
against all that follow it in a random order, which are halved until single stages remain; a climb of queued stages,
those that do not interact side by side; tables between the best candidates of interacting stages, by which a whole new
solution is computed, and scored once; kicks of linked stages. Every candidate is a row of a call of `score`.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from numpy.random import Generator

from swarmkit import Floats, Ints, Left, Problem, Solutions, evaluate
from swarmkit.search import StepBudget
from swarmkit_local.group_climb import climb, examine
from swarmkit_local.independent import linked_to
from swarmkit_local.interactions import compare_neighbours, split
from swarmkit_local.learnt_tables import fill_tables
from swarmkit_local.phases import CLIMB, DONE, KICK, NEAR, NOTHING, ROWS, SINGLE, SPLIT, SWEEP, TABLES


@dataclass
class Linkage:
    """The search: plain data."""

    x: Solutions
    score: float
    """The score of x; -inf before it is known."""
    gains: Floats
    """What each slot would add beside x when its stage was last examined."""
    order: Ints
    """The order of the stages: of the sweep, and of the halves of tests."""
    other: Ints
    """Another candidate for each stage, which tests change it to."""
    alone: Floats
    """The gain of each stage taking that candidate."""
    phase: int = SWEEP
    at: int = 0
    """How much of the phase is done."""
    links: Ints = field(default_factory=lambda: np.empty((0, 2), np.int64))
    """Pairs of stages that interact."""
    tests: Ints = field(default_factory=lambda: np.empty((0, 3), np.int64))
    """Tests to make: a stage, and the part of the order, from one place to another, that it is tested against."""
    wholes: int = 0
    """The first tests, whose parts are not halves of others."""
    neighbours: Ints = field(default_factory=lambda: np.empty((0, 2), np.int64))
    """The links in both directions, sorted."""
    queue: Ints = field(default_factory=lambda: NOTHING.copy())
    """Stages to examine."""
    passed: float = -np.inf
    """The score before the last pass of all stages; a climb that has improved it is followed by another pass."""
    group: Ints = field(default_factory=lambda: NOTHING.copy())
    """The stages of the queue that are examined side by side, as they do not interact; empty between two groups."""
    group_scores: Floats = field(default_factory=lambda: np.empty(0))
    """The scores of their candidates, stage after stage, as far as they are known."""
    good: Ints = field(default_factory=lambda: np.empty((0, 0), np.int64))
    """The candidates of each stage that tables are made for, a row for each stage."""
    pairs: Floats = field(default_factory=lambda: np.empty(0))
    """The scores of pairs of candidates, link after link, as far as they are known."""
    before: Solutions = field(default_factory=lambda: NOTHING.copy())
    """The solution before the kick; empty elsewhere."""
    before_score: float = -np.inf
    best: Solutions = field(default_factory=lambda: NOTHING.copy())
    """The best solution so far; of equally good ones the first, so that it does not depend on where steps pause."""
    best_score: float = -np.inf

    @classmethod
    def start(cls, problem: Problem, rng: Generator) -> Linkage:
        """Return a search from a random solution, of which nothing is scored."""
        sizes = np.asarray(problem.sizes, np.int64)
        n = len(sizes)
        return cls(
            x=rng.integers(sizes),
            score=-np.inf,
            gains=np.zeros(int(sizes.sum())),
            order=rng.permutation(n),
            other=rng.integers(np.maximum(1, sizes - 1)),
            alone=np.zeros(n),
        )

    def step(self, problem: Problem, strength: int, rng: Generator, left: Left) -> int:
        """Search until what is left is used up or nothing remains to be done; return the looks.

        Args:
            problem: a problem without tables and constraints, whose stages need not differ.
            strength: the most stages that a kick changes.
            rng: the generator of the run.
            left: where to pause.
        """
        budget, n = StepBudget(left), len(self.x)
        while budget.open and self.phase != DONE:
            rows = self._advance(problem, budget.rows(n, evaluated=True), strength, rng)
            budget.spend(rows * n, rows)
            if self.score > self.best_score:
                self.best, self.best_score = self.x.copy(), self.score
        return budget.looks

    def take_up(self, X: Solutions, scores: Floats) -> None:
        """Go on from the best of some given solutions if it is better than what is known."""
        best = int(np.argmax(scores))
        if scores[best] > max(self.score, self.before_score) and self.phase in (SWEEP, CLIMB, KICK):
            self.x, self.score = np.array(X[best], np.int64), float(scores[best])
            self.before, self.before_score = NOTHING.copy(), -np.inf
            self.group, self.group_scores = NOTHING.copy(), np.empty(0)
            if self.phase == KICK:
                self.phase, self.queue = CLIMB, np.arange(len(self.x))

    @property
    def found(self) -> tuple[Solutions, float]:
        """The better of the solution under way and the one before the kick, and its score."""
        return (self.before, self.before_score) if self.before_score > self.score else (self.x, self.score)

    def _advance(self, problem: Problem, most: int, strength: int, rng: Generator) -> int:
        """Make some of the phase's work, and return the rows that were scored."""
        n = len(self.x)
        if self.score == -np.inf:
            self.score = float(evaluate(problem, self.x[None])[0])
            return 1
        if self.phase == SWEEP:
            rows = examine(self, problem, int(self.order[self.at]))
            return rows + self._proceed(n, SINGLE)
        if self.phase in (SINGLE, NEAR):
            return compare_neighbours(self, problem, min(most, ROWS))
        if self.phase == SPLIT:
            return split(self, problem, max(1, min(most, ROWS) // 2))
        if self.phase == CLIMB:
            return climb(self, problem, min(most, ROWS))
        if self.phase == TABLES:
            return fill_tables(self, problem, min(most, ROWS), rng)
        return self._kick(problem, strength, rng)

    def _proceed(self, end: int, phase: int) -> int:
        """Count a piece of work, and begin another phase when all are done."""
        self.at += 1
        if self.at >= end:
            self.phase, self.at = phase, 0
            self.other += self.other >= self.x if phase == SINGLE else 0
        return 0

    def _kick(self, problem: Problem, strength: int, rng: Generator) -> int:
        """Let a few linked stages take random candidates, and queue them and what interacts with them."""
        sizes = np.asarray(problem.sizes)
        free = np.flatnonzero(sizes > 1)
        self.before, self.before_score = self.x.copy(), self.score
        i, touched = int(free[rng.integers(len(free))]), set[int]()
        for _ in range(int(rng.integers(1, strength, endpoint=True))):
            self.x[i] = (self.x[i] + 1 + rng.integers(max(1, sizes[i] - 1))) % sizes[i]
            near = linked_to(self.neighbours, i)
            touched |= {i, *near.tolist()}
            following = near if len(near) else free
            i = int(following[rng.integers(len(following))])
        self.queue, self.phase, self.score = np.array(sorted(touched)), CLIMB, -np.inf
        return 0

    @property
    def tolerance(self) -> float:
        """The difference of two scores up to which they are equal but for rounding."""
        return 1e-9 * max(1.0, abs(self.score) if np.isfinite(self.score) else 1.0)
