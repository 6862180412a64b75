"""What is installed, and whether it keeps its contract: `list`, `describe` and `check`."""

from __future__ import annotations

import inspect
import json
from collections.abc import Mapping
from dataclasses import asdict
from typing import TYPE_CHECKING, Annotated, Any

import typer

from swarmkit.cli.options import JsonOption, OptionsOption, ParamsOption, parse_settings
from swarmkit.cli.show import heading, print_json, print_table
from swarmkit.contract.errors import UsageError, unknown
from swarmkit.plugins.host import host
from swarmkit.plugins.registration import Registration

if TYPE_CHECKING:
    from swarmkit.testing import Report


def list_(as_document: JsonOption = False) -> None:
    """List problems, solvers, commands and whatever else plugins offer, where each comes from, and broken plugins.

    Example: swarmkit list --json
    """
    offers = {kind: host().offers(kind) for kind in host().kinds}
    clashes = {kind: host().clashes(kind) for kind in offers}
    if as_document:
        document = {f"{kind}s": [_entry(offer) for offer in registrations] for kind, registrations in offers.items()}
        print_json({**document, "clashes": clashes, "broken": _faults()})
        return
    for kind, registrations in offers.items():
        if registrations:
            heading(f"{kind}s")
            print_table([_row(offer, offer.name in clashes[kind]) for offer in registrations])
    if faults := _faults():
        heading("broken plugins")
        print_table(faults)


def _faults() -> list[dict[str, Any]]:
    """Return the plugins that are broken. Asked for last: some show it only when a summary of theirs is read."""
    return [{"plugin": p.name, "from": p.provenance, "error": p.error} for p in host().plugins if p.error]


def describe(
    name: Annotated[str, typer.Argument(help="A problem, a solver, or another name of 'swarmkit list'.")],
    as_document: JsonOption = False,
) -> None:
    """Describe a problem, a solver or the like: parameters with ranges, defaults and meaning, and its reference.

    Example: swarmkit describe synthetic
    """
    offers = find_offers(name)
    if as_document:
        print_json([_description(kind, offer) for kind, offer in offers])
        return
    for kind, offer in offers:
        entry = _description(kind, offer)
        heading(f"{kind} {name}  ({entry['from']})")
        typer.echo(f"{entry['description']}\n")
        if entry["reference"]:
            typer.echo(f"Reference: {entry['reference']}\n")
        flag = {"problem": "-P ", "solver": "-A "}.get(kind, "")
        if rows := parameters(_model(offer)) if _model(offer) else []:
            print_table([{f"{flag}name": row.pop("name"), **row} for row in rows])
        else:
            typer.echo(f"It takes no {flag}settings.")


def parameters(model: Any) -> list[dict[str, str]]:
    """Return the name, range, default and meaning of each field of a settings model, as text."""
    schema = model.model_json_schema()
    definitions = schema.get("$defs", {})
    return [
        {
            "name": name,
            "value": _value(entry, definitions),
            "default": "needed" if name in schema.get("required", ()) else json.dumps(entry["default"]),
            "meaning": " ".join(entry.get("description", "").split()),
        }
        for name, entry in schema.get("properties", {}).items()
    ]


def _value(entry: Mapping[str, Any], definitions: Mapping[str, Any]) -> str:
    """Return the values that a setting takes, in words.

    >>> _value({"type": "integer", "minimum": 1, "maximum": 9}, {})
    'integer, >= 1, <= 9'
    >>> _value({"anyOf": [{"type": "number", "exclusiveMinimum": 0}, {"type": "null"}]}, {})
    'number, > 0, or none'
    """
    if "$ref" in entry:
        return _value(definitions[entry["$ref"].rsplit("/", 1)[-1]], definitions)
    if "anyOf" in entry:
        return ", or ".join(_value(option, definitions) for option in entry["anyOf"])
    if "enum" in entry or "const" in entry:
        return "one of " + ", ".join(map(str, entry.get("enum", [entry.get("const")])))
    kind = entry.get("type", "any")
    kind = {"null": "none", "boolean": "true or false", "string": "text", "array": "list"}.get(kind, kind)
    signs = {"minimum": ">=", "exclusiveMinimum": ">", "maximum": "<=", "exclusiveMaximum": "<"}
    return ", ".join([kind, *(f"{sign} {entry[key]}" for key, sign in signs.items() if key in entry)])


def find_offers(name: str) -> list[tuple[str, Registration]]:
    """Return everything but commands that has this name, each with its kind."""
    kinds = [kind for kind in host().kinds if kind != "command"]
    names = {kind: {offer.name for offer in host().offers(kind)} for kind in kinds}
    all_names = set().union(*names.values())
    if name not in all_names:
        listing = f"{', '.join(kinds[:-1])} or {kinds[-1]}"
        raise unknown(listing, name, all_names, see=f"'swarmkit list' shows all {len(all_names)}.")
    return [(kind, host().find(kind, name)) for kind in kinds if name in names[kind]]


def _model(offer: Registration) -> Any:
    """Return the settings model of an offer: its Options or Params, the offer itself if it is one, or None."""
    model = getattr(offer.value, "Options", None) or getattr(offer.value, "Params", None) or offer.value
    return model if hasattr(model, "model_json_schema") else None


def _description(kind: str, offer: Registration) -> dict[str, Any]:
    model = _model(offer)
    return {
        "kind": kind,
        "name": offer.name,
        "from": offer.plugin.provenance,
        "description": inspect.getdoc(offer.value) or "",
        "reference": getattr(offer.value, "reference", ""),
        "schema": model.model_json_schema() if model else {},
    }


def _row(offer: Registration, clashing: bool) -> dict[str, Any]:
    note = "two plugins offer this name: refused until one is left out" if clashing else _summary(offer)
    return {"name": offer.name, "what it is": note, "from": offer.plugin.provenance}


def _summary(offer: Registration) -> str:
    # A command is a function, or a group of typer, whose help is in its info.
    text = getattr(getattr(offer.value, "info", None), "help", None) or inspect.getdoc(offer.value) or ""
    return str(text).split("\n", 1)[0]


def _entry(offer: Registration) -> dict[str, Any]:
    plugin = offer.plugin
    return {"name": offer.name, "summary": _summary(offer), "plugin": plugin.name, "from": plugin.provenance}


def check(
    name: Annotated[str, typer.Argument(help="A problem or a solver.")],
    options: OptionsOption = None,
    params: ParamsOption = None,
    examples: Annotated[
        int | None, typer.Option(min=1, help="Cases per check: 10 for a problem, 3 for a solver and family.")
    ] = None,
    as_document: JsonOption = False,
) -> None:
    """Check that a problem or solver fulfils its contract; exit code 1 if it does not.

    Example: swarmkit check icm
    """
    kinds = [kind for kind, _ in find_offers(name) if kind in ("problem", "solver")]
    if not kinds:
        raise UsageError(f"'{name}' is neither a problem nor a solver; only these have a contract to check")
    reports = [_report(kind, name, options, params, examples) for kind in kinds]
    if as_document:
        print_json([{"subject": r.subject, "outcomes": [asdict(o) for o in r.outcomes]} for r in reports])
    else:
        print("\n".join(map(str, reports)))
    if any(report.of("failed") for report in reports):
        raise typer.Exit(1)


def _report(kind: str, name: str, options: list[str] | None, params: list[str] | None, examples: int | None) -> Report:
    from swarmkit.plugins.factory import make_problem, make_solver
    from swarmkit.testing import ConformanceError, check_problem, check_solver
    from swarmkit.testing.kit import EXAMPLES, SOLVER_EXAMPLES

    try:
        if kind == "problem":
            return check_problem(make_problem(name, **parse_settings(options, "-P")), examples=examples or EXAMPLES)
        return check_solver(make_solver(name, **parse_settings(params, "-A")), examples=examples or SOLVER_EXAMPLES)
    except ConformanceError as error:
        return error.report
