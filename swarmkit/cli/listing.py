"""What is installed: `list` and `describe`."""

from __future__ import annotations

import inspect
import json
from collections.abc import Mapping, Sequence
from typing import Annotated, Any

import typer

from swarmkit.cli.show import heading, print_json, print_table
from swarmkit.contract.errors import unknown
from swarmkit.plugins.host import Host, host
from swarmkit.plugins.registration import Registration

JsonOption = Annotated[bool, typer.Option("--json", help="One JSON document on standard output.")]


def list_(as_document: JsonOption = False) -> None:
    """List problems, solvers, commands and whatever else plugins offer, where each comes from, and broken plugins.

    Example: swarmkit list --json
    """
    found = host()
    offers = {kind: found.offers(kind) for kind in found.kinds}
    if as_document:
        print_json(_document(found, offers))
        return
    for kind, offered in offers.items():
        clashing = found.clashes(kind)
        if offered:
            heading(f"{kind}s")
            print_table([_row(offer, offer.name in clashing) for offer in offered])
    broken = [plugin for plugin in found.plugins if plugin.error]
    if broken:
        heading("broken plugins")
        print_table([{"plugin": p.name, "from": p.provenance, "error": p.error} for p in broken])


def describe(
    name: Annotated[str, typer.Argument(help="A problem, a solver, or another name of 'swarmkit list'.")],
    as_document: JsonOption = False,
) -> None:
    """Describe a problem, a solver or the like: parameters with ranges, defaults and meaning, and its reference.

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
        flag = {"problem": "-P ", "solver": "-A "}.get(kind, "")
        rows = parameters(_model(offer)) if _model(offer) else []
        if rows:
            columns = ("value", "default", "meaning")
            print_table([{f"{flag}name": row["name"], **{key: row[key] for key in columns}} for row in rows])
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
            "default": _default(model, name, entry),
            "meaning": " ".join(entry.get("description", "").split()),
        }
        for name, entry in schema.get("properties", {}).items()
    ]


def _default(model: Any, name: str, entry: Mapping[str, Any]) -> str:
    """Return a setting's default as JSON; the schema has none for a default factory, such as an empty object."""
    field = model.model_fields[name]
    if field.is_required():
        return "needed"
    return json.dumps(entry["default"] if "default" in entry else field.get_default(call_default_factory=True))


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
    kind = {"null": "none", "boolean": "true or false", "string": "text", "array": "list"}.get(
        entry.get("type", "any"), entry.get("type", "any")
    )
    signs = {"minimum": ">=", "exclusiveMinimum": ">", "maximum": "<=", "exclusiveMaximum": "<"}
    return ", ".join([kind, *(f"{sign} {entry[key]}" for key, sign in signs.items() if key in entry)])


def find_all(name: str) -> list[tuple[str, Registration]]:
    """Return everything but commands that has this name, each with its kind."""
    kinds = [kind for kind in host().kinds if kind != "command"]
    known = {offer.name for kind in kinds for offer in host().offers(kind)}
    if name not in known:
        either = f"{', '.join(kinds[:-1])} or {kinds[-1]}"
        raise unknown(either, name, known, see=f"'swarmkit list' shows all {len(known)}.")
    having = [kind for kind in kinds if any(offer.name == name for offer in host().offers(kind))]
    return [(kind, host().find(kind, name)) for kind in having]


def _model(offer: Registration) -> Any:
    """Return the settings model of an offer: its Options or Params, the offer itself if it is one, or None."""
    found = getattr(offer.value, "Options", None) or getattr(offer.value, "Params", None) or offer.value
    return found if hasattr(found, "model_json_schema") else None


def _described(kind: str, offer: Registration) -> dict[str, Any]:
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
    text = getattr(getattr(offer.value, "info", None), "help", None) or inspect.getdoc(offer.value) or ""
    return str(text).split("\n", 1)[0]


def _document(found: Host, offers: Mapping[str, Sequence[Registration]]) -> dict[str, Any]:
    document: dict[str, Any] = {
        f"{kind}s": [
            {"name": o.name, "summary": _summary(o), "plugin": o.plugin.name, "from": o.plugin.provenance}
            for o in offers[kind]
        ]
        for kind in offers
    }
    document["clashes"] = {kind: found.clashes(kind) for kind in offers}
    document["broken"] = [{"plugin": p.name, "from": p.provenance, "error": p.error} for p in found.plugins if p.error]
    return document
