"""The worker's side of a comparison: make one run; build each problem once, and not once a run."""

from __future__ import annotations

import json
import socket
import threading
from collections import OrderedDict
from typing import Any, NamedTuple

from swarmkit.contract.errors import Interrupted, SwarmkitError, UsageError
from swarmkit.contract.problem import Problem
from swarmkit.contract.result import Result
from swarmkit.contract.solver import Solver
from swarmkit.contract.spec import Spec
from swarmkit.plugins.factory import build_problem
from swarmkit.running.gap import Bound, known_bound
from swarmkit.running.run import Run

KEPT = 2
"""So many problems a process keeps: runs come instance by instance, and one can be hundreds of megabytes."""


class Trouble(NamedTuple):
    """A run that raised instead of giving a result."""

    error: str


_kept: OrderedDict[str, Problem] = OrderedDict()
_building = threading.RLock()  # a Dask worker makes runs in several threads


def keep(problem: Problem) -> Problem:
    """Remember a problem for the runs of this process."""
    assert problem.origin is not None  # noqa: S101  (for the type checker: it was made by name)
    with _building:
        _kept[_token(problem.origin.name, problem.origin.options, problem.fingerprint)] = problem
        while len(_kept) > KEPT:
            _kept.popitem(last=False)
    return problem


def perform(kind: type[Problem], solver: Solver[Any], spec: Spec) -> Result | Trouble:
    """Make one run; what goes wrong is told, so that other runs go on."""
    try:
        return Run(_problem(kind, spec), solver, spec).go()
    except Interrupted:
        raise
    except SwarmkitError as error:
        return Trouble(str(error))
    except Exception as error:
        return Trouble(f"{type(error).__name__}: {error}")


def perform_packed(recipe: bytes, spec: Spec) -> Result | Trouble:
    """Make one run from a message that holds the classes too, by value where no import would find them."""
    import cloudpickle

    try:
        kind, solver = cloudpickle.loads(recipe)
    except Exception as error:
        return Trouble(f"{socket.gethostname()} cannot load what is run there ({type(error).__name__}: {error})")
    return perform(kind, solver, spec)


def find_bound(recipe: bytes, spec: Spec) -> Bound | Trouble:
    """Find out what is known of the best score of a run's problem."""
    import cloudpickle

    try:
        return known_bound(_problem(cloudpickle.loads(recipe), spec))
    except Exception as error:
        return Trouble(f"{type(error).__name__}: {error}")


def _problem(kind: type[Problem], spec: Spec) -> Problem:
    with _building:
        token = _token(spec.problem, spec.options, spec.fingerprint)
        if token not in _kept:
            problem = build_problem(kind, spec.problem, spec.options or {})
            if problem.fingerprint != spec.fingerprint:
                raise UsageError(
                    f"problem '{spec.problem}' on {socket.gethostname()} is not what it is where the comparison was "
                    "started: its data files or its version differ there"
                )
            keep(problem)
        _kept.move_to_end(token)
        return _kept[token]


def _token(name: str, options: Any, fingerprint: str) -> str:
    return json.dumps([name, dict(options or {}), fingerprint], sort_keys=True)
