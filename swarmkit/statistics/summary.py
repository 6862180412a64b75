"""The scores and the cost of each method on each instance."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from pydantic import Field

from swarmkit.comparison.record import Record
from swarmkit.comparison.summary import group_runs, summarise_runs
from swarmkit.contract.arrays import Floats
from swarmkit.contract.result import shown
from swarmkit.statistics.finding import Finding
from swarmkit.statistics.intervals import Interval, interval
from swarmkit.statistics.wording import counted


class Summary(Finding):
    """The runs of one method on one instance."""

    instance: str
    method: str
    runs: int
    feasible: int
    """Runs that found a feasible solution; all statistics of scores are over these."""
    objective: str = "score"
    """What best, worst, median and mean are of: the score, or a cost by its name."""
    metrics: dict[str, float] = Field(default_factory=dict)
    """Medians of what the problem measures beside its objective."""
    best: float | None = None
    worst: float | None = None
    median: Interval
    mean: Interval
    deviation: float | None = None
    """Standard deviation of the scores; None for a single run."""
    looks: float
    """Median per run, as are evaluations, seconds and iterations."""
    evaluations: float
    seconds: float
    iterations: float


def summarise(records: Sequence[Record], rng: np.random.Generator) -> list[Summary]:
    """Return a summary per instance and method, in the order of their first records.

    Args:
        records: the runs.
        rng: the generator of the bootstrap intervals.
    """
    groups = group_runs(records)
    instances = list(dict.fromkeys(instance for instance, _ in groups))
    return [_add_intervals(groups[key], rng) for key in sorted(groups, key=lambda key: instances.index(key[0]))]


def _add_intervals(records: Sequence[Record], rng: np.random.Generator) -> Summary:
    """Return the summary of the runs of one method on one instance, in the units that people see."""
    base = summarise_runs(records)
    scores = np.array([r.result.shown(r.result.score) for r in records if r.result.score is not None])
    median, mean = interval(scores, "median", rng), interval(scores, "mean", rng)
    name, infeasible = f"{base.method} on {base.instance}", counted(base.infeasible, "run")
    words = f"{name}: {median.words}" if scores.size else f"{name}: no feasible solution in {infeasible}"
    words += f"; {infeasible} without a feasible solution" if base.infeasible and scores.size else ""
    return Summary(
        instance=base.instance,
        method=base.method,
        runs=base.runs,
        feasible=base.runs - base.infeasible,
        objective=base.objective,
        metrics=_metrics(records),
        best=None if base.best is None else shown(base.objective, base.best),
        worst=None if base.worst is None else shown(base.objective, base.worst),
        median=median,
        mean=mean,
        deviation=_deviation(scores) if scores.size > 1 else None,
        looks=float(np.median([r.result.looks for r in records])),
        evaluations=base.evaluations,
        seconds=base.seconds,
        iterations=base.iterations,
        words=f"{words}.",
    )


def _metrics(records: Sequence[Record]) -> dict[str, float]:
    """Return the median of each metric that is not the objective itself."""
    results = [r.result for r in records if r.result.score is not None]
    names = dict.fromkeys(name for result in results for name in result.metrics)
    medians = {}
    for name in names:
        pairs = [(r.metrics[name], r.shown(r.score)) for r in results if name in r.metrics and r.score is not None]
        if any(value != objective for value, objective in pairs):
            medians[name] = float(np.median([value for value, _ in pairs]))
    return medians


def _deviation(scores: Floats) -> float:
    """Return the sample standard deviation; scores are scaled first, because squares of large ones would overflow."""
    scale = float(np.abs(scores).max()) or 1.0
    return scale * float((scores / scale).std(ddof=1))
