"""From an experiment to its runs: every one with its key and its seed, before the first of them is made."""

from __future__ import annotations

import hashlib
import json
from typing import Any, NamedTuple

from swarmkit.comparison.experiment import Entry, Experiment
from swarmkit.comparison.labels import canonical, method_settings, tell_apart
from swarmkit.comparison.working import keep
from swarmkit.contract.budget import Budget, budget
from swarmkit.contract.errors import Refusal, UsageError
from swarmkit.contract.problem import Problem
from swarmkit.contract.settings import make_settings
from swarmkit.contract.solver import Solver
from swarmkit.contract.spec import Spec
from swarmkit.plugins.factory import build_problem, make_solver
from swarmkit.plugins.host import host
from swarmkit.running.run import Run
from swarmkit.running.specification import make_spec


class Planned(NamedTuple):
    """One run to be made: what it is called, and all that a worker needs to make it."""

    key: str
    instance: str
    method: str
    repetition: int
    kind: type[Problem]
    solver: Solver[Any]
    spec: Spec


class Refused(NamedTuple):
    """A solver that cannot do a problem, in its own words."""

    instance: str
    method: str
    reason: str


class Plan(NamedTuple):
    """All runs of an experiment, by instance, method and repetition, and what is refused."""

    runs: list[Planned]
    refused: list[Refused]


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


def check(experiment: Experiment, where: str = "") -> tuple[list[Instance], list[Method]]:
    """Refuse unknown names and wrong settings, saying where they stand; give the combinations, with labels."""
    bases, made = _combined("problem", experiment.problems, where)
    labels = _labels("problem", list(zip(bases, [options for _, options, _ in made], strict=True)), where)
    instances = [Instance(name, label, options) for label, (name, options, _) in zip(labels, made, strict=True)]
    bases, made = _combined("solver", experiment.solvers, where)
    limits = [_bounded(getattr(entry, "budget", None) or experiment.budget) for *_, entry in made]
    settings = [method_settings(params, own) for (_, params, _), own in zip(made, limits, strict=True)]
    labels = _labels("solver", list(zip(bases, settings, strict=True)), where)
    methods = [Method(m[0], label, m[1], own) for label, m, own in zip(labels, made, limits, strict=True)]
    return instances, methods


def make_plan(experiment: Experiment) -> Plan:
    """Build every problem, ask every solver whether it can do it, and number the runs."""
    runs: list[Planned] = []
    refused: list[Refused] = []
    instances, methods = check(experiment)
    for instance in instances:
        kind = host().find("problem", instance.name).value
        problem = keep(build_problem(kind, instance.name, instance.options))
        for method in methods:
            solver = make_solver(method.name, **method.params)
            spec = make_spec(problem, solver, 0, method.limits, experiment.polish)
            try:
                Run(problem, solver, spec)
            except Refusal as refusal:
                refused.append(Refused(instance.label, method.label, refusal.reason))
                continue
            for repetition in range(experiment.runs):
                seeded = spec.model_copy(update={"seed": run_seed(spec, experiment.seed, repetition)})
                key = run_key(spec, experiment.seed, repetition)
                runs.append(Planned(key, instance.label, method.label, repetition, kind, solver, seeded))
    return Plan(runs, refused)


def run_seed(spec: Spec, seed: int, repetition: int) -> int:
    """Derive a run's seed from what it is, so that neither its neighbours nor the order of work matter.

    The problem is its content here, not its options: the same data in another folder give the same runs. 48 bits:
    every language's numbers hold it exactly.
    """
    content = [spec.problem, spec.fingerprint, spec.solver, spec.params]
    return int(_digest([*content, seed, repetition])[:12], 16)


def run_key(spec: Spec, seed: int, repetition: int) -> str:
    """Name a run by its content: two runs of one key are the same run."""
    rest = [spec.budget.model_dump(mode="json"), spec.polish, spec.format]
    return _digest([spec.problem, spec.options, spec.fingerprint, spec.solver, spec.params, seed, repetition, *rest])


def _digest(value: Any) -> str:
    return hashlib.sha256(canonical(value).encode()).hexdigest()


def _combined(kind: str, entries: Any, where: str) -> tuple[list[str], list[tuple[str, dict[str, Any], Entry]]]:
    """Give the base of the label, the name, the whole settings and the entry of each combination."""
    bases, made = [], []
    for number, entry in enumerate(entries, 1):
        place = f"{where}{kind}s[{number}]" if where else ""
        try:
            found = host().find(kind, entry.name).value
            model = found.Options if kind == "problem" else found.Params
            for settings in entry.combinations(entry.options if kind == "problem" else entry.params):
                whole = make_settings(model, settings, f"{kind} '{entry.name}'").model_dump(mode="json")
                bases.append(entry.label or entry.name)
                made.append((entry.name, whole, entry))
        except UsageError as error:
            raise UsageError(f"{place}: {error}" if place else str(error)) from None
    return bases, made


def _labels(kind: str, entries: list[tuple[str, dict[str, Any]]], where: str) -> list[str]:
    seen: set[str] = set()
    for entry in map(canonical, entries):
        if entry in seen:
            name = json.loads(entry)[0]
            raise UsageError(f"{where}the {kind} '{name}' stands twice with the same settings; once is enough")
        seen.add(entry)
    return tell_apart(entries)


def _bounded(limits: Budget) -> Budget:
    return budget(**limits.model_dump())
