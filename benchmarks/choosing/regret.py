"""The regret of a choice: how far it stays behind the best single solver, in units of its lead over random sampling."""

from __future__ import annotations

import statistics
from collections.abc import Mapping
from typing import NamedTuple

Scores = Mapping[str, Mapping[int, float]]
"""Scores by solver and seed, on one instance."""

REFERENCE = "random"
AUTO = "auto"


class Best(NamedTuple):
    """The best single solver of an instance and its median, measured on other seeds than it was chosen on."""

    solver: str
    value: float


def best_single(scores: Scores) -> Best | None:
    """Return the best single solver, chosen by its median on the first three of five seeds and measured on the others.

    Only solvers with the most seeds take part. A single seed is used for both.

    >>> best_single({"a": {0: 1, 1: 1, 2: 1, 3: 5, 4: 5}, "b": {0: 2, 1: 2, 2: 2, 3: 3, 4: 3}, "auto": {0: 9}})
    Best(solver='b', value=3.0)
    """
    singles = {name: own for name, own in scores.items() if name not in (AUTO, REFERENCE)}
    if not singles:
        return None
    most = max(len(own) for own in singles.values())
    singles = {name: own for name, own in singles.items() if len(own) == most}
    seeds = sorted({seed for own in singles.values() for seed in own})
    cut = max(1, round(0.6 * len(seeds)))
    chosen_on, measured_on = seeds[:cut], seeds[cut:] or seeds[:cut]
    chosen = max(singles, key=lambda name: statistics.median(_of(singles[name], chosen_on)))
    return Best(chosen, float(statistics.median(_of(singles[chosen], measured_on))))


def regret(best: float, own: float, reference: float) -> float:
    """Return (best - own) / (best - reference); where random sampling is as good as the best, 0 or 1.

    >>> regret(10.0, 9.5, 5.0)
    0.1
    """
    if best <= reference:
        return 0.0 if own >= best else 1.0
    return (best - max(own, reference)) / (best - reference)


def regrets(scores: Scores) -> dict[str, float]:
    """Return the regret of every solver on an instance; {} where `auto` or random sampling is missing."""
    best = best_single(scores)
    if best is None or AUTO not in scores or REFERENCE not in scores:
        return {}
    reference = statistics.median(scores[REFERENCE].values())
    return {
        name: regret(best.value, statistics.median(own.values()), reference)
        for name, own in scores.items()
        if name != REFERENCE
    }


def _of(scores: Mapping[int, float], seeds: list[int]) -> list[float]:
    found = [scores[seed] for seed in seeds if seed in scores]
    return found or [min(scores.values())]
