"""A run of a comparison: what it is called there, and what came of it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from swarmkit.contract.result import Result


@dataclass(frozen=True)
class Record:
    """One run of one method on one instance. Statistics and reports are made of these and of nothing else."""

    key: str
    """A sha256 of the problem's options and content, the solver, its parameters, the budget and the repetition."""
    instance: str
    """The problem and what tells it from the others in the comparison, as people would call it."""
    method: str
    """The solver and the settings that tell it from the others in the comparison."""
    repetition: int
    result: Result


@dataclass(frozen=True)
class Failed:
    """A run that raised an error instead of giving a result."""

    key: str
    instance: str
    method: str
    repetition: int
    error: str


def as_plain(record: Record) -> dict[str, Any]:
    """Give a record as plain data, for JSON."""
    return {**vars(record), "result": record.result.model_dump(mode="json")}
