"""The move every solver shares: a stage takes another candidate (where stages differ, by swapping with its holder)."""

from __future__ import annotations

from typing import Any

import numpy as np

from swarmkit.guard import evaluate
from swarmkit.pairwise import Floats
from swarmkit.problem import Bools, Problem, Solutions


def move_gains(problem: Problem, X: Solutions, stage: int) -> Floats:
    """Give what each row would gain by each candidate at a stage; -inf where the row would no longer be feasible.

    >>> from swarmkit import Pairwise, PairwiseProblem
    >>> problem = PairwiseProblem(Pairwise.of([2, 2], [(0, 1, np.eye(2))]))
    >>> move_gains(problem, np.array([[0, 1]]), 0)
    array([[0., 1.]])
    """
    return np.where(_feasible_moves(problem, X, stage), _gains(problem, X, stage), -np.inf)


def move(problem: Problem, x: Solutions, stage: int, candidate: int) -> None:
    """Let a stage take a candidate, in place."""
    if problem.distinct:
        x[x == candidate] = x[stage]
    x[stage] = candidate


def _gains(problem: Problem, X: Solutions, stage: int) -> Any:
    form, m = problem.pairwise(), int(problem.sizes[stage])
    if problem.overrides("gains"):
        return np.array([problem.gains(x, stage) for x in X]).reshape(len(X), m)
    if form is not None:
        return form.gains(X, stage)
    # One batch for all rows: a score in Python is dear per call and cheap per row.
    scores = evaluate(problem, problem.neighbours(X, stage)).reshape(len(X), m)
    return scores - np.take_along_axis(scores, X[:, stage, None], axis=1)


def _feasible_moves(problem: Problem, X: Solutions, stage: int) -> Bools:
    m = int(problem.sizes[stage])
    if not (problem.overrides("allowed") or problem.overrides("feasible")):
        return np.ones((len(X), m), bool)
    if problem.distinct:  # a swap changes two stages, so the judge is asked about the whole
        return np.asarray(problem.feasible(problem.neighbours(X, stage)), bool).reshape(len(X), m)
    opened = X.copy()
    opened[:, stage] = -1
    return np.asarray(problem.allowed(opened, stage), bool)
