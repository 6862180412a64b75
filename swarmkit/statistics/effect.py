"""Effect sizes: not whether, but how much one method is better than another.

Vargha and Delaney (2000), A critique and improvement of the CL common language effect size statistics; Cliff (1993),
Dominance statistics; Kerby (2014), The simple difference formula.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from swarmkit.statistics.outcomes import Floats

SIZES = {"large": 0.21, "medium": 0.14, "small": 0.06}
"""Vargha and Delaney's 0.71, 0.64 and 0.56, as distances of A from 0.5."""


def a12(first: ArrayLike, second: ArrayLike) -> float:
    """Give the chance that a run of the first beats one of the second; ties count half.

    >>> a12([3, 4, 5], [1, 3, 5])
    0.6666666666666666
    """
    a, b = np.asarray(first, dtype=float), np.asarray(second, dtype=float)
    return float(((a[:, None] > b).sum() + 0.5 * (a[:, None] == b).sum()) / (a.size * b.size))


def cliffs_delta(first: ArrayLike, second: ArrayLike) -> float:
    """Give how much more often the first beats the second than the other way round, in [-1, 1].

    >>> round(cliffs_delta([3, 4, 5], [1, 3, 5]), 4)
    0.3333
    """
    return 2 * a12(first, second) - 1


def rank_biserial(differences: ArrayLike) -> float:
    """Give the matched-pairs rank-biserial correlation: the share of ranks for less the share against, ties dropped.

    >>> rank_biserial([1, 2, -3, 4])
    0.4
    """
    d = np.asarray(differences, dtype=float)
    d = d[d != 0]
    if not d.size:
        return 0.0
    ranks = average_ranks(np.abs(d))
    return float((ranks[d > 0].sum() - ranks[d < 0].sum()) / ranks.sum())


def average_ranks(values: Floats) -> Floats:
    """Rank values from 1, the lowest; equal ones share the mean of their ranks.

    >>> average_ranks(np.array([10.0, 20.0, 10.0])).tolist()
    [1.5, 3.0, 1.5]
    """
    _, inverse, counts = np.unique(values, return_inverse=True, return_counts=True)
    last = np.cumsum(counts)
    ranks: Floats = (last - (counts - 1) / 2)[inverse.ravel()].astype(float)
    return ranks


def magnitude(a: float) -> str:
    """Name the size of an effect as Vargha and Delaney do.

    >>> magnitude(0.75), magnitude(0.4), magnitude(0.5)
    ('large', 'small', 'negligible')
    """
    away = abs(a - 0.5) + 1e-12
    return next((name for name, least in SIZES.items() if away >= least), "negligible")
