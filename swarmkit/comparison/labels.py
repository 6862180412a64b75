"""Labels of instances and methods: the name, and only the settings in which those of one name differ."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from swarmkit.contract.budget import Budget

VALUE_LENGTH = 32
"""Longest value in a label, in characters; texts and paths are settings too, and are shortened in the middle."""


def distinct_labels(entries: Sequence[tuple[str, Mapping[str, Any]]]) -> list[str]:
    """Return a distinct label for every (name, settings) pair.

    >>> distinct_labels([("sa", {"cooling": 0.9, "hot": 1}), ("sa", {"cooling": 0.5, "hot": 1}), ("icm", {})])
    ['sa cooling=0.9', 'sa cooling=0.5', 'icm']
    """
    by_name: dict[str, list[Mapping[str, Any]]] = {}
    for name, settings in entries:
        by_name.setdefault(name, []).append(settings)
    differing = {name: _differing(those) for name, those in by_name.items()}
    labels = [" ".join([name, *_assignments(settings, differing[name])]) for name, settings in entries]
    return [_numbered(labels, i) for i in range(len(labels))]


def method_settings(params: Mapping[str, Any], limits: Budget) -> dict[str, Any]:
    """Return the settings in which two methods with one solver can differ: its parameters and its limits.

    A limit that has the name of a parameter gets the prefix `budget.`.
    """
    given = limits.model_dump(mode="json", exclude_none=True)
    return {**params, **{f"budget.{name}" if name in params else name: value for name, value in given.items()}}


def canonical_json(value: Any) -> str:
    """Return plain data as JSON with sorted keys and without spaces, so that equal data have equal texts."""
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False)


def _differing(settings: Sequence[Mapping[str, Any]]) -> list[str]:
    """Return the names of the settings that are not equal in all entries."""
    names = dict.fromkeys(name for entry in settings for name in entry)
    return [name for name in names if len({_text(entry.get(name)) for entry in settings}) > 1]


def _assignments(settings: Mapping[str, Any], names: Sequence[str]) -> list[str]:
    return [f"{name}={_short(settings[name])}" for name in names if settings.get(name) is not None]


def _short(value: Any) -> str:
    text = value if isinstance(value, str) else _text(value)
    return text if len(text) <= VALUE_LENGTH else f"{text[: VALUE_LENGTH // 2]}…{text[-VALUE_LENGTH // 2 :]}"


def _text(value: Any) -> str:
    return f"{value:g}" if isinstance(value, float) else json.dumps(value, ensure_ascii=False)


def _numbered(labels: Sequence[str], i: int) -> str:
    """Return label `i`, with a number from the second of several equal ones on (shortened values can be equal)."""
    before = labels[:i].count(labels[i])
    return f"{labels[i]} #{before + 1}" if before else labels[i]
