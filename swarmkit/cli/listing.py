"""What there is: `list` and `describe`."""

from __future__ import annotations

import inspect
import json
from collections.abc import Mapping, Sequence
from typing import Annotated, Any

import typer

from swarmkit.cli.show import heading, print_json, print_table
from swarmkit.contract.errors import unknown
from swarmkit.plugins.host import Host, Offer, host

KINDS = ("problem", "solver", "measure", "command")
DESCRIBED = KINDS[:3]
JsonOption = Annotated[bool, typer.Option("--json", help="One JSON document on standard output.")]


def list_(as_document: JsonOption = False) -> None:
    """List problems, solvers and commands, where each comes from, and plugins that are broken.

    Example: swarmkit list --json
    """
    found = host()
    offers = {kind: found.offers(kind) for kind in KINDS}
    if as_document:
        print_json(_document(found, offers))
        return
    for kind in KINDS:
        clashing = found.clashes(kind)
        if offers[kind]:
            heading(f"{kind}s")
            print_table([_row(offer, offer.name in clashing) for offer in offers[kind]])
    broken = [plugin for plugin in found.plugins if plugin.error]
    if broken:
        heading("broken plugins")
        print_table([{"plugin": p.name, "from": p.provenance, "error": p.error} for p in broken])


def describe(
    name: Annotated[str, typer.Argument(help="A problem, a solver or a measure.")], as_document: JsonOption = False
) -> None:
    """Describe a problem, a solver or a measure: parameters with ranges, defaults and meaning, and its reference.

    Example: swarmkit describe synthetic
    """
    offers = find_all(name)
    if as_document:
        print_json([_described(kind, offer) for kind, offer in offers])
        return
    for kind, offer in offers:
        entry = _described(kind, offer)
        heading(f"{kind} {name}  ({entry['from']})")
        typer.echo(f"{entry['description']}\n")
        if entry["reference"]:
            typer.echo(f"Reference: {entry['reference']}\n")
        flag = "-A" if kind == "solver" else "-P"
        rows = parameters(_model(kind, offer))
        if rows:
            print_table(
                [{f"{flag} name": r["name"], **{k: r[k] for k in ("value", "default", "meaning")}} for r in rows]
            )
        else:
            typer.echo(f"It takes no {flag} settings.")


def parameters(model: Any) -> list[dict[str, str]]:
    """Read names, ranges, defaults and meanings off a settings model."""
    schema = model.model_json_schema()
    definitions = schema.get("$defs", {})
    return [
        {
            "name": name,
            "value": _value(entry, definitions),
            "default": _default(model, name, entry),
            "meaning": " ".join(entry.get("description", "").split()),
        }
        for name, entry in schema.get("properties", {}).items()
    ]


def _default(model: Any, name: str, entry: Mapping[str, Any]) -> str:
    """Write a setting's default; the schema leaves out those that are made anew each time, such as an empty object."""
    field = model.model_fields[name]
    if field.is_required():
        return "needed"
    return json.dumps(entry["default"] if "default" in entry else field.get_default(call_default_factory=True))


def _value(entry: Mapping[str, Any], definitions: Mapping[str, Any]) -> str:
    """Say in words which values a setting takes.

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
    kind = {"null": "none", "boolean": "true or false", "string": "text", "array": "list"}.get(
        entry.get("type", "any"), entry.get("type", "any")
    )
    signs = {"minimum": ">=", "exclusiveMinimum": ">", "maximum": "<=", "exclusiveMaximum": "<"}
    return ", ".join([kind, *(f"{sign} {entry[key]}" for key, sign in signs.items() if key in entry)])


def find_all(name: str) -> list[tuple[str, Offer]]:
    """Find what has this name: a problem, a solver, a measure, or several of these."""
    known = {offer.name for kind in DESCRIBED for offer in host().offers(kind)}
    if name not in known:
        raise unknown("problem, solver or measure", name, known, see=f"'swarmkit list' shows all {len(known)}.")
    kinds = [kind for kind in DESCRIBED if any(offer.name == name for offer in host().offers(kind))]
    return [(kind, host().find(kind, name)) for kind in kinds]


def _model(kind: str, offer: Offer) -> Any:
    if kind == "measure":
        return offer.value  # a measure is its own settings
    return offer.value.Options if kind == "problem" else offer.value.Params


def _described(kind: str, offer: Offer) -> dict[str, Any]:
    return {
        "kind": kind,
        "name": offer.name,
        "from": offer.plugin.provenance,
        "description": inspect.getdoc(offer.value) or "",
        "reference": getattr(offer.value, "reference", ""),
        "schema": _model(kind, offer).model_json_schema(),
    }


def _row(offer: Offer, clashing: bool) -> dict[str, Any]:
    note = "two plugins offer this name: refused until one is left out" if clashing else _summary(offer)
    return {"name": offer.name, "what it is": note, "from": offer.plugin.provenance}


def _summary(offer: Offer) -> str:
    text = getattr(getattr(offer.value, "info", None), "help", None) or inspect.getdoc(offer.value) or ""
    return str(text).split("\n", 1)[0]


def _document(found: Host, offers: Mapping[str, Sequence[Offer]]) -> dict[str, Any]:
    document: dict[str, Any] = {
        f"{kind}s": [
            {"name": o.name, "summary": _summary(o), "plugin": o.plugin.name, "from": o.plugin.provenance}
            for o in offers[kind]
        ]
        for kind in KINDS
    }
    document["clashes"] = {kind: found.clashes(kind) for kind in KINDS}
    document["broken"] = [{"plugin": p.name, "from": p.provenance, "error": p.error} for p in found.plugins if p.error]
    return document
