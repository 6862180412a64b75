"""The runs of a comparison as people look at them: scores and cost of every method on every instance, as a table.

Statistics add intervals to the same summary.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from math import inf, isfinite
from statistics import mean, median
from types import MappingProxyType
from typing import Any, NamedTuple

from swarmkit.comparison.record import Record, by_pair
from swarmkit.contract import notebook
from swarmkit.contract.result import Result, data_frame, run_row, shown


class MethodSummary(NamedTuple):
    """The runs of one method on one instance; scores are None where no run found a feasible solution.

    In medians, runs that found none are worse than all others.
    """

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
    """Median gap as a fraction of the optimum or the bound, None where none is known."""
    gap_to: str
    """What the gap is to: `optimum`, or `bound` where the optimum is not known."""
    objective: str = "score"
    """What people call the score, or minus the score."""
    metrics: Mapping[str, float] = MappingProxyType({})
    """Medians of what the problem measures."""
    looks_limit: int | None = None
    """The limit on the looks of a run."""
    evaluations_limit: int | None = None

    def value(self, score: float | None) -> float | None:
        """Return a score as people see it: of a cost the cost, None for none."""
        return None if score is None else shown(self.objective, score)


def summarise_methods(records: Sequence[Record]) -> list[MethodSummary]:
    """Return a summary per instance and method, in the order of their first records."""
    return [summarise_runs(group) for group in by_pair(records).values()]


def summarise_runs(records: Sequence[Record]) -> MethodSummary:
    """Return the summary of the runs of one method on one instance."""
    results = [record.result for record in records]
    scores = [result.score for result in results if result.score is not None]
    # In medians a run without a feasible solution is worse than any other.
    failures = [inf] * (len(results) - len(scores))
    gaps = [result.gap.relative for result in results if result.gap is not None and result.gap.relative is not None]
    return MethodSummary(
        instance=records[0].instance,
        method=records[0].method,
        runs=len(results),
        best=max(scores, default=None),
        median=_median([*scores, *(-failure for failure in failures)]),
        worst=min(scores, default=None),
        infeasible=len(failures),
        looks=float(mean(result.looks for result in results)),
        evaluations=median(result.evaluations for result in results),
        iterations=median(result.iterations for result in results),
        seconds=median(result.seconds for result in results),
        gap=_median([*gaps, *failures]),
        gap_to="bound" if any(result.gap and not result.gap.optimum for result in results) else "optimum",
        objective=results[0].objective,
        metrics=_metrics(results),
        looks_limit=results[0].budget.looks,
        evaluations_limit=results[0].budget.evaluations,
    )


def metrics_that_differ(rows: Iterable[tuple[str, Mapping[str, float]]]) -> list[str]:
    """Return the problems' metrics that tell methods apart: those that differ on some instance.

    Args:
        rows: the label of an instance, and the metrics of a method on it.
    """
    values: dict[str, dict[str, set[float]]] = {}
    for instance, metrics in rows:
        for name, value in metrics.items():
            values.setdefault(name, {}).setdefault(instance, set()).add(value)
    return [name for name, on in values.items() if any(len(distinct) > 1 for distinct in on.values())]


def _metrics(results: Sequence[Result]) -> dict[str, float]:
    names = dict.fromkeys(name for result in results for name in result.metrics)
    return {name: float(median([r.metrics[name] for r in results if name in r.metrics])) for name in names}


def _median(values: Sequence[float]) -> float | None:
    """Return the median, None if it is infinite: that of too many runs without a feasible solution."""
    middle = float(median(values)) if values else inf
    return middle if isfinite(middle) else None


class Comparison(list[Record]):
    """The runs of a comparison, with a table for notebooks and a data frame."""

    def to_pandas(self) -> Any:
        """Return a pandas data frame with a row per run (extra `pandas`)."""
        labels = ("instance", "method", "repetition")
        return data_frame([{**{name: getattr(r, name) for name in labels}, **run_row(r.result)} for r in self])

    def _repr_html_(self) -> str:
        """Return a table with the best and the median of each method on each instance."""
        rows = [
            {
                "instance": row.instance,
                "method": row.method,
                "runs": row.runs,
                "objective": row.objective,
                "best": row.value(row.best),
                "median": row.value(row.median),
                "looks": round(row.looks),
                "evaluations": round(row.evaluations),
                "seconds": f"{row.seconds:.3f}",
            }
            for row in summarise_methods(self)
        ]
        return f"{notebook.heading(f'{len(self)} runs')}{notebook.table(rows, limit=200)}"
