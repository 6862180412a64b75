"""The command `swarmkit experiment wsd-best`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from swarmkit import print_json, print_table
from swarmkit_wsd_services.commands.arguments import Json, Model

if TYPE_CHECKING:
    from swarmkit_wsd.evaluation.comparison import Comparison
    from swarmkit_wsd.evaluation.experiment import Outcome
    from swarmkit_wsd.evaluation.measurement import Measured

LEGEND = """\
F1: in percent, micro, the mean over the runs, with its 95 % interval by bootstrap over the words.
fast, first: points of accuracy more than fast/annotate and than the first sense, and p of McNemar's test, adjusted by
  Holm's method.
CPU s: of tables and model + of the search.
ECE: expected calibration error of words with several senses, 15 bins of equal mass.
half: precision of the more confident half of all words."""


def wsd_best(
    data: Annotated[Path, typer.Option(help="A folder of corpora: unified framework, SemEval-2007 task 7.")],
    corpora: Annotated[str | None, typer.Option(help="Only these corpora: senseval2,semeval2013.")] = None,
    rows: Annotated[
        str | None, typer.Option(help="Only these rows, and what they are compared with: best/ils.")
    ] = None,
    seeds: Annotated[int, typer.Option(min=1, help="Runs of every method that draws random numbers.")] = 3,
    model: Model = None,
    store: Annotated[
        Path | None, typer.Option(help="Keep the runs of solvers in this file; those in it are not made again.")
    ] = None,
    plot: Annotated[
        Path | None, typer.Option(help="Draw reliability and coverage there: .png, .svg, .pdf or .html.")
    ] = None,
    as_document: Json = False,
) -> None:
    """Measure presets and solvers of word sense disambiguation on every corpus of a folder.

    F1 with its interval, tests word by word against preset fast and the first sense, calibration, coverage, CPU time.

    Example: swarmkit experiment wsd-best --data corpora --store runs.db --plot calibration.html
    """
    from swarmkit import check_plot
    from swarmkit_wsd.evaluation.experiment import Selection, run_experiment
    from swarmkit_wsd.evaluation.measurement import plot as draw

    # Hours of runs should not end with a picture that cannot be written.
    if plot is not None:
        check_plot(plot)
    model_file = None if model is None else str(model)
    selection = Selection(data, _split(corpora), _split(rows), seeds, model_file)
    outcome = run_experiment(selection, store, lambda message: typer.echo(message, err=True))
    if plot is not None:
        draw(outcome.answers, plot)
    if as_document:
        print_json(outcome.document())
    else:
        show(outcome)


def _split(names: str | None) -> list[str]:
    return [name.strip() for name in (names or "").split(",") if name.strip()]


def show(outcome: Outcome) -> None:
    """Print a table for each corpus."""
    from swarmkit_wsd.evaluation.experiment import DEVELOPMENT

    for name, measurements in outcome.rows.items():
        note = ", the development set" if name == DEVELOPMENT else ""
        typer.echo(f"\n{name} ({outcome.words(name):,} words{note})\n")
        print_table([_cells(row) for row in measurements])
    typer.echo(f"\n{LEGEND}")
    # Rows that lack the same thing share a line.
    for reason in dict.fromkeys(outcome.left_out.values()):
        rows = ", ".join(str(row) for row, why in outcome.left_out.items() if why == reason)
        typer.echo(f"Left out: {rows}: {reason}")


def _cells(row: Measured) -> dict[str, str]:
    return {
        "preset": row.preset,
        "method": row.method,
        "F1": f"{100 * row.f1:.2f}",
        "interval": f"{100 * row.low:.1f} to {100 * row.high:.1f}",
        "fast": _against(row.against_fast),
        "first": _against(row.against_first),
        "CPU s": f"{row.cpu_tables:.1f} + {row.cpu_search:.1f}",
        "ECE": "" if row.calibration_error is None else f"{row.calibration_error:.3f}",
        "half": "" if row.half is None else f"{100 * row.half:.1f}",
    }


def _against(comparison: Comparison | None) -> str:
    if comparison is None or comparison.bootstrap.difference is None:
        return ""
    p = comparison.adjusted
    p_text = "" if p is None else ", p < 0.001" if p < 0.001 else f", p = {p:.3f}"
    return f"{100 * comparison.bootstrap.difference:+.2f}{p_text}"
