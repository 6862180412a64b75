"""A run in a process that starts from nothing; apart, so that such a process need not wait for hypothesis."""

from __future__ import annotations

import pickle
import subprocess
import sys
from typing import Any

from swarmkit.contract.budget import budget
from swarmkit.contract.problem import Problem
from swarmkit.contract.result import Result
from swarmkit.contract.solver import Solver
from swarmkit.running.api import prepare
from swarmkit.running.run import Run

WORKER = """
import pickle, sys
sys.path[:] = pickle.load(sys.stdin.buffer)
function, *arguments = pickle.load(sys.stdin.buffer)
sys.stdout.write(function(*arguments).model_dump_json())
"""


def run_here(problem: Problem, solver: Solver[Any], steps: int) -> Result:
    """Make a run of so many steps."""
    problem, solver, spec = prepare(problem, solver, None, 1, budget())
    return Run(problem, solver, spec).go(steps)


def run_elsewhere(problem: Problem, solver: Solver[Any], steps: int) -> Result:
    """Make the same run in another process; raise AssertionError with what it said if it fails."""
    # Not multiprocessing's spawn, which would run an unguarded main script once more.
    sent = pickle.dumps(sys.path) + pickle.dumps((run_here, problem, solver, steps))
    there = subprocess.run([sys.executable, "-c", WORKER], input=sent, capture_output=True, check=False)  # noqa: S603  (our own words)
    if there.returncode:
        raise AssertionError(f"the other process failed: {there.stderr.decode(errors='replace')}")
    return Result.model_validate_json(there.stdout)
