"""Commands that make or serve pages for a browser: `report`, `movie` and `studio`."""

from __future__ import annotations

import importlib.util
from pathlib import Path
from typing import Annotated

import typer

from swarmkit.cli.delivering import check_movie
from swarmkit.cli.options import Force, JsonOption, check_outputs
from swarmkit.files.writing import write_atomically

PORT = 8765
"""The port, unless another one is asked for; if it is taken, any that is free."""


def report(
    store: Annotated[
        Path,
        typer.Argument(
            help="A store that 'swarmkit compare --store' filled, or a CSV file with results of other tools: columns "
            "method, instance, seed, score (or cost) and seconds."
        ),
    ],
    out: Annotated[
        Path | None,
        typer.Option(
            "-o", "--out", help="The HTML page; by default STORE.html, unless only tables or JSON are asked for."
        ),
    ] = None,
    markdown: Annotated[Path | None, typer.Option(help="Write the summary as a Markdown table.")] = None,
    latex: Annotated[Path | None, typer.Option(help="Write the summary as a LaTeX table (booktabs).")] = None,
    title: Annotated[str, typer.Option(help="The page's title.")] = "",
    problem: Annotated[str | None, typer.Option("-p", "--problem", help="Only runs on this problem.")] = None,
    solver: Annotated[str | None, typer.Option("-a", "--algo", help="Only runs of this solver.")] = None,
    instance: Annotated[str | None, typer.Option(help="Only runs on this instance.")] = None,
    method: Annotated[str | None, typer.Option(help="Only runs of this method.")] = None,
    seed: Annotated[int, typer.Option(min=0, help="The seed of the bootstrap intervals.")] = 0,
    as_document: JsonOption = False,
    force: Force = False,
) -> None:
    """Write the results of a comparison: one self-contained HTML page, tables, or all statistics as JSON.

    Example: swarmkit report runs.db -o report.html --markdown table.md

    Example: swarmkit report results.csv
    """
    from swarmkit.comparison.report_input import runs_of
    from swarmkit.report.page import make_page, need_report
    from swarmkit.report.tables import latex_table, markdown_table
    from swarmkit.statistics.analysis import analyse

    need_report()
    if not (out or markdown or latex or as_document):
        out = store.parent / f"{store.stem or 'report'}.html"  # '.' has no stem; it is refused below
    check_outputs(force, out, markdown, latex)
    records, experiments = runs_of(store, problem=problem, solver=solver, instance=instance, method=method)
    analysis = analyse(records, seed)
    if out:
        write_atomically(out, make_page(records, analysis, title, experiments).encode())
    for path, table in ((markdown, markdown_table), (latex, latex_table)):
        if path:
            write_atomically(path, table(analysis).encode())
    if as_document:
        print(analysis.model_dump_json(indent=2))
    else:
        print("\n".join([analysis.words, *(f"written: {path}" for path in (out, markdown, latex) if path)]))


def movie(
    file: Annotated[Path, typer.Argument(help="A recording, written by 'swarmkit solve --record'.")],
    out: Annotated[Path | None, typer.Option("--out", "-o", help="The page; by default FILE.html.")] = None,
    force: Force = False,
) -> None:
    """Make a page of a recorded run that plays it in a browser and needs no network.

    Example: swarmkit movie run.rec -o run.html
    """
    from swarmkit.running.recording import read_recording
    from swarmkit.viewing.movie import make_movie

    target = out or file.parent / f"{file.stem or 'movie'}.html"
    check_movie(target)
    check_outputs(force, target)
    write_atomically(target, make_movie(read_recording(file)).encode())
    print(f"written: {target}")


def studio(
    files: Annotated[
        list[Path] | None,
        typer.Argument(metavar="[FILE]...", help="Recordings, stores and instances that the pages may open."),
    ] = None,
    port: Annotated[
        int | None, typer.Option(min=0, max=65535, help=f"The port; by default {PORT}, or one that is free.")
    ] = None,
    browser: Annotated[bool, typer.Option("--browser/--no-browser", help="Open the page in the browser.")] = True,
    max_seconds: Annotated[float, typer.Option(min=1, max=86400, help="The seconds of the longest run.")] = 60.0,
) -> None:
    """Start, watch and stop runs, open recordings and stores, and look at the senses of a text, in a browser.

    The server answers this machine alone, and only the browser that opens the printed address. It reads the files named
    here, uploads, and nothing else. Ctrl-C ends it, with the run that goes on.

    Example: swarmkit studio runs.db run.rec --port 8080 --no-browser
    """
    from swarmkit.contract.errors import MissingError, install_hint

    # Looked for, not imported: that takes time, and the names say which extra is missing.
    missing = [name for name in ("starlette", "uvicorn") if importlib.util.find_spec(name) is None]
    if missing:
        packages = " and ".join(missing)
        raise MissingError(f"the studio needs {packages}, which the extra 'studio' installs: {install_hint('studio')}")
    from swarmkit.studio.serving import serve

    serve(files or [], port, PORT, seconds=max_seconds, browser=browser)
