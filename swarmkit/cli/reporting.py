"""The command `report`."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from swarmkit.cli.listing import JsonOption
from swarmkit.cli.solving import Force
from swarmkit.contract.errors import UsageError
from swarmkit.files.writing import check_writable, write_atomically

if TYPE_CHECKING:
    from swarmkit.comparison.record import Record, RefusedPair
    from swarmkit.comparison.stored_experiment import StoredExperiment


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
    from swarmkit.report.page import make_page, need_report
    from swarmkit.report.tables import latex_table, markdown_table
    from swarmkit.statistics.analysis import analyse

    need_report()
    if not (out or markdown or latex or as_document):
        out = store.parent / f"{store.stem or 'report'}.html"  # '.' has no stem; it is refused below
    for path in filter(None, (out, markdown, latex)):
        check_writable(path, force, "Give another name, or --force to overwrite it.")
    chosen = {"problem": problem, "solver": solver, "instance": instance, "method": method}
    records, experiments = runs_of(store, chosen)
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


def runs_of(store: Path, chosen: Mapping[str, str | None]) -> tuple[Sequence[Record], list[StoredExperiment]]:
    """Return the runs of a store, or of a CSV file, that match all given values, and the experiments of a store."""
    from swarmkit.comparison.schema import check_file
    from swarmkit.comparison.store import Store

    if store.suffix.lower() == ".csv":
        from swarmkit.comparison.other_results import read_other_results

        every = read_other_results(store)
        given = {"instance": chosen["instance"] or chosen["problem"], "method": chosen["method"] or chosen["solver"]}
        records = [r for r in every if all(value in (None, getattr(r, name)) for name, value in given.items())]
        if not records:
            raise UsageError(f"{store}: no runs match; it has {len(every)}")
        return records, []
    if not check_file(store):
        raise UsageError(f"{store}: no such file")
    with Store(store, read_only=True) as opened:
        found = opened.records(
            problem=chosen["problem"],
            solver=chosen["solver"],
            instance=chosen["instance"],
            method=chosen["method"],
        )
        experiments = only_refusals(opened.experiments(), chosen)
    if not found:
        none = "no runs match" if any(chosen.values()) else "no runs yet"
        raise UsageError(f"{store}: {none}. 'swarmkit runs {store}' lists all runs.")
    return found, experiments


def only_refusals(experiments: Sequence[StoredExperiment], chosen: Mapping[str, str | None]) -> list[StoredExperiment]:
    """Return the experiments with only those refused pairs that match all given values.

    Args:
        experiments: the experiments of a store.
        chosen: values of problem, solver, instance and method; None matches everything.
    """

    def matches(pair: RefusedPair) -> bool:
        return all(value in (None, getattr(pair, name)) for name, value in chosen.items())

    return [replace(one, refused=list(filter(matches, one.refused))) for one in experiments]
