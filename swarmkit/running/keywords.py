"""The keywords of `solve`, `solve_many` and `resume` that are limits, and those that version 0.2 had beside them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from swarmkit.contract.budget import Budget, budget
from swarmkit.contract.errors import UsageError, unknown
from swarmkit.stopping import StopFunction, criteria

Stop = StopFunction | Iterable[StopFunction]
"""A function of the progress that says whether a run ends, or returns the reason in words; or several of them."""

CheckpointFile = Path | str | tuple[Path | str, float] | None
"""A file for checkpoints, with the seconds between two of them if these are not 5."""


class Keywords(NamedTuple):
    """Keywords that are not named in the signature of a function."""

    limits: Budget | None = None
    """The limits; None if there is none."""
    every: float = 5.0
    """Seconds between two checkpoints."""
    setup_seconds: float = 0.0
    """Time already spent on building the problem, for the result."""


def read_keywords(values: Mapping[str, Any]) -> Keywords:
    """Return limits, given one by one or as `limits=Budget(...)`, and the other keywords.

    Raises:
        UsageError: a name is unknown, or a limit is wrong.

    >>> read_keywords({"looks": 100, "seconds": None}).limits.looks
    100
    """
    for name in values:
        if name not in criteria() and name not in Keywords._fields:
            raise unknown("keyword", name, [*criteria(), *Keywords._fields])
    others = {name: values[name] for name in ("every", "setup_seconds") if name in values}
    given = values.get("limits")
    whole = {} if given is None else given.model_dump(exclude_none=True)
    whole |= {name: value for name, value in values.items() if name in criteria() and value is not None}
    return Keywords(budget(**whole) if whole or given is not None else None, **others)


def stop_functions(stop: Stop) -> tuple[StopFunction, ...]:
    """Return the functions that end a run, checked."""
    functions = tuple(stop) if isinstance(stop, Iterable) else (stop,)
    for function in functions:
        if not callable(function):
            raise UsageError(f"stop: a function of the progress is expected, got {function!r}")
    return functions


def checkpoint_file(checkpoint: CheckpointFile, every: float) -> tuple[Path | None, float]:
    """Return the file of checkpoints and the seconds between two of them, `every` unless they are given with it."""
    path, seconds = checkpoint if isinstance(checkpoint, tuple) else (checkpoint, every)
    return None if path is None else Path(path), float(seconds)
