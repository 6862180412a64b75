"""Scores of children by their difference from a parent."""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import types

from swarmkit import Floats, Ints, Links
from swarmkit.kernels.compiling import FLOAT, FLOATS, GIVEN_FLOATS, GIVEN_INT_ROWS, GIVEN_INTS, INT, INTS, LINKS, kernel
from swarmkit_genetic.kernels.offspring import PARENTS


@kernel(FLOAT(LINKS, GIVEN_FLOATS, INTS, GIVEN_INTS))
def difference(links: Links, unary: Floats, y: Ints, goal: Ints) -> float:
    """Turn solution y into the goal, stage by stage, and return the change of score."""
    offsets, indptr, runs, weights, flat = links.offsets, links.indptr, links.runs, links.weights, links.flat
    total = 0.0
    for i in range(len(y)):
        if y[i] == goal[i]:
            continue
        total += unary[offsets[i] + goal[i]] - unary[offsets[i] + y[i]]
        for r in range(indptr[i], indptr[i + 1]):
            to, start, own, other, j = runs[r, 0], runs[r, 2], runs[r, 3], runs[r, 4], runs[r, 5]
            old, new = start + y[i] * own, start + goal[i] * own
            part = 0.0
            while offsets[j] < to + runs[r, 1]:
                d = (offsets[j] - to + y[j]) * other
                part += flat[new + d] - flat[old + d]
                j += 1
                if j == len(y):
                    break
            total += weights[r] * part
        y[i] = goal[i]
    return total


@kernel(types.void(LINKS, GIVEN_FLOATS, PARENTS, GIVEN_INT_ROWS, INT, INTS, FLOATS))
def score_children(
    links: Links, unary: Floats, parents: Any, children: Ints, limit: int, scratch: Ints, totals: Floats
) -> None:
    """Write the score of each child, computed from the parent that differs at fewer stages, to `totals`.

    Args:
        links: the half-edges of the tables.
        unary: the values of single candidates.
        parents: population, scores, and the pair of each child.
        children: the solutions to score.
        limit: where both parents differ at more stages than this, the score is NaN.
        scratch: room for one solution.
        totals: receives the scores.
    """
    for k in range(len(children)):
        nearest, least = 0, limit + 1
        for p in parents.pairs[k]:
            apart = 0
            for i in range(len(scratch)):
                apart += parents.X[p, i] != children[k, i]
            if apart < least:
                nearest, least = p, apart
        totals[k] = np.nan
        if least <= limit:
            for i in range(len(scratch)):
                scratch[i] = parents.X[nearest, i]
            change = difference(links, unary, scratch, children[k])
            totals[k] = parents.scores[nearest] + change
