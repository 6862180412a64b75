"""The critical-difference diagram: average ranks on a line, bars join methods without a significant difference."""

from __future__ import annotations

from dataclasses import dataclass
from math import ceil

from swarmkit.statistics.several_instances import SeveralInstances

LINE, ROW, AXIS = 400, 26, 62
"""Pixels: length of the axis, height of a label, distance of the axis from the top."""
LETTERS, LETTER = 26, 7.5
"""Longest name in letters, which the page truncates to, and the widest letter in pixels."""


@dataclass(frozen=True)
class MethodLabel:
    """A method: the position of its rank on the axis (x) and the height of its name (y), in pixels."""

    name: str
    rank: float
    x: float
    y: float
    on_left: bool


@dataclass(frozen=True)
class RankDiagram:
    """The layout of the diagram in pixels."""

    width: int
    height: float
    left: int
    right: int
    axis: int
    ticks: list[tuple[float, int]]
    """Position and rank."""
    labels: list[MethodLabel]
    bars: list[tuple[float, float, float]]
    """Start, end and height of the bar of each group."""
    spans: list[tuple[int, int]]
    """The first and last method of each group, by the order of `labels`: the bars of the layout for narrow screens."""
    critical: tuple[float, float] | None
    """Start and end of the critical difference, which is drawn above the axis."""


def rank_diagram(across: SeveralInstances) -> RankDiagram | None:
    """Return the layout of the diagram, None where there are no ranks to show."""
    methods = len(across.methods)
    if methods < 2 or not across.instances:
        return None

    side = round(70 + LETTER * min(LETTERS, max(map(len, across.methods))))

    def at(rank: float) -> float:
        return round(side + (rank - 1) / (methods - 1) * LINE, 1)

    groups = [group for group in across.groups if len(group) > 1]
    bars = [
        (at(across.ranks[group[0]]) - 4, at(across.ranks[group[-1]]) + 4, AXIS + 12.0 + 9 * level)
        for level, group in enumerate(groups)
    ]
    top = AXIS + 30 + 9 * len(bars)
    half = ceil(methods / 2)  # the better half is labelled on the left, the others on the right, the worst at the top
    labels = [
        MethodLabel(
            name, across.ranks[name], at(across.ranks[name]), top + ROW * (i if i < half else methods - 1 - i), i < half
        )
        for i, name in enumerate(across.methods)
    ]
    cd = across.critical_difference
    critical = None if cd is None else (float(side), round(side + cd / (methods - 1) * LINE, 1))
    ticks = [(at(rank), rank) for rank in range(1, methods + 1)]
    width = max(LINE + 2 * side, round(critical[1]) + 10 if critical else 0)
    spans = [(across.methods.index(group[0]), across.methods.index(group[-1])) for group in groups]
    return RankDiagram(width, top + ROW * half, side, side + LINE, AXIS, ticks, labels, bars, spans, critical)
