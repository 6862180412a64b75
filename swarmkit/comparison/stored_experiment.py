"""Experiments as a store keeps them: with their plan and their refusals, as JSON texts."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from typing import NamedTuple

from swarmkit.comparison.experiment import Experiment
from swarmkit.comparison.labels import canonical_json
from swarmkit.comparison.plan import ExperimentPlan
from swarmkit.comparison.record import RefusedPair
from swarmkit.contract.bounded_json import parse_json


@dataclass(frozen=True)
class StoredExperiment:
    """An experiment of a store, the keys of its runs, and the pairs of instance and method that were refused."""

    experiment: Experiment
    keys: frozenset[str]
    """The keys of all planned runs, whether or not they are in the store."""
    refused: list[RefusedPair]


class ExperimentRow(NamedTuple):
    """The columns of the table `experiments` that hold a plan."""

    id: str
    """SHA-256 of experiment and plan: an experiment whose data files have changed has another plan."""
    seed: str
    experiment: str
    plan: str
    refusals: str


def experiment_row(plan: ExperimentPlan) -> ExperimentRow:
    """Return a plan as the texts that are stored."""
    experiment = canonical_json(plan.experiment.model_dump(mode="json"))
    keys = canonical_json([run.key for run in plan.runs])
    refusals = [pair._asdict() for pair in plan.refused]
    digest = hashlib.sha256(f"{experiment}\n{keys}".encode()).hexdigest()
    return ExperimentRow(digest, str(plan.experiment.seed), experiment, keys, canonical_json(refusals))


def read_experiment_row(experiment: str, plan: str, refused: list[RefusedPair]) -> StoredExperiment:
    """Return the experiment that was stored as these texts.

    Args:
        experiment: the column `experiment`.
        plan: the column `plan`.
        refused: the refused pairs, as `read_refusals` returns them.

    Raises:
        ValueError: the texts are not those of an experiment of this version.
    """
    keys = parse_json(plan)
    if not isinstance(keys, list) or not all(isinstance(key, str) for key in keys):
        raise ValueError("the plan is not a list of keys")
    return StoredExperiment(Experiment.model_validate(parse_json(experiment)), frozenset(keys), refused)


def read_refusals(text: str) -> list[RefusedPair]:
    """Return the refused pairs of the column `refusals`, with the labels of their comparison.

    Raises:
        ValueError: the text is not that of refused pairs.
    """
    pairs = parse_json(text)
    if not isinstance(pairs, list):
        raise ValueError("the refusals are not a list")
    for pair in pairs:
        if not isinstance(pair, dict) or set(pair) != set(RefusedPair._fields):
            raise ValueError("a refusal is not a pair of instance and method with a reason")
        if not all(isinstance(value, str) for value in pair.values()):
            raise ValueError("a refusal is not text")
    return [RefusedPair(**pair) for pair in pairs]
