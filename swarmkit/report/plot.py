"""The figure of `--plot`: the best score over the run's work, and the problem's own drawing of the best solution."""

from __future__ import annotations

import io
from collections.abc import Sequence
from html import escape
from pathlib import Path
from typing import Any

import numpy as np

from swarmkit.contract.errors import MissingError, UsageError, install_hint
from swarmkit.contract.problem import Problem
from swarmkit.contract.result import Result
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
        problem: the problem, which draws its best solution beside the curves if it can.
    """
    from matplotlib.figure import Figure

    best = max((run for run in runs if run.score is not None), key=lambda run: run.score or 0.0, default=None)
    drawn = _draw_solution(problem, best, Figure().add_subplot())
    figure = Figure(figsize=(13 if drawn else 8, 4.5), layout="constrained")
    _curves(runs, best, figure.add_subplot(1, 2 if drawn else 1, 1))
    if drawn:
        _draw_solution(problem, best, figure.add_subplot(1, 2, 2))
    save_figure(figure, path, f"{runs[0].problem} by {runs[0].solver}")


def _draw_solution(problem: Problem | None, best: Result | None, axes: Any) -> bool:
    """Let the problem draw the best solution, and return whether it drew anything."""
    if problem is not None and best is not None and best.solution is not None:
        problem.draw(np.array(best.solution, np.int64), axes)
    return bool(axes.has_data())


def _curves(runs: Sequence[Result], best: Result | None, axes: Any) -> None:
    """Draw the best score of each run over its looks, or over its evaluations where the problem has no tables."""
    unit = "looks" if runs[0].tables else "evaluations"
    for run in runs:
        trace = run.trace
        if trace.score:
            work, scores = [*getattr(trace, unit), getattr(run, unit)], [*trace.score, trace.score[-1]]
            style = {"linewidth": 2, "zorder": 3} if run is best else {"linewidth": 1, "alpha": 0.5}
            axes.step(work, scores, where="post", label=f"seed {run.seed}", marker=".", **style)
    axes.set(xlabel=unit, ylabel="best score", title=f"{runs[0].problem} by {runs[0].solver}")
    axes.grid(alpha=0.3)
    if 1 < len(runs) <= 10:
        axes.legend()


def save_figure(figure: Any, path: Path, title: str) -> None:
    """Write a figure in the format of the file's suffix."""
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
