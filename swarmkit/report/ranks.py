"""The critical-difference diagram: methods on a line by average rank, a bar joining those that cannot be told apart."""

from __future__ import annotations

from dataclasses import dataclass
from math import ceil

from swarmkit.statistics.across import Across

WIDTH, LEFT, RIGHT = 760, 180, 580
"""Of the drawing, and where its axis begins and ends: the labels stand on both sides."""
ROW, AXIS = 26, 62


@dataclass(frozen=True)
class Label:
    """A method: where its rank is on the axis, and where its name stands."""

    name: str
    rank: float
    x: float
    y: float
    on_left: bool


@dataclass(frozen=True)
class Diagram:
    """Everything that is drawn, in pixels."""

    width: int
    height: float
    left: int
    right: int
    axis: int
    ticks: list[tuple[float, int]]
    labels: list[Label]
    bars: list[tuple[float, float, float]]
    """From, to, and height of the bars that join groups."""
    critical: tuple[float, float] | None
    """From and to of the critical difference, drawn above the axis."""


def diagram(across: Across) -> Diagram | None:
    """Lay the diagram out; None where there are no ranks to show."""
    many = len(across.methods)
    if many < 2 or not across.instances:
        return None

    def at(rank: float) -> float:
        return round(LEFT + (rank - 1) / (many - 1) * (RIGHT - LEFT), 1)

    groups = [group for group in across.groups if len(group) > 1]
    bars = [
        (at(across.ranks[group[0]]) - 4, at(across.ranks[group[-1]]) + 4, AXIS + 12.0 + 9 * level)
        for level, group in enumerate(groups)
    ]
    top = AXIS + 30 + 9 * len(bars)
    half = ceil(many / 2)
    labels = [
        Label(name, across.ranks[name], at(across.ranks[name]), top + ROW * (i if i < half else many - 1 - i), i < half)
        for i, name in enumerate(across.methods)
    ]
    cd = across.critical_difference
    critical = None if cd is None else (float(LEFT), round(min(LEFT + cd / (many - 1) * (RIGHT - LEFT), WIDTH - 10), 1))
    ticks = [(at(rank), rank) for rank in range(1, many + 1)]
    return Diagram(WIDTH, top + ROW * half, LEFT, RIGHT, AXIS, ticks, labels, bars, critical)
