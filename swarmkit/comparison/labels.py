"""Labels of instances and methods: the name, and only the settings in which those of one name differ.

Several comparisons in one store may have used one label for different things; `StoreLabels` tells them apart.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from swarmkit.comparison.record import Record
from swarmkit.contract.bounded_json import parse_json
from swarmkit.contract.budget import Budget
from swarmkit.contract.spec import Spec

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
    differences = {name: _differences(group) for name, group in by_name.items()}
    labels = [" ".join([name, *_assignments(settings, differences[name])]) for name, settings in entries]
    # Shortened values can be equal: from the second of several equal labels on they are numbered.
    ordinals = [1 + labels[:i].count(label) for i, label in enumerate(labels)]
    return [label if k == 1 else f"{label} #{k}" for label, k in zip(labels, ordinals, strict=True)]


def method_settings(params: Mapping[str, Any], limits: Budget) -> dict[str, Any]:
    """Return the settings in which two methods with one solver can differ: its parameters and its limits.

    A limit that has the name of a parameter gets the prefix `budget.`.
    """
    values = limits.model_dump(mode="json", exclude_none=True)
    return {**params, **{f"budget.{name}" if name in params else name: value for name, value in values.items()}}


def canonical_json(value: Any) -> str:
    """Return plain data as JSON with sorted keys and without spaces, so that equal data have equal texts."""
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False)


def _differences(settings: Sequence[Mapping[str, Any]]) -> list[str]:
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


class Identity(NamedTuple):
    """The settings of an instance or a method as canonical JSON, with the label that its comparison used."""

    label: str
    settings: str


Pair = tuple[Identity, Identity]
"""An instance and a method."""


def instance_settings(spec: Spec) -> str:
    """Return what identifies the instance of a run or a result: the problem, its content and its options."""
    options = spec.options or {}
    return canonical_json({"problem": spec.problem, "content": spec.fingerprint[:12], **options})


def full_method_settings(spec: Spec) -> str:
    """Return what identifies the method of a run or a result: solver, parameters, budget and polishing."""
    settings = method_settings(spec.params, spec.budget)
    return canonical_json({"solver": spec.solver, "polish": spec.polish, **settings})


class StoreLabels:
    """Distinct labels: those of the comparisons, with settings added where one label means several things."""

    def __init__(self, runs: Sequence[Pair], refusals: Sequence[Pair]) -> None:
        """Collect the labels.

        Args:
            runs: instance and method of every run, the oldest first.
            refusals: instance and method of every refused pair; the label of a run takes precedence.
        """
        self._instances = _labels([run[0] for run in runs], [pair[0] for pair in refusals])
        self._methods = _labels([run[1] for run in runs], [pair[1] for pair in refusals])

    def of(self, instance: str, method: str) -> tuple[str, str]:
        """Return the labels of an instance and a method, which are given by their settings."""
        return self._instances[instance], self._methods[method]


def _labels(runs: Sequence[Identity], refusals: Sequence[Identity]) -> dict[str, str]:
    """Map settings to labels; of several labels of runs for the same settings the last one counts."""
    if not all(isinstance(text, str) for identity in runs for text in identity):
        raise ValueError("labels and settings are not text")
    labels = {identity.settings: identity.label for identity in [*refusals[::-1], *runs]}
    # Runs before refusals, so that a later refusal does not change the labels of runs.
    order = dict.fromkeys(identity.settings for identity in [*runs, *refusals])
    return dict(zip(order, distinct_labels([(labels[text], _visible(text)) for text in order]), strict=True))


def _visible(text: str) -> Mapping[str, Any]:
    """Return settings without the hash of the content: of two instances that differ only in it, one is numbered.

    Raises:
        ValueError: the text is not that of settings.
    """
    settings = parse_json(text)
    if not isinstance(settings, dict):
        raise ValueError("settings are not an object")
    return {name: value for name, value in settings.items() if name != "content"}


def natural_order(record: Record) -> tuple[Any, ...]:
    """Sort key: instance, method and repetition, where numbers inside labels are compared as numbers.

    >>> sorted(["synthetic n=100", "synthetic n=20"], key=_pieces)
    ['synthetic n=20', 'synthetic n=100']
    """
    return _pieces(record.instance), _pieces(record.method), record.repetition, record.key


def _pieces(label: str) -> tuple[Any, ...]:
    return tuple(float(p) if i % 2 else p for i, p in enumerate(re.split(r"(\d+(?:\.\d+)?)", label)))
