"""Reports: `report`."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Annotated

import typer

from swarmkit.cli.listing import JsonOption
from swarmkit.cli.solving import Force
from swarmkit.contract.errors import UsageError
from swarmkit.files.writing import check_writable, write_atomically


def report(
    store: Annotated[Path, typer.Argument(help="A store that 'swarmkit compare --store' has filled.")],
    out: Annotated[
        Path | None, typer.Option("-o", "--out", help="The page; STORE.html if no other file is asked for.")
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
    """Write what a comparison has found: one HTML page that needs no network, tables, or all findings as JSON.

    Example: swarmkit report runs.db -o report.html --markdown table.md
    """
    from swarmkit.comparison.store import Store
    from swarmkit.report.page import make_page, need_report
    from swarmkit.report.tables import latex_table, markdown_table
    from swarmkit.statistics.analysis import analyse

    need_report()
    if not (out or markdown or latex or as_document):
        out = store.with_suffix(".html")
    for path in filter(None, (out, markdown, latex)):
        check_writable(path, force, "Give another name, or --force to write over it.")
    with Store(store, create=False) as opened:
        records = opened.records(problem=problem, solver=solver, instance=instance, method=method)
    if not records:
        chosen = "no runs that fit" if any((problem, solver, instance, method)) else "no runs yet"
        raise UsageError(f"{store}: {chosen}. 'swarmkit runs {store}' lists what there is.")
    found = analyse(records, seed)
    asked: list[tuple[Path | None, Callable[[], str]]] = [
        (out, lambda: make_page(records, found, title)),
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
