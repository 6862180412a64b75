"""What was not run: methods without runs on some instance, and why, where the solver says so."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache

from swarmkit.comparison.record import Record
from swarmkit.contract.errors import Refusal, SwarmkitError
from swarmkit.contract.problem import Problem
from swarmkit.contract.result import Result
from swarmkit.plugins.factory import make_problem, make_solver
from swarmkit.running.run import Run
from swarmkit.running.specification import make_spec
from swarmkit.statistics.finding import listed


def holes(records: Sequence[Record]) -> list[str]:
    """Say which methods have no runs on which instances; a store has no refusals, so the solvers are asked again."""
    instances = {record.instance: record.result for record in records}
    methods = {record.method: record.result for record in records}
    there = {(record.instance, record.method) for record in records}

    @cache
    def problem(instance: str) -> Problem:
        return make_problem(instances[instance].problem, **(instances[instance].options or {}))

    said = []
    for method, result in methods.items():
        missing = [instance for instance in instances if (instance, method) not in there]
        if not missing:
            continue
        reason = _refusal(result, problem, missing[0])
        alike = reason if all(_refusal(result, problem, other) == reason for other in missing[1:]) else ""
        said.append(f"{method} has no runs on {_some(missing)}{f': {alike}' if alike else ''}.")
    return said


def _refusal(method: Result, problem: Callable[[str], Problem], instance: str) -> str:
    """Ask a solver why it does not do an instance; nothing if it does, or if either is not to be had here."""
    try:
        solver = make_solver(method.solver, **method.params)
        made = problem(instance)
        Run(made, solver, make_spec(made, solver, 0, method.budget))
    except Refusal as refusal:
        return refusal.reason
    except SwarmkitError:
        return ""
    return ""


def _some(names: list[str]) -> str:
    """Name a few, and count the rest.

    >>> _some(["a", "b", "c", "d", "e", "f"])
    'a, b, c and 3 other instances'
    """
    return listed(names) if len(names) <= MOST else listed([*names[:3], f"{len(names) - 3} other instances"])


MOST = 5
"""More instances than this are not named one by one."""
