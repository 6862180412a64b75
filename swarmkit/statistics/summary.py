"""The scores and the cost of each method on each instance."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from pydantic import Field

from swarmkit.comparison.record import Record
from swarmkit.contract.arrays import Floats
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
    keys = dict.fromkeys((r.instance, r.method) for r in records)
    instances = list(dict.fromkeys(instance for instance, _ in keys))
    ordered = sorted(keys, key=lambda key: instances.index(key[0]))
    grouped: dict[tuple[str, str], list[Record]] = {key: [] for key in ordered}
    for record in records:
        grouped[record.instance, record.method].append(record)
    return [_row(grouped[key], rng) for key in ordered]


def _row(records: list[Record], rng: np.random.Generator) -> Summary:
    objective = records[0].result.objective
    scores = np.array([r.result.shown(r.result.score) for r in records if r.result.score is not None])
    ends = (scores.max(), scores.min()) if scores.size else (None, None)
    best, worst = ends if objective == "score" else ends[::-1]
    median, mean = interval(scores, "median", rng), interval(scores, "mean", rng)
    name = f"{records[0].method} on {records[0].instance}"
    without = len(records) - scores.size
    words = f"{name}: {median.words}" if scores.size else f"{name}: no feasible solution in {counted(without, 'run')}"
    words += f"; {counted(without, 'run')} without a feasible solution" if without and scores.size else ""
    units = ("looks", "evaluations", "seconds")
    spent = {unit: float(np.median([getattr(r.result, unit) for r in records])) for unit in units}
    return Summary(
        instance=records[0].instance,
        method=records[0].method,
        runs=len(records),
        feasible=int(scores.size),
        objective=objective,
        metrics=_metrics(records),
        best=None if best is None else float(best),
        worst=None if worst is None else float(worst),
        median=median,
        mean=mean,
        deviation=_deviation(scores) if scores.size > 1 else None,
        **spent,
        iterations=float(np.median([r.result.iterations for r in records])),
        words=f"{words}.",
    )


def _metrics(records: list[Record]) -> dict[str, float]:
    """Return the median of each metric that is not the objective itself."""
    results = [r.result for r in records if r.result.score is not None]
    names = dict.fromkeys(name for result in results for name in result.metrics)
    found = {}
    for name in names:
        pairs = [(r.metrics[name], r.shown(r.score)) for r in results if name in r.metrics and r.score is not None]
        if any(value != objective for value, objective in pairs):
            found[name] = float(np.median([value for value, _ in pairs]))
    return found


def _deviation(scores: Floats) -> float:
    """Return the sample standard deviation; scores are scaled first, because squares of large ones would overflow."""
    scale = float(np.abs(scores).max()) or 1.0
    return scale * float((scores / scale).std(ddof=1))
