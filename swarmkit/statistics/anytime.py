"""Anytime performance: the scores that runs had reached after each amount of work.

Expected running time and empirical distributions of running times over targets, as in COCO (Hansen, Auger, Ros,
Mersmann, Tušar and Brockhoff 2021, COCO: a platform for comparing continuous optimizers in a black-box setting).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike

from swarmkit.comparison.record import Record, by_instance
from swarmkit.contract.arrays import Floats
from swarmkit.contract.notebook import figure
from swarmkit.contract.result import Result, rounding
from swarmkit.statistics.finding import Finding
from swarmkit.statistics.optimum import KnownBest
from swarmkit.statistics.wording import quantity

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
    least = least - rounding(least)
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


TARGETS = {"90 % of the way": 0.1, "99 % of the way": 0.01, "the best known": 0.0}
"""Reported targets of expected running times: distances from the best score, as fractions of best minus worst."""


class RunningTime(Finding):
    """The expected running time to a target with restarts (ERT)."""

    instance: str
    method: str
    target: str
    """The name of the target."""
    score: float
    """The score to reach, in the problem's direction: of costs, the cost."""
    unit: Unit
    expected: float | None
    """None where no run reached the target."""
    successes: int
    """Runs that reached the target."""
    runs: int


class RuntimeDistribution(Finding):
    """The empirical distribution of running times: the share of (run, target) pairs reached by each amount of work.

    It is averaged over instances with equal weights.
    """

    method: str
    unit: Unit
    when: list[float]
    """Amounts of work."""
    share: list[float]
    """The share reached by then."""


class Band(Finding):
    """Median and quartiles of the best score so far over runs; None where they are not defined yet."""

    instance: str
    method: str
    unit: Unit
    when: list[float]
    """Amounts of work."""
    low: list[float | None]
    median: list[float | None]
    high: list[float | None]

    @property
    def negated(self) -> Band:
        """The band of minus the score, where that is a cost: the best so far is the lowest."""
        columns = {"low": self.high, "median": self.median, "high": self.low}
        return self.model_copy(
            update={
                name: [None if value is None else 0.0 - value for value in column] for name, column in columns.items()
            }
        )


def expected_running_time(hits: ArrayLike, ends: ArrayLike) -> float | None:
    """Return the total work of all runs divided by the number of successes, None without a success.

    Args:
        hits: the work after which each run reached the target, inf for runs that did not.
        ends: the work of each whole run, which counts for those that did not.

    >>> expected_running_time([10.0, np.inf], [10.0, 50.0])
    60.0
    """
    successes = np.isfinite(hits)
    work = np.where(successes, hits, ends).sum()
    return float(work / successes.sum()) if successes.any() else None


def running_times(records: Sequence[Record], known: KnownBest, unit: Unit) -> list[RunningTime]:
    """Return the expected running time of every method to the reported targets of an instance.

    Args:
        records: the runs of a comparison.
        known: the instance and its optimum or bound.
        unit: the unit of work.
    """
    ends = score_range(records, known)
    if ends is None:
        return []
    here = [r for r in records if r.instance == known.instance]
    return [
        _running_time([r for r in here if r.method == m], name, ends[1] - share * (ends[1] - ends[0]), unit)
        for m in dict.fromkeys(r.method for r in here)
        for name, share in TARGETS.items()
    ]


def _running_time(records: list[Record], name: str, target: float, unit: Unit) -> RunningTime:
    runs = [trajectory(r.result, unit) for r in records]
    hits = np.array([first_hitting_times(run, [target])[0] for run in runs])
    expected = expected_running_time(hits, [run.end for run in runs])
    successes = int(np.isfinite(hits).sum())
    method, value = records[0].method, records[0].result.shown(target)
    words = f"{method} reached {name} ({figure(value)}) in {successes} of {quantity(len(runs), 'run')}"
    words += "" if expected is None else f": {expected:,.3g} {unit} expected"
    return RunningTime(
        instance=records[0].instance,
        method=method,
        target=name,
        score=float(value),
        unit=unit,
        expected=expected,
        successes=successes,
        runs=len(runs),
        words=f"{words}.",
    )


def runtime_distribution(
    records: Sequence[Record], known: Sequence[KnownBest], method: str, unit: Unit, when: ArrayLike
) -> RuntimeDistribution:
    """Return the share of targets that the runs of a method have reached by each amount of work.

    Args:
        records: the runs of a comparison.
        known: the instances with their optimum or bound.
        method: the label of the method.
        unit: the unit of work.
        when: the amounts of work.
    """
    grid = np.asarray(when, dtype=float)
    shares = []  # of each instance, so that all instances have the same weight however many runs they have
    groups = by_instance(records)
    for entry in known:
        here = groups[entry.instance]
        ends = score_range(here, entry)
        runs = [trajectory(r.result, unit) for r in here if r.method == method]
        if ends is None or not runs:
            continue
        hits = np.sort(np.concatenate([first_hitting_times(run, target_scores(*ends)) for run in runs]))
        shares.append(np.searchsorted(hits, grid, side="right") / hits.size)
    share = np.mean(shares, axis=0) if shares else np.zeros(grid.size)
    last = float(share[-1]) if share.size else 0.0
    over = f" of the {len(shares)} instances (of {len(known)}) on which it has runs" if len(shares) < len(known) else ""
    words = f"{method} reached {last:.0%} of the targets{over}."
    return RuntimeDistribution(method=method, unit=unit, when=grid.tolist(), share=share.tolist(), words=words)


def best_so_far(records: Sequence[Record], unit: Unit, when: ArrayLike) -> Band:
    """Return median and quartiles of the best score so far.

    Args:
        records: the runs of one method on one instance.
        unit: the unit of work.
        when: the amounts of work.
    """
    grid = np.asarray(when, dtype=float)
    best = np.array([best_scores(trajectory(r.result, unit), grid) for r in records])
    # Sorted by hand, because numpy's quantile would do arithmetic on the -inf of runs without a solution.
    low, median, high = (_quantile(np.sort(best, axis=0), q) for q in (0.25, 0.5, 0.75))
    first = records[0]
    words = f"{first.method} on {first.instance}: {quantity(len(records), 'run')}"
    fields = {"instance": first.instance, "method": first.method, "unit": unit, "when": grid.tolist()}
    return Band(**fields, low=low, median=median, high=high, words=words)


def _quantile(ordered: Floats, q: float) -> list[float | None]:
    """Return the q-quantile over sorted rows by linear interpolation; None where the lower neighbour is -inf."""
    place = q * (len(ordered) - 1)
    below, above = ordered[int(np.floor(place))], ordered[int(np.ceil(place))]
    return [float(a + (b - a) * (place % 1)) if np.isfinite(a) else None for a, b in zip(below, above, strict=True)]
