"""The command `report`."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Annotated

import typer

from swarmkit.cli.listing import JsonOption
from swarmkit.cli.solving import Force
from swarmkit.files.writing import check_writable, write_atomically


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
    for path in filter(None, (out, markdown, latex)):
        check_writable(path, force, "Give another name, or --force to overwrite it.")
    chosen = {"problem": problem, "solver": solver, "instance": instance, "method": method}
    records, experiments = runs_of(store, **chosen)
    found = analyse(records, seed)
    asked: list[tuple[Path | None, Callable[[], str]]] = [
        (out, lambda: make_page(records, found, title, experiments)),
        (markdown, lambda: markdown_table(found)),
        (latex, lambda: latex_table(found)),
    ]
    written = [(path, text) for path, text in asked if path]
    for path, text in written:
        write_atomically(path, text().encode())
    if as_document:
        print(found.model_dump_json(indent=2))
    else:
        print("\n".join([found.words, *(f"written: {path}" for path, _ in written)]))
