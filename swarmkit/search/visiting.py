"""An order in which the stages of a pairwise problem are filled, and what each stage can be compared with by then.

A method that fills the stages one after another adds, for each candidate, its unary value and the tables towards stages
that are filled already. Which tables these are depends on the order alone, so it is computed once.
"""

from __future__ import annotations

from typing import NamedTuple
from weakref import WeakKeyDictionary

import numpy as np

from swarmkit.contract.arrays import Floats, Ints
from swarmkit.contract.pairwise import Pairwise


class VisitingOrder(NamedTuple):
    """The half-edges of each step that lead back to earlier steps (CSR by step).

    With candidate c at step t and d at step `earlier[h]`, half-edge h in `indptr[t]:indptr[t+1]` adds
    `weight[h] · flat[start[h] + c · own[h] + d · other[h]]`.
    """

    order: Ints
    """The stage of each step."""
    indptr: Ints
    earlier: Ints
    start: Ints
    own: Ints
    other: Ints
    weight: Floats
    last: Ints
    """The last step with a half-edge that leads back to each step."""

    @classmethod
    def of(cls, form: Pairwise, order: Ints) -> VisitingOrder:
        """Return the half-edges of each step of an order that lead back to earlier steps.

        >>> chain = Pairwise.of([2, 2, 2], [(0, 1, np.eye(2)), (1, 2, np.eye(2))])
        >>> VisitingOrder.of(chain, np.array([1, 2, 0])).earlier
        array([0, 0])

        Args:
            form: the tables of a problem.
            order: the stages, each once, in the order in which they are filled.
        """
        kept = _LAST.get(form)
        if kept is None or not np.array_equal(kept.order, order):
            kept = _LAST[form] = _compute(form, np.array(order, np.int64))
        return kept


_LAST: WeakKeyDictionary[Pairwise, VisitingOrder] = WeakKeyDictionary()
"""The last order used with each form: computing it takes about as long as filling the stages along it."""


def _compute(form: Pairwise, order: Ints) -> VisitingOrder:
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
    arrays = half.start[back], half.own[back], half.other[back], half.weight[back]
    return VisitingOrder(order, indptr, theirs[back], *arrays, last)
