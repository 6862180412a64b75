"""The move every solver shares: a stage takes another candidate (where stages differ, by swapping with its holder)."""

from __future__ import annotations

from typing import Any

import numpy as np

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
    if problem.overrides("gains") or (form is not None and problem.distinct):
        return np.array([problem.gains(x, stage) for x in X]).reshape(len(X), m)
    now = X[:, stage][:, None]
    if form is not None:
        values = form.marginals(X, stage)
    else:  # one batch for all rows: a score in Python is dear per call and cheap per row
        values = np.asarray(problem.score(_neighbours(problem, X, stage))).reshape(len(X), m)
    return values - np.take_along_axis(values, now, axis=1)


def _feasible_moves(problem: Problem, X: Solutions, stage: int) -> Bools:
    m = int(problem.sizes[stage])
    if not (problem.overrides("allowed") or problem.overrides("feasible")):
        return np.ones((len(X), m), bool)
    if problem.distinct:  # a swap changes two stages, so the judge is asked about the whole
        return np.asarray(problem.feasible(_neighbours(problem, X, stage)), bool).reshape(len(X), m)
    opened = X.copy()
    opened[:, stage] = -1
    return np.asarray(problem.allowed(opened, stage), bool)


def _neighbours(problem: Problem, X: Solutions, stage: int) -> Solutions:
    shape = (len(X) * int(problem.sizes[stage]), X.shape[1])
    return np.array([problem.neighbours(x, stage) for x in X], np.int64).reshape(shape)
