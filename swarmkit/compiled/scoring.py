"""Scores of many solutions at once, compiled where the problem has tables."""

from __future__ import annotations

import numpy as np

from swarmkit.guard import evaluate
from swarmkit.pairwise import Floats, Ints
from swarmkit.problem import Problem, Solutions

BLOCK = 256
"""So many solutions are scored at once: their candidates at two stages, and the sums, stay in the nearest cache."""

NEAR = 8
"""Up to a share of 1/8 of different stages, a child is scored by its difference from a parent."""


def batch_scores(problem: Problem, X: Solutions) -> Floats:
    """Score many solutions: by the tables, compiled, where there are any."""
    form = problem.pairwise()
    if form is None:
        return evaluate(problem, X)
    from swarmkit.kernels.scoring import lengths, score

    totals = np.empty(len(X))
    if form.tour is not None:
        lengths(form.tour.cost.ravel(), form.tour.rows(X), totals)
        return np.asarray(form.tour.constant - totals)
    arrays = (form.sizes, form.offsets, form.unary, form.edges, form.starts, form.weights, form.flat)
    for begin in range(0, len(X), BLOCK):
        part = slice(begin, begin + BLOCK)
        score(*arrays, np.ascontiguousarray(X[part].T), totals[part])
    return totals


def child_scores(problem: Problem, X: Solutions, scores: Floats, parents: Ints, children: Solutions) -> Floats:
    """Score the children of pairs of rows of X, by difference where a parent is near.

    What the algorithm reads is a whole score all the same, and that is as many looks as there are stages.
    """
    form = problem.pairwise()
    if form is None:
        return evaluate(problem, children)
    if form.tour is not None:  # as fast as any difference
        return batch_scores(problem, children)
    from swarmkit.kernels.scoring import score_children

    n = X.shape[1]
    totals, room = np.empty(len(children)), np.empty(n, np.int64)
    rows = np.ascontiguousarray(X)
    score_children(*form.links, form.unary, rows, scores, parents, children, n // NEAR, room, totals)
    far = np.isnan(totals)
    totals[far] = batch_scores(problem, children[far])
    return totals
