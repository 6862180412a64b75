"""The formulas of ant colony optimisation, with τ in units of what the best solution would make of it: τ_max is 1.

[SH] Stützle, T. and Hoos, H. 2000. MAX-MIN ant system. Future Generation Computer Systems 16(8).
[DG] Dorigo, M. and Gambardella, L. 1997. Ant colony system. IEEE Transactions on Evolutionary Computation 1(1).
[BD] Blum, C. and Dorigo, M. 2004. The hyper-cube framework for ant colony optimization. IEEE Trans. SMC B 34(2).
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]


def transition(trail: Floats, visibility: Floats, alpha: float, beta: float) -> Floats:
    """Give the probabilities of an ant's ways on: τ^alpha·η^β, in proportion.

    >>> transition(np.array([1.0, 0.5]), np.array([1.0, 2.0]), 1.0, 2.0).round(3).tolist()
    [0.333, 0.667]
    """
    share = trail**alpha * visibility**beta
    return np.asarray(share / share.sum(axis=-1, keepdims=True))


def lowest_trail(stages: int, choices: float, p_best: float) -> float:
    """Give τ_min / τ_max so that with all trails at their limits the best solution is built with chance p_best.

    [SH] Eq. (11): (1 - p) / ((avg - 1)·p) with p the n-th root of p_best; `choices` is avg, what an ant chooses among.

    >>> round(lowest_trail(100, 11.0, 0.05), 5)
    0.00304
    """
    p = p_best ** (1.0 / stages)
    return float(min(1.0, (1.0 - p) / (max(choices - 1.0, 1.0) * p)))


def period(age: int) -> int:
    """Say how often the restart's best teaches instead of the iteration's best, so many iterations after a restart.

    [SH] Section 4.4, for ants with local search: seldom at first, always at last.

    >>> [period(age) for age in (0, 25, 75, 125, 250)]
    [25, 5, 3, 2, 1]
    """
    return next((often for until, often in ((25, 25), (75, 5), (125, 3), (250, 2)) if age < until), 1)


def branching(trail: Floats, share: float = 0.05) -> float:
    """Count the ways on that are alive, a city on average: τ above its row's least by a share of the row's range.

    >>> branching(np.array([[1.0, 0.0, 0.0], [1.0, 1.0, 0.0]]))
    1.5
    """
    low, high = trail.min(axis=1, keepdims=True), trail.max(axis=1, keepdims=True)
    return float((trail > low + share * (high - low)).sum(axis=1).mean())


def worth(length: float, best: float) -> float:
    """Give what a tour lays on each of its edges, in units of what the best would: the best's length by its own.

    >>> worth(120.0, 90.0)
    0.75
    """
    return best / length if best > 0 and length > 0 else 1.0


def quality(scores: Floats) -> Floats:
    """Give what each solution lays where scores may have any sign: 0 for the worst, 1 for the best [BD].

    >>> quality(np.array([-5.0, 0.0, 5.0])).tolist()
    [0.0, 0.5, 1.0]
    """
    spread = np.ptp(scores)
    return (scores - scores.min()) / spread if spread > 0 else np.ones(len(scores))


def nearness(cost: Floats, beta: float) -> Floats:
    """Give η^β of ways by their cost (η = 1/cost, shifted where costs are negative), the best of each row 1.

    >>> nearness(np.array([[2.0, 4.0]]), 2.0).round(2).tolist()
    [[1.0, 0.25]]
    """
    away = cost - min(0.0, float(cost.min()))
    away = away + 1e-6 * (float(away.mean()) or 1.0)
    return np.asarray((away.min(axis=1, keepdims=True) / away) ** beta)


def laid(trail: Any, keep: float, amount: float) -> Any:
    """Give the trail after an update: keep·τ + amount.

    >>> round(laid(0.5, 0.9, 0.1), 3)
    0.55
    """
    return keep * trail + amount
