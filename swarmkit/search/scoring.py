"""Scores of many solutions at once, compiled where the problem has tables."""

from __future__ import annotations

import numpy as np

from swarmkit.contract.arrays import Floats, Solutions
from swarmkit.contract.problem import Problem
from swarmkit.contract.validation import evaluate

BLOCK = 256
"""Solutions scored at once: their candidates at two stages, and the sums, stay in the first-level cache."""


def batch_scores(problem: Problem, X: Solutions) -> Floats:
    """Return the scores of solutions, by the compiled tables where the problem has any.

    Args:
        problem: any problem.
        X: complete solutions, one a row.
    """
    form = problem.structure.pairwise
    if form is None:
        return evaluate(problem, X)
    from swarmkit.kernels.compiling import read_only
    from swarmkit.kernels.scoring import Tables, lengths, score

    totals, tour = np.empty(len(X)), problem.structure.tour
    if tour is not None:
        lengths(tour.cost.ravel(), tour.as_tours(X), totals)
        return np.asarray(tour.constant - totals)
    tables = read_only(Tables(form.sizes, form.offsets, form.unary, form.edges, form.starts, form.weights, form.flat))
    for begin in range(0, len(X), BLOCK):
        block = slice(begin, begin + BLOCK)
        score(tables, np.ascontiguousarray(X[block].T), totals[block])
    return totals
