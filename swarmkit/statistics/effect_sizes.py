"""Effect sizes: how much better one method is than another, beside whether it is.

Vargha and Delaney (2000), A critique and improvement of the CL common language effect size statistics; Cliff (1993),
Dominance statistics; Kerby (2014), The simple difference formula.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

SIZES = {"large": 0.21, "medium": 0.14, "small": 0.06}
"""Vargha and Delaney's thresholds 0.71, 0.64 and 0.56, as distances of A12 from 0.5."""


def a12(first: ArrayLike, second: ArrayLike) -> float:
    """Return the probability that a run of the first method scores higher than one of the second; ties count half.

    Args:
        first: scores of the first method.
        second: scores of the second method.

    >>> a12([3, 4, 5], [1, 3, 5])
    0.6666666666666666
    """
    a, b = np.asarray(first, dtype=float), np.asarray(second, dtype=float)
    return float(((a[:, None] > b).sum() + 0.5 * (a[:, None] == b).sum()) / (a.size * b.size))


def cliffs_delta(first: ArrayLike, second: ArrayLike) -> float:
    """Return P(first > second) - P(first < second) for two sets of scores, in [-1, 1].

    >>> round(cliffs_delta([3, 4, 5], [1, 3, 5]), 4)
    0.3333
    """
    return 2 * a12(first, second) - 1


def rank_biserial(differences: ArrayLike) -> float:
    """Return the matched-pairs rank-biserial correlation, in [-1, 1].

    It is the share of the ranks of positive differences minus that of negative ones; differences of zero are dropped.

    Args:
        differences: score of the first method minus score of the second, per instance.

    >>> rank_biserial([1, 2, -3, 4])
    0.4
    """
    from scipy.stats import rankdata

    d = np.asarray(differences, dtype=float)
    d = d[d != 0]
    if not d.size:
        return 0.0
    ranks = rankdata(np.abs(d))
    return float((ranks[d > 0].sum() - ranks[d < 0].sum()) / ranks.sum())


def magnitude(a: float) -> str:
    """Return Vargha and Delaney's name for the size of an effect, given A12.

    >>> magnitude(0.75), magnitude(0.4), magnitude(0.5)
    ('large', 'small', 'negligible')
    """
    distance = abs(a - 0.5) + 1e-12  # 0.71 - 0.5 is less than 0.21 in floating point
    return next((name for name, threshold in SIZES.items() if distance >= threshold), "negligible")
