"""Local search where nothing but a score is known: which stages interact is found out, and then made use of.

First a sweep, in which every stage takes its best candidate; then tests of which stages interact (`interactions.py`); a
climb of queued stages, those that do not interact side by side; tables between the best candidates of interacting
stages, by which a whole new solution is computed, and scored once; last, rounds of iterated local search that kick
linked stages. Every candidate is a row of a call of `score`.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.random import Generator

from swarmkit import Floats, Ints, Problem, Solutions, evaluate
from swarmkit_local.interactions import ROWS, Interactions, LearntTables, neighbours_of, rounding, scores_of

SWEEP, TESTS, CLIMB, TABLES, KICK, DONE = range(6)
"""The phases. The search is done when no stages interact, or so many that all are taken to."""


@dataclass
class Linkage:
    """The search: plain data."""

    x: Solutions
    score: float
    """The score of x; -inf before it is known."""
    values: Floats
    """A row for each stage: the score with each of its candidates when it was last examined; -inf behind the last."""
    interactions: Interactions
    neighbours: list[list[int]]
    """The stages that interact with each stage."""
    phase: int = SWEEP
    queue: list[int] = field(default_factory=list)
    """Stages to examine; all of them have a choice."""
    passed: float = -np.inf
    """The score before the last pass of all stages; a climb that has improved it is followed by another pass."""
    tables: LearntTables | None = None
    before: Solutions | None = None
    """The solution before the kick; None outside of a round."""
    before_score: float = -np.inf

    @classmethod
    def start(cls, problem: Problem, rng: Generator) -> Linkage:
        """Return a search from a random solution, of which nothing is scored."""
        sizes = np.asarray(problem.sizes, np.int64)
        # -inf behind a stage's last candidate, so that it is never the best.
        values = np.where(np.arange(sizes.max()) < sizes[:, None], 0.0, -np.inf)
        x = rng.integers(sizes)
        tests = Interactions(rng.permutation(len(sizes)), rng.integers(np.maximum(1, sizes - 1)))
        return cls(x, -np.inf, values, tests, [[] for _ in sizes])

    def step(self, problem: Problem, strength: int, rng: Generator) -> tuple[int, int]:
        """Score about as many rows as a sweep takes, at most to the end of a round; return the looks and the rounds.

        Args:
            problem: a problem without tables and constraints, whose stages need not differ.
            strength: the most stages that a kick changes.
            rng: the generator of the run.
        """
        rows, n = 0, len(self.x)
        while self.phase != DONE and rows < sum(problem.sizes) - n:
            in_round = self.before is not None
            rows += self._advance(problem, strength, rng)
            if in_round and self.before is None:
                return rows * n, 1
        return rows * n, 0

    @property
    def best(self) -> tuple[Solutions, float]:
        """The better of the solution under way and the one before the kick, and its score."""
        if self.before is not None and self.before_score > self.score:
            return self.before, self.before_score
        return self.x, self.score

    def inject(self, problem: Problem, x: Solutions, score: float) -> None:
        """Go on from a solution if it is better than what is known, and no tests or tables depend on the current one.

        Args:
            problem: the problem.
            x: the solution.
            score: its score.
        """
        if score > self.best[1] and self.phase in (SWEEP, CLIMB, KICK):
            self.x, self.score, self.before = np.array(x, np.int64), score, None
            if self.phase == KICK:
                self.phase, self.queue = CLIMB, free_stages(problem)

    def _advance(self, problem: Problem, strength: int, rng: Generator) -> int:
        """Make a piece of the phase's work, and return the rows that were scored."""
        phases = {
            SWEEP: lambda: self._sweep(problem),
            TESTS: lambda: self._test(problem),
            CLIMB: lambda: self._climb(problem),
            TABLES: lambda: self._fill_tables(problem, rng),
            KICK: lambda: self._kick(problem, strength, rng),
        }
        return phases[self.phase]()

    def _sweep(self, problem: Problem) -> int:
        """Let one stage after another take its best candidate."""
        rows, order = 0, self.interactions.order
        if self.score == -np.inf:
            rows, self.score = 1, float(evaluate(problem, self.x[None])[0])
        for i in order[np.asarray(problem.sizes)[order] > 1]:
            rows += self._examine(problem, np.array([i]))
        self.phase = TESTS
        return rows

    def _test(self, problem: Problem) -> int:
        """Test which stages interact; when that is known, queue all stages."""
        tests = self.interactions
        test = tests.test_parts if len(tests.alone) else tests.test_neighbours
        rows = test(problem, self.x, self.score)
        if len(tests.parts) == 0:
            self.neighbours = neighbours_of(tests.links, len(self.x))
            self.phase, self.queue, self.passed = CLIMB, free_stages(problem), self.score
        elif tests.hopeless:
            self.phase = DONE
        return rows

    def _climb(self, problem: Problem) -> int:
        """Let queued stages that do not interact take their best candidates; with the queue the phase ends."""
        rows = self._examine(problem, independent(self.queue, self.neighbours, problem.sizes))
        if self.queue:
            return rows
        if self.before is not None:
            (self.x, self.score), self.before, self.phase = self.best, None, KICK
        elif self.score > self.passed:  # tests may have missed what interacts: examine all stages again
            self.passed, self.queue = self.score, free_stages(problem)
        else:
            self.phase = TABLES if any(self.neighbours) else DONE
        return rows

    def _examine(self, problem: Problem, group: Ints) -> int:
        """Let the stages of a group take their best candidates, and queue what interacts with those that moved.

        If several moves together are worse than the best of them, an interaction was missed: only that one is made, and
        the others are queued again.
        """
        stages, candidates = other_candidates(group, self.x, np.asarray(problem.sizes))
        self.values[group, self.x[group]] = self.score
        self.values[stages, candidates] = scores_of(problem, self.x, stages[:, None], candidates[:, None])
        best = self.values[group].argmax(axis=1)
        better = self.values[group, best] > self.score + rounding(self.score)
        movers, best, rows, again = group[better], best[better], len(stages), group[:0]
        score = self.values[movers, best].max(initial=self.score)
        if len(movers) > 1:
            together, rows = scores_of(problem, self.x, movers[None], best[None])[0], rows + 1
            if together < score:  # the test of an interaction has missed one
                top = [self.values[movers, best].argmax()]
                again, movers, best = np.setdiff1d(movers, movers[top]), movers[top], best[top]
            score = max(score, together)
        self.x[movers], self.score = best, float(score)
        # Each stage once, in the order in which it was queued.
        waiting = np.setdiff1d(self.queue, group, assume_unique=True)
        following = [j for i in movers for j in self.neighbours[i]]
        self.queue = list(dict.fromkeys([*waiting.tolist(), *again.tolist(), *following]))
        return rows

    def _fill_tables(self, problem: Problem, rng: Generator) -> int:
        """Score pairs of candidates of stages that interact; when all are known, move to the best solution by them."""
        if self.tables is None:
            links = np.array([(i, j) for i, near in enumerate(self.neighbours) for j in near if i < j])
            self.tables = LearntTables.start(self.x, self.values, np.asarray(problem.sizes), links)
        rows = self.tables.fill(problem, self.x)
        if self.tables.complete:
            x = self.tables.solve(self.score, rng)
            score, self.tables, self.phase = float(evaluate(problem, x[None])[0]), None, KICK
            if score > self.score + rounding(self.score):
                self.x, self.score, self.phase, self.queue = x, score, CLIMB, free_stages(problem)
            rows += 1
        return rows

    def _kick(self, problem: Problem, strength: int, rng: Generator) -> int:
        """Let a few linked stages take random candidates, and queue them and what interacts with them."""
        sizes, free = np.asarray(problem.sizes), free_stages(problem)
        self.before, self.before_score = self.x.copy(), self.score
        i, around = free[rng.integers(len(free))], set[int]()
        for _ in range(int(rng.integers(1, strength, endpoint=True))):
            # Any candidate but the present one.
            self.x[i] = (self.x[i] + 1 + rng.integers(sizes[i] - 1)) % sizes[i]
            around |= {i, *self.neighbours[i]}
            following = self.neighbours[i] or free  # a walk along links: changes that can add up
            i = following[rng.integers(len(following))]
        self.queue, self.phase = sorted(around), CLIMB
        self.score = float(evaluate(problem, self.x[None])[0])
        return 1


def free_stages(problem: Problem) -> list[int]:
    """Return the stages that have a choice."""
    return [i for i, m in enumerate(problem.sizes) if m > 1]


def independent(queue: list[int], neighbours: list[list[int]], sizes: Any) -> Ints:
    """Return the first queued stages that do not interact, as many as have candidates for ROWS rows.

    Args:
        queue: stages.
        neighbours: the stages that interact with each stage.
        sizes: the number of candidates of each stage.

    >>> independent([2, 1, 0], [[1], [0, 2], [1]], [2, 2, 2])
    array([2, 0])
    """
    group: list[int] = []
    barrier, rows = set[int](), 0
    for i in queue:
        if rows < ROWS and i not in barrier:
            group.append(i)
            barrier.update(neighbours[i])
            rows += int(sizes[i]) - 1
    return np.array(group)


def other_candidates(group: Ints, x: Solutions, sizes: Ints) -> tuple[Ints, Ints]:
    """Return every candidate of the stages of a group that differs from the current one, with its stage.

    >>> [part.tolist() for part in other_candidates(np.array([0, 2]), np.array([1, 0, 0]), np.array([3, 2, 2]))]
    [[0, 0, 2], [0, 2, 1]]
    """
    candidates = np.arange(sizes[group].max())
    rows, choices = np.nonzero((candidates < sizes[group, None]) & (candidates != x[group, None]))
    return group[rows], choices
