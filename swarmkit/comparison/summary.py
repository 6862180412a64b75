"""A comparison in a few figures: for every method on every instance, what its runs gave and cost."""

from __future__ import annotations

from collections.abc import Sequence
from statistics import median
from typing import Any, NamedTuple

from swarmkit.comparison.record import Record


class Summary(NamedTuple):
    """The runs of one method on one instance; scores are None where no run found a feasible solution."""

    instance: str
    method: str
    runs: int
    best: float | None
    median: float | None
    worst: float | None
    infeasible: int
    looks: float
    iterations: float
    seconds: float
    gap: float | None
    """The median gap as a share of the bound, where one is known."""


def summarise(records: Sequence[Record]) -> list[Summary]:
    """Sum the runs up, in the order in which instances and methods first come."""
    grouped: dict[tuple[str, str], list[Record]] = {}
    for record in records:
        grouped.setdefault((record.instance, record.method), []).append(record)
    return [_summary(instance, method, group) for (instance, method), group in grouped.items()]


def _summary(instance: str, method: str, records: Sequence[Record]) -> Summary:
    results = [record.result for record in records]
    scores = [result.score for result in results if result.score is not None]
    gaps = [result.gap.relative for result in results if result.gap is not None and result.gap.relative is not None]
    return Summary(
        instance=instance,
        method=method,
        runs=len(results),
        best=max(scores, default=None),
        median=_median(scores),
        worst=min(scores, default=None),
        infeasible=len(results) - len(scores),
        looks=median(result.looks for result in results),
        iterations=median(result.iterations for result in results),
        seconds=median(result.seconds for result in results),
        gap=_median(gaps),
    )


def _median(values: Sequence[Any]) -> float | None:
    return float(median(values)) if values else None
