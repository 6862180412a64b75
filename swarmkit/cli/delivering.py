"""Results of runs: printed, written to files, drawn, and shown as movies."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import typer

from swarmkit.cli.options import check_outputs, say
from swarmkit.cli.show import show_explanation, show_result, show_results
from swarmkit.contract.errors import UsageError
from swarmkit.files.writing import csv_text, write_atomically

if TYPE_CHECKING:
    from swarmkit.contract.result import Result, Results
    from swarmkit.running.recording import Recorder


class OutputOptions(NamedTuple):
    """How a result is printed, and the files that it is written to."""

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
    recorder: Recorder | None = None
    """The recorder of the run, if its recording or movie is wanted."""
    recording: Path | None = None
    """The file of the recording."""
    movie: Path | None = None
    """The file of the movie."""


def check_figure(out: Path | None, plot: Path | None, force: bool) -> None:
    """Refuse files that cannot be written, before anything is run."""
    if plot:
        from swarmkit.report.plot import check_plot

        check_plot(plot)
    check_outputs(force, out, plot)


def check_movie(path: Path | None) -> None:
    """Raise an error if a movie has a name that a browser would not open."""
    if path is not None and path.suffix.lower() not in (".html", ".htm"):
        raise UsageError(f"{path}: the name of a movie ends in .html")


def make_recorder(recording: Path | None, movie: Path | None, runs: int | None, force: bool) -> Recorder | None:
    """Return a recorder if one of these files is wanted, None otherwise; refuse what cannot be written beforehand."""
    if recording is None and movie is None:
        return None
    if runs is not None:
        raise UsageError("--record and --movie go with a single run, not with --runs")
    check_movie(movie)
    check_outputs(force, recording, movie)
    from swarmkit.running.recording import Recorder

    return Recorder()


def drawable_problem(result: Result) -> Any:
    """Return the problem of a result, made again, if it defines a drawing; otherwise None."""
    from swarmkit.plugins.host import host
    from swarmkit.running.checkpoint import remake_problem

    kind = host().find("problem", result.problem).value if result.options is not None else None
    if kind is None or not (kind.overrides("view") or kind.overrides("draw")):
        return None
    problem = remake_problem(result, "the result")
    return None if problem.view().draw is None else problem


def deliver(result: Result | Results, show: OutputOptions) -> None:
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
        say("swarmkit: interrupted; the gap is not known")
        raise typer.Exit(130)


def answer_csv(runs: Sequence[Result]) -> str:
    """Return the answer of the best run as CSV, a row per stage as the problem describes it."""
    from swarmkit.contract.result import best_of

    return csv_text(best_of(runs).best.answer)


def write_files(runs: Sequence[Result], text: str, show: OutputOptions) -> None:
    """Write the result's JSON, the figure, the recording and the movie, as far as they were asked for.

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

            plot_runs(runs, show.plot, drawable_problem(runs[0]) if show.problem is None else show.problem)
        recording = show.recorder.recording if show.recorder else None
        if recording and show.recording:
            recording.write(show.recording)
        if recording and show.movie:
            from swarmkit.viewing.movie import make_movie

            write_atomically(show.movie, make_movie(recording).encode())
