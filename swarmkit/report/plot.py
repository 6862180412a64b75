"""The figure of `--plot`: the best score over the run's work, and the problem's own drawing of the best solution."""

from __future__ import annotations

import io
from collections.abc import Sequence
from html import escape
from pathlib import Path
from typing import Any

import numpy as np

from swarmkit.contract.errors import MissingError, UsageError, install_hint
from swarmkit.contract.notebook import figure
from swarmkit.contract.problem import Problem
from swarmkit.contract.result import Result
from swarmkit.contract.view import draw_solution
from swarmkit.files.writing import write_atomically

SUFFIXES = (".png", ".svg", ".pdf", ".html")
"""File formats of a figure."""


def check_plot(path: Path) -> None:
    """Raise an error if a figure cannot be written: an unknown format, or matplotlib is missing."""
    if path.suffix.lower() not in SUFFIXES:
        raise UsageError(f"{path}: the name of a figure ends in {', '.join(SUFFIXES)}")
    try:
        import matplotlib  # noqa: F401  (whether it is installed)
    except ImportError:
        raise MissingError(
            f"--plot needs matplotlib, which the extra 'report' installs: {install_hint('report')}"
        ) from None


def plot_runs(runs: Sequence[Result], path: Path, problem: Problem | None = None) -> None:
    """Write a figure of runs of one solver on one problem.

    Args:
        runs: the runs, each of which is a curve of its best score over looks (without tables: evaluations).
        path: the file, whose suffix determines the format.
        problem: the problem, which draws its best solution beside the curves, and may know the optimum.
    """
    from matplotlib.figure import Figure

    best = max((run for run in runs if run.score is not None), key=lambda run: run.score or 0.0, default=None)
    has_drawing = _draw_solution(problem, best, Figure().add_subplot())
    figure = Figure(figsize=(14 if has_drawing else 8, 5), layout="constrained")
    _curves(runs, best, figure.add_subplot(1, 2 if has_drawing else 1, 1), best_known(problem, best))
    if has_drawing:
        _draw_solution(problem, best, figure.add_subplot(1, 2, 2))
    save_figure(figure, path, f"{runs[0].problem} by {runs[0].solver}")


def _draw_solution(problem: Problem | None, best: Result | None, axes: Any) -> bool:
    """Let the problem draw the best solution, and return whether it drew anything."""
    if problem is not None and best is not None and best.solution is not None:
        draw_solution(problem, np.array(best.solution, np.int64), axes)
    return bool(axes.has_data() or axes.texts)


def _curves(runs: Sequence[Result], best: Result | None, axes: Any, known: tuple[float, str] | None) -> None:
    """Draw the best score or cost of each run over its looks, or over its evaluations where there are no tables.

    Args:
        runs: the runs.
        best: the best of them, which is emphasised.
        axes: matplotlib's axes.
        known: the best known value and what it is called, drawn as a line.
    """
    unit, first = "looks" if runs[0].tables else "evaluations", runs[0]
    ends = []
    for run in runs:
        trace = run.trace
        if trace.score:
            work = [*getattr(trace, unit), max(getattr(run, unit), getattr(trace, unit)[-1])]
            values = [run.shown(score) for score in (*trace.score, trace.score[-1])]
            is_best = run is best
            style = {"linewidth": 2.2, "zorder": 3, "color": "C0"} if is_best else {"linewidth": 1, "color": "0.65"}
            axes.step(work, values, where="post", marker=".", markersize=7 if is_best else 3, **style)
            ends.append(values[-1])
    if best is not None and best.trace.score:
        value = best.shown(best.trace.score[-1])
        label = figure(value) if len(runs) == 1 else f"seed {best.seed}: {figure(value)}, the best of {len(runs)} runs"
        when = getattr(best.trace, unit)[-1]
        axes.plot([], [], color="C0", linewidth=2.2, marker=".", label=f"{label} after {when:,} {unit}")
    if len(ends) > 1:
        axes.plot([], [], color="0.65", linewidth=1, label=f"the others: {figure(min(ends))} to {figure(max(ends))}")
    if known is not None:
        axes.axhline(known[0], color="C2", linestyle="--", linewidth=1.3, label=f"{known[1]}: {figure(known[0])}")
    ylabel = "best score so far" if first.objective == "score" else f"lowest {first.objective} so far"
    axes.set(xscale="log", xlabel=unit, ylabel=ylabel, title=f"{first.problem} by {first.solver}")
    for axis in (axes.xaxis, axes.yaxis):
        axis.set_major_formatter(lambda value, _: figure(value))
    axes.xaxis.set_minor_formatter("")  # between powers of ten the numbers would overlap
    axes.grid(alpha=0.3)
    if axes.has_data():
        axes.margins(y=0.12)
        axes.legend(loc="lower right" if first.objective == "score" else "upper right", fontsize="small")


def best_known(problem: Problem | None, best: Result | None) -> tuple[float, str] | None:
    """Return the best known value of a problem, as people see it, and what it is called; None if there is none."""
    if best is None:
        return None
    if best.gap is not None and best.gap.bound is not None:
        return best.shown(best.gap.bound), "optimum" if best.gap.optimum else "bound"
    if problem is not None and problem.optimum is not None:
        return (problem.optimum if problem.direction == "minimise" else best.shown(problem.optimum)), "optimum"
    if "best known" in best.metrics:
        return best.metrics["best known"], "best known"
    return None


def save_figure(figure: Any, path: Path, title: str) -> None:
    """Write a figure in the format of the file's suffix.

    Args:
        figure: matplotlib's figure.
        path: the file: png, svg, pdf, or html with the drawing in it.
        title: the title of the HTML page.
    """
    kind = path.suffix.lower()[1:]
    buffer = io.BytesIO()
    figure.savefig(buffer, format="svg" if kind == "html" else kind, dpi=150)
    picture = buffer.getvalue()
    if kind == "html":
        picture = _page(picture.decode(), title).encode()
    write_atomically(path, picture)


def _page(svg: str, title: str) -> str:
    """Return a self-contained HTML page with an SVG drawing."""
    drawing = svg[svg.index("<svg") :]
    return f'<!doctype html><html lang="en"><meta charset="utf-8"><title>{escape(title)}</title>{drawing}</html>\n'
