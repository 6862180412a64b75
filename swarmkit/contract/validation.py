"""Validation of problems: what a problem returns is checked here, and not again in solvers and kernels."""

from __future__ import annotations

from typing import Any

import numpy as np

from swarmkit.contract.arrays import Bools, Floats, Solutions
from swarmkit.contract.constraints import Constraints
from swarmkit.contract.errors import ProblemError
from swarmkit.contract.instance import probes
from swarmkit.contract.meter import short
from swarmkit.contract.problem import Problem

BATCHES = (
    "expected one number for each row: score(X) gets several solutions, one per row. "
    "To score one solution at a time, define score_one(x) instead"
)


def validate(problem: Problem) -> None:
    """Raise ProblemError, with the reason, for a problem that no solver could work on."""
    if not isinstance(problem, Problem):
        raise ProblemError(f"expected a swarmkit.Problem, got {type(problem).__name__}")
    name = type(problem).__name__
    sizes = _sizes(problem, name)
    empty = np.flatnonzero(sizes < 1)
    if len(empty):
        raise ProblemError(f"{name}: stage {empty[0]} offers no candidate; every stage needs at least one")
    if problem.distinct and len(sizes):
        if sizes.min() != sizes.max():
            raise ProblemError(f"{name}: with distinct=True all stages must offer the same candidates")
        if sizes[0] < len(sizes):
            raise ProblemError(f"{name}: {len(sizes)} stages cannot take different ones of {sizes[0]} candidates")
    if problem.groups is not None and np.shape(problem.groups) != sizes.shape:
        raise ProblemError(f"{name}: groups must name one group per stage ({len(sizes)})")
    if problem.direction not in ("maximise", "minimise"):
        raise ProblemError(f"{name}: its direction is '{problem.direction}'; expected 'maximise' or 'minimise'")
    form = problem.pairwise()
    if form is not None and (not np.array_equal(form.sizes, sizes) or form.distinct != problem.distinct):
        raise ProblemError(f"{name}: sizes and distinct of the pairwise form are not the problem's")
    if problem.parts:
        stages = np.concatenate([np.asarray(part.stages, np.int64) for part in problem.parts])
        if not np.array_equal(np.sort(stages), np.arange(len(sizes))):
            raise ProblemError(f"{name}: every stage must be in exactly one part")
        if any(part.problem.direction != problem.direction for part in problem.parts):
            raise ProblemError(f"{name}: its parts must have the direction of the whole, '{problem.direction}'")
    linear = problem.structure.linear
    if linear is not None:
        if not np.array_equal(linear.sizes, sizes):
            raise ProblemError(f"{name}: the sizes of its constraints are not the problem's")
        impossible = linear.impossible()
        if impossible is not None:
            raise ProblemError(f"{name} has no solution: {impossible}")
        if problem.parts and _joins_parts(problem, linear):
            raise ProblemError(f"{name}: its constraints join stages of different parts")
    # Two rows: a score that was written for a single solution fails here, and not in the middle of a run.
    X = probes(sizes, problem.distinct)[[0, 0]]
    before = X.copy()
    try:
        scores = evaluate(problem, X)
    except ProblemError:
        raise
    except Exception as error:
        if _scores_alone(problem, X[0]):
            raise ProblemError(f"{name}.score fails on {len(X)} solutions and works on one; {BATCHES}") from error
        raise
    if not np.array_equal(X, before):
        raise ProblemError(f"{name}.score writes into the solutions that it is given; expected a copy: X = X.copy()")
    if not np.isclose(scores[0], scores[1], rtol=1e-6):
        raise ProblemError(
            f"{name}.score gives {scores[0]} and {scores[1]} to the same solution; it must not be random"
        )
    if len(sizes) and sizes.max() > 1:
        _check_members(problem, name, X, int(sizes.argmax()))


def _check_members(problem: Problem, name: str, X: Solutions, stage: int) -> None:
    """Refuse `allowed` of another shape, and `gains` that are no differences of scores: solvers would be blamed.

    Args:
        problem: the problem.
        name: what messages call it.
        X: the same solution twice.
        stage: a stage with several candidates.
    """
    m, x, twin = int(problem.sizes[stage]), X[0], problem.with_own_meter()  # nothing of it counts
    if problem.overrides("allowed"):
        partial = X.copy()
        partial[:, stage] = -1
        shape = np.shape(twin.allowed(partial, stage))
        if shape != (len(X), m):
            raise ProblemError(f"{name}.allowed returned shape {shape} for {len(X)} solutions; expected {(len(X), m)}")
    if problem.overrides("gains"):
        gains = np.asarray(twin.gains(x.copy(), stage))
        if gains.shape != (m,):
            raise ProblemError(f"{name}.gains returned shape {gains.shape} for stage {stage}; expected {(m,)}")
        other = (int(x[stage]) + 1) % m
        before, after = evaluate(twin, twin.neighbours(x[None], stage)[[x[stage], other]])
        if np.isfinite(gains[other]) and not np.isclose(
            gains[other], after - before, rtol=1e-6, atol=1e-6 * (1 + abs(before))
        ):
            words = f"candidate {other} at stage {stage} of {short(x)} gains {gains[other]:.6g}"
            raise ProblemError(f"{name}.gains: {words}; by its score it gains {after - before:.6g}")


def _joins_parts(problem: Problem, linear: Constraints) -> bool:
    """Whether a constraint has stages of several parts."""
    part_of = np.empty(len(problem.sizes), np.int64)
    for number, part in enumerate(problem.parts):
        part_of[np.asarray(part.stages, np.int64)] = number
    pairs = np.unique(np.column_stack([linear.rows, part_of[linear.stages]]), axis=0)
    return bool((np.bincount(pairs[:, 0], minlength=1) > 1).any())


def _scores_alone(problem: Problem, x: Solutions) -> bool:
    """Whether a `score` that fails on a batch returns a number for a single solution."""
    try:
        return np.ndim(problem.score(x)) == 0
    except Exception:
        return False


def _sizes(problem: Problem, name: str) -> Any:
    try:
        sizes = np.asarray(problem.sizes)
    except AttributeError:
        raise ProblemError(f"{name} has no sizes: set the number of candidates of each stage") from None
    if sizes.size == 0:
        return np.zeros(0, np.int64)
    if sizes.ndim != 1 or not np.issubdtype(sizes.dtype, np.integer):
        raise ProblemError(f"{name}: sizes must be a row of integers, one per stage")
    return sizes


def evaluate(problem: Problem, X: Solutions) -> Floats:
    """Return the scores of solutions.

    Args:
        problem: the problem.
        X: complete solutions, one per row.

    Raises:
        ProblemError: the problem returned anything else than one finite number per row.
    """
    scores = problem.score(X)
    if problem.meter.session is not None and isinstance(scores, np.ndarray) and scores.dtype == np.float64:
        return scores  # checked there
    return check_scores(problem, X, scores)


def check_scores(problem: Problem, X: Solutions, values: Any) -> Floats:
    """Return what a problem's `score` returned for some rows as floats, if it is one finite number per row.

    Raises:
        ProblemError: it is anything else.
    """
    scores = np.asarray(values)
    # The usual case at once: this runs for every batch.
    if scores.dtype == np.float64 and scores.shape == (len(X),) and np.isfinite(scores.sum()):
        return scores  # an infinite sum of finite numbers is looked at below
    name = type(problem).__name__
    if scores.shape != (len(X),):
        raise ProblemError(f"{name}.score returned shape {scores.shape} for {len(X)} solutions; {BATCHES}")
    if not (np.issubdtype(scores.dtype, np.number) or scores.dtype == bool) or np.iscomplexobj(scores):
        raise ProblemError(f"{name}.score returned {scores.dtype} values; expected real numbers")
    scores = scores.astype(np.float64)
    bad = np.flatnonzero(~np.isfinite(scores))
    if len(bad):
        raise ProblemError(f"{name}.score returned {scores[bad[0]]} for {short(X[bad[0]])}; scores must be finite")
    return scores


def judge(problem: Problem, X: Solutions) -> Bools:
    """Return which rows are solutions: complete, in range, with distinct candidates where required, and feasible.

    Args:
        problem: the problem.
        X: rows of candidate numbers, -1 at open stages.
    """
    X = np.asarray(X)
    sizes = np.asarray(problem.sizes, np.int64)
    if X.ndim != 2 or X.shape[1] != len(sizes) or not np.issubdtype(X.dtype, np.integer):
        raise ProblemError(f"solutions are rows of {len(sizes)} integers, got {X.dtype} of shape {X.shape}")
    # Whatever is out of range never reaches the problem's own code.
    good: Bools = np.logical_and.reduce((X >= 0) & (X < sizes), axis=1)
    if problem.distinct:
        # Equal candidates are neighbours in a sorted row.
        ordered = np.sort(X, axis=1)
        good &= (ordered[:, 1:] != ordered[:, :-1]).all(axis=1)
    if good.any():
        verdict = np.asarray(problem.feasible(X[good]))
        if verdict.shape != (int(good.sum()),):
            raise ProblemError(f"{type(problem).__name__}.feasible must return one truth value per solution")
        good[good] = verdict.astype(bool)
    return good
