"""The formulas of bee colony optimisation (Teodorović 2009), one function each.

Equation numbers are those of Abualhaija & Zimmermann 2014. `swarmkit_bees.kernel` has compiled twins of these; tests
compare the two.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from swarmkit import Bools, Floats
from swarmkit_bees.rules import Normalise


def normalised(qualities: ArrayLike, how: Normalise = "max") -> Floats:
    """Return the normalised qualities O_b of partial solutions.

    The papers say "normalized" and no more. `max` divides by the largest, `min-max` also subtracts the smallest, `raw`
    leaves them as they are. If some are negative, all are first raised by the same amount so that the smallest is 0.

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


def loyalty(quality: Any, best: float, passes: int) -> Any:
    """Return the probability that a bee keeps its path, exp(-(O_max - O_b) / u). Eq. (2).

    >>> print(f"{loyalty(0.5, 1.0, 2):.4f}")
    0.7788

    Args:
        quality: O_b, the normalised quality of one bee, or an array of them.
        best: O_max, the highest of all.
        passes: u, the number of forward passes so far; at least 1.
    """
    return np.exp(-(best - quality) / passes)


def recruiting(qualities: ArrayLike) -> Floats:
    """Return the probability of each recruiter to be followed, O_k / ΣO; equal ones where the sum is 0. Eq. (3).

    >>> recruiting([1.0, 3.0])
    array([0.25, 0.75])

    Args:
        qualities: the normalised qualities of the recruiters.
    """
    given = np.asarray(qualities, np.float64)
    total = given.sum()
    return given / total if total > 0 else np.full(given.shape, 1.0 / len(given))


def wheel_weights(added: Floats, allowed: Bools, sharpness: float) -> Floats:
    """Return the weight of each candidate on the roulette wheel, a row per bee: what it adds, 0 if it is not allowed.

    If some candidates cost something (add less than 0), all are raised by the same amount so that the costliest has 0.
    If all do, the weight is 1 / cost to the power of `sharpness`, in units of the cheapest's: the transition weights of
    tours.

    >>> every = np.ones((1, 3), bool)
    >>> wheel_weights(np.array([[1.0, 0.0, 2.0]]), every, 2.0), wheel_weights(np.array([[-1.0, 0.0, 2.0]]), every, 2.0)
    (array([[1., 0., 2.]]), array([[0., 1., 3.]]))
    >>> wheel_weights(np.array([[-1.0, -2.0, -4.0]]), every, 2.0)
    array([[1.    , 0.25  , 0.0625]])
    """
    lowest = np.minimum(0.0, np.where(allowed, added, 0.0).min(axis=1, keepdims=True))
    highest = np.where(allowed, added, -np.inf).max(axis=1, keepdims=True)
    costly = np.isfinite(highest) & (highest < 0)
    share = np.where(costly, highest, -1.0) / np.where(added < 0, added, -1.0)
    sharp = np.minimum(1.0, share) ** sharpness  # above 1 are only candidates that are not allowed
    return np.where(allowed, np.where(costly, sharp, added - lowest), 0.0)
