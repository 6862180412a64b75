"""Scores of children: by their difference from a parent that is near, whole otherwise."""

from __future__ import annotations

import numpy as np

from swarmkit import Floats, Problem, Solutions, evaluate
from swarmkit.search import batch_scores, links_of
from swarmkit_genetic.selection import Parents

NEAR = 8
"""A child is scored by its difference from a parent where they differ in up to n / NEAR stages; beyond, a whole
score is as fast."""


def child_scores(problem: Problem, parents: Parents, children: Solutions) -> Floats:
    """Return the scores of children.

    What the algorithm reads is a whole score whichever way it is computed: as many looks as there are stages.

    Args:
        problem: any problem.
        parents: population, scores, and the pair of each child.
        children: the solutions to score.
    """
    form = problem.structure.pairwise
    if form is None:
        return evaluate(problem, children)
    if problem.structure.tour is not None:  # a length is as fast as any difference
        return batch_scores(problem, children)
    from swarmkit.kernels.compiling import read_only
    from swarmkit_genetic.kernels.child_scores import score_children

    n = children.shape[1]
    totals, scratch = np.empty(len(children)), np.empty(n, np.int64)
    score_children(links_of(form), form.unary, read_only(parents), children, n // NEAR, scratch, totals)
    far = np.isnan(totals)
    totals[far] = batch_scores(problem, children[far])
    return totals
