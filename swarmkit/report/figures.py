"""The data of the page's figures as plain numbers; colours and axes are chosen in the page."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from swarmkit.comparison.record import Record
from swarmkit.statistics.analysis import Analysis
from swarmkit.statistics.anytime import best_so_far
from swarmkit.statistics.trajectories import Unit, trajectory, work_grid

POINTS = 60
"""Points of a curve: more are not visible on a screen."""

DOTS = 200
"""Points of a box plot; of more runs, this number is taken at equal distances in the order of their scores."""


def figure_data(records: Sequence[Record], analysis: Analysis) -> dict[str, Any]:
    """Return the data of all figures."""
    grouped: dict[tuple[str, str], list[Record]] = {}
    for record in records:
        grouped.setdefault((record.instance, record.method), []).append(record)
    units: tuple[Unit, Unit] = (analysis.unit, "seconds")
    return {
        "unit": analysis.unit,
        "methods": analysis.methods,
        "instances": analysis.instances,
        "anytime": {unit: [_anytime_curves(analysis, grouped, i, unit) for i in analysis.instances] for unit in units},
        "ecdf": {unit: _distributions(analysis, unit) for unit in units},
        "scores": [[_scores(grouped.get((i, m), [])) for m in analysis.methods] for i in analysis.instances],
        "gaps": _gaps(analysis),
    }


def _anytime_curves(
    analysis: Analysis, grouped: dict[tuple[str, str], list[Record]], instance: str, unit: Unit
) -> list[dict[str, Any]]:
    """Return the band of the best score so far of every method on an instance."""
    here = [record for (name, _), group in grouped.items() if name == instance for record in group]
    when = work_grid(here, unit, POINTS)
    curves = []
    for number, method in enumerate(analysis.methods):
        if group := grouped.get((instance, method)):
            end = max(trajectory(r.result, unit).end for r in group)
            own = [*when[when < end], end]  # no curve beyond the longest run of its method
            band = best_so_far(group, unit, own)
            first = next((k for k, value in enumerate(band.median) if value is not None), len(own))
            lines = {name: short(getattr(band, name)[first:]) for name in ("when", "low", "median", "high")}
            curves.append({"method": number, **lines})
    return curves


def _distributions(analysis: Analysis, unit: Unit) -> dict[str, Any]:
    """Return the run-time distribution of every method."""
    found = [one for one in analysis.distributions if one.unit == unit]
    return {"when": short(found[0].when), "share": [short(one.share) for one in found]}


def _scores(group: Sequence[Record]) -> list[float | None]:
    """Return the points of a box plot, in ascending order."""
    scores = sorted(r.result.score for r in group if r.result.score is not None)
    if len(scores) > DOTS:
        scores = [scores[i] for i in np.linspace(0, len(scores) - 1, DOTS).round().astype(int)]
    return short(scores)


def _gaps(analysis: Analysis) -> list[dict[str, Any]]:
    """Return the median gaps of every method, one per instance with a known bound."""
    return [
        {
            "method": number,
            "gap": short([one.gap for one in analysis.nearness if one.method == method and one.gap is not None]),
            "instance": [one.instance for one in analysis.nearness if one.method == method and one.gap is not None],
        }
        for number, method in enumerate(analysis.methods)
    ]


def short(values: Sequence[float | None]) -> list[float | None]:
    """Round to seven significant digits, which keeps the page small.

    >>> short([1 / 3, None])
    [0.3333333, None]
    """
    return [None if value is None else float(f"{value:.7g}") for value in values]
