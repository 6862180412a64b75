"""Build solutions stage by stage; what `allowed` rules out is never chosen."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from swarmkit.contract.arrays import Bools, Solutions
from swarmkit.contract.problem import Problem
from swarmkit.contract.validation import judge

Choice = Callable[[Solutions, int, Bools], NDArray[Any]]
"""(unfinished rows, stage, allowed) -> one allowed candidate per row."""

ROUNDS = 20
"""How often walks that ended in a dead end are begun again before they are given up."""


def construct(problem: Problem, k: int, choose: Choice, order: NDArray[Any] | None = None) -> Solutions:
    """Build up to k feasible solutions, stage by stage in the order given; a dead end restarts the walk."""
    stages = range(len(problem.sizes)) if order is None else order.tolist()
    done = np.zeros((0, len(problem.sizes)), np.int64)
    for _ in range(ROUNDS):
        X = np.full((k - len(done), len(problem.sizes)), -1, np.int64)
        for stage in stages:
            allowed = np.asarray(problem.allowed(X, stage), bool)
            alive = allowed.any(axis=1)
            X, allowed = X[alive], allowed[alive]
            X[:, stage] = choose(X, stage, allowed)
        done = np.vstack([done, X[judge(problem, X)]])
        if len(done) == k:
            break
    return done


def random_solutions(problem: Problem, k: int, rng: Generator) -> Solutions:
    """Draw up to k feasible solutions at random; fewer (or none) where feasible ones are hard to find.

    >>> from swarmkit import Pairwise, PairwiseProblem
    >>> random_solutions(PairwiseProblem(Pairwise.of([3, 3, 3], distinct=True)), 1, np.random.default_rng(1)).shape
    (1, 3)
    """
    if problem.overrides("allowed"):
        return construct(problem, k, lambda _, __, allowed: pick_any(allowed, rng))
    sizes = np.asarray(problem.sizes, np.int64)
    if problem.distinct and len(sizes):
        X = rng.permuted(np.tile(np.arange(sizes[0]), (k, 1)), axis=1)[:, : len(sizes)]
    else:
        X = rng.integers(sizes, size=(k, len(sizes)))
    return X[judge(problem, X)] if problem.overrides("feasible") else X


def repair(problem: Problem, X: Solutions, rng: Generator) -> Bools:
    """Make infeasible rows feasible, in place: keep what is allowed beside what is kept; tell which rows are good now.

    Stages are gone through in random order, so that no part of a solution is always the one to give way.
    """
    good = judge(problem, X)
    if good.all() or not problem.overrides("allowed"):
        return good
    broken = np.flatnonzero(~good)
    mended = np.full((len(broken), X.shape[1]), -1, np.int64)
    for stage in rng.permutation(X.shape[1]):
        allowed = np.asarray(problem.allowed(mended, int(stage)), bool)
        alive = allowed.any(axis=1)
        broken, mended, allowed = broken[alive], mended[alive], allowed[alive]
        wish = X[broken, stage]
        kept = allowed[np.arange(len(broken)), wish]
        mended[:, stage] = np.where(kept, wish, pick_any(allowed, rng))
    X[broken] = mended
    return judge(problem, X)


def pick_any(among: Bools, rng: Generator) -> NDArray[np.int64]:
    """Pick one marked candidate per row, each with the same chance.

    >>> pick_any(np.array([[False, True], [True, False]]), np.random.default_rng(1))
    array([1, 0])
    """
    rank = rng.integers(among.sum(axis=1)) if len(among) else np.zeros(0, np.int64)
    return np.asarray((among.cumsum(axis=1) > rank[:, None]).argmax(axis=1))


def pick_best(values: NDArray[Any], allowed: Bools, rng: Generator) -> NDArray[np.int64]:
    """Pick the allowed candidate of highest value per row, ties at random.

    >>> pick_best(np.array([[1.0, 3.0, 2.0]]), np.array([[True, False, True]]), np.random.default_rng(1))
    array([2])
    """
    open_values = np.where(allowed, values, -np.inf)
    return pick_any(allowed & (open_values == open_values.max(axis=1, keepdims=True, initial=-np.inf)), rng)
