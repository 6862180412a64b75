"""The runs of a comparison: finished, failed, and refused."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, TypeVar

from swarmkit.contract.result import Result

K = TypeVar("K")


@dataclass(frozen=True)
class Record:
    """One finished run of one method on one instance; the input of statistics and reports."""

    key: str
    """SHA-256 of the problem's options and content, the solver, its parameters, the budget and the repetition."""
    instance: str
    """Label of the problem with the options that distinguish it within the comparison."""
    method: str
    """Label of the solver with the settings that distinguish it within the comparison."""
    repetition: int
    """Number of the run among those of its method on its instance, from 0."""
    result: Result


@dataclass(frozen=True)
class Failed:
    """A run that raised an error instead of returning a result; the fields are those of `Record`."""

    key: str
    instance: str
    method: str
    repetition: int
    error: str


class RefusedPair(NamedTuple):
    """A method that cannot run on an instance, with the solver's reason."""

    instance: str
    method: str
    reason: str
    problem: str
    solver: str
    problem_settings: str
    """What identifies the instance in a store, as canonical JSON."""
    method_settings: str
    """What identifies the method in a store, as canonical JSON."""

    def as_plain(self) -> dict[str, str]:
        """Return labels and reason as plain data, for JSON."""
        return {"instance": self.instance, "method": self.method, "reason": self.reason}


def as_plain(record: Record) -> dict[str, Any]:
    """Return a record as plain data, for JSON."""
    return {**vars(record), "result": record.result.model_dump(mode="json")}


def draw_nothing(runs: Sequence[Record]) -> bool:
    """Return whether several runs of a method on an instance differ in their seeds and times alone.

    Repetitions of a method that draws no random numbers are one run, and not evidence of a small variance.
    """
    first, *others = (_course(record.result) for record in runs)
    return bool(others) and runs[0].result.solution is not None and all(course == first for course in others)


def _course(result: Result) -> tuple[Any, ...]:
    trace = result.trace
    work = result.looks, result.evaluations, result.iterations
    return result.solution, *work, trace.score, trace.looks, trace.evaluations


def by_instance(records: Iterable[Record]) -> dict[str, list[Record]]:
    """Return the records of each instance, in their order."""
    return _groups((record.instance, record) for record in records)


def by_pair(records: Iterable[Record]) -> dict[tuple[str, str], list[Record]]:
    """Return the records of each pair of instance and method, in the order of their first records."""
    return _groups(((record.instance, record.method), record) for record in records)


def _groups(entries: Iterable[tuple[K, Record]]) -> dict[K, list[Record]]:
    groups: dict[K, list[Record]] = {}
    for key, record in entries:
        groups.setdefault(key, []).append(record)
    return groups
