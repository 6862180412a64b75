"""Easy problems of every structure, drawn with their best solution: solvers are compared with random sampling on them.

The score counts the stages that have the candidate of a solution drawn at random, the target, and half of the pairs of
neighbours on a ring that both have it. So no stage and no candidate differs from the others. Of a tour it is minus the
length of a way through cities on a circle, in random order.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from numpy.random import Generator

from swarmkit.contract.arrays import Ints
from swarmkit.contract.constraints import exactly
from swarmkit.contract.pairwise import Pairwise
from swarmkit.contract.problem import PairwiseProblem, Problem
from swarmkit.testing.families import BlackBox

CANDIDATES = 4
"""The candidates of a stage, where they need not be distinct."""


class Scale(NamedTuple):
    """What the scores of a problem are multiplied by, and what is added to them."""

    factor: float = 1.0
    shift: float = 0.0


class Easy(NamedTuple):
    """A problem, and its best solution: of a tour one of several."""

    problem: Problem
    target: Ints


def matches(target: Ints, m: int, scale: Scale, distinct: bool = False) -> Pairwise:
    """Return the tables whose score counts what a solution has in common with a target."""
    n = len(target)
    unary = np.zeros((n, m))
    unary[np.arange(n), target] = scale.factor
    unary[0] += scale.shift
    edges = []
    for i in range(n):
        j, table = (i + 1) % n, np.zeros((m, m))
        table[target[i], target[j]] = scale.factor / 2
        edges.append((i, j, table))
    return Pairwise.of([m] * n, edges, unary.ravel(), distinct=distinct)


def _free(rng: Generator, n: int, scale: Scale) -> tuple[Pairwise, Ints]:
    target = rng.integers(CANDIDATES, size=n)
    return matches(target, CANDIDATES, scale), target


def _permuted(rng: Generator, n: int, scale: Scale) -> tuple[Pairwise, Ints]:
    target = rng.permutation(n)
    return matches(target, n, scale, distinct=True), target


def _tables(rng: Generator, n: int, scale: Scale) -> Easy:
    form, target = _free(rng, n, scale)
    return Easy(PairwiseProblem(form), target)


def _black_box(rng: Generator, n: int, scale: Scale) -> Easy:
    form, target = _free(rng, n, scale)
    return Easy(BlackBox(form), target)


def _rows(rng: Generator, n: int, scale: Scale) -> Easy:
    form, target = _free(rng, n, scale)
    problem = PairwiseProblem(form)
    problem.constraints = [exactly([(i, 0) for i in range(n)], float((target == 0).sum()))]
    return Easy(problem, target)


def _permutation(rng: Generator, n: int, scale: Scale) -> Easy:
    form, target = _permuted(rng, n, scale)
    return Easy(PairwiseProblem(form), target)


def _black_box_permutation(rng: Generator, n: int, scale: Scale) -> Easy:
    form, target = _permuted(rng, n, scale)
    return Easy(BlackBox(form), target)


def _tour(rng: Generator, n: int, scale: Scale) -> Easy:
    order = rng.permutation(n)
    angles = np.empty(n)
    angles[order] = 2 * np.pi * np.arange(n) / n
    distances = np.abs(2 * np.sin((angles[:, None] - angles) / 2))
    table = scale.shift / n - scale.factor * distances
    return Easy(
        PairwiseProblem(Pairwise.of([n] * n, [(i, (i + 1) % n, table) for i in range(n)], distinct=True)), order
    )


EASY: dict[str, Callable[[Generator, int, Scale], Easy]] = {
    "tables": _tables,
    "black box": _black_box,
    "linear constraints": _rows,
    "permutation": _permutation,
    "black box permutation": _black_box_permutation,
    "tour": _tour,
}
"""The structures, each with what draws an easy problem of a number of stages."""

ALONE, PAIRS = 200, 100
"""The stages of `independent_values` that have values of their own, and the pairs of stages that have one together."""


def independent_values(rng: Generator, alone: int = ALONE, pairs: int = PAIRS, m: int = 8) -> PairwiseProblem:
    """Return a problem whose score adds independent uniform values (see `solver_trials.looks_are_honest`).

    Args:
        rng: draws the values.
        alone: the stages that have values of their own.
        pairs: the pairs of stages that have a value together.
        m: the number of candidates at each stage.
    """
    unary = np.concatenate([rng.random(alone * m), np.zeros(2 * pairs * m)])
    edges = [(alone + 2 * pair, alone + 2 * pair + 1, rng.random((m, m))) for pair in range(pairs)]
    return PairwiseProblem(Pairwise.of(np.full(alone + 2 * pairs, m), edges, unary))


class Veiled(BlackBox):
    """A black box whose score comes from other tables than those that lie where `BlackBox` has them."""

    def __init__(self, form: Pairwise, decoy: Pairwise) -> None:
        super().__init__(decoy)
        self._tables = form

    def score(self, X: Any) -> Any:
        """Score by the other tables."""
        return self._tables.score(X)


class Costs(BlackBox):
    """A black box to be minimised: minus the score of tables."""

    direction = "minimise"

    def score(self, X: Any) -> Any:
        """Return minus the score."""
        return 0.0 - self._form.score(X)


class TableCosts(PairwiseProblem):
    """Tables of costs, to be minimised."""

    direction = "minimise"
