"""The linear relaxation of a problem whose score is a sum over slots: a bound, and what each slot falls short of it.

The price of a row is what a unit of its bound is worth in the optimum of the relaxation. With prices paid, the slots of
a stage differ by their *excess*, the value that the stage loses by choosing a slot instead of its best one. The
excesses of a solution, and the prices of what it leaves of its rows, add up to the bound minus its score. So a solution
that is better than a known one has no slot of a larger excess than the bound minus the known score.
"""

from __future__ import annotations

from typing import NamedTuple
from weakref import WeakKeyDictionary

import numpy as np

from swarmkit.contract.arrays import Floats
from swarmkit.contract.structure import Structure
from swarmkit.search.linear_construction import linear_of

LARGEST = 300_000
"""The most coefficients for which the relaxation is solved: its time grows faster than they do."""


class Relaxation(NamedTuple):
    """The optimum of the linear relaxation."""

    bound: float
    """No solution has a higher score."""
    shares: Floats
    """The share of each slot in the optimum; those of a stage sum to 1."""
    excess: Floats
    """What each slot falls short of the best one of its stage, prices paid."""
    prices: Floats
    """The price of each row; negative where a lower bound is what costs."""


_RELAXATIONS: WeakKeyDictionary[Structure, Relaxation | None] = WeakKeyDictionary()


def relaxation_of(structure: Structure) -> Relaxation | None:
    """Return the optimum of the linear relaxation, by HiGHS; None where the score is no sum over slots, or too large.

    Args:
        structure: the structure of a problem with linear constraints.

    >>> from swarmkit import Pairwise, PairwiseProblem, capacity
    >>> knapsack = PairwiseProblem(Pairwise.of([2, 2], unary=[0.0, 3.0, 0.0, 2.0]))
    >>> knapsack.constraints = [capacity([(0, 1), (1, 1)], [2, 2], 3)]
    >>> relaxation_of(knapsack.structure)
    Relaxation(bound=4.0, shares=array([0. , 1. , 0.5, 0.5]), excess=array([1., 0., 0., 0.]), prices=array([1.]))
    """
    if structure not in _RELAXATIONS:
        _RELAXATIONS[structure] = _solve(structure)
    return _RELAXATIONS[structure]


def _solve(structure: Structure) -> Relaxation | None:
    form, linear = structure.pairwise, linear_of(structure)
    if form is None or len(form.edges) or not form.unary.any() or len(linear.slots) > LARGEST:
        return None
    from scipy.optimize import linprog
    from scipy.sparse import csr_array, vstack

    n, slots = len(form.sizes), len(form.unary)
    rows = csr_array((linear.coefficients, linear.slots, linear.indptr), (len(linear), slots))
    stages = csr_array((np.ones(slots), (np.repeat(np.arange(n), form.sizes), np.arange(slots))), (n, slots))
    above, below = np.isfinite(linear.upper), np.isfinite(linear.lower)
    result = linprog(
        -form.unary,
        A_ub=vstack([rows[above], -rows[below]]),
        b_ub=np.concatenate([linear.upper[above], -linear.lower[below]]),
        A_eq=stages,
        b_eq=np.ones(n),
        method="highs",
    )
    if result.status != 0:
        return None
    prices, marginals = np.zeros(len(linear)), -result.ineqlin.marginals
    prices[above] += marginals[: above.sum()]
    prices[below] -= marginals[above.sum() :]
    values = form.unary - rows.T @ prices
    highest = np.maximum.reduceat(values, form.offsets[:-1])
    return Relaxation(-float(result.fun), result.x, np.repeat(highest, form.sizes) - values, prices)
