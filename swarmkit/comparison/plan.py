"""The plan of an experiment: every run with its key and its seed, before the first of them is made."""

from __future__ import annotations

import hashlib
from typing import Any, NamedTuple

from swarmkit.comparison.experiment import Experiment, check
from swarmkit.comparison.labels import canonical_json, full_method_settings, instance_settings
from swarmkit.comparison.record import RefusedPair
from swarmkit.comparison.worker import cache_problem
from swarmkit.contract.budget import Budget
from swarmkit.contract.errors import Refusal
from swarmkit.contract.problem import Problem
from swarmkit.contract.solver import Solver
from swarmkit.contract.spec import Spec
from swarmkit.plugins.factory import build_problem, make_solver
from swarmkit.plugins.host import host
from swarmkit.running.run import Run
from swarmkit.running.specification import make_spec, maximised_limits


class PlannedRun(NamedTuple):
    """One run to be made: its key and labels, and everything that a worker needs to make it."""

    key: str
    instance: str
    method: str
    repetition: int
    kind: type[Problem]
    solver: Solver[Any]
    spec: Spec


class ExperimentPlan(NamedTuple):
    """All runs of an experiment, by instance, method and repetition, and the pairs that solvers refuse."""

    experiment: Experiment
    runs: list[PlannedRun]
    refused: list[RefusedPair]


EVALUATIONS = 20_000
"""The limit on a problem without tables for which none was given: the clock would make runs differ from each other."""


def make_plan(experiment: Experiment) -> ExperimentPlan:
    """Build every problem, ask every solver whether it accepts it, and list the runs with their keys and seeds."""
    runs: list[PlannedRun] = []
    refused: list[RefusedPair] = []
    instances, methods = check(experiment)
    for instance in instances:
        kind = host().find("problem", instance.name).value
        problem = cache_problem(build_problem(kind, instance.name, instance.options))
        for method in methods:
            solver = make_solver(method.name, **method.params)
            limits = maximised_limits(problem, _fair_limits(method.limits, problem))
            spec = make_spec(problem, solver, 0, limits, polish=experiment.polish)
            try:  # a run that is made and not begun: its solver has said whether it can do the problem
                Run(problem, solver, spec)
            except Refusal as refusal:
                refused.append(_refused_pair(instance.label, method.label, refusal.reason, spec))
                continue
            identity = _identity(spec, solver)
            for repetition in range(experiment.runs):
                run_spec = spec.model_copy(update={"seed": run_seed(identity, experiment.seed, repetition)})
                key = run_key(identity, experiment.seed, repetition)
                runs.append(PlannedRun(key, instance.label, method.label, repetition, kind, solver, run_spec))
    return ExperimentPlan(experiment, runs, refused)


def _fair_limits(limits: Budget, problem: Problem) -> Budget:
    """Return the limits, and on a problem without tables, if none of them ends every run, a number of evaluations."""
    if limits.bounded or not problem.structure.black_box:
        return limits
    return limits.model_copy(update={"evaluations": EVALUATIONS})


def _identity(spec: Spec, solver: Solver[Any]) -> Spec:
    """Return what is run, with the first names of parameters: a new name changes neither keys nor seeds."""
    first_names = {new: old for old, new in type(solver.params).deprecated.items()}
    return spec.model_copy(update={"params": {first_names.get(name, name): v for name, v in spec.params.items()}})


def run_seed(spec: Spec, seed: int, repetition: int) -> int:
    """Derive the seed of a run from its problem, solver and parameters, the experiment's seed and the repetition.

    It depends on no other run and on no order of execution. The problem enters by its content, not by its options: the
    same data in another folder give the same runs. 48 bits are exact in the numbers of every language (JSON's too).
    """
    content = [spec.problem, spec.fingerprint, spec.solver, spec.params]
    return int(_digest([*content, seed, repetition])[:12], 16)


def run_key(spec: Spec, seed: int, repetition: int) -> str:
    """Return the key of a run: two runs with one key are the same run."""
    # Only where there are some: the keys of runs that version 0.2 stored had none of them.
    inputs = [spec.fixed, spec.start] if spec.fixed or spec.start else []
    rest = [spec.budget.model_dump(mode="json"), spec.polish, spec.format, *inputs]
    return _digest([spec.problem, spec.options, spec.fingerprint, spec.solver, spec.params, seed, repetition, *rest])


def _refused_pair(instance: str, method: str, reason: str, spec: Spec) -> RefusedPair:
    settings = instance_settings(spec), full_method_settings(spec)
    return RefusedPair(instance, method, reason, spec.problem, spec.solver, *settings)


def _digest(value: Any) -> str:
    return hashlib.sha256(canonical_json(value).encode()).hexdigest()
