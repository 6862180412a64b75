"""Local search where nothing but a score is known: which stages interact is found out, and then made use of.

Przewozniczek, M. and Komarnicki, M. 2020. Empirical linkage learning. IEEE Transactions on Evolutionary Computation
24(6): two stages interact if the gain of changing one depends on whether the other is changed.

First a sweep, in which every stage takes its best candidate; then tests of which stages interact (`Interactions`); a
climb of queued stages, those that do not interact side by side; tables between the best candidates of interacting
stages (`LearntTables`), by which a whole new solution is computed, and scored once; last, rounds of iterated local
search that kick linked stages. Every candidate is a row of a call of `score`.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.random import Generator

from swarmkit import Floats, Ints, Pairwise, PairwiseProblem, Problem, Solutions, evaluate
from swarmkit_local.rounds import TableRounds

SWEEP, TESTS, CLIMB, TABLES, KICK, DONE = range(6)
"""The phases. The search is done when no stages interact, or so many that all are taken to."""

ROWS = 64
"""Rows of a call of `score`, where the rows do not depend on each other."""

TESTS = 20
"""The most tests of interaction, in multiples of the stages: where more are needed, all are taken to interact."""

SHARE = 4
"""Tables may take this many times the evaluations of a sweep; that limits the candidates they are made for."""

SOLVING = 400
"""Looks at the learnt tables, in multiples of their slots, before their best solution is scored."""


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


@dataclass
class Interactions:
    """Tests of a solution, and the links that they have shown: plain data."""

    order: Ints
    """A random order of the stages."""
    alternative: Ints
    """Another candidate for each stage, which tests change it to; before the tests, its number without the current."""
    alone: Floats = field(default_factory=lambda: np.empty(0))
    """The gain of each stage taking that candidate; empty before the tests."""
    links: Ints = field(default_factory=lambda: np.empty((0, 2), np.int64))
    """Pairs of stages that interact."""
    parts: Ints = field(default_factory=lambda: np.empty((0, 3), np.int64))
    """The tests to make: a stage, and the part of the order, from one place to another, that it is tested against."""
    wholes: int = 0
    """How many tests, the first, have parts that are not halves of others."""
    done: int = 0
    """The tests that have been made."""

    @property
    def hopeless(self) -> bool:
        """Whether too many tests are bound to be needed: half of the waiting halves lead to single stages."""
        begin, end = self.parts[:, 1:].T
        fewest = self.done + float((1 + np.log2(end - begin)).sum())
        return self.done >= self.wholes and fewest > TESTS * len(self.order)

    def test_neighbours(self, problem: Problem, x: Solutions, score: float) -> int:
        """Change stages one by one, then stages that follow each other together; return the rows that were scored.

        Args:
            problem: the problem.
            x: the solution that is tested.
            score: its score.
        """
        sizes, stages = np.asarray(problem.sizes), np.arange(len(x))[:, None]
        self.alternative = np.where(sizes > 1, self.alternative + (self.alternative >= x), x)
        self.alone = scores_of(problem, x, stages, self.alternative[stages]) - score
        pairs = np.hstack([stages[:-1], stages[1:]])
        gains = scores_of(problem, x, pairs, self.alternative[pairs]) - score
        # Without an interaction the gains of two changes add up.
        self.links = pairs[np.abs(gains - self.alone[:-1] - self.alone[1:]) > rounding(score)]
        places = np.flatnonzero(sizes[self.order[:-1]] > 1)
        self.parts = np.column_stack([self.order[places], places + 1, np.full_like(places, len(x))])
        self.wholes = len(places)
        return len(stages) + len(pairs)

    def test_parts(self, problem: Problem, x: Solutions, score: float) -> int:
        """Make a batch of tests of stages against parts of the order, without their neighbours.

        A part that interacts with its stage is halved, for further tests, down to single stages, which are linked.

        Args:
            problem: the problem.
            x: the solution that is tested.
            score: its score.

        Returns:
            The rows that were scored.
        """
        tests, self.parts = np.split(self.parts, [ROWS // 2])
        # Links found by `test_neighbours` are left out: a part that contains one of them would always interact.
        near = neighbours_of(self.links[np.diff(self.links)[:, 0] == 1], len(x))
        X = np.tile(x, (len(tests), 2, 1))
        for rows, (i, begin, end) in zip(X, tests.tolist(), strict=True):
            part = self.order[begin:end]
            rows[:, part] = self.alternative[part]
            rows[:, near[i]] = x[near[i]]
            rows[1, i] = self.alternative[i]  # the second row differs from the first in stage i alone
        scores = evaluate(problem, X.reshape(-1, len(x))).reshape(-1, 2)
        interact = np.abs(scores[:, 1] - scores[:, 0] - self.alone[tests[:, 0]]) > rounding(score)
        self._halve(tests[interact])
        self.done += len(tests)
        return scores.size

    def _halve(self, tests: Ints) -> None:
        """Add the halves of parts to the tests, and the links to parts of one stage."""
        single = tests[:, 2] - tests[:, 1] == 1
        # A part of one stage cannot be halved: that stage and i interact.
        self.links = np.vstack([self.links, np.column_stack([tests[single, 0], self.order[tests[single, 1]]])])
        i, begin, end = tests[~single].T
        middle = (begin + end) // 2
        halves = np.column_stack([i, begin, middle, i, middle, end]).reshape(-1, 3)
        self.parts = np.vstack([self.parts, halves])


@dataclass
class LearntTables:
    """Scores of pairs of good candidates of stages that interact, as far as they are known: plain data."""

    links: Ints
    """The pairs of stages."""
    good: Ints
    """The good candidates of each stage, the current one first; some may repeat."""
    unary: Floats
    """The gain of each of them."""
    pairs: Floats
    """The scores, link after link."""

    @classmethod
    def start(cls, x: Solutions, values: Floats, sizes: Ints, links: Ints) -> LearntTables:
        """Return tables without scores.

        Args:
            x: a solution.
            values: a row for each stage, the score with each candidate beside the others of the solution.
            sizes: the number of candidates of each stage.
            links: the pairs of stages that interact.
        """
        # k candidates a stage make k² evaluations a link.
        k = int(np.clip(1 + np.sqrt(SHARE * sizes.sum() / len(links)), 2, sizes.max()))
        ranks = np.where(np.arange(values.shape[1]) == x[:, None], np.inf, values)
        order = np.argsort(-ranks, axis=1, kind="stable")
        # Repeated where the stage has fewer candidates.
        good = np.take_along_axis(order, np.arange(k) % np.minimum(sizes, k)[:, None], axis=1)
        unary = np.take_along_axis(values, good, axis=1)
        return cls(links, good, unary - unary[:, :1], np.empty(0))

    @property
    def complete(self) -> bool:
        """Whether all scores are known."""
        return len(self.pairs) == len(self.links) * int(self.good.shape[1]) ** 2

    def fill(self, problem: Problem, x: Solutions) -> int:
        """Score some more pairs of candidates beside a solution; return the rows that were scored."""
        k, begin = self.good.shape[1], len(self.pairs)
        where = np.arange(begin, min(len(self.links) * k * k, begin + ROWS))
        links, inside = np.divmod(where, k * k)
        stages = self.links[links]
        candidates = self.good[stages, np.column_stack(np.divmod(inside, k))]
        self.pairs = np.append(self.pairs, scores_of(problem, x, stages, candidates))
        return len(where)

    def solve(self, score: float, rng: Generator) -> Solutions:
        """Return the best solution by the tables that iterated local search finds.

        Args:
            score: the score of the solution beside which the pairs were scored.
            rng: the generator of the run.
        """
        n, k = self.good.shape
        i, j = self.links.T
        # What two candidates add beyond their own gains is their table.
        tables = self.pairs.reshape(-1, k, k) - score - self.unary[i][:, :, None] - self.unary[j][:, None, :]
        form = Pairwise(
            sizes=np.full(n, k),
            unary=self.unary.ravel(),
            edges=self.links,
            starts=np.arange(len(i)) * k * k,
            weights=np.ones(len(i)),
            flat=tables.ravel(),
        )
        problem, strength, looks = PairwiseProblem(form), min(40, n), 0
        rounds = TableRounds.start(problem, np.zeros(n, np.int64), strength, rng)
        while looks < SOLVING * n * k:
            looks += rounds.steps(problem, strength, rng, 1).looks
        return self.good[np.arange(n), rounds.table.best]


def scores_of(problem: Problem, x: Solutions, stages: Ints, candidates: Ints) -> Floats:
    """Return the scores of a solution after changes.

    Args:
        problem: the problem.
        x: the solution.
        stages: the stages that are changed, a row for each score.
        candidates: the candidates that they take.
    """
    scores = np.empty(len(stages))
    for begin in range(0, len(stages), ROWS):
        rows = slice(begin, begin + ROWS)
        X = np.tile(x, (len(stages[rows]), 1))
        np.put_along_axis(X, stages[rows], candidates[rows], axis=1)
        scores[rows] = evaluate(problem, X)
    return scores


def rounding(score: float) -> float:
    """Return the difference up to which two scores of about this size are equal but for rounding."""
    return 1e-9 * max(1.0, abs(score))


def neighbours_of(links: Ints, n: int) -> list[list[int]]:
    """Return the stages that each of n stages is linked to, in ascending order.

    >>> neighbours_of(np.array([[2, 0], [0, 2], [1, 2]]), 3)
    [[2], [2], [0, 1]]
    """
    neighbours: list[list[int]] = [[] for _ in range(n)]
    for i, j in np.unique(np.vstack([links, links[:, ::-1]]), axis=0).tolist():
        neighbours[i].append(j)
    return neighbours


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
