"""Tables with some stages fixed: what they add to the others becomes part of these stages' own values."""

from __future__ import annotations

import numpy as np

from swarmkit.contract.arrays import Floats, Ints
from swarmkit.contract.pairwise import Pairwise


def fixed_tables(form: Pairwise, held: Ints, chosen: Ints) -> Pairwise:
    """Return the tables of the stages that are left, with the same scores as the whole.

    Where candidates are distinct, those that are chosen are left out. What the fixed stages add by themselves is added
    to every candidate of the first stage that is left.

    >>> form = Pairwise.of([2, 2], [(0, 1, [[1.0, 2.0], [3.0, 4.0]])], unary=[10.0, 20.0, 0.0, 0.0])
    >>> fixed_tables(form, np.array([0]), np.array([1])).unary.tolist()
    [23.0, 24.0]

    Args:
        form: the tables of the whole problem.
        held: the fixed stages, in increasing order.
        chosen: the candidate of each.
    """
    n = len(form.sizes)
    candidate = np.full(n, -1)
    candidate[held] = chosen
    left = np.flatnonzero(candidate < 0)
    kept = [np.setdiff1d(np.arange(form.sizes[i]), chosen if form.distinct else []) for i in left]
    unary, constant = _folded(form, candidate)
    number = np.full(n, -1)
    number[left] = np.arange(len(left))
    inside = (candidate[form.edges] < 0).all(axis=1)
    starts, flat = form.starts[inside], form.flat
    if form.distinct and len(left):
        starts, flat = _smaller_tables(form, starts, kept[0])
    slots = np.concatenate([form.offsets[i] + own for i, own in zip(left, kept, strict=True)] or [np.empty(0, int)])
    values = unary[slots.astype(np.int64)]
    sizes = np.array([len(own) for own in kept], np.int64)
    if len(sizes):
        values[: sizes[0]] += constant
    edges = number[form.edges[inside]].reshape(-1, 2)
    return Pairwise(sizes, values, edges, starts, form.weights[inside], flat, form.distinct)


def _folded(form: Pairwise, candidate: Ints) -> tuple[Floats, float]:
    """Return each slot's value beside the fixed candidates, and what these add among themselves."""
    unary = form.unary.copy()
    fixed = np.flatnonzero(candidate >= 0)
    constant = float(form.unary[form.offsets[fixed] + candidate[fixed]].sum())
    for (i, j), start, weight in zip(form.edges.tolist(), form.starts.tolist(), form.weights.tolist(), strict=True):
        a, b, m, width = candidate[i], candidate[j], int(form.sizes[i]), int(form.sizes[j])
        if a < 0 and b < 0:
            continue
        table = form.flat[start : start + m * width].reshape(m, width)
        if a >= 0 and b >= 0:
            constant += weight * float(table[a, b])
        elif a >= 0:
            unary[form.offsets[j] : form.offsets[j + 1]] += weight * table[a]
        else:
            unary[form.offsets[i] : form.offsets[i + 1]] += weight * table[:, b]
    return unary, constant


def _smaller_tables(form: Pairwise, starts: Ints, kept: Ints) -> tuple[Ints, Floats]:
    """Return square tables with the rows and columns of some candidates alone, and where each edge's begins."""
    m, size = int(form.sizes[0]), len(kept) ** 2
    different, which = np.unique(starts, return_inverse=True)
    flat = np.empty(len(different) * size)
    for k, start in enumerate(different):
        table = form.flat[start : start + m * m].reshape(m, m)
        flat[k * size : (k + 1) * size] = table[np.ix_(kept, kept)].ravel()
    return np.asarray(which * size, np.int64).ravel(), flat
