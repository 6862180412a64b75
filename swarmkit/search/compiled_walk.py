"""Searches among the sequences of a compiled score: one call of Python for some hundred moves."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any, NamedTuple

import numpy as np
from numpy.random import Generator

from swarmkit.contract.arrays import Floats, Solutions
from swarmkit.contract.compiled import CompiledScore, compiled_delta, compiled_score
from swarmkit.contract.instance import probes
from swarmkit.contract.meter import Piece
from swarmkit.contract.problem import Problem
from swarmkit.contract.problem_view import ProblemView
from swarmkit.kernels.constants import LEAST
from swarmkit.search.construction import rng_state
from swarmkit.search.mixed_neighbourhood import Credit

LONGER = 0.4
"""The probability that a segment which moves elsewhere is longer than one stage, and again than two."""

NO_PATIENCE = 2**62


class Course(NamedTuple):
    """What the moves of a walk have come to."""

    moves: int
    changes: int
    """The moves that have changed the score."""
    failures: int
    """The moves since the last improvement."""
    score: float
    """The score of the sequence after them."""
    best: Solutions
    """The best sequence that was scored."""
    best_score: float


class CompiledWalk(NamedTuple):
    """The walks among the sequences of a problem, without a temperature or at one."""

    whole: Problem
    """The problem as its author wrote it."""
    score: CompiledScore
    delta: Callable[..., Any] | None = None
    """The function of the difference of two scores, if the problem has one."""
    temperature: float = 0.0
    negligible: float = 0.0
    patience: int = NO_PATIENCE

    def make(self, x: Solutions, score: float, credit: Credit, count: int, rng: Generator, failures: int = 0) -> Course:
        """Make up to `count` moves from a sequence, in place, and return their course.

        Args:
            x: the sequence, which is changed.
            score: its score, to be maximised.
            credit: the kinds that are drawn; what the moves gain is added to it.
            count: the number of moves.
            rng: the run's generator, from which that of the kernel is seeded.
            failures: the moves before, since the last improvement.
        """
        from swarmkit.kernels.sequence_walk import CHANGES, FAILURES, Rules, Walker, walk

        if not len(credit.rng_state):
            credit.rng_state = rng_state(rng)
        sign = -1.0 if self.whole.direction == "minimise" else 1.0
        scores, counters, row_best = np.array([score, -np.inf, -np.inf]), np.array([failures, 0]), x.copy()
        lists = credit.shares, credit.moves, credit.improvements, credit.rng_state
        walker = Walker(x, x.copy(), row_best, np.zeros(len(x), np.int64), scores, counters, *lists)
        best, best_score = x.copy(), -np.inf
        rules = Rules(
            sign,
            int(self.whole.sizes[0]),
            self.temperature,
            self.patience,
            self.negligible,
            LEAST,
            LONGER,
            np.inf,
        )

        def score_piece(values: Floats, target: float) -> Piece:
            nonlocal best, best_score
            made = int(walk(self.score.one, self.delta, self.whole.data, walker, rules._replace(target=target), values))
            if scores[1] > best_score:
                best, best_score = row_best.copy(), float(scores[1])
            return Piece(made, bool(counters[FAILURES] >= self.patience), row_best, float(scores[1]))

        moves = self.whole.meter.walk(self.whole, score_piece, count)
        credit.renew()
        return Course(moves, int(counters[CHANGES]), int(counters[FAILURES]), float(scores[0]), best, best_score)


def walk_of(problem: Problem) -> CompiledWalk | None:
    """Return the walks of a problem whose solutions are all sequences and whose score is compiled, else None.

    Args:
        problem: the problem as solvers see it.
    """
    whole = problem.whole if isinstance(problem, ProblemView) else problem
    structure = problem.structure
    free = structure is whole.structure and structure.distinct and structure.black_box and not structure.constrained
    if not (whole.compiled and free) or whole.meter.evaluator is not None or whole.overrides("neighbourhood"):
        return None
    sample, kind, data = partial(probes, np.asarray(whole.sizes, np.int64), distinct=True), type(whole), whole.data
    score = compiled_score(kind, sample, data)
    return None if score.rows is None else CompiledWalk(whole, score, compiled_delta(kind, sample, data))


def prepare_walk(problem: Problem) -> None:
    """Compile the walk of a problem if it has one."""
    walk = walk_of(problem)
    if walk is not None:
        x = probes(np.asarray(problem.sizes, np.int64), distinct=True)[0]
        walk.make(x, 0.0, Credit.even(3), 0, np.random.Generator(np.random.PCG64(0)))
