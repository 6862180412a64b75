"""Labels for the runs of a store, in which several comparisons may have used one name for different things."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from typing import Any

from swarmkit.comparison.labels import method_settings, tell_apart
from swarmkit.comparison.record import Record
from swarmkit.contract.result import Result


def problem_of(result: Result) -> dict[str, Any]:
    """Give what makes an instance: two runs on the same one agree in all of it."""
    return {"problem": result.problem, "content": result.fingerprint[:12], **(result.options or {})}


def method_of(result: Result) -> dict[str, Any]:
    """Give what makes a method: solver, parameters, budget, polishing."""
    return {"solver": result.solver, "polish": result.polish, **method_settings(result.params, result.budget)}


class Naming:
    """The labels of a store: as the comparisons gave them, and told apart where one label stands for several things."""

    def __init__(self, rows: Sequence[tuple[str, str, str, str]]) -> None:
        self._instances = _labels([(row[0], row[1]) for row in rows])
        self._methods = _labels([(row[2], row[3]) for row in rows])

    def labels(self, instance: str, method: str) -> tuple[str, str]:
        """Give the labels of an instance and a method that are known by their settings."""
        return self._instances[instance], self._methods[method]


def _labels(rows: Sequence[tuple[str, str]]) -> dict[str, str]:
    """Give each settings text its label: the last one it was given, with what tells it from others of that label."""
    given = {settings: label for label, settings in rows}
    entries: list[tuple[str, Mapping[str, Any]]] = [(label, _shown(json.loads(text))) for text, label in given.items()]
    return dict(zip(given, tell_apart(entries), strict=True))


def _shown(settings: dict[str, Any]) -> dict[str, Any]:
    """Leave the hash of the content out: of two that differ in nothing else, the second is numbered."""
    return {name: value for name, value in settings.items() if name != "content"}


def natural(record: Record) -> tuple[Any, ...]:
    """Sort by instance, method and repetition, with numbers in labels as numbers, whoever stored what when.

    >>> [_pieces(label) for label in sorted(["synthetic n=100", "synthetic n=20"], key=_pieces)][0][1]
    20.0
    """
    return _pieces(record.instance), _pieces(record.method), record.repetition, record.key


def _pieces(label: str) -> tuple[Any, ...]:
    return tuple(float(p) if i % 2 else p for i, p in enumerate(re.split(r"(\d+(?:\.\d+)?)", label)))
