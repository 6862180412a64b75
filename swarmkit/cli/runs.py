"""The command `runs`: list and export the runs of a store."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from swarmkit.cli.listing import JsonOption
from swarmkit.cli.show import print_json, print_table
from swarmkit.cli.solving import Force
from swarmkit.contract.errors import UsageError, unknown
from swarmkit.files.writing import check_writable, csv_text, write_atomically

if TYPE_CHECKING:
    from swarmkit.comparison.record import Record


def runs(
    store: Annotated[Path, typer.Argument(help="A file written by 'swarmkit compare --store'.")],
    problem: Annotated[str | None, typer.Option("-p", "--problem", help="Only runs on this problem.")] = None,
    solver: Annotated[str | None, typer.Option("-a", "--solver", help="Only runs of this solver.")] = None,
    instance: Annotated[str | None, typer.Option(help="Only runs on the instance with this label.")] = None,
    method: Annotated[str | None, typer.Option(help="Only runs of the method with this label.")] = None,
    repetition: Annotated[int | None, typer.Option(help="Only this repetition, from 0.")] = None,
    summary: Annotated[bool, typer.Option("--summary", help="A line for each method instead of each run.")] = False,
    export: Annotated[
        Path | None, typer.Option(help="Write the runs to this file: .csv, or .json with solutions and traces.")
    ] = None,
    export_ioh: Annotated[
        Path | None, typer.Option(help="Write the runs to this new folder as logs of IOHprofiler.", metavar="DIR")
    ] = None,
    as_document: JsonOption = False,
    force: Force = False,
) -> None:
    """List or export the runs in a store that match all given options.

    Example: swarmkit runs runs.db --solver sa --export runs.csv
    """
    from swarmkit.comparison.store import Store

    if export:
        check_export(export, force)
    with Store(store, read_only=True) as opened:
        records = opened.records()
    given = {"problem": problem, "solver": solver, "instance": instance, "method": method, "repetition": repetition}
    chosen = choose(records, {name: value for name, value in given.items() if value is not None})
    if export:
        write_atomically(export, exported(chosen, export.suffix).encode())
    if export_ioh:
        from swarmkit.comparison.ioh_logs import write_ioh_logs

        write_ioh_logs(chosen, export_ioh)
    if as_document:
        print_json(documents(chosen))
    elif export or export_ioh:
        print(f"{len(chosen)} runs are in {' and '.join(str(path) for path in (export, export_ioh) if path)}")
    else:
        show(chosen, store, summary)


def choose(records: Sequence[Record], given: dict[str, Any]) -> list[Record]:
    """Return the records that match all given values.

    Args:
        records: the runs of a store.
        given: values of problem, solver, instance, method and repetition.

    Raises:
        UsageError: no record has such a value; the message suggests the nearest.
    """
    chosen = list(records)
    for name, value in given.items():
        known = {_field(record, name) for record in records}
        if records and value not in known:
            raise unknown(name, str(value), map(str, known))
        chosen = [record for record in chosen if _field(record, name) == value]
    return chosen


def documents(records: Sequence[Record]) -> list[dict[str, Any]]:
    """Return runs as plain data."""
    from swarmkit.comparison.record import as_plain

    return [as_plain(record) for record in records]


def exported(records: Sequence[Record], suffix: str) -> str:
    """Return runs as CSV, or as JSON with their solutions and traces for the suffix `.json`."""
    if suffix == ".json":
        return json.dumps(documents(records), indent=2, ensure_ascii=False, allow_nan=False) + "\n"
    return csv_text([row(record) for record in records])


def row(record: Record) -> dict[str, Any]:
    """Return a run as one row: labels, score, cost and metrics."""
    from swarmkit.contract.result import run_row

    own = {name: value for name, value in vars(record).items() if name != "result"}
    return {**own, **run_row(record.result)}


def show(records: Sequence[Record], store: Path, summary: bool) -> None:
    """Print the runs of a store, or a summary of them."""
    if not records:
        print(f"{store}: no runs match")
    elif summary:
        from swarmkit.cli.comparing import show as show_summary

        show_summary(records)
    else:
        columns = (
            "instance",
            "method",
            "repetition",
            "score",
            "looks",
            "evaluations",
            "iterations",
            "seconds",
            "stopped",
        )
        named = {record.result.objective for record in records}
        objective = named.pop() if len(named) == 1 else "score or cost"
        rows = []
        for record in records:
            result, own = record.result, row(record)
            own["score"] = None if result.score is None else result.shown(result.score)
            shown = {objective if name == "score" else name: _shown(name, own[name]) for name in columns}
            rows.append({"run": record.key[:12], **shown})
        print_table(rows)


def check_export(export: Path, force: bool) -> None:
    """Raise `UsageError` if an export cannot be written; called before the store is read."""
    if export.suffix not in (".csv", ".json"):
        raise UsageError(f"{export}: the name of an export ends in .csv or .json")
    check_writable(export, force, "Give another name, or --force to overwrite it.")


def _field(record: Record, name: str) -> Any:
    return getattr(record.result if name in ("problem", "solver") else record, name)


def _shown(name: str, value: Any) -> Any:
    if name == "score":
        return "none" if value is None else f"{value:.6g}"
    return f"{value:.3f}" if name == "seconds" else value
