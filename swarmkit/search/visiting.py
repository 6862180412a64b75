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
    `weight[h] · flat[start[h] + c · stride[h] + d · far_stride[h]]`.
    """

    order: Ints
    """The stage of each step."""
    indptr: Ints
    earlier: Ints
    start: Ints
    stride: Ints
    far_stride: Ints
    weight: Floats
    last: Ints
    """The last step with a half-edge that leads back to each step."""

    @classmethod
    def of(cls, form: Pairwise, order: Ints) -> VisitingOrder:
        """Return the half-edges of each step of an order that lead back to earlier steps.

        The time is in proportion to the half-edges of the stages in the order.

        >>> chain = Pairwise.of([2, 2, 2], [(0, 1, np.eye(2)), (1, 2, np.eye(2))])
        >>> VisitingOrder.of(chain, np.array([1, 2, 0])).earlier
        array([0, 0])

        Args:
            form: the tables of a problem.
            order: stages, each at most once, in the order in which they are filled.
        """
        kept = _LAST.get(form)
        if kept is None or not np.array_equal(kept.order, order):
            kept = _LAST[form] = _compute(form, np.array(order, np.int64))
        return kept


_LAST: WeakKeyDictionary[Pairwise, VisitingOrder] = WeakKeyDictionary()
"""The last order used with each form: computing it takes about as long as filling the stages along it."""


def _compute(form: Pairwise, order: Ints) -> VisitingOrder:
    half, k = form.half_edges, len(order)
    step = np.full(len(form.sizes), k)  # a stage that is not in the order counts as a later one
    step[order] = np.arange(k)
    degree = np.diff(half.indptr)[order]
    mine = np.repeat(np.arange(k), degree)
    place = np.arange(len(mine)) + np.repeat(half.indptr[order] - np.cumsum(degree) + degree, degree)
    theirs = step[half.neighbour[place]]
    back = theirs < mine
    place, mine, theirs = place[back], mine[back], theirs[back]
    last = np.arange(k)
    np.maximum.at(last, theirs, mine)
    indptr = np.concatenate([[0], np.cumsum(np.bincount(mine, minlength=k))])
    arrays = half.start[place], half.stride[place], half.far_stride[place], half.weight[place]
    return VisitingOrder(order, indptr, theirs, *arrays, last)
