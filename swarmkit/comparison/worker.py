"""The worker of a comparison: make one run; build each problem once per process, not once per run."""

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

CACHED_PROBLEMS = 2
"""Problems that a process keeps: runs come instance by instance, and a problem can take hundreds of megabytes."""


class WorkerError(NamedTuple):
    """The error that a run, or the search for a bound, raised instead of returning a result."""

    error: str


_cache: OrderedDict[str, Problem] = OrderedDict()
_building = threading.RLock()  # a Dask worker makes runs in several threads


def cache_problem(problem: Problem) -> Problem:
    """Keep a problem that was made by name for the runs of this process, and return it."""
    assert problem.origin is not None  # noqa: S101  (for the type checker: it was made by name)
    with _building:
        _cache[_cache_key(problem.origin.name, problem.origin.options, problem.fingerprint)] = problem
        while len(_cache) > CACHED_PROBLEMS:
            _cache.popitem(last=False)  # the one that was used least recently
    return problem


def make_run(kind: type[Problem], solver: Solver[Any], spec: Spec) -> Result | WorkerError:
    """Make one run of a solver on a problem of class `kind`; an error is returned, so that other runs continue."""
    try:
        return Run(_problem(kind, spec).with_own_meter(), solver, spec).run()
    except Interrupted:  # Ctrl-C ends the comparison, not this run alone
        raise
    except SwarmkitError as error:
        return WorkerError(str(error))
    except Exception as error:
        return WorkerError(f"{type(error).__name__}: {error}")


def make_packed_run(packed: bytes, spec: Spec) -> Result | WorkerError:
    """Make one run from a pickled pair of problem class and solver, which another process sent."""
    import cloudpickle

    try:
        kind, solver = cloudpickle.loads(packed)
    except Exception as error:
        host = socket.gethostname()
        return WorkerError(f"{host} cannot load the problem or the solver ({type(error).__name__}: {error})")
    return make_run(kind, solver, spec)


def find_bound(packed: bytes, spec: Spec) -> Bound | WorkerError:
    """Find the optimum of a run's problem, or an upper bound; `packed` is the pickled class of the problem."""
    import cloudpickle

    try:
        return known_bound(_problem(cloudpickle.loads(packed), spec))
    except Exception as error:
        return WorkerError(f"{type(error).__name__}: {error}")


def _problem(kind: type[Problem], spec: Spec) -> Problem:
    """Return the problem of a specification, from the cache or newly built; its content must be the specified one."""
    with _building:
        key = _cache_key(spec.problem, spec.options, spec.fingerprint)
        if key not in _cache:
            problem = build_problem(kind, spec.problem, spec.options or {})
            if problem.fingerprint != spec.fingerprint:  # of data, the file may be another one on that machine
                raise UsageError(
                    f"problem '{spec.problem}' on {socket.gethostname()} differs from the one where the comparison was "
                    "started: its data files or its version are not the same"
                )
            cache_problem(problem)
        _cache.move_to_end(key)
        return _cache[key]


def _cache_key(name: str, options: Any, fingerprint: str) -> str:
    return json.dumps([name, dict(options or {}), fingerprint], sort_keys=True)
