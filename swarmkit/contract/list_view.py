"""How people see items in lists: rows of an answer, routes on a map of points, Gantt charts, scenes of movies."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from swarmkit.contract.arrays import Solutions
from swarmkit.contract.lists import Lists
from swarmkit.contract.routes import OPEN, Routes
from swarmkit.contract.schedule import Schedule
from swarmkit.contract.view import View

LARGEST_SCENE = 10_000
"""Items of the largest problem that is shown as a moving picture."""


def plain(value: float) -> float | int:
    """Return a number rounded for people, an integer where it is whole.

    >>> plain(3.0), plain(0.12345678)
    (3, 0.123457)
    """
    number = round(float(value), 6)
    return int(number) if number.is_integer() else number


def describe_lists(shape: Lists, x: Solutions) -> list[Mapping[str, Any]]:
    """Return a solution as rows: of routes a row for each stop, of schedules one for each item, in order of the lists.

    Args:
        shape: the items and the lists.
        x: a solution.
    """
    if shape.schedule is not None:
        return _operations(shape, shape.schedule, x)
    lists, left_out = shape.decode(x)
    rows: list[Mapping[str, Any]] = []
    for r, items in enumerate(lists):
        if shape.routes is not None and items:
            rows += _stops(shape.list_names[r], shape.routes, r, items)
        elif items:
            rows += [{"list": shape.list_names[r], "item": shape.names[item]} for item in items]
    return rows + [{"route" if shape.routes else "list": "left out", "item": shape.names[item]} for item in left_out]


def _stops(name: str, routes: Routes, r: int, items: list[int]) -> list[Mapping[str, Any]]:
    path = routes.path(r, items)
    length = np.concatenate([[0.0], np.cumsum(routes.arcs(path[:-1], path[1:]))])
    load = np.cumsum(np.where(path == OPEN, 0.0, routes.amounts[path]))
    times = routes.times(r, items)
    rows: list[Mapping[str, Any]] = []
    for at, node in enumerate(path.tolist()):
        if node == OPEN:
            continue
        row: dict[str, Any] = {"route": name, "item": routes.names[node]}
        row |= {"load": plain(load[at])} if routes.limited else {}
        row |= {"time": plain(times[at])} if routes.timed else {}
        rows.append(row | {"length": plain(length[at])})
    return rows


def _operations(shape: Lists, schedule: Schedule, x: Solutions) -> list[Mapping[str, Any]]:
    plan = schedule.plan([part.tolist() for part in shape.segments(x)])
    return [
        {"machine": name, "item": shape.names[item], "begins": plain(plan.begin[item]), "ends": plain(plan.end[item])}
        for name, items in zip(shape.list_names, plan.lists, strict=True)
        for item in items
    ]


def list_view(shape: Lists) -> View:
    """Return the drawing and the scene of a shape; without points or times, those of any problem."""
    schedule, routes = shape.schedule, shape.routes
    if schedule is not None:
        return View(draw=lambda x, axes: _draw_gantt(shape, schedule, x, axes), scene=lambda: _gantt(shape, schedule))
    if routes is not None and routes.points is not None:
        return View(draw=lambda x, axes: _draw_routes(shape, routes, x, axes), scene=lambda: _map(shape, routes))
    return View()


def _draw_routes(shape: Lists, routes: Routes, x: Solutions, axes: Any) -> None:
    """Draw every route as a line of its colour, depots as squares, items that are left out as crosses."""
    points, (lists, left_out) = routes.points, shape.decode(x)
    assert points is not None  # noqa: S101  (asked before)
    for r, items in enumerate(lists):
        if items:
            line = points[[node for node in routes.path(r, items).tolist() if node != OPEN]]
            axes.plot(*line.T, color=f"C{r % 10}", linewidth=1, marker="." if shape.items <= 1000 else "", markersize=4)
    depots = np.setdiff1d(np.concatenate([routes.starts, routes.ends]), [OPEN])
    axes.plot(*points[depots].T, "s", color="black", markersize=6)
    axes.plot(*points[routes.nodes[left_out]].T, "x", color="0.5", markersize=5)
    used = sum(map(bool, lists))
    axes.set(aspect="equal", title=f"cost {routes.cost(lists):,.10g}, {used} route{'s' * (used != 1)}")


def _map(shape: Lists, routes: Routes) -> dict[str, Any]:
    """Return what routes are drawn from in movies: where items are, and where lists start and end."""
    if shape.items > LARGEST_SCENE or routes.points is None:
        return {}
    ends = [[int(start), int(end)] for start, end in zip(routes.starts, routes.ends, strict=True)]
    points = np.concatenate([routes.points[routes.nodes], routes.points])
    ends = [[node + shape.items if node != OPEN else OPEN for node in pair] for pair in ends]
    candidates = [*shape.names, *(f"end of list {r + 1}" for r in range(len(shape.sizes) - shape.items))]
    return {"kind": "routes", "points": points, "items": shape.items, "ends": ends, "candidates": candidates}


def _draw_gantt(shape: Lists, schedule: Schedule, x: Solutions, axes: Any) -> None:
    """Draw a Gantt chart: a row for each machine; items that wait for each other have one colour."""
    plan, groups = schedule.plan([part.tolist() for part in shape.segments(x)]), _groups(schedule)
    for r, items in enumerate(plan.lists):
        bars = [(plan.begin[item], plan.end[item] - plan.begin[item]) for item in items]
        colours = [f"C{groups[item] % 10}" for item in items]
        axes.broken_barh(bars, (r - 0.4, 0.8), facecolors=colours, edgecolor="white", linewidth=0.3)
    axes.set(xlabel="time", title=f"makespan {plan.end.max(initial=0.0):,.10g}")
    axes.set_yticks(range(shape.count), shape.list_names)
    axes.invert_yaxis()


def _groups(schedule: Schedule) -> list[int]:
    """Return a number for each item: the same for items that precedence joins, as the operations of a job."""
    group = list(range(len(schedule.names)))

    def root(item: int) -> int:
        while group[item] != item:
            group[item] = group[group[item]]
            item = group[item]
        return item

    for before, later in schedule.edges.tolist():
        group[root(later)] = root(before)
    numbers: dict[int, int] = {}
    return [numbers.setdefault(root(item), len(numbers)) for item in range(len(group))]


def _gantt(shape: Lists, schedule: Schedule) -> dict[str, Any]:
    """Return what Gantt charts are drawn from in movies: durations, precedence and colours of the items."""
    if schedule.durations.size > LARGEST_SCENE * 10:
        return {}
    durations = np.where(schedule.able, schedule.durations, -1.0)
    separators = [f"end of list {r + 1}" for r in range(len(shape.sizes) - shape.items)]
    scene = {"kind": "schedule", "durations": durations, "edges": schedule.edges, "groups": _groups(schedule)}
    return {**scene, "machines": list(shape.list_names), "candidates": [*shape.names, *separators]}
