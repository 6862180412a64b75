"""The formulas of bee colony optimisation (Teodorović 2009), one function each.

Equation numbers are those of Abualhaija & Zimmermann 2014. The core's compiled iterations have twins of
these; tests hold the two together.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from swarmkit.compiled import Normalise


def normalised(qualities: ArrayLike, how: Normalise = "max") -> NDArray[np.float64]:
    """Normalise the qualities of partial solutions: O_b.

    The papers say "normalized" and no more. `max` divides by the largest, `min-max` also subtracts the smallest, `raw`
    leaves them. Where qualities are negative all are lifted first, so that the smallest is 0.

    >>> normalised([1.0, 2.0, 4.0])
    array([0.25, 0.5 , 1.  ])
    >>> normalised([1.0, 2.0, 3.0], "min-max")
    array([0. , 0.5, 1. ])
    """
    given = np.asarray(qualities, np.float64)
    low, high = given.min(), given.max()
    floor = low if how == "min-max" else min(0.0, low)
    if how == "min-max" and high == low:
        return np.ones_like(given)
    scale = 1.0 if how == "raw" or high <= floor else high - floor
    return np.asarray((given - floor) / scale)


def shares(added: NDArray[np.float64], allowed: NDArray[np.bool_], sharpness: float) -> NDArray[np.float64]:
    """Give each candidate's part of the wheel, a row for each bee: what it adds, and 0 for what is not allowed.

    Where some candidates cost something all are lifted, the costliest to 0. Where all do, the parts are 1 / cost to the
    power of `sharpness`, in units of the cheapest's: the transition weights of tours.

    >>> every = np.ones((1, 3), bool)
    >>> shares(np.array([[1.0, 0.0, 2.0]]), every, 2.0), shares(np.array([[-1.0, 0.0, 2.0]]), every, 2.0)
    (array([[1., 0., 2.]]), array([[0., 1., 3.]]))
    >>> shares(np.array([[-1.0, -2.0, -4.0]]), every, 2.0)
    array([[1.    , 0.25  , 0.0625]])
    """
    lowest = np.minimum(0.0, np.where(allowed, added, 0.0).min(axis=1, keepdims=True))
    highest = np.where(allowed, added, -np.inf).max(axis=1, keepdims=True)
    costs = np.isfinite(highest) & (highest < 0)
    sharp = (np.where(costs, highest, -1.0) / np.where(added < 0, added, -1.0)) ** sharpness
    return np.where(allowed, np.where(costs, sharp, added - lowest), 0.0)


def loyalty(quality: Any, best: float, passes: int) -> Any:
    """Give the chance that a bee stays with its path: exp(-(O_max - O_b) / u), u the forward passes so far. Eq. (2).

    >>> print(f"{loyalty(0.5, 1.0, 2):.4f}")
    0.7788
    """
    return np.exp(-(best - quality) / passes)


def recruiting(qualities: ArrayLike) -> NDArray[np.float64]:
    """Give each recruiter's chance to be followed: O_k / ΣO, all alike where the sum is 0. Eq. (3).

    >>> recruiting([1.0, 3.0])
    array([0.25, 0.75])
    """
    given = np.asarray(qualities, np.float64)
    total = given.sum()
    return given / total if total > 0 else np.full(given.shape, 1.0 / len(given))
