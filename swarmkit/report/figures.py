"""The data of the page's figures as plain numbers; colours and axes are chosen in the page."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from swarmkit.comparison.record import Record, by_pair
from swarmkit.contract.result import shown
from swarmkit.statistics.analysis import Analysis
from swarmkit.statistics.anytime import Unit, best_so_far, trajectory, work_grid

POINTS = 60
"""Points of a curve: more are not visible on a screen."""

FEWEST = 6
"""Points of a curve in a comparison with very many of them."""

NUMBERS = 36_000
"""The numbers in all curves together, which bounds the size of the page."""

DOTS = 200
"""Points of a box plot; of more runs, this number is taken at equal distances in the order of their scores."""


def figure_data(records: Sequence[Record], analysis: Analysis) -> dict[str, Any]:
    """Return the data of all figures."""
    groups = by_pair(records)
    units: tuple[Unit, Unit] = (analysis.unit, "seconds")
    # Two units of work with four numbers a point, for every method on every instance.
    points = max(FEWEST, min(POINTS, NUMBERS // (8 * len(groups))))
    return {
        "unit": analysis.unit,
        "methods": analysis.methods,
        "instances": analysis.instances,
        "anytime": {
            unit: [_anytime_curves(groups, analysis.methods, i, (unit, points)) for i in analysis.instances]
            for unit in units
        },
        "ecdf": {unit: _distributions(analysis, unit) for unit in units},
        "scores": [[_scores(groups.get((i, m), [])) for m in analysis.methods] for i in analysis.instances],
        "gaps": _gaps(analysis),
        "known": short(
            [None if entry.bound is None else shown(entry.objective, entry.bound) for entry in analysis.known]
        ),
        "objectives": [entry.objective for entry in analysis.known],
        "known_names": ["optimum" if entry.optimum else "bound" for entry in analysis.known],
    }


def _anytime_curves(
    groups: dict[tuple[str, str], list[Record]], methods: Sequence[str], instance: str, grid: tuple[Unit, int]
) -> list[dict[str, Any]]:
    """Return the band of the best score so far of every method on an instance.

    Args:
        groups: the runs by instance and method.
        methods: the labels of all methods.
        instance: the label of the instance.
        grid: the unit of work, and the number of amounts of it.
    """
    unit, points = grid
    here = [record for method in methods for record in groups.get((instance, method), [])]
    when = work_grid(here, unit, points)
    curves = []
    for number, method in enumerate(methods):
        if group := groups.get((instance, method)):
            end = max(trajectory(r.result, unit).end for r in group)
            grid_of_method = [*when[when < end], end]  # no curve beyond the longest run of its method
            band = best_so_far(group, unit, grid_of_method)
            if group[0].result.objective != "score":
                band = band.negated
            rows = list(zip(band.low, band.median, band.high, strict=True))
            corners = [
                k
                for k, row in enumerate(rows)
                if row[1] is not None and (k == len(rows) - 1 or not k or row != rows[k - 1])
            ]  # a curve of steps is the same without the points at which nothing changes
            names = ("when", "low", "median", "high") if len(group) > 1 else ("when", "median")
            lines = {name: short([getattr(band, name)[k] for k in corners]) for name in names}
            curves.append({"method": number, **lines})
    return curves


def _distributions(analysis: Analysis, unit: Unit) -> dict[str, Any]:
    """Return the run-time distribution of every method."""
    curves = [entry for entry in analysis.distributions if entry.unit == unit]
    return {"when": short(curves[0].when), "share": [short(curve.share) for curve in curves]}


def _scores(group: Sequence[Record]) -> list[float | None]:
    """Return the points of a box plot, in ascending order."""
    scores = sorted(r.result.shown(r.result.score) for r in group if r.result.score is not None)
    if len(scores) > DOTS:  # in the order of scores, so that quartiles and ends stay where they are
        scores = [scores[i] for i in np.linspace(0, len(scores) - 1, DOTS).round().astype(int)]
    return short(scores)


def _gaps(analysis: Analysis) -> list[dict[str, Any]]:
    """Return the median gaps of every method, one per instance with a known bound, and the numbers of the instances."""
    numbers = {name: number for number, name in enumerate(analysis.instances)}
    points: dict[str, dict[str, Any]] = {
        method: {"method": number, "gap": [], "instance": []} for number, method in enumerate(analysis.methods)
    }
    for entry in analysis.nearness:
        if entry.gap is not None:
            points[entry.method]["gap"] += short([entry.gap])
            points[entry.method]["instance"].append(numbers[entry.instance])
    return list(points.values())


def short(values: Sequence[float | None]) -> list[float | None]:
    """Round to seven significant digits, which keeps the page small.

    >>> short([1 / 3, None])
    [0.3333333, None]
    """
    return [None if value is None else float(f"{value:.7g}") for value in values]
