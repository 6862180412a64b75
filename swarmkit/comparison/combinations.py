"""The instances and methods of an experiment: all combinations of its sweeps, checked and labelled."""

from __future__ import annotations

import json
from typing import Any, NamedTuple

from swarmkit.comparison.experiment import Experiment, ExperimentEntry
from swarmkit.comparison.labels import canonical_json, distinct_labels, method_settings
from swarmkit.contract.budget import Budget
from swarmkit.contract.errors import UsageError
from swarmkit.plugins.factory import settings_of


class Instance(NamedTuple):
    """A problem in one setting of its options."""

    name: str
    label: str
    options: dict[str, Any]


class Method(NamedTuple):
    """A solver in one setting of its parameters, and its budget."""

    name: str
    label: str
    params: dict[str, Any]
    limits: Budget


class _Combination(NamedTuple):
    """One combination of an entry's sweep: the entry and its complete settings, defaults included."""

    entry: ExperimentEntry
    settings: dict[str, Any]

    @property
    def label(self) -> str:
        return self.entry.label or self.entry.name


def check(experiment: Experiment, prefix: str = "") -> tuple[list[Instance], list[Method]]:
    """Return the instances and methods of an experiment with their labels.

    Args:
        experiment: The experiment.
        prefix: The beginning of an error message, such as the file's name; with one, the place of the entry follows.

    Raises:
        UsageError: A name is unknown, a setting is wrong, or an entry occurs twice.
    """
    problems = _combinations("problem", experiment.problems, prefix)
    labels = _labels("problem", [(one.label, one.settings) for one in problems], prefix)
    instances = [Instance(one.entry.name, label, one.settings) for label, one in zip(labels, problems, strict=True)]
    solvers = _combinations("solver", experiment.solvers, prefix)
    limits = [getattr(one.entry, "budget", None) or experiment.budget for one in solvers]
    settings = [method_settings(one.settings, own) for one, own in zip(solvers, limits, strict=True)]
    labels = _labels("solver", [(one.label, own) for one, own in zip(solvers, settings, strict=True)], prefix)
    methods = [
        Method(one.entry.name, label, one.settings, own)
        for one, label, own in zip(solvers, labels, limits, strict=True)
    ]
    return instances, methods


def _combinations(kind: str, entries: Any, prefix: str) -> list[_Combination]:
    """Expand the sweeps of all problems or all solvers of an experiment."""
    found = []
    for number, entry in enumerate(entries, 1):
        try:
            for settings in entry.combinations(entry.options if kind == "problem" else entry.params):
                whole = settings_of(kind, entry.name, settings).model_dump(mode="json")
                found.append(_Combination(entry, whole))
        except UsageError as error:
            raise UsageError(f"{prefix}{kind}s[{number}]: {error}" if prefix else str(error)) from None
    return found


def _labels(kind: str, entries: list[tuple[str, dict[str, Any]]], prefix: str) -> list[str]:
    """Return distinct labels for (label, settings) pairs; two equal pairs are an error."""
    seen: set[str] = set()
    for entry in map(canonical_json, entries):
        if entry in seen:
            name = json.loads(entry)[0]
            raise UsageError(f"{prefix}the {kind} '{name}' occurs twice with the same settings; remove one")
        seen.add(entry)
    return distinct_labels(entries)
