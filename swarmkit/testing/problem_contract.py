"""The contract of problems as checks. Each takes a problem, and a generator that draws its cases."""

from __future__ import annotations

import json
import pickle
from collections.abc import Callable
from typing import Any

import numpy as np

from swarmkit.contract.arrays import Solutions
from swarmkit.contract.pairwise import Pairwise, Rows
from swarmkit.contract.problem import Problem
from swarmkit.contract.validation import evaluate, judge
from swarmkit.contract.view import draw_solution
from swarmkit.search.construction import random_solutions
from swarmkit.testing.report import Skipped, expect

ProblemCheck = Callable[[Problem, np.random.Generator], None]
"""A check; it raises AssertionError if the problem breaks the contract, Skipped if the check does not apply."""

CASES = 8
"""Solutions, stages or slots drawn for one call of a check."""


def a_batch_scores_as_one_by_one(problem: Problem, rng: np.random.Generator) -> None:
    """Score solutions together and one by one, twice; the rows passed in must not change."""
    X = _random_rows(problem, rng)
    before = X.copy()
    together = evaluate(problem, X)
    alone = np.array([evaluate(problem, x[None])[0] for x in X])
    _close(together, alone, "scores of a batch and scores one by one")
    expect(np.array_equal(together, evaluate(problem, X)), "the same solutions scored twice give different scores")
    expect(np.array_equal(X, before), "score changed the solutions it was given")


def an_empty_batch_is_fine(problem: Problem, _: np.random.Generator) -> None:
    """Score and judge a batch without solutions."""
    empty = np.zeros((0, len(problem.sizes)), np.int64)
    expect(np.shape(problem.score(empty)) == (0,), "score of an empty batch must have shape (0,)")
    expect(np.shape(problem.feasible(empty)) == (0,), "feasible of an empty batch must have shape (0,)")


def gains_are_differences_of_scores(problem: Problem, rng: np.random.Generator) -> None:
    """Compare gains with the scores of the changed solutions."""
    for x, stage in _places(problem, rng):
        before = x.copy()
        gains = np.asarray(problem.gains(x, stage))
        expect(gains.shape == (problem.sizes[stage],), f"gains of stage {stage} have shape {gains.shape}")
        expect(np.array_equal(x, before), "gains changed the solution it was given")
        scores = evaluate(problem, problem.neighbours(x[None], stage))
        _close(gains, scores - scores[x[stage]], f"gains at stage {stage} and differences of scores")


def allowed_agrees_with_the_judge(problem: Problem, rng: np.random.Generator) -> None:
    """With one stage open, `allowed` must equal what `feasible` returns for each completion."""
    for x, stage in _places(problem, rng):
        partial = x.copy()
        partial[stage] = -1
        Y = np.repeat(x[None], problem.sizes[stage], axis=0)
        Y[:, stage] = np.arange(problem.sizes[stage])
        allowed = _allowed(problem, partial[None], stage)[0]
        expect(np.array_equal(allowed, judge(problem, Y)), f"allowed and feasible disagree about stage {stage} of {x}")


def allowed_never_rules_a_solution_out(problem: Problem, rng: np.random.Generator) -> None:
    """Whichever stages of a feasible solution are open, its own candidates must be allowed there."""
    for x, stage in _places(problem, rng):
        partial = np.where(rng.random(len(x)) < rng.random(), -1, x)  # few open stages, or nearly all
        partial[stage] = -1
        message = f"{x} is feasible, yet beside {partial} its candidate {x[stage]} at stage {stage} is not allowed"
        expect(_allowed(problem, partial[None], stage)[0, x[stage]], message)


def heuristic_values_are_finite_and_not_negative(problem: Problem, rng: np.random.Generator) -> None:
    """Compute the heuristic values of candidates beside unfinished solutions."""
    X = _random_rows(problem, rng)
    n = X.shape[1]
    for stage in rng.integers(n, size=min(n, CASES)):
        partial = np.where(rng.random(X.shape) < 0.5, -1, X)
        partial[:, stage] = -1
        last = int(rng.integers(-1, n))
        values = np.asarray(problem.heuristic_values(partial, int(stage), last))
        expect(values.shape == (len(X), problem.sizes[stage]), f"heuristic_values has shape {values.shape}")
        expect(np.isfinite(values).all(), "heuristic_values is not finite")
        expect((values >= 0).all(), "heuristic_values is negative")


def the_pairwise_form_is_the_score(problem: Problem, rng: np.random.Generator) -> None:
    """Compare the problem's score with its tables, read edge by edge, by half-edges (CSR) and by rows."""
    form = problem.pairwise()
    if form is None:
        raise Skipped("the problem has no pairwise form")
    expect(problem.pairwise() is form, "pairwise must return the same object each time")
    X = _random_rows(problem, rng)
    scores = evaluate(problem, X)
    _close(form.score(X), scores, "scores by the tables and by the problem")
    _close(_by_half_edges(form, X), scores, "scores by half-edges and by the problem")
    if form.rows is not None:
        _close(_by_rows(form, form.rows, X), scores, "scores by rows and by the problem")


def parts_sum_up_to_the_whole(problem: Problem, rng: np.random.Generator) -> None:
    """Score solutions part by part and whole; a solution is feasible if and only if all its parts are."""
    if not problem.parts:
        raise Skipped("the problem has no parts")
    X = _random_rows(problem, rng)
    pieces = [(part.problem, X[:, part.stages]) for part in problem.parts]
    _close(sum(evaluate(part, piece) for part, piece in pieces), evaluate(problem, X), "sums of parts and scores")
    expect(all(judge(part, piece).all() for part, piece in pieces), "a feasible solution has an infeasible part")


def relatedness_is_a_similarity(problem: Problem, rng: np.random.Generator) -> None:
    """Relatedness of slots lies in [0, 1] and does not depend on their order."""
    if len(problem.sizes) == 0:
        raise Skipped("the problem is empty")
    slots = rng.integers(int(np.sum(problem.sizes)), size=(2, CASES))
    ab = problem.relatedness(*slots)
    if ab is None:
        raise Skipped("the problem has no relatedness")
    ab = np.asarray(ab)
    expect(ab.shape == (CASES,), f"relatedness of {CASES} pairs has shape {ab.shape}")
    expect(((ab >= 0) & (ab <= 1)).all(), "relatedness lies outside [0, 1]")
    _close(np.asarray(problem.relatedness(slots[1], slots[0])), ab, "relatedness of (a, b) and (b, a)")


def answers_are_json(problem: Problem, rng: np.random.Generator) -> None:
    """`describe` must return rows that can be written as JSON, `metrics` finite numbers."""
    x = _random_rows(problem, rng)[0]
    json.dumps([dict(row) for row in problem.describe(x)], allow_nan=False)
    for name, value in problem.metrics(x).items():
        expect(np.isfinite(float(value)), f"metric '{name}' is {value}")


def nothing_is_better_than_the_known_optimum(problem: Problem, rng: np.random.Generator) -> None:
    """Compare random solutions with the optimum that the problem claims to know."""
    if problem.optimum is None:
        raise Skipped("the problem knows no optimum")
    scores, slack = evaluate(problem, _random_rows(problem, rng)), 1e-9 * (1.0 + abs(problem.optimum))
    if problem.direction == "minimise":
        message = f"a solution drawn at random costs {scores.min()}, less than the optimum {problem.optimum}"
        expect(scores.min() >= problem.optimum - slack, message)
    else:
        message = f"a solution drawn at random scores {scores.max()}, more than the optimum {problem.optimum}"
        expect(scores.max() <= problem.optimum + slack, message)


def drawing_does_not_change_the_solution(problem: Problem, rng: np.random.Generator) -> None:
    """Draw a solution into real axes."""
    if problem.view().draw is None:
        raise Skipped("the problem has no picture of its own")
    try:
        from matplotlib.figure import Figure
    except ImportError:
        raise Skipped("matplotlib is not installed") from None
    x = _random_rows(problem, rng)[0]
    before = x.copy()
    figure = Figure()
    draw_solution(problem, x, figure.add_subplot())
    figure.draw_without_rendering()
    expect(np.array_equal(x, before), "draw changed the solution it was given")


def a_pickled_copy_is_the_same_problem(problem: Problem, rng: np.random.Generator) -> None:
    """Compare a pickled copy, as other processes receive it, with the original."""
    copy = pickle.loads(pickle.dumps(problem))  # noqa: S301  (bytes that were written just now)
    X = _random_rows(problem, rng)
    expect(np.array_equal(evaluate(copy, X), evaluate(problem, X)), "a pickled copy scores differently")
    expect(_fresh_fingerprint(copy) == _fresh_fingerprint(problem), "a pickled copy has another fingerprint")


CHECKS: tuple[ProblemCheck, ...] = (
    a_batch_scores_as_one_by_one,
    an_empty_batch_is_fine,
    gains_are_differences_of_scores,
    allowed_agrees_with_the_judge,
    allowed_never_rules_a_solution_out,
    heuristic_values_are_finite_and_not_negative,
    the_pairwise_form_is_the_score,
    parts_sum_up_to_the_whole,
    relatedness_is_a_similarity,
    answers_are_json,
    nothing_is_better_than_the_known_optimum,
    drawing_does_not_change_the_solution,
    a_pickled_copy_is_the_same_problem,
)


def _random_rows(problem: Problem, rng: np.random.Generator) -> Solutions:
    if len(problem.sizes) == 0:
        raise Skipped("the problem is empty")
    X = random_solutions(problem, CASES, rng)
    if len(X) == 0:
        raise Skipped("no feasible solution was drawn")
    return X


def _places(problem: Problem, rng: np.random.Generator) -> list[tuple[Solutions, int]]:
    X = _random_rows(problem, rng)
    return [(x, int(rng.integers(X.shape[1]))) for x in X]


def _allowed(problem: Problem, X: Solutions, stage: int) -> Any:
    allowed = np.asarray(problem.allowed(X, stage))
    expected = (len(X), problem.sizes[stage])
    expect(allowed.shape == expected, f"allowed has shape {allowed.shape}, expected {expected}")
    expect(allowed.dtype == bool, f"allowed returns {allowed.dtype}, expected bool")
    return allowed


def _close(a: Any, b: Any, subject: str) -> None:
    scale = 1.0 + np.abs(b).max(initial=0.0)  # sums in another order differ by rounding
    expect(np.allclose(a, b, rtol=0, atol=1e-9 * scale), f"{subject} differ by {np.abs(a - b).max():.3g}")


def _by_half_edges(form: Pairwise, X: Solutions) -> Any:
    half = form.half_edges  # every edge once from each end: the sum is divided by 2
    owner = np.repeat(np.arange(len(form.sizes)), np.diff(half.indptr))
    where = half.start + X[:, owner] * half.stride + X[:, half.neighbour] * half.far_stride
    return form.unary[form.offsets[:-1] + X].sum(axis=1) + (form.flat[where] * half.weight).sum(axis=1) / 2


def _by_rows(form: Pairwise, rows: Rows, X: Solutions) -> Any:
    half = form.half_edges
    owner = np.repeat(np.arange(len(form.sizes)), np.diff(half.indptr))
    where = rows.start + X[:, half.neighbour] * form.sizes[owner] + X[:, owner]
    return form.unary[form.offsets[:-1] + X].sum(axis=1) + rows.data[where].sum(axis=1) / 2


def _fresh_fingerprint(problem: Problem) -> str:
    problem.__dict__.pop("fingerprint", None)  # it is cached; here it has to be computed again
    return problem.fingerprint
