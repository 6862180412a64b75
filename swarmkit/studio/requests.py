"""What a request asks for, checked before it waits in the queue: a sentence at once instead of a failed run later."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from swarmkit.contract.budget import budget
from swarmkit.contract.errors import UsageError
from swarmkit.plugins.factory import DEFAULT_SOLVER, settings_of
from swarmkit.plugins.host import host
from swarmkit.studio.shelf import Shelf, with_files

TEXT = 20_000
"""Characters of the longest text that is annotated."""

FIELDS = {"problem", "options", "solver", "params", "budget", "seed"}
"""What a request for a run may have."""


def run_task(given: Any, shelf: Shelf, ceiling: float) -> dict[str, Any]:
    """Return the task of a run.

    Args:
        given: the request: problem, options, solver, params, budget and seed.
        shelf: the files that options may name, by their numbers.
        ceiling: the seconds of the longest run.
    """
    wanted = _mapping(given, "the request")
    for name in sorted(wanted.keys() - FIELDS):
        raise UsageError(f"'{name[:100]}' is not part of a run; expected {', '.join(sorted(FIELDS))}")
    problem, solver = _name(wanted, "problem", None), _name(wanted, "solver", DEFAULT_SOLVER)
    options, params = _mapping(wanted.get("options", {}), "options"), _mapping(wanted.get("params", {}), "params")
    options = with_files(options, host().find("problem", problem).value.Options.model_json_schema(), shelf)
    params = with_files(params, host().find("solver", solver).value.Params.model_json_schema(), shelf)
    settings_of("problem", problem, options)
    settings_of("solver", solver, params)
    seed = wanted.get("seed", 0)
    if not isinstance(seed, int) or isinstance(seed, bool) or not 0 <= seed < 2**63:
        raise UsageError("the seed is no whole number from 0")
    return {
        "problem": problem,
        "options": options,
        "solver": solver,
        "params": params,
        "budget": limits(_mapping(wanted.get("budget", {}), "budget"), ceiling),
        "seed": seed,
    }


def limits(given: Mapping[str, Any], ceiling: float) -> dict[str, Any]:
    """Return the limits of a run, of which seconds is always one.

    >>> limits({"looks": 1000}, 60.0)
    {'seconds': 60.0, 'looks': 1000}
    """
    made = budget(**given)
    if made.seconds is not None and made.seconds > ceiling:
        raise UsageError(f"a run here takes at most {ceiling:g} seconds; 'swarmkit studio --max-seconds' allows more")
    whole = made.model_copy(update={"seconds": ceiling if made.seconds is None else made.seconds})
    return whole.model_dump(exclude_none=True)


def annotation_task(given: Any) -> dict[str, Any]:
    """Return the task of annotating a text."""
    wanted = _mapping(given, "the request")
    if wanted.keys() - {"annotator", "text"}:
        raise UsageError("a request to annotate has 'annotator' and 'text', and nothing else")
    text = wanted.get("text")
    if not isinstance(text, str) or not text.strip():
        raise UsageError("there is no text; expected some words")
    if len(text) > TEXT:
        raise UsageError(f"the text has {len(text):,} characters; at most {TEXT:,} are annotated here")
    name = _name(wanted, "annotator", None)
    host().find("annotator", name)
    return {"annotator": name, "text": text}


def _mapping(given: Any, what: str) -> dict[str, Any]:
    if not isinstance(given, dict):
        raise UsageError(f"{what} is no JSON object")
    return given


def _name(given: Mapping[str, Any], key: str, default: str | None) -> str:
    name = given.get(key, default)
    if not isinstance(name, str) or not name:
        raise UsageError(f"'{key}' is needed: a name")
    return name
