"""Results delivered: printed, written to files, and drawn."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import typer

from swarmkit.cli.movies import RecordedFiles
from swarmkit.cli.show import show_explanation, show_result, show_results
from swarmkit.files.writing import check_writable, write_atomically

if TYPE_CHECKING:
    from swarmkit.contract.result import Result, Results


class Shown(NamedTuple):
    """How a result is shown."""

    as_document: bool
    """Whether it is printed as JSON."""
    out: Path | None
    """The file to write it to."""
    plot: Path | None
    """The file to draw it to."""
    gap: Any = None
    """The problem, if the gap to its optimum is wanted."""
    problem: Any = None
    """The problem, which may define a drawing; that of a resumed run is made again for it."""
    explain: bool = False
    """Whether the shares of the solvers are shown."""
    recorded: RecordedFiles | None = None
    """The recorder of the run, and the files of its recording and movie."""


def outputs(out: Path | None, plot: Path | None, force: bool) -> None:
    """Refuse files that cannot be written, before anything is run."""
    if plot:
        from swarmkit.report.plot import check_plot

        check_plot(plot)
    for path in (out, plot):
        if path:
            check_writable(path, force, "Give another name, or --force to overwrite it.")


def pictured(result: Result) -> Any:
    """Return the problem of a result, made again, if it defines a drawing; otherwise None."""
    from swarmkit.plugins.host import host
    from swarmkit.running.checkpoint import remake_problem

    kind = host().find("problem", result.problem).value if result.options is not None else None
    if kind is None or not (kind.overrides("view") or kind.overrides("draw")):
        return None
    problem = remake_problem(result, "the result")
    return None if problem.view().draw is None else problem


def deliver(result: Result | Results, show: Shown) -> None:
    """Show a result, then write the files that were asked for."""
    from swarmkit.contract.result import Result

    interrupted = False
    if show.gap is not None:
        from swarmkit.running.gap import with_gaps

        try:
            result = with_gaps(result, show.gap)
        except KeyboardInterrupt:  # the answer is there already
            interrupted = True
    text = result.model_dump_json(indent=2)
    try:
        if show.as_document:
            print(text)
        elif isinstance(result, Result):
            show_result(result)
        else:
            show_results(result)
        if show.explain and not show.as_document:
            show_explanation((result if isinstance(result, Result) else result.best).explanation)
        sys.stdout.flush()
    finally:  # the answer is shown first: a full disk does not lose it; and what cannot be shown is written
        write_files([result] if isinstance(result, Result) else result.runs, text, show)
    if interrupted:
        print("swarmkit: interrupted; the gap is not known", file=sys.stderr)
        raise typer.Exit(130)


def answer_csv(runs: Sequence[Result]) -> str:
    """Return the answer of the best run as CSV, a row per stage as the problem describes it."""
    from swarmkit.contract.result import best_of
    from swarmkit.files.writing import csv_text

    return csv_text(best_of(runs).best.answer)


def write_files(runs: Sequence[Result], text: str, show: Shown) -> None:
    """Write the result's JSON and the figure, as far as they were asked for.

    Args:
        runs: the runs of the result.
        text: the result as JSON.
        show: the names of the files.
    """
    try:
        if show.out:
            csv = show.out.suffix.lower() == ".csv"
            write_atomically(show.out, (answer_csv(runs) if csv else f"{text}\n").encode())
    finally:
        if show.plot:
            from swarmkit.report.plot import plot_runs

            plot_runs(runs, show.plot, pictured(runs[0]) if show.problem is None else show.problem)
        if show.recorded:
            show.recorded.write()
