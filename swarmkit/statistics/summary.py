"""The scores and the cost of each method on each instance, with intervals of means and medians.

Johnson (1978), Modified t tests and confidence intervals for asymmetrical populations, JASA 73.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike
from pydantic import Field

from swarmkit.comparison.record import Record, by_instance, by_pair, draw_nothing
from swarmkit.comparison.summary import summarise_runs
from swarmkit.contract.arrays import Floats
from swarmkit.contract.notebook import figure
from swarmkit.contract.result import shown
from swarmkit.statistics.finding import Finding
from swarmkit.statistics.wording import quantity

FEWEST = 5
"""Runs below which no interval is computed: so small a sample says too little of the tails."""

RESAMPLES = 2_000
"""Bootstrap samples: enough for three digits of a 95 % interval."""

SKEWNESS = 3.0
"""The factor on the skewness of a sample in the interval of a mean: that of few runs is far below the distribution's
(of five at most √5). Chosen by simulation: see `interval`."""

CHANGED = {"best", "worst", "median", "metrics", "looks"}
"""Fields of the summary of `swarmkit compare` that are computed here in another way, or in other units."""


class Interval(Finding):
    """A mean or median with its confidence interval; both ends are None where none can be computed."""

    centre: Literal["mean", "median"]
    value: float | None
    low: float | None = None
    high: float | None = None


class Summary(Finding):
    """The runs of one method on one instance."""

    instance: str
    method: str
    runs: int
    feasible: int
    """Runs that found a feasible solution; best, worst and mean are over these. In the median others are the worst."""
    constant: bool = False
    """Whether the method draws nothing on this instance: its runs are one run, repeated."""
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
    looks_limit: int | None = None
    """The limit on the looks of a run, which may have ended by itself before it."""
    evaluations_limit: int | None = None


def interval(
    values: ArrayLike,
    centre: Literal["mean", "median"],
    rng: np.random.Generator,
    confidence: float = 0.95,
    resamples: int = RESAMPLES,
) -> Interval:
    """Return an interval of the mean by Student's t, wider on the side of a long tail, or of the median by bootstrap.

    At 95 %, intervals of means of 5 and of 16 runs cover the mean of normal, exponential, chi-squared (3) and mildly
    lognormal (shape 0.5) distributions 94 to 97 % of the time; percentiles of bootstrap samples of five cover it 79 to
    85 %. An interval of the mean may be wider than the sample.

    Args:
        values: the sample; -inf stands for a run without a feasible solution.
        centre: the statistic.
        rng: the generator that draws bootstrap samples.
        confidence: the coverage of the interval.
        resamples: the number of bootstrap samples.

    >>> interval([2.0, 2.0, 2.0, 2.0, 2.0], "mean", np.random.default_rng(0)).words
    'mean 2, the same in all 5 runs'
    """
    x = np.asarray(values, dtype=float)
    if not x.size:
        return Interval(centre=centre, value=None, words="no runs")
    value = float(np.mean(x) if centre == "mean" else np.median(x))
    if not np.isfinite(x).all():
        finite = f"{centre} {figure(value)}; " if np.isfinite(value) else ""
        words = f"{finite}some runs found no feasible solution: no interval"
        return Interval(centre=centre, value=value if finite else None, words=words)
    if np.ptp(x) == 0:
        suffix = f", the same in all {quantity(x.size, 'run')}" if x.size > 1 else " (1 run)"
        ends = (value, value) if x.size >= FEWEST else (None, None)
        return Interval(
            centre=centre, value=value, low=ends[0], high=ends[1], words=f"{centre} {figure(value)}{suffix}"
        )
    if x.size < FEWEST:
        sentence = f"{centre} {figure(value)} of {quantity(x.size, 'run')}; an interval needs {FEWEST}"
        return Interval(centre=centre, value=value, words=sentence)
    if centre == "mean":
        low, high = _mean_limits(x, confidence)
    else:  # every row is a sample of the runs with replacement
        samples = np.median(x[rng.integers(x.size, size=(resamples, x.size))], axis=1)
        low, high = map(float, np.quantile(samples, [(1 - confidence) / 2, (1 + confidence) / 2]))
    words = f"{centre} {figure(value)}, {confidence:.0%} interval {figure(low)} to {figure(high)}"
    return Interval(centre=centre, value=value, low=low, high=high, words=words)


def _mean_limits(x: Floats, confidence: float) -> tuple[float, float]:
    """Return Student's interval of the mean, extended to that of Johnson's t, which allows for skewness."""
    from scipy.special import stdtrit

    n, mean, deviation = x.size, float(x.mean()), _deviation(x)
    t, error = float(stdtrit(n - 1, (1 + confidence) / 2)), deviation / n**0.5
    skewness = SKEWNESS * n / ((n - 1) * (n - 2)) * float((((x - mean) / deviation) ** 3).sum())
    shift = skewness / (6 * n**0.5) * (1 + 2 * t * t)  # Johnson's interval is Student's, moved towards the long tail
    return mean + (min(0.0, shift) - t) * error, mean + (max(0.0, shift) + t) * error


def summarise(records: Sequence[Record], rng: np.random.Generator) -> list[Summary]:
    """Return a summary per instance and method, in the order of their first records.

    Args:
        records: the runs.
        rng: the generator of the bootstrap intervals.
    """
    groups = [group for runs in by_instance(records).values() for group in by_pair(runs).values()]
    return [_summarise_group(group, rng) for group in groups]


def _summarise_group(records: Sequence[Record], rng: np.random.Generator) -> Summary:
    """Return the summary of the runs of one method on one instance, in the units that people see."""
    base = summarise_runs(records)
    constant = draw_nothing(records)
    distinct = records[:1] if constant else records
    scores = np.array([r.result.shown(r.result.score) for r in distinct if r.result.score is not None])
    # As in the tests, a run without a feasible solution is worse than any other.
    all_scores = np.append(scores, [shown(base.objective, -np.inf)] * base.infeasible)
    median, mean = interval(all_scores, "median", rng), interval(scores, "mean", rng)
    name, infeasible = f"{base.method} on {base.instance}", quantity(base.infeasible, "run")
    words = f"{name}: {median.words}" if scores.size else f"{name}: no feasible solution in {infeasible}"
    words += f"; {infeasible} without a feasible solution" if base.infeasible and scores.size else ""
    words += f"; it draws nothing, so its {base.runs} runs are one" if constant else ""
    return Summary(
        **{field: getattr(base, field) for field in Summary.model_fields.keys() & {*base._fields} - CHANGED},
        feasible=base.runs - base.infeasible,
        constant=constant,
        metrics=_metrics_beside_objective(records, base.metrics),
        best=base.value(base.best),
        worst=base.value(base.worst),
        median=median,
        mean=mean,
        deviation=_deviation(scores) if scores.size > 1 else None,
        looks=float(np.median([r.result.looks for r in records])),
        words=f"{words}.",
    )


def _metrics_beside_objective(records: Sequence[Record], medians: Mapping[str, float]) -> dict[str, float]:
    """Return the medians of those metrics that are not the objective itself by another name."""
    results = [r.result for r in records]
    return {
        name: value
        for name, value in medians.items()
        if any(r.score is not None and r.metrics.get(name, r.shown(r.score)) != r.shown(r.score) for r in results)
    }


def _deviation(scores: Floats) -> float:
    """Return the sample standard deviation; scores are scaled first, because squares of large ones would overflow."""
    scale = float(np.abs(scores).max()) or 1.0
    return scale * float((scores / scale).std(ddof=1))
