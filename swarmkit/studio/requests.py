"""What the studio offers to choose, and what a request chooses: checked at once, not when the run fails later."""

from __future__ import annotations

import inspect
from collections.abc import Mapping
from typing import Any

from swarmkit.contract.budget import budget
from swarmkit.contract.errors import UsageError
from swarmkit.plugins.factory import DEFAULT_SOLVER, settings_of
from swarmkit.plugins.host import host
from swarmkit.studio.uploads import UploadStore, file_fields, with_files

KINDS = ("problem", "solver", "annotator")
"""The kinds that the studio offers; there are annotators where a plugin of texts specifies them."""

TEXT = 20_000
"""Characters of the longest text that is annotated."""

FIELDS = {"problem", "options", "solver", "params", "budget", "seed"}
"""What a request for a run may have."""


def catalogue() -> dict[str, Any]:
    """Return the names of everything that can be chosen, each with a line about it, and the plugins that are broken."""
    kinds = [kind for kind in KINDS if kind in host().kinds]
    return {
        "default": DEFAULT_SOLVER,
        "broken": [{"plugin": plugin.name, "error": plugin.error} for plugin in host().plugins if plugin.error],
        **{f"{kind}s": [] for kind in KINDS},
        **{f"{kind}s": [_line(offer.name, offer.value) for offer in host().offers(kind)] for kind in kinds},
    }


def _line(name: str, value: Any) -> dict[str, Any]:
    line = {"name": name, "summary": (inspect.getdoc(value) or "").split("\n", 1)[0]}
    examples = () if isinstance(value, type) else getattr(value, "examples", ())  # of an annotator, a function
    return line | ({"examples": list(examples)} if examples else {})


def schema_of(kind: str, name: str) -> dict[str, Any]:
    """Return the JSON schema of the settings of a problem or a solver, and what is said about it.

    Fields that hold a file have `x-file`; those that hold several are left out.
    """
    value = host().find(kind, name).value
    model = value.Options if kind == "problem" else value.Params
    schema: dict[str, Any] = model.model_json_schema()
    for field, alone in file_fields(schema).items():
        if alone:
            schema["properties"][field]["x-file"] = True
        else:
            del schema["properties"][field]
    return {
        "name": name,
        "about": inspect.getdoc(value) or "",
        "reference": str(getattr(value, "reference", "") or ""),
        "schema": schema,
    }


def run_task(request: Any, uploads: UploadStore, ceiling: float) -> dict[str, Any]:
    """Return the task of a run.

    Args:
        request: problem, options, solver, params, budget and seed.
        uploads: the files that options may name, by their numbers.
        ceiling: the seconds of the longest run.
    """
    task = _mapping(request, "the request")
    for name in sorted(task.keys() - FIELDS):
        raise UsageError(f"'{name[:100]}' is not part of a run; expected {', '.join(sorted(FIELDS))}")
    problem, solver = _name(task, "problem", None), _name(task, "solver", DEFAULT_SOLVER)
    options, params = _mapping(task.get("options", {}), "options"), _mapping(task.get("params", {}), "params")
    options = with_files(options, host().find("problem", problem).value.Options.model_json_schema(), uploads)
    params = with_files(params, host().find("solver", solver).value.Params.model_json_schema(), uploads)
    settings_of("problem", problem, options)
    settings_of("solver", solver, params)
    seed = task.get("seed", 0)
    if not isinstance(seed, int) or isinstance(seed, bool) or not 0 <= seed < 2**63:
        raise UsageError("the seed is no whole number from 0")
    return {
        "problem": problem,
        "options": options,
        "solver": solver,
        "params": params,
        "budget": limits(_mapping(task.get("budget", {}), "budget"), ceiling),
        "seed": seed,
    }


def limits(values: Mapping[str, Any], ceiling: float) -> dict[str, Any]:
    """Return the limits of a run, of which seconds is always one.

    >>> limits({"looks": 1000}, 60.0)
    {'seconds': 60.0, 'looks': 1000}
    """
    limited = budget(**values)
    if limited.seconds is not None and limited.seconds > ceiling:
        raise UsageError(f"a run here takes at most {ceiling:g} seconds; 'swarmkit studio --max-seconds' allows more")
    seconds = ceiling if limited.seconds is None else limited.seconds
    return limited.model_copy(update={"seconds": seconds}).model_dump(exclude_none=True)


def annotation_task(request: Any) -> dict[str, Any]:
    """Return the task of annotating a text."""
    task = _mapping(request, "the request")
    if task.keys() - {"annotator", "text"}:
        raise UsageError("a request to annotate has 'annotator' and 'text', and nothing else")
    text = task.get("text")
    if not isinstance(text, str) or not text.strip():
        raise UsageError("there is no text; expected some words")
    if len(text) > TEXT:
        raise UsageError(f"the text has {len(text):,} characters; at most {TEXT:,} are annotated here")
    name = _name(task, "annotator", None)
    host().find("annotator", name)
    return {"annotator": name, "text": text}


def _mapping(value: Any, name: str) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise UsageError(f"{name} is no JSON object")
    return value


def _name(task: Mapping[str, Any], key: str, default: str | None) -> str:
    name = task.get(key, default)
    if not isinstance(name, str) or not name:
        raise UsageError(f"'{key}' is needed: a name")
    return name
