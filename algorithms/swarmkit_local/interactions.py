"""Which stages interact, by tests of their scores, and how: tables between their best candidates.

Przewozniczek, M. and Komarnicki, M. 2020. Empirical linkage learning. IEEE Transactions on Evolutionary Computation
24(6): two stages interact if the gain of changing one depends on whether the other is changed.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from numpy.random import Generator

from swarmkit import Floats, Ints, Pairwise, PairwiseProblem, Problem, Solutions, evaluate
from swarmkit_local.rounds import TableRounds

ROWS = 64
"""Rows of a call of `score`, where the rows do not depend on each other."""

TESTS = 20
"""The most tests of interaction, in multiples of the stages: where more are needed, all are taken to interact."""


SHARE = 4
"""Tables may take this many times the evaluations of a sweep; that limits the candidates they are made for."""

SOLVING = 400
"""Looks at the learnt tables, in multiples of their slots, before their best solution is scored."""


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
        good = np.zeros((len(x), k), np.int64)
        for i, m in enumerate(sizes.tolist()):
            order = np.argsort(-np.where(np.arange(m) == x[i], np.inf, values[i, :m]), kind="stable")
            good[i] = np.resize(order[:k], k)  # repeated where the stage has fewer candidates
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
