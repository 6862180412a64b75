"""What instances and methods are called: their names, and only the settings that tell them apart."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from swarmkit.contract.budget import Budget

LONGEST = 32
"""A value is shortened beyond this many characters: texts and paths are settings too."""


def tell_apart(entries: Sequence[tuple[str, Mapping[str, Any]]]) -> list[str]:
    """Give every (name, settings) a label of its own: the name, and what differs among those of the same name.

    >>> tell_apart([("sa", {"cooling": 0.9, "hot": 1}), ("sa", {"cooling": 0.5, "hot": 1}), ("icm", {})])
    ['sa cooling=0.9', 'sa cooling=0.5', 'icm']
    """
    labels: list[str] = []
    for name, settings in entries:
        differing = _differing([other for named, other in entries if named == name])
        labels.append(" ".join([name, *_written(settings, differing)]))
    return [_numbered(labels, i) for i in range(len(labels))]


def method_settings(params: Mapping[str, Any], limits: Budget) -> dict[str, Any]:
    """Give everything that can tell two methods with one solver apart."""
    given = limits.model_dump(mode="json", exclude_none=True)
    return {**params, **{f"budget.{name}" if name in params else name: value for name, value in given.items()}}


def canonical(value: Any) -> str:
    """Write plain data down in the one way that hashes and comparisons rely on."""
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False)


def _differing(settings: Sequence[Mapping[str, Any]]) -> list[str]:
    """Name the settings that are not the same for all."""
    names = dict.fromkeys(name for entry in settings for name in entry)
    return [name for name in names if len({_text(entry.get(name)) for entry in settings}) > 1]


def _written(settings: Mapping[str, Any], names: Sequence[str]) -> list[str]:
    return [f"{name}={_short(settings[name])}" for name in names if settings.get(name) is not None]


def _short(value: Any) -> str:
    text = value if isinstance(value, str) else _text(value)
    return text if len(text) <= LONGEST else f"{text[: LONGEST // 2]}…{text[-LONGEST // 2 :]}"


def _text(value: Any) -> str:
    return f"{value:g}" if isinstance(value, float) else json.dumps(value, ensure_ascii=False)


def _numbered(labels: Sequence[str], i: int) -> str:
    """Give those that shortened values have left alike a number, from the second on."""
    before = labels[:i].count(labels[i])
    return f"{labels[i]} #{before + 1}" if before else labels[i]
