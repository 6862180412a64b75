"""Walks through a pairwise problem: an order of its stages, and what each stage can already be compared with.

A bee or an ant fills the stages one after another. What its next candidate would add is the unary value and the tables
towards stages that it has been to; which these are depends on the order alone, so it is worked out once for a walk.
"""

from __future__ import annotations

from typing import NamedTuple
from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import NDArray

from swarmkit.compiled.loading import tables
from swarmkit.pairwise import Floats, Ints, Pairwise
from swarmkit.problem import Problem


class Walk(NamedTuple):
    """The half-edges of each step that lead back to earlier steps (CSR by step).

    With candidate c at step t and d at step `earlier[h]`, half-edge h in `indptr[t]:indptr[t+1]` adds
    `weight[h] · flat[start[h] + c · own[h] + d · other[h]]`. `last[t]` is the last step that looks back at step t.
    """

    order: Ints
    indptr: Ints
    earlier: Ints
    start: Ints
    own: Ints
    other: Ints
    weight: Floats
    last: Ints


_LAST: WeakKeyDictionary[Pairwise, Walk] = WeakKeyDictionary()
"""The last walk through each form: working it out takes about as long as one iteration of a colony along it."""


def walk_along(form: Pairwise, order: NDArray[np.int64]) -> Walk:
    """Work out what each step of a walk can look back at.

    >>> chain = Pairwise.of([2, 2, 2], [(0, 1, np.eye(2)), (1, 2, np.eye(2))])
    >>> walk_along(chain, np.array([1, 2, 0])).earlier
    array([0, 0])
    """
    kept = _LAST.get(form)
    if kept is None or not np.array_equal(kept.order, order):
        kept = _LAST[form] = _work_out(form, np.array(order, np.int64))
    return kept


def _work_out(form: Pairwise, order: Ints) -> Walk:
    half = form.half_edges
    step = np.empty_like(order)
    step[order] = np.arange(len(order))
    mine = np.repeat(step, np.diff(half.indptr))
    theirs = step[half.neighbour]
    back = np.flatnonzero(theirs < mine)
    back = back[np.argsort(mine[back], kind="stable")]
    last = np.arange(len(order))
    np.maximum.at(last, theirs[back], mine[back])
    indptr = np.concatenate([[0], np.cumsum(np.bincount(mine[back], minlength=len(order)))])
    return Walk(
        order, indptr, theirs[back], half.start[back], half.own[back], half.other[back], half.weight[back], last
    )


def free_form(problem: Problem) -> Pairwise | None:
    """Give the tables of a problem that is nothing but its tables: any candidate goes with any other."""
    return None if problem.distinct or problem.overrides("appeal") else tables(problem)
