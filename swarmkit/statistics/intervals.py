"""Bootstrap confidence intervals of means and medians."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike

from swarmkit.statistics.finding import Finding
from swarmkit.statistics.wording import counted

FEWEST = 5
"""Runs below which no interval is computed: the percentiles of so small a sample cover too little."""

RESAMPLES = 2_000
"""Bootstrap samples: enough for three digits of a 95 % interval."""

CENTRES: dict[str, Callable[..., Any]] = {"mean": np.mean, "median": np.median}


class Interval(Finding):
    """A mean or median with its confidence interval; both ends are None where none can be computed."""

    centre: Literal["mean", "median"]
    value: float | None
    low: float | None = None
    high: float | None = None


def interval(
    values: ArrayLike,
    centre: Literal["mean", "median"],
    rng: np.random.Generator,
    confidence: float = 0.95,
    resamples: int = RESAMPLES,
) -> Interval:
    """Return the percentile bootstrap interval of the mean or the median.

    Args:
        values: the sample; -inf stands for a run without a feasible solution.
        centre: the statistic.
        rng: the generator that draws the samples.
        confidence: the coverage of the interval.
        resamples: the number of bootstrap samples.

    >>> interval([2.0, 2.0, 2.0, 2.0, 2.0], "mean", np.random.default_rng(0)).words
    'mean 2, the same in all 5 runs'
    """
    x = np.asarray(values, dtype=float)
    if not x.size:
        return Interval(centre=centre, value=None, words="no runs")
    if not np.isfinite(x).all():
        return Interval(centre=centre, value=None, words="some runs found no feasible solution: no interval")
    value = float(CENTRES[centre](x))
    if np.ptp(x) == 0:
        same = f", the same in all {counted(x.size, 'run')}" if x.size > 1 else " (1 run)"
        ends = (value, value) if x.size >= FEWEST else (None, None)
        return Interval(centre=centre, value=value, low=ends[0], high=ends[1], words=f"{centre} {value:.6g}{same}")
    if x.size < FEWEST:
        few = f"{centre} {value:.6g} of {counted(x.size, 'run')}; an interval needs {FEWEST}"
        return Interval(centre=centre, value=value, words=few)
    drawn = CENTRES[centre](x[rng.integers(x.size, size=(resamples, x.size))], axis=1)
    low, high = map(float, np.quantile(drawn, [(1 - confidence) / 2, (1 + confidence) / 2]))
    words = f"{centre} {value:.6g}, {confidence:.0%} interval {low:.6g} to {high:.6g}"
    return Interval(centre=centre, value=value, low=low, high=high, words=words)
