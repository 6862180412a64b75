"""The command `runs`: list and export the runs of a store."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from swarmkit.cli.options import Force, JsonOption, check_outputs
from swarmkit.cli.show import print_json, print_table
from swarmkit.contract.errors import UsageError, unknown
from swarmkit.contract.notebook import figure
from swarmkit.files.writing import csv_text, write_atomically

if TYPE_CHECKING:
    from swarmkit.comparison.record import Record
    from swarmkit.contract.result import Result


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

    if export and export.suffix not in (".csv", ".json"):
        raise UsageError(f"{export}: the name of an export ends in .csv or .json")
    check_outputs(force, export)
    with Store(store, read_only=True) as opened:
        records = opened.records()
    fields = {"problem": problem, "solver": solver, "instance": instance, "method": method, "repetition": repetition}
    selection = select(records, {name: value for name, value in fields.items() if value is not None})
    if export:
        write_atomically(export, export_text(selection, export.suffix).encode())
    if export_ioh:
        from swarmkit.comparison.ioh_logs import write_ioh_logs

        write_ioh_logs(selection, export_ioh)
    if as_document:
        print_json(documents(selection))
    elif export or export_ioh:
        print(f"{len(selection)} runs are in {' and '.join(str(path) for path in (export, export_ioh) if path)}")
    elif not selection:
        print(f"{store}: no runs match")
    elif summary:
        from swarmkit.cli.comparing import show

        show(selection)
    else:
        objectives = {record.result.objective for record in selection}
        objective = objectives.pop() if len(objectives) == 1 else "score or cost"
        print_table([_row(record, record.result, objective) for record in selection])


def select(records: Sequence[Record], values: dict[str, Any]) -> list[Record]:
    """Return the records that match all given values.

    Args:
        records: the runs of a store.
        values: values of problem, solver, instance, method and repetition.

    Raises:
        UsageError: no record has such a value; the message suggests the nearest.
    """
    selection = list(records)
    for name, value in values.items():
        # In all records, not in those that are left: two values that exist, but not together, are no mistake.
        names = {_field(record, name) for record in records}
        if records and value not in names:
            raise unknown(name, str(value), map(str, names))
        selection = [record for record in selection if _field(record, name) == value]
    return selection


def documents(records: Sequence[Record]) -> list[dict[str, Any]]:
    """Return runs as plain data."""
    from swarmkit.comparison.record import as_plain

    return [as_plain(record) for record in records]


def export_text(records: Sequence[Record], suffix: str) -> str:
    """Return runs as CSV, or as JSON with their solutions and traces for the suffix `.json`."""
    from swarmkit.contract.result import run_row

    if suffix == ".json":
        return json.dumps(documents(records), indent=2, ensure_ascii=False, allow_nan=False) + "\n"
    labels = [{name: value for name, value in vars(record).items() if name != "result"} for record in records]
    return csv_text([{**names, **run_row(record.result)} for names, record in zip(labels, records, strict=True)])


def _row(record: Record, result: Result, objective: str) -> dict[str, Any]:
    """Return a run as a row of the table; `objective` is the column of its score or cost."""
    return {
        "run": record.key[:12],
        "instance": record.instance,
        "method": record.method,
        "repetition": record.repetition,
        objective: "none" if result.score is None else figure(result.shown(result.score)),
        "looks": result.looks,
        "evaluations": result.evaluations,
        "iterations": result.iterations,
        "seconds": f"{result.seconds:.3f}",
        "stopped": result.stopped,
    }


def _field(record: Record, name: str) -> Any:
    return getattr(record.result if name in ("problem", "solver") else record, name)
