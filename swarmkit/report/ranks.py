"""The critical-difference diagram: methods on a line by average rank, a bar joining those that cannot be told apart."""

from __future__ import annotations

from dataclasses import dataclass
from math import ceil

from swarmkit.statistics.across import Across

LINE, ROW, AXIS = 400, 26, 62
"""The length of the axis, the height of a label, and how far below the top the axis is."""
LETTERS, LETTER = 26, 7.5
"""A name is cut after so many letters, each of them so wide at the most."""


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

    side = round(70 + LETTER * min(LETTERS, max(map(len, across.methods))))

    def at(rank: float) -> float:
        return round(side + (rank - 1) / (many - 1) * LINE, 1)

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
    critical = None if cd is None else (float(side), round(side + cd / (many - 1) * LINE, 1))
    ticks = [(at(rank), rank) for rank in range(1, many + 1)]
    width = max(LINE + 2 * side, round(critical[1]) + 10 if critical else 0)
    return Diagram(width, top + ROW * half, side, side + LINE, AXIS, ticks, labels, bars, critical)
