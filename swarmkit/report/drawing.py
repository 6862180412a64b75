"""Figures of comparisons for papers and courses, drawn by matplotlib in the colours of the report."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from swarmkit.comparison.record import Record
from swarmkit.contract.arrays import Floats
from swarmkit.contract.errors import MissingError, UsageError, install_hint
from swarmkit.contract.notebook import figure
from swarmkit.report.rank_diagram import MethodLabel, RankDiagram, rank_diagram
from swarmkit.statistics.anytime import Unit, best_so_far, fair_unit, trajectory, work_grid
from swarmkit.statistics.several_instances import SeveralInstances

COLOURS = ("#0068a3", "#b54d00", "#007a58", "#a8437f", "#8a6200", "#4b2fb3", "#6b7000", "#595959")
"""Colours of methods, those of the report on white: distinct for colour-blind readers, and dark enough for lines."""

INK, GREY = "#1b1f24", "#8a97a3"
"""Colours of axes and of lines that lead to labels."""

STYLE: dict[Any, Any] = {
    "axes.axisbelow": True,
    "axes.edgecolor": GREY,
    "axes.grid": True,
    "axes.labelcolor": INK,
    "axes.spines.right": False,
    "axes.spines.top": False,
    "figure.dpi": 130,
    "font.size": 10,
    "grid.color": "#d8dee4",
    "grid.linewidth": 0.7,
    "lines.linewidth": 1.8,
    "xtick.color": "#57606a",
    "ytick.color": "#57606a",
}
"""Settings of matplotlib for the figures."""


def new_figure(rows: int = 1, columns: int = 1, size: tuple[float, float] = (7.5, 3.6)) -> tuple[Any, Any]:
    """Return a figure in the style of the report, and its axes as `matplotlib.figure.Figure.subplots` returns them.

    The figure is not registered with pyplot: `figure.savefig("name.png")` writes it, and nothing has to be closed.

    Args:
        rows: rows of axes.
        columns: columns of axes.
        size: width and height in inches.
    """
    try:
        from cycler import cycler
        from matplotlib import rc_context
        from matplotlib.figure import Figure
    except ImportError:
        raise MissingError(
            f"figures need matplotlib, which the extra 'report' installs: {install_hint('report')}"
        ) from None
    with rc_context(STYLE | {"axes.prop_cycle": cycler(color=COLOURS)}):
        canvas = Figure(figsize=size, layout="constrained")
        axes_grid = canvas.subplots(rows, columns)
    for axes in canvas.axes:
        for axis in (axes.xaxis, axes.yaxis):
            axis.set_major_formatter(lambda value, _: figure(value))
    return canvas, axes_grid


def draw_anytime(records: Sequence[Record], axes: Any) -> None:
    """Draw the best score (or the lowest cost) over work: the median of each method's runs, and their quartiles.

    Args:
        records: the runs of a comparison on one instance.
        axes: matplotlib's axes, as `new_figure` returns them.
    """
    instances = {record.instance for record in records}
    if len(instances) != 1:
        raise UsageError(f"runs on one instance are drawn; these are on {len(instances)}")
    unit, objective = fair_unit(records), records[0].result.objective
    when = work_grid(records, unit)
    for number, method in enumerate(dict.fromkeys(record.method for record in records)):
        _draw_band([r for r in records if r.method == method], axes, (unit, when), COLOURS[number % len(COLOURS)])
    axes.set(xscale="log", xlabel=unit, ylabel="best score so far" if objective == "score" else f"lowest {objective}")
    for axis in (axes.xaxis, axes.yaxis):
        axis.set_major_formatter(lambda value, _: figure(value))
    axes.legend(frameon=False, fontsize="small")


def _draw_band(records: Sequence[Record], axes: Any, grid: tuple[Unit, Floats], colour: str) -> None:
    """Draw the median and the quartiles of the runs of one method, up to the end of its longest run.

    Args:
        records: the runs of the method.
        axes: matplotlib's axes.
        grid: the unit of work, and amounts of it.
        colour: the colour of the method.
    """
    unit, when = grid
    end = max(trajectory(record.result, unit).end for record in records)
    band = best_so_far(records, unit, [*when[when < end], end])
    band = band if records[0].result.objective == "score" else band.negated
    low, median, high = (np.array(column, float) for column in (band.low, band.median, band.high))
    axes.step(band.when, median, where="post", color=colour, label=records[0].method)
    axes.fill_between(band.when, low, high, step="post", color=colour, alpha=0.15, linewidth=0)


def draw_ranks(across: SeveralInstances, axes: Any) -> None:
    """Draw a critical-difference diagram (Demšar 2006): average ranks, 1 is the best, on a line.

    A bar joins methods whose average ranks do not differ significantly.

    Args:
        across: the tests over several instances, as `compare_over_instances` returns them.
        axes: matplotlib's axes, as `new_figure` returns them.
    """
    layout = rank_diagram(across)
    if layout is None:
        raise UsageError("a diagram of ranks needs at least two methods, and instances on which all have runs")
    axes.set(xlim=(0, layout.width), ylim=(layout.height + 8, 0))
    axes.axis("off")
    axes.hlines(layout.axis, layout.left, layout.right, color=INK, linewidth=1.2)
    for x, rank in layout.ticks:
        axes.vlines(x, layout.axis - 6, layout.axis, color=INK, linewidth=1.2)
        axes.text(x, layout.axis - 10, str(rank), ha="center", va="bottom")
    for label in layout.labels:
        _draw_label(label, layout, axes)
    for start, end, y in layout.bars:
        axes.hlines(y, start, end, color=COLOURS[0], linewidth=4)
    if layout.critical:
        start, end = layout.critical
        axes.plot([start, start, end, end], [22, 18, 18, 22], color=INK, linewidth=1.2)
        words = f"critical difference {across.critical_difference:.2f}"
        axes.text((start + end) / 2, 12, words, ha="center", va="bottom", fontsize="small")


def _draw_label(label: MethodLabel, layout: RankDiagram, axes: Any) -> None:
    """Draw a line from the rank of a method to its name beside the diagram."""
    x, side, gap = (layout.left - 12, "right", -5) if label.on_left else (layout.right + 12, "left", 5)
    axes.plot([label.x, label.x, x], [layout.axis, label.y, label.y], color=GREY, linewidth=1)
    axes.text(x + gap, label.y, f"{label.name}  {label.rank:.2f}", ha=side, va="center")
