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

from swarmkit import Floats, Ints, Left, Pairwise, Problem, Solutions, evaluate
from swarmkit.search import GainTable, StepBudget
from swarmkit_local.independent import best_rows, both_directions, independent, joined, linked_to, other_candidates

ROWS = 64
"""Rows of a call of `score`, where the rows do not depend on each other."""

TESTS = 20
"""The most tests of interaction, in multiples of the stages: where more are needed, all are taken to interact."""

TABLE_SHARE = 4
"""Tables may take this many times the evaluations of a sweep; that limits the candidates they are made for."""

SOLVING = 400
"""Looks at the learnt tables, in multiples of their slots, before their best solution is scored."""

SWEEP, SINGLE, NEAR, SPLIT, CLIMB, TABLES, KICK, DONE = range(8)
"""The phases."""

NOTHING = np.empty(0, np.int64)


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
        """The best solution, and its score."""
        return (self.before, self.before_score) if self.before_score > self.score else (self.x, self.score)

    def _advance(self, problem: Problem, most: int, strength: int, rng: Generator) -> int:
        """Make some of the phase's work, and return the rows that were scored."""
        n = len(self.x)
        if self.score == -np.inf:
            self.score = float(evaluate(problem, self.x[None])[0])
            return 1
        if self.phase == SWEEP:
            rows = self._examine(problem, int(self.order[self.at]))
            return rows + self._proceed(n, SINGLE)
        if self.phase in (SINGLE, NEAR):
            return self._test_neighbours(problem, min(most, ROWS))
        if self.phase == SPLIT:
            return self._split(problem, max(1, min(most, ROWS) // 2))
        if self.phase == CLIMB:
            return self._climb(problem, min(most, ROWS))
        if self.phase == TABLES:
            return self._fill_tables(problem, min(most, ROWS), rng)
        return self._kick(problem, strength, rng)

    def _proceed(self, end: int, phase: int) -> int:
        """Count a piece of work, and begin another phase when all are done."""
        self.at += 1
        if self.at >= end:
            self.phase, self.at = phase, 0
            self.other += self.other >= self.x if phase == SINGLE else 0
        return 0

    def _examine(self, problem: Problem, i: int) -> int:
        """Let a stage take its best candidate; return the rows, one for each other candidate."""
        first, m = self._first(problem)[i], int(problem.sizes[i])
        others = np.delete(np.arange(m), self.x[i])
        if m == 1:
            return 0
        scores = evaluate(problem, self._changed(i, others))
        gains = np.zeros(m)
        gains[others] = scores - self.score
        best = int(gains.argmax())
        if gains[best] > self._tolerance:
            self.x[i], self.score = best, float(scores[others == best][0])
            gains -= gains[best]
        self.gains[first : first + m] = gains
        return m - 1

    def _test_neighbours(self, problem: Problem, count: int) -> int:
        """Change stages one by one, then stages that follow each other together."""
        n, end = len(self.x), len(self.x) - (self.phase == NEAR)
        stages = np.arange(self.at, min(end, self.at + count))
        if len(stages):
            X = np.tile(self.x, (len(stages), 1))
            rows = np.arange(len(stages))
            X[rows, stages] = self._others(problem, stages)
            if self.phase == NEAR:
                X[rows, stages + 1] = self._others(problem, stages + 1)
            gains = evaluate(problem, X) - self.score
            if self.phase == SINGLE:
                self.alone[stages] = gains
            else:
                linked = np.abs(gains - self.alone[stages] - self.alone[stages + 1]) > self._tolerance
                self.links = np.vstack([self.links, np.column_stack([stages, stages + 1])[linked]])
        self.at += len(stages)
        if self.at >= end:
            if self.phase == NEAR:
                places = np.flatnonzero(np.asarray(problem.sizes)[self.order[:-1]] > 1)
                self.tests = np.column_stack([self.order[places], places + 1, np.full_like(places, n)])
                self.wholes = len(places)
            self.phase, self.at = (NEAR if self.phase == SINGLE else SPLIT), 0
        return len(stages)

    def _split(self, problem: Problem, count: int) -> int:
        """Test stages against those that follow, and the halves of parts that a stage interacts with."""
        n = len(self.x)
        tests = self.tests[self.at : self.at + count]
        near = self.links[self.links[:, 1] - self.links[:, 0] == 1]
        X = np.tile(self.x, (2 * len(tests), 1))
        for row, (i, begin, end) in enumerate(tests.tolist()):
            part = np.setdiff1d(self.order[begin:end], [i, *near[near[:, 0] == i, 1], *near[near[:, 1] == i, 0]])
            X[2 * row : 2 * row + 2, part] = self._others(problem, part)
            X[2 * row + 1, i] = self._others(problem, np.array([i]))[0]
        if len(tests):
            scores = evaluate(problem, X).reshape(-1, 2)
            found = np.abs(scores[:, 1] - scores[:, 0] - self.alone[tests[:, 0]]) > self._tolerance
            self._halve(tests[found])
        self.at += len(tests)
        complete = self.at >= len(self.tests)
        if complete or self._fewest_tests() > TESTS * n:
            self.links = np.unique(np.sort(self.links, axis=1), axis=0)
            self.neighbours = both_directions(self.links)
            self.phase, self.at, self.tests = (CLIMB if complete else DONE), 0, self.tests[:0]
            self.queue, self.passed = np.arange(n), self.score
        return len(X)

    def _fewest_tests(self) -> float:
        """Return a lower bound on all tests: half of the waiting halves interact, and are halved to single stages."""
        waiting = self.tests[self.at :]
        if self.at < self.wholes:
            return len(self.tests)
        return self.at + float((1 + np.log2(waiting[:, 2] - waiting[:, 1])).sum())

    def _halve(self, tests: Ints) -> None:
        """Add the halves of parts to the tests, and the links to parts of one stage."""
        single = tests[:, 2] - tests[:, 1] == 1
        self.links = np.vstack([self.links, np.column_stack([tests[single, 0], self.order[tests[single, 1]]])])
        i, begin, end = tests[~single].T
        middle = (begin + end) // 2
        halves = np.stack([np.column_stack([i, begin, middle]), np.column_stack([i, middle, end])], axis=1)
        self.tests = np.vstack([self.tests, halves.reshape(-1, 3)])

    def _climb(self, problem: Problem, count: int) -> int:
        """Score candidates of a group of queued stages; when all are known, let the stages take the best ones."""
        sizes = np.asarray(problem.sizes, np.int64)
        if len(self.group) == 0:
            self.group = independent(self.queue, self.neighbours, sizes, ROWS)
        stages, candidates = other_candidates(self.group, self.x, sizes)
        known = len(self.group_scores)
        rows = slice(known, min(len(stages), known + count))
        X = np.tile(self.x, (rows.stop - known, 1))
        X[np.arange(len(X)), stages[rows]] = candidates[rows]
        if len(X):
            self.group_scores = np.append(self.group_scores, evaluate(problem, X))
        moved = self._move_group(problem, stages, candidates) if rows.stop == len(stages) else 0
        if len(self.queue) == 0:
            self.at, self.pairs = 0, np.empty(0)
            if len(self.before):
                self._judge()
            elif self.score > self.passed:  # tests may have missed what interacts: examine all stages again
                self.passed, self.queue = self.score, np.arange(len(self.x))
            else:
                self.phase = TABLES if len(self.links) else DONE
        return len(X) + moved

    def _move_group(self, problem: Problem, stages: Ints, candidates: Ints) -> int:
        """Let the stages of the group take their best candidates, and queue what interacts with those that moved.

        If several moves together are worse than the best of them, an interaction was missed: only that one is made, and
        the others are queued again.

        Returns:
            the rows that were scored.
        """
        scores, first = self.group_scores, self._first(problem)
        self.gains[first[self.group] + self.x[self.group]] = 0.0
        self.gains[first[stages] + candidates] = scores - self.score
        best = best_rows(stages, scores)
        best = best[scores[best] > self.score + self._tolerance]
        waiting = np.setdiff1d(self.queue, self.group, assume_unique=True)
        rows = 0
        if len(best) > 1:
            x, rows = self.x.copy(), 1
            x[stages[best]] = candidates[best]
            together, top = float(evaluate(problem, x[None])[0]), best[scores[best].argmax()]
            if together >= scores[top]:
                self.x, self.score = x, together
            else:
                waiting = np.append(waiting, np.setdiff1d(stages[best], [stages[top]]))
                best = np.array([top])
        if len(best) == 1:
            self.x[stages[best]], self.score = candidates[best], float(scores[best[0]])
        for i, row in zip(stages[best].tolist(), best.tolist(), strict=True):
            self.gains[first[i] : first[i] + int(problem.sizes[i])] -= self.gains[first[i] + candidates[row]]
        self.queue = joined(waiting, [linked_to(self.neighbours, int(i)) for i in stages[best]], len(self.x))
        self.group, self.group_scores = NOTHING.copy(), np.empty(0)
        return rows

    def _judge(self) -> None:
        """Return to the solution before the kick if that was better."""
        if self.before_score > self.score:
            self.x, self.score = self.before, self.before_score
        self.before, self.before_score, self.phase = NOTHING.copy(), -np.inf, KICK

    def _fill_tables(self, problem: Problem, count: int, rng: Generator) -> int:
        """Score pairs of good candidates of stages that interact; when all are known, move to the best solution."""
        if len(self.pairs) == 0:
            self.good = self._good_candidates(problem)
        best, k = self.good, self.good.shape[1]
        where = np.arange(len(self.pairs), min(len(self.links) * k * k, len(self.pairs) + count))
        links, inside = np.divmod(where, k * k)
        c, d = np.divmod(inside, k)
        i, j = self.links[links].T
        X = np.tile(self.x, (len(where), 1))
        rows = np.arange(len(where))
        X[rows, i], X[rows, j] = best[i, c], best[j, d]
        self.pairs = np.append(self.pairs, evaluate(problem, X))
        if len(self.pairs) == len(self.links) * k * k:
            proposed = self._solve(problem, best, rng)
            score = float(evaluate(problem, proposed[None])[0])
            if score > self.score + self._tolerance:
                self.x, self.score, self.phase, self.queue = proposed, score, CLIMB, np.arange(len(self.x))
            else:
                self.phase = KICK
            return len(where) + 1
        return len(where)

    def _good_candidates(self, problem: Problem) -> Ints:
        """Return the candidates of each stage that tables are made for, the current one first; some may repeat."""
        sizes, first = np.asarray(problem.sizes), self._first(problem)
        share = TABLE_SHARE * len(self.gains) / max(1, len(self.links))
        k = int(np.clip(1 + np.sqrt(share), 2, sizes.max()))
        best = np.zeros((len(sizes), k), np.int64)
        for i, m in enumerate(sizes.tolist()):
            own = self.gains[first[i] : first[i] + m].copy()
            own[self.x[i]] = np.inf
            best[i] = np.resize(np.argsort(-own, kind="stable")[:k], k)
        return best

    def _solve(self, problem: Problem, best: Ints, rng: Generator) -> Solutions:
        """Return the best solution by the tables that iterated local search finds."""
        from swarmkit_local.kicks import Round, kick_and_climb

        n, k = best.shape
        unary = self.gains[self._first(problem)[:, None] + best]
        tables = self.pairs.reshape(-1, k, k) - self.score
        i, j = self.links.T
        tables = tables - unary[i][:, :, None] - unary[j][:, None, :]
        form = Pairwise(
            sizes=np.full(n, k),
            unary=unary.ravel(),
            edges=self.links,
            starts=np.arange(len(i)) * k * k,
            weights=np.ones(len(i)),
            flat=tables.ravel(),
        )
        table = GainTable.at(form, np.zeros(n, np.int64), rng)
        strength = min(40, n)
        kick_and_climb(form, table, Round.none(n, strength), strength, Left(looks=SOLVING * n * k))
        return best[np.arange(n), table.best]

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

    def _changed(self, i: int, candidates: Ints) -> Solutions:
        """Return the solution with each of some candidates at a stage, a row for each."""
        X = np.tile(self.x, (len(candidates), 1))
        X[:, i] = candidates
        return X

    def _others(self, problem: Problem, stages: Ints) -> Ints:
        """Return the candidates that tests change stages to; a stage without a choice keeps its own."""
        return np.where(np.asarray(problem.sizes)[stages] > 1, self.other[stages], self.x[stages])

    @staticmethod
    def _first(problem: Problem) -> Ints:
        sizes = np.asarray(problem.sizes, np.int64)
        return np.asarray(np.cumsum(sizes) - sizes)

    @property
    def _tolerance(self) -> float:
        """The difference of two scores up to which they are equal but for rounding."""
        return 1e-9 * max(1.0, abs(self.score) if np.isfinite(self.score) else 1.0)
