"""Construction of solutions, stage by stage; candidates that `allowed` excludes are never chosen."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple
from weakref import WeakKeyDictionary

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from swarmkit.contract.arrays import Bools, Floats, Ints, RngState, Solutions
from swarmkit.contract.pairwise import Pairwise
from swarmkit.contract.problem import Problem
from swarmkit.contract.validation import judge
from swarmkit.search.linear_construction import feasible_near

Choice = Callable[[Solutions, int, Bools], NDArray[Any]]
"""A function (unfinished rows, stage, allowed candidates) -> one allowed candidate per row."""

ATTEMPTS = 20
"""How often rows that ended in a dead end are built again; a problem that needs more should define `allowed`."""

FEWEST_PERMUTATIONS = 16
FEWEST_SAMPLES, LARGEST_SAMPLE = 256, 4_000_000
"""Rows that are judged at once where feasible solutions are hard to find, and the most entries of memory for them."""


def construct(problem: Problem, k: int, choose: Choice, order: NDArray[Any] | None = None) -> Solutions:
    """Return up to k feasible solutions, built stage by stage; a row that ends in a dead end is built again.

    Args:
        problem: the problem.
        k: the number of solutions wanted; fewer are returned where feasible ones are hard to build.
        choose: the rule that chooses a candidate at each stage.
        order: the order in which stages are filled; by default from the first to the last.
    """
    stages = range(len(problem.sizes)) if order is None else order.tolist()
    done = np.zeros((0, len(problem.sizes)), np.int64)
    for _ in range(ATTEMPTS):
        X = np.full((k - len(done), len(problem.sizes)), -1, np.int64)
        for stage in stages:
            allowed = np.asarray(problem.allowed(X, stage), bool)
            possible = allowed.any(axis=1)
            X, allowed = X[possible], allowed[possible]
            # Rows that ended in a dead end are gone; they are built again in the next attempt.
            X[:, stage] = choose(X, stage, allowed)
        done = np.vstack([done, X[judge(problem, X)]])
        if len(done) == k:
            break
    return done


def random_solutions(problem: Problem, k: int, rng: Generator) -> Solutions:
    """Return up to k random feasible solutions; fewer, or none, where feasible ones are hard to find.

    Args:
        problem: the problem.
        k: the number of solutions wanted.
        rng: the generator to draw from.

    >>> from swarmkit import Pairwise, PairwiseProblem
    >>> random_solutions(PairwiseProblem(Pairwise.of([3, 3, 3], distinct=True)), 1, np.random.default_rng(1)).shape
    (1, 3)
    """
    if problem.structure.linear is not None and not problem.structure.opaque:
        start = rng.integers(np.asarray(problem.sizes, np.int64), size=(k, len(problem.sizes)))
        X, good = feasible_near(problem.structure, start, rng_state(rng))
        return X[good]
    if problem.overrides("allowed"):
        return construct(problem, k, lambda _, __, allowed: pick_any(allowed, rng))
    sizes = np.asarray(problem.sizes, np.int64)
    if problem.distinct and len(sizes):
        # The first n of a permutation of all candidates: stages may be fewer than candidates.
        X = rng.permuted(np.tile(np.arange(sizes[0]), (k, 1)), axis=1)[:, : len(sizes)]
    else:
        X = rng.integers(sizes, size=(k, len(sizes)))
    if not problem.overrides("feasible"):
        return X
    X = X[judge(problem, X)]
    if len(X) or not len(sizes):
        return X
    return _feasible_permutations(problem, k, rng) if problem.distinct else _feasible_samples(problem, k, rng)


def _feasible_permutations(problem: Problem, k: int, rng: Generator) -> Solutions:
    """Return up to k feasible solutions of the first samples in which there are any."""
    n = len(problem.sizes)
    for _ in range(ATTEMPTS):
        X = rng.permuted(np.tile(np.arange(problem.sizes[0]), (FEWEST_PERMUTATIONS, 1)), axis=1)[:, :n]
        X = X[judge(problem, X)][:k]
        if len(X):
            return X
    return np.zeros((0, n), np.int64)


def _feasible_samples(problem: Problem, k: int, rng: Generator) -> Solutions:
    """Return up to k feasible solutions among samples in which candidates are equally frequent, or as chance has it.

    Where a number of stages must take a candidate, or all candidates as many stages, hardly any of independent draws
    are feasible, and many of these.
    """
    sizes = np.asarray(problem.sizes, np.int64)
    n, most = len(sizes), int(sizes.max())
    rows = max(1, min(max(k, FEWEST_SAMPLES), LARGEST_SAMPLE // (n * most)))
    solutions = np.zeros((0, n), np.int64)
    for attempt in range(ATTEMPTS):
        if attempt % 2:  # frequencies that differ from row to row: of two candidates every number is as likely
            heights = np.cumsum(rng.exponential(size=(rows, most)), axis=1)
            X = (rng.random((rows, n))[:, :, None] * heights[:, None, -1:] > heights[:, None]).sum(axis=2)
        else:
            X = rng.permuted(np.tile(np.arange(n) % most, (rows, 1)), axis=1)
        X %= sizes  # stages may have fewer candidates
        solutions = np.vstack([solutions, X[judge(problem, X)]])[:k]
        if len(solutions) == k:
            break
    return solutions


def repair(problem: Problem, X: Solutions, rng: Generator) -> Bools:
    """Make infeasible rows feasible in place where possible, and return which rows are feasible afterwards.

    A row is rebuilt: each stage keeps its candidate if that is still allowed, and takes a random allowed one otherwise.
    The order of stages is random, so that no stage is always the one that changes.

    Args:
        problem: the problem.
        X: complete solutions, one per row; they are changed.
        rng: the generator to draw from.
    """
    feasible, structure = judge(problem, X), problem.structure
    rows = np.flatnonzero(~feasible)
    if structure.linear is not None and not structure.opaque and len(rows):
        X[rows], feasible[rows] = feasible_near(structure, X[rows], rng_state(rng))
        return feasible
    if feasible.all() or not (structure.linear is not None or problem.overrides("allowed")):
        return feasible
    rebuilt = np.full((len(rows), X.shape[1]), -1, np.int64)
    for stage in rng.permutation(X.shape[1]):
        allowed = np.asarray(problem.allowed(rebuilt, int(stage)), bool)
        possible = allowed.any(axis=1)
        rows, rebuilt, allowed = rows[possible], rebuilt[possible], allowed[possible]
        before = X[rows, stage]
        # What is still allowed stays, so that a repaired row is as close to the infeasible one as the order permits.
        stays = allowed[np.arange(len(rows)), before]
        rebuilt[:, stage] = np.where(stays, before, pick_any(allowed, rng))
    X[rows] = rebuilt
    return judge(problem, X)


def pick_any(among: Bools, rng: Generator) -> NDArray[np.int64]:
    """Return one marked candidate per row, each with the same probability.

    Args:
        among: which candidates may be picked, at least one per row.
        rng: the generator to draw from.

    >>> pick_any(np.array([[False, True], [True, False]]), np.random.default_rng(1))
    array([1, 0])
    """
    # The r-th of the marked candidates of each row, by their running count.
    rank = rng.integers(among.sum(axis=1)) if len(among) else np.zeros(0, np.int64)
    return np.asarray((among.cumsum(axis=1) > rank[:, None]).argmax(axis=1))


def pick_best(values: NDArray[Any], allowed: Bools, rng: Generator) -> NDArray[np.int64]:
    """Return the allowed candidate of highest value per row; ties are broken at random.

    Args:
        values: the value of each candidate, per row.
        allowed: which candidates may be picked, at least one per row.
        rng: the generator to draw from.

    >>> pick_best(np.array([[1.0, 3.0, 2.0]]), np.array([[True, False, True]]), np.random.default_rng(1))
    array([2])
    """
    # -inf, not 0: values may be negative.
    open_values = np.where(allowed, values, -np.inf)
    return pick_any(allowed & (open_values == open_values.max(axis=1, keepdims=True, initial=-np.inf)), rng)


class VisitingOrder(NamedTuple):
    """The half-edges of each step that lead back to earlier steps (CSR by step).

    With candidate c at step t and d at step `earlier[h]`, half-edge h in `indptr[t]:indptr[t+1]` adds
    `weight[h] · flat[start[h] + c · stride[h] + d · far_stride[h]]`.
    """

    order: Ints
    """The stage of each step."""
    indptr: Ints
    earlier: Ints
    start: Ints
    stride: Ints
    far_stride: Ints
    weight: Floats
    last: Ints
    """The last step with a half-edge that leads back to each step."""

    @classmethod
    def of(cls, form: Pairwise, order: Ints) -> VisitingOrder:
        """Return the half-edges of each step of an order that lead back to earlier steps.

        The time is in proportion to the half-edges of the stages in the order.

        >>> chain = Pairwise.of([2, 2, 2], [(0, 1, np.eye(2)), (1, 2, np.eye(2))])
        >>> VisitingOrder.of(chain, np.array([1, 2, 0])).earlier
        array([0, 0])

        Args:
            form: the tables of a problem.
            order: stages, each at most once, in the order in which they are filled.
        """
        visits = _LAST.get(form)
        if visits is None or not np.array_equal(visits.order, order):
            visits = _LAST[form] = _compute(form, np.array(order, np.int64))
        return visits


_LAST: WeakKeyDictionary[Pairwise, VisitingOrder] = WeakKeyDictionary()
"""The last order used with each form: computing it takes about as long as filling the stages along it."""


def _compute(form: Pairwise, order: Ints) -> VisitingOrder:
    half, k = form.half_edges, len(order)
    step = np.full(len(form.sizes), k)  # a stage that is not in the order counts as a later one
    step[order] = np.arange(k)
    degree = np.diff(half.indptr)[order]
    target = np.repeat(np.arange(k), degree)
    place = np.arange(len(target)) + np.repeat(half.indptr[order] - np.cumsum(degree) + degree, degree)
    source = step[half.neighbour[place]]
    # Only tables towards earlier steps: at step t the others are still open.
    back = source < target
    place, target, source = place[back], target[back], source[back]
    last = np.arange(k)
    np.maximum.at(last, source, target)
    indptr = np.concatenate([[0], np.cumsum(np.bincount(target, minlength=k))])
    arrays = half.start[place], half.stride[place], half.far_stride[place], half.weight[place]
    return VisitingOrder(order, indptr, source, *arrays, last)


def rng_state(rng: Generator) -> RngState:
    """Return a fresh state for the generator that kernels draw from (`swarmkit.kernels.rng`); it belongs in State.

    All zeros, the one forbidden state, is as likely as any other: once in 2**256.

    Args:
        rng: the run's generator, from which the four words are drawn.
    """
    return rng.integers(0, 2**64, size=4, dtype=np.uint64)


def roulette_wheel(weights: Floats, chances: Floats) -> Ints:
    """Return, for each chance, the index at which the sum of the weights passes that share of their total.

    `swarmkit.kernels.roulette.spin` is the same for kernels.

    >>> roulette_wheel(np.array([[1.0, 0.0, 3.0], [1.0, 0.0, 3.0]]), np.array([0.2, 0.25]))
    array([0, 2])
    >>> roulette_wheel(np.array([1.0, 0.0, 3.0]), np.array([[0.2, 0.25]]))
    array([[0, 2]])

    Args:
        weights: weights >= 0: one wheel for all chances, or a row for each; the sum of a wheel is more than 0.
        chances: numbers drawn from [0, 1).
    """
    heights = np.cumsum(weights, axis=-1)
    if weights.ndim == 1:
        index = np.searchsorted(heights, chances * heights[-1], side="right")
        return np.asarray(np.minimum(index, len(weights) - 1))
    passed = heights > chances[:, None] * heights[:, -1:]
    last = weights.shape[1] - 1 - (weights[:, ::-1] > 0).argmax(axis=1)  # rounding may lead beyond it
    return np.asarray(np.where(passed.any(axis=1), passed.argmax(axis=1), last))
