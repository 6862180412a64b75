"""The best score of runs as a function of their work, and the targets that they are measured by."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike

from swarmkit.comparison.record import Record
from swarmkit.contract.arrays import Floats
from swarmkit.contract.result import Result
from swarmkit.statistics.optimum import KnownBest
from swarmkit.statistics.scores import TOLERANCE

Unit = Literal["looks", "evaluations", "seconds"]
"""The unit of work."""

SHORTFALLS = (*np.logspace(0, -4, 41), 0.0)
"""Distances of targets from the best score, as fractions of best minus worst: ten per decade, as in COCO, and 0."""


@dataclass(frozen=True)
class Trajectory:
    """The best score of a run as a step function of its work."""

    when: Floats
    """Work at each improvement."""
    score: Floats
    """The best score from there on."""
    end: float
    """The work of the whole run."""


def fair_unit(records: Sequence[Record]) -> Unit:
    """Return the unit that is fair to all methods: evaluations if none of the problems has tables, looks otherwise.

    Results of other tools may have neither: seconds then.
    """
    if not any(record.result.looks or record.result.evaluations for record in records):
        return "seconds"
    return "looks" if any(record.result.tables for record in records) else "evaluations"


def trajectory(result: Result, unit: Unit) -> Trajectory:
    """Return a run's trajectory; an improvement by polishing after the run counts as reached at its end."""
    when: list[float] = [float(x) for x in getattr(result.trace, unit)]
    score = list(result.trace.score)
    end = float(getattr(result, unit))
    if result.score is not None and (not score or result.score > score[-1]):
        when, score = [*when, end], [*score, result.score]
    return Trajectory(np.array(when), np.array(score), max([end, *when[-1:]]))


def first_hitting_times(run: Trajectory, targets: ArrayLike) -> Floats:
    """Return the work after which a run first reached each target, inf where it never did.

    >>> first_hitting_times(Trajectory(np.array([1.0, 5.0]), np.array([10.0, 20.0]), 9.0), [5.0, 20.0, 21.0]).tolist()
    [1.0, 5.0, inf]
    """
    least = np.asarray(targets, dtype=float)
    # A target that differs by rounding alone is reached.
    least = least - TOLERANCE * np.maximum(1.0, np.abs(least))
    places = np.searchsorted(np.maximum.accumulate(run.score), least) if run.score.size else np.zeros(least.size, int)
    when: Floats = np.r_[run.when, np.inf][places]  # beyond the last improvement: never
    return when


def score_range(records: Sequence[Record], known: KnownBest) -> tuple[float, float] | None:
    """Return the lowest first score of any run of an instance and the best known score; None if no run has a score."""
    here = [r.result for r in records if r.instance == known.instance and r.result.score is not None]
    if not here:
        return None
    scores = [score for result in here for score in (*result.trace.score[:1], result.score or 0.0)]
    best = max(result.score for result in here if result.score is not None)
    return min(scores), max(best, known.bound) if known.optimum and known.bound is not None else best


def target_scores(worst: float, best: float, shortfalls: Sequence[float] = SHORTFALLS) -> Floats:
    """Return ascending targets between the worst and the best score.

    Args:
        worst: the lowest score.
        best: the highest score.
        shortfalls: distances of the targets from the best, as fractions of best minus worst.

    >>> target_scores(0.0, 10.0, [1.0, 0.1, 0.0]).tolist()
    [0.0, 9.0, 10.0]
    """
    return np.unique(best - np.asarray(shortfalls) * (best - worst))


def best_scores(run: Trajectory, grid: Floats) -> Floats:
    """Return the best score of a run at each amount of work, -inf before it has one."""
    best = np.r_[-np.inf, np.maximum.accumulate(run.score)] if run.score.size else np.array([-np.inf])
    return best[np.searchsorted(run.when, grid, side="right")]


def work_grid(records: Sequence[Record], unit: Unit, points: int = 80) -> Floats:
    """Return amounts of work, log-spaced, from the first improvement of any run to the end of the longest.

    Args:
        records: the runs.
        unit: the unit of work.
        points: the number of amounts.
    """
    runs = [trajectory(r.result, unit) for r in records]
    begins = [float(run.when[0]) for run in runs if run.when.size and run.when[0] > 0]
    end = max((run.end for run in runs), default=0.0)
    begin = min(begins, default=end)
    if end <= 0:
        return np.array([1.0])
    return np.array([end]) if begin >= end else np.geomspace(begin, end, points)
