"""Anytime performance: what had been reached when.

Expected running time and empirical distributions of running times over targets, as in COCO (Hansen, Auger, Ros,
Mersmann, Tušar and Brockhoff 2021, COCO: a platform for comparing continuous optimizers in a black-box setting).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike

from swarmkit.comparison.record import Record
from swarmkit.contract.result import Result
from swarmkit.statistics.finding import Finding, counted
from swarmkit.statistics.optimum import Known
from swarmkit.statistics.outcomes import SAME, Floats

Unit = Literal["looks", "seconds"]

SHORTFALLS = (*np.logspace(0, -4, 41), 0.0)
"""Targets of an instance: this share of the way from the worst to the best is still missing."""

SHOWN = {"90 % of the way": 0.1, "99 % of the way": 0.01, "the best known": 0.0}
"""Targets for which the expected running time is told."""


@dataclass(frozen=True)
class Course:
    """A run as a staircase: the score reached after so many looks or seconds, and where it ended."""

    when: Floats
    score: Floats
    end: float


class RunningTime(Finding):
    """The expected running time to a target, restarts included."""

    instance: str
    method: str
    target: str
    score: float
    unit: Unit
    expected: float | None
    """None where no run reached it."""
    successes: int
    runs: int


class Distribution(Finding):
    """The share of (instance, run, target) reached after so much work, instances counting alike."""

    method: str
    unit: Unit
    when: list[float]
    share: list[float]


class Band(Finding):
    """The best score so far over runs: median and quartiles, None before most runs have one."""

    instance: str
    method: str
    unit: Unit
    when: list[float]
    low: list[float | None]
    median: list[float | None]
    high: list[float | None]


def course(result: Result, unit: Unit) -> Course:
    """Read a run's trace; what polishing added after the run counts as reached at its end."""
    when: list[float] = [float(x) for x in getattr(result.trace, unit)]
    score = list(result.trace.score)
    end = float(getattr(result, unit))
    if result.score is not None and (not score or result.score > score[-1]):
        when, score = [*when, end], [*score, result.score]
    return Course(np.array(when), np.array(score), max([end, *when[-1:]]))


def first_hits(run: Course, wanted: ArrayLike) -> Floats:
    """Give when a run first reached each target, inf where it never did.

    >>> first_hits(Course(np.array([1.0, 5.0]), np.array([10.0, 20.0]), 9.0), [5.0, 20.0, 21.0]).tolist()
    [1.0, 5.0, inf]
    """
    least = np.asarray(wanted, dtype=float)
    least = least - SAME * np.maximum(1.0, np.abs(least))
    places = np.searchsorted(np.maximum.accumulate(run.score), least) if run.score.size else np.zeros(least.size, int)
    when: Floats = np.r_[run.when, np.inf][places]
    return when


def expected_time(hits: ArrayLike, ends: ArrayLike) -> float | None:
    """Divide all the time spent, by runs that failed (inf) too, by the number of successes.

    >>> expected_time([10.0, np.inf], [10.0, 50.0])
    60.0
    """
    reached = np.isfinite(hits)
    spent = np.where(reached, hits, ends).sum()
    return float(spent / reached.sum()) if reached.any() else None


def ends_of(records: Sequence[Record], known: Known) -> tuple[float, float] | None:
    """Give the lowest score that a run of an instance began with and the best known; None if no run has any."""
    here = [r.result for r in records if r.instance == known.instance and r.result.score is not None]
    if not here:
        return None
    scores = [score for result in here for score in (*result.trace.score[:1], result.score or 0.0)]
    best = max(result.score for result in here if result.score is not None)
    return min(scores), max(best, known.bound) if known.optimum and known.bound is not None else best


def targets(worst: float, best: float, shortfalls: Sequence[float] = SHORTFALLS) -> Floats:
    """Space targets between the worst and the best score, ever closer towards the best.

    >>> targets(0.0, 10.0, [1.0, 0.1, 0.0]).tolist()
    [0.0, 9.0, 10.0]
    """
    return np.unique(best - np.asarray(shortfalls) * (best - worst))


def running_times(records: Sequence[Record], known: Known, unit: Unit) -> list[RunningTime]:
    """Give every method's expected running time to the shown targets of an instance."""
    ends = ends_of(records, known)
    if ends is None:
        return []
    here = [r for r in records if r.instance == known.instance]
    return [
        _running_time([r for r in here if r.method == m], name, ends[1] - share * (ends[1] - ends[0]), unit)
        for m in dict.fromkeys(r.method for r in here)
        for name, share in SHOWN.items()
    ]


def _running_time(records: list[Record], name: str, target: float, unit: Unit) -> RunningTime:
    runs = [course(r.result, unit) for r in records]
    hits = np.array([first_hits(run, [target])[0] for run in runs])
    expected = expected_time(hits, [run.end for run in runs])
    successes = int(np.isfinite(hits).sum())
    method = records[0].method
    many = counted(len(runs), "run")
    words = f"{method} reached {name} ({target:.6g}) in {successes} of {many}"
    words += "" if expected is None else f": {expected:,.3g} {unit} expected"
    return RunningTime(
        instance=records[0].instance,
        method=method,
        target=name,
        score=float(target),
        unit=unit,
        expected=expected,
        successes=successes,
        runs=len(runs),
        words=f"{words}.",
    )


def distribution(
    records: Sequence[Record], known: Sequence[Known], method: str, unit: Unit, when: ArrayLike
) -> Distribution:
    """Give the share of targets that a method has reached after each of the given amounts of work."""
    grid = np.asarray(when, dtype=float)
    shares = []
    for one in known:
        ends = ends_of(records, one)
        runs = [course(r.result, unit) for r in records if r.instance == one.instance and r.method == method]
        if ends is None or not runs:
            continue
        hits = np.sort(np.concatenate([first_hits(run, targets(*ends)) for run in runs]))
        shares.append(np.searchsorted(hits, grid, side="right") / hits.size)
    share = np.mean(shares, axis=0) if shares else np.zeros(grid.size)
    last = float(share[-1]) if share.size else 0.0
    over = f" of the {len(shares)} instances, of {len(known)}, that it has runs on" if len(shares) < len(known) else ""
    words = f"{method} reached {last:.0%} of the targets{over} in the end."
    return Distribution(method=method, unit=unit, when=grid.tolist(), share=share.tolist(), words=words)


def best_so_far(records: Sequence[Record], unit: Unit, when: ArrayLike) -> Band:
    """Give median and quartiles of the best score so far over the runs of one method on one instance."""
    grid = np.asarray(when, dtype=float)
    heights = np.array([_heights(course(r.result, unit), grid) for r in records])
    # Sorted, so that a run without a solution yet is the lowest, and no arithmetic is done on -inf.
    low, median, high = (_quantile(np.sort(heights, axis=0), q) for q in (0.25, 0.5, 0.75))
    first = records[0]
    words = f"{first.method} on {first.instance}: {counted(len(records), 'run')}"
    given = {"instance": first.instance, "method": first.method, "unit": unit, "when": grid.tolist()}
    return Band(**given, low=low, median=median, high=high, words=words)


def _heights(run: Course, grid: Floats) -> Floats:
    best = np.r_[-np.inf, np.maximum.accumulate(run.score)] if run.score.size else np.array([-np.inf])
    return best[np.searchsorted(run.when, grid, side="right")]


def _quantile(ordered: Floats, q: float) -> list[float | None]:
    """Interpolate between ordered rows; where one of the two is -inf there is no value."""
    place = q * (len(ordered) - 1)
    below, above = ordered[int(np.floor(place))], ordered[int(np.ceil(place))]
    return [float(a + (b - a) * (place % 1)) if np.isfinite(a) else None for a, b in zip(below, above, strict=True)]


def work_grid(records: Sequence[Record], unit: Unit, points: int = 80) -> Floats:
    """Space amounts of work evenly on a log axis, from the first improvement of any run to the end of the longest."""
    runs = [course(r.result, unit) for r in records]
    begins = [float(run.when[0]) for run in runs if run.when.size and run.when[0] > 0]
    end = max((run.end for run in runs), default=0.0)
    begin = min(begins, default=end)
    if end <= 0:
        return np.array([1.0])
    return np.array([end]) if begin >= end else np.geomspace(begin, end, points)
