"""Tables between the best candidates of interacting stages, and the solution that is best by them."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.random import Generator

from swarmkit import Floats, Ints, Pairwise, PairwiseProblem, Problem, Solutions
from swarmkit_local.interactions import ROWS, scores_of
from swarmkit_local.rounds import TableRounds

SHARE = 4
"""Tables may take this many times the evaluations of a sweep; that limits the candidates they are made for."""

SOLVING = 400
"""Looks at the learnt tables, in multiples of their slots, before their best solution is scored."""


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
        k = int(np.clip(1 + np.sqrt(SHARE * sizes.sum() / len(links)), 2, sizes.max()))
        good = np.zeros((len(x), k), np.int64)
        for i, m in enumerate(sizes.tolist()):
            order = np.argsort(-np.where(np.arange(m) == x[i], np.inf, values[i, :m]), kind="stable")
            good[i] = np.resize(order[:k], k)
        unary = np.take_along_axis(values, good, axis=1)
        return cls(links, good, unary - unary[:, :1], np.empty(0))

    @property
    def complete(self) -> bool:
        """Whether all scores are known."""
        return len(self.pairs) == len(self.links) * int(self.good.shape[1]) ** 2

    def fill(self, problem: Problem, x: Solutions) -> int:
        """Score some more pairs of candidates beside a solution; return the rows that were scored."""
        k, known = self.good.shape[1], len(self.pairs)
        where = np.arange(known, min(len(self.links) * k * k, known + ROWS))
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
