"""The formulas of ant colony optimisation, with τ in units of what the best solution would make of it: τ_max is 1.

[SH] Stützle, T. and Hoos, H. 2000. MAX-MIN ant system. Future Generation Computer Systems 16(8).
[DG] Dorigo, M. and Gambardella, L. 1997. Ant colony system. IEEE Transactions on Evolutionary Computation 1(1).
[BD] Blum, C. and Dorigo, M. 2004. The hyper-cube framework for ant colony optimization. IEEE Trans. SMC B 34(2).
[GD] Gambardella, L. and Dorigo, M. 1995. Ant-Q. Proceedings of the 12th International Conference on Machine Learning.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from swarmkit import Floats


def transition(pheromone: Floats, heuristic: Floats, alpha: float, beta: float) -> Floats:
    """Return the probabilities of an ant's choices, τ^alpha·η^beta over their sum.

    >>> transition(np.array([1.0, 0.5]), np.array([1.0, 2.0]), 1.0, 2.0).round(3).tolist()
    [0.333, 0.667]
    """
    weights = pheromone**alpha * heuristic**beta
    return np.asarray(weights / weights.sum(axis=-1, keepdims=True))


def lowest_pheromone(stages: int, choices: float, p_best: float) -> float:
    """Return τ_min / τ_max with which, all pheromone at its limits, the best solution is built with probability p_best.

    [SH] Eq. (11): (1 - p) / ((avg - 1)·p) with p the n-th root of p_best.

    >>> round(lowest_pheromone(100, 11.0, 0.05), 5)
    0.00304

    Args:
        stages: n, the choices that make a solution.
        choices: avg, the mean number of candidates that an ant chooses among.
        p_best: the probability.
    """
    p = p_best ** (1.0 / stages)
    return float(min(1.0, (1.0 - p) / (max(choices - 1.0, 1.0) * p)))


def restart_best_period(age: int) -> int:
    """Return the period in which the restart-best deposits instead of the iteration-best; `age`: iterations since then.

    [SH] Section 4.4, for ants with local search: seldom at first, always at last.

    >>> [restart_best_period(age) for age in (0, 25, 75, 125, 250)]
    [25, 5, 3, 2, 1]
    """
    return next((period for until, period in ((25, 25), (75, 5), (125, 3), (250, 2)) if age < until), 1)


def branching_factor(pheromone: Floats, share: float = 0.05) -> float:
    """Return the mean number of edges per city whose τ is above the row's least by a share of the row's range [GD].

    >>> branching_factor(np.array([[1.0, 0.0, 0.0], [1.0, 1.0, 0.0]]))
    1.5
    """
    low, high = pheromone.min(axis=1, keepdims=True), pheromone.max(axis=1, keepdims=True)
    return float((pheromone > low + share * (high - low)).sum(axis=1).mean())


def relative_deposit(length: float, best: float) -> float:
    """Return what a tour deposits on each of its edges, 1 / length in units of 1 / best; 1 where a length is not > 0.

    >>> relative_deposit(120.0, 90.0)
    0.75
    """
    return best / length if best > 0 and length > 0 else 1.0


def relative_quality(scores: Floats) -> Floats:
    """Return what each solution deposits where scores may have any sign: 0 for the worst, 1 for the best [BD].

    >>> relative_quality(np.array([-5.0, 0.0, 5.0])).tolist()
    [0.0, 0.5, 1.0]
    """
    extent = np.ptp(scores)
    return (scores - scores.min()) / extent if extent > 0 else np.ones(len(scores))


def heuristic_values(cost: Floats, beta: float) -> Floats:
    """Return η^beta of edges by their cost (η = 1 / cost, shifted where costs are negative), the best of each row 1.

    >>> heuristic_values(np.array([[2.0, 4.0]]), 2.0).round(2).tolist()
    [[1.0, 0.25]]
    """
    away = cost - min(0.0, float(cost.min()))
    away = away + 1e-6 * (float(away.mean()) or 1.0)
    return np.asarray((away.min(axis=1, keepdims=True) / away) ** beta)


def updated(pheromone: Any, keep: float, amount: float) -> Any:
    """Return pheromone after an update, keep·τ + amount.

    >>> round(updated(0.5, 0.9, 0.1), 3)
    0.55
    """
    return keep * pheromone + amount
