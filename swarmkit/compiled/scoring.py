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
    from swarmkit.kernels.scoring import score

    totals = np.empty(len(X))
    arrays = (form.sizes, form.offsets, form.unary, form.edges, form.starts, form.weights, form.flat)
    for begin in range(0, len(X), BLOCK):
        part = slice(begin, begin + BLOCK)
        score(*arrays, np.ascontiguousarray(X[part].T), totals[part])
    return totals


def child_scores(
    problem: Problem, X: Solutions, scores: Floats, parents: Ints, children: Solutions
) -> tuple[Floats, int]:
    """Score the children of pairs of rows of X, by difference where a parent is near; give scores and looks.

    A look is a stage that differs from the parent, or every stage of a child that is scored as a whole.
    """
    form = problem.pairwise()
    if form is None:
        return evaluate(problem, children), children.size
    from swarmkit.kernels.scoring import score_children

    n = X.shape[1]
    totals, room = np.empty(len(children)), np.empty(n, np.int64)
    looks = score_children(
        *form.links, form.unary, np.ascontiguousarray(X), scores, parents, children, n // NEAR, room, totals
    )
    far = np.isnan(totals)
    totals[far] = batch_scores(problem, children[far])
    return totals, int(looks) + int(far.sum()) * n
