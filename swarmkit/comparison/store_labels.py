"""Labels for the runs of a store, in which several comparisons may have used one label for different things."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from swarmkit.comparison.labels import canonical_json, distinct_labels, method_settings
from swarmkit.comparison.record import Record
from swarmkit.contract.bounded_json import parse_json
from swarmkit.contract.spec import Spec


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

    def __init__(self, runs: Sequence[Pair], refused: Sequence[Pair]) -> None:
        """Collect the labels.

        Args:
            runs: instance and method of every run, the oldest first.
            refused: instance and method of every refused pair; the label of a run takes precedence.
        """
        self._instances = _labels([run[0] for run in runs], [pair[0] for pair in refused])
        self._methods = _labels([run[1] for run in runs], [pair[1] for pair in refused])

    def of(self, instance: str, method: str) -> tuple[str, str]:
        """Return the labels of an instance and a method, which are given by their settings."""
        return self._instances[instance], self._methods[method]


def _labels(runs: Sequence[Identity], refused: Sequence[Identity]) -> dict[str, str]:
    """Map settings to labels; of several labels of runs for the same settings the last one counts."""
    if not all(isinstance(text, str) for one in runs for text in one):
        raise ValueError("labels and settings are not text")
    given = {one.settings: one.label for one in runs}
    for one in refused:
        given.setdefault(one.settings, one.label)
    entries: list[tuple[str, Mapping[str, Any]]] = [(label, _shown(text)) for text, label in given.items()]
    return dict(zip(given, distinct_labels(entries), strict=True))


def _shown(text: str) -> dict[str, Any]:
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
