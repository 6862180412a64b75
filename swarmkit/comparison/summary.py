"""Scores and cost of every method on every instance: the table of `swarmkit compare`, to which statistics add."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from statistics import mean, median
from types import MappingProxyType
from typing import Any, NamedTuple

from swarmkit.comparison.record import Record
from swarmkit.contract.result import Result


class MethodSummary(NamedTuple):
    """The runs of one method on one instance; scores are None where no run found a feasible solution."""

    instance: str
    method: str
    runs: int
    best: float | None
    median: float | None
    worst: float | None
    infeasible: int
    """Runs that found no feasible solution."""
    looks: float
    """Mean of the looks used by a run, which may be fewer than its limit."""
    evaluations: float
    """Median per run, as are iterations and seconds."""
    iterations: float
    seconds: float
    gap: float | None
    """Median gap as a fraction of the bound, None where no bound is known."""
    objective: str = "score"
    """What people call the score, or minus the score."""
    metrics: Mapping[str, float] = MappingProxyType({})
    """Medians of what the problem measures."""
    looks_limit: int | None = None
    """The limit on the looks of a run."""


def group_runs(records: Sequence[Record]) -> dict[tuple[str, str], list[Record]]:
    """Return the runs of each pair of instance and method, in the order of their first records."""
    groups: dict[tuple[str, str], list[Record]] = {}
    for record in records:
        groups.setdefault((record.instance, record.method), []).append(record)
    return groups


def summarise_methods(records: Sequence[Record]) -> list[MethodSummary]:
    """Return a summary per instance and method, in the order of their first records."""
    return [summarise_runs(group) for group in group_runs(records).values()]


def summarise_runs(records: Sequence[Record]) -> MethodSummary:
    """Return the summary of the runs of one method on one instance."""
    results = [record.result for record in records]
    scores = [result.score for result in results if result.score is not None]
    gaps = [result.gap.relative for result in results if result.gap is not None and result.gap.relative is not None]
    return MethodSummary(
        instance=records[0].instance,
        method=records[0].method,
        runs=len(results),
        best=max(scores, default=None),
        median=_median(scores),
        worst=min(scores, default=None),
        infeasible=len(results) - len(scores),
        looks=float(mean(result.looks for result in results)),
        evaluations=median(result.evaluations for result in results),
        iterations=median(result.iterations for result in results),
        seconds=median(result.seconds for result in results),
        gap=_median(gaps),
        objective=results[0].objective,
        metrics=_metrics(results),
        looks_limit=results[0].budget.looks,
    )


def _metrics(results: Sequence[Result]) -> dict[str, float]:
    names = dict.fromkeys(name for result in results for name in result.metrics)
    return {name: float(median([r.metrics[name] for r in results if name in r.metrics])) for name in names}


def _median(values: Sequence[Any]) -> float | None:
    return float(median(values)) if values else None
