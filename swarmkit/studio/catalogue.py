"""What can be chosen: problems, solvers and annotators with the schemas of their settings."""

from __future__ import annotations

import inspect
from typing import Any

from swarmkit.contract.budget import Budget
from swarmkit.plugins.factory import DEFAULT_SOLVER
from swarmkit.plugins.host import Host, host
from swarmkit.studio.shelf import file_fields

KINDS = ("problem", "solver", "annotator")
"""The kinds that the studio offers; there are annotators where a plugin of texts specifies them."""


def catalogue() -> dict[str, Any]:
    """Return the names of everything that can be chosen, each with a line about it, and the plugins that are broken."""
    found = host()
    return {
        "default": DEFAULT_SOLVER,
        "broken": [{"plugin": plugin.name, "error": plugin.error} for plugin in found.plugins if plugin.error],
        **{f"{kind}s": _lines(found, kind) for kind in KINDS},
    }


def _lines(found: Host, kind: str) -> list[dict[str, Any]]:
    offers = found.offers(kind) if kind in found.kinds else []
    return [_line(kind, offer.name, offer.value) for offer in offers]


def _line(kind: str, name: str, value: Any) -> dict[str, Any]:
    summary = (inspect.getdoc(value) or "").split("\n", 1)[0]
    examples = list(getattr(value, "examples", ())) if kind == "annotator" else []
    return {"name": name, "summary": summary, **({"examples": examples} if examples else {})}


def schema_of(kind: str, name: str) -> dict[str, Any]:
    """Return the JSON schema of the settings of a problem or a solver, and what is said about it.

    Fields that hold a file have `x-file`; those that hold several are left out.
    """
    value = host().find(kind, name).value
    model = value.Options if kind == "problem" else value.Params
    schema: dict[str, Any] = model.model_json_schema()
    for field, one in file_fields(schema).items():
        if one:
            schema["properties"][field]["x-file"] = True
        else:
            del schema["properties"][field]
    for field, entry in schema.get("properties", {}).items():
        given = model.model_fields[field]
        if not given.is_required() and "default" not in entry:
            entry["default"] = given.get_default(call_default_factory=True)
    return {
        "name": name,
        "about": inspect.getdoc(value) or "",
        "reference": str(getattr(value, "reference", "") or ""),
        "schema": schema,
    }


def budget_schema() -> dict[str, Any]:
    """Return the JSON schema of the limits of a run."""
    return Budget.model_json_schema()
