"""A picture of runs: the best score over looks."""

from __future__ import annotations

import io
from collections.abc import Sequence
from html import escape
from pathlib import Path

from swarmkit.errors import MissingError, UsageError
from swarmkit.files import write_atomically
from swarmkit.result import Result

SUFFIXES = (".png", ".svg", ".pdf", ".html")


def check_plot(path: Path) -> None:
    """Refuse, before anything is run, a picture that could not be drawn."""
    if path.suffix.lower() not in SUFFIXES:
        raise UsageError(f"{path}: a picture's name ends in {', '.join(SUFFIXES)}")
    try:
        import matplotlib  # noqa: F401  (only whether it is there)
    except ImportError:
        raise MissingError(
            "--plot needs matplotlib, which the extra 'report' brings: pip install 'pyswarmkit[report]'"
        ) from None


def plot_runs(runs: Sequence[Result], path: Path) -> None:
    """Draw the best score of each run over its looks."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(8, 4.5), layout="constrained")
    axes = figure.add_subplot()
    best = max((run for run in runs if run.score is not None), key=lambda run: run.score or 0.0, default=None)
    for run in runs:
        trace = run.trace
        if trace.score:
            looks, scores = [*trace.looks, run.looks], [*trace.score, trace.score[-1]]
            style = {"linewidth": 2, "zorder": 3} if run is best else {"linewidth": 1, "alpha": 0.5}
            axes.step(looks, scores, where="post", label=f"seed {run.seed}", marker=".", **style)
    axes.set(xlabel="looks", ylabel="best score", title=f"{runs[0].problem} by {runs[0].solver}")
    axes.grid(alpha=0.3)
    if 1 < len(runs) <= 10:
        axes.legend()
    kind = path.suffix.lower()[1:]
    buffer = io.BytesIO()
    figure.savefig(buffer, format="svg" if kind == "html" else kind, dpi=150)
    picture = buffer.getvalue()
    if kind == "html":
        picture = _page(picture.decode(), f"{runs[0].problem} by {runs[0].solver}").encode()
    write_atomically(path, picture)


def _page(svg: str, title: str) -> str:
    """Wrap a picture in a page that needs nothing else."""
    drawing = svg[svg.index("<svg") :]
    return f'<!doctype html><html lang="en"><meta charset="utf-8"><title>{escape(title)}</title>{drawing}</html>\n'
