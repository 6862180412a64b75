"""A run in a newly started Python process; a module of its own, so that such a process need not import hypothesis."""

from __future__ import annotations

import pickle
import subprocess
import sys
from typing import Any

from swarmkit.contract.budget import budget
from swarmkit.contract.problem import Problem
from swarmkit.contract.result import Result
from swarmkit.contract.solver import Solver
from swarmkit.running.run import Run
from swarmkit.running.specification import make_spec

WORKER = """
import pickle, sys
answer, sys.stdout = sys.stdout, sys.stderr  # a solver may print
sys.path[:] = pickle.load(sys.stdin.buffer)
function, *arguments = pickle.load(sys.stdin.buffer)
answer.write(function(*arguments).model_dump_json())
"""


def run_here(problem: Problem, solver: Solver[Any], looks: int) -> Result:
    """Return the result of a run of a number of looks."""
    return Run(problem, solver, make_spec(problem, solver, 1, budget())).run(looks)


def run_in_subprocess(problem: Problem, solver: Solver[Any], looks: int) -> Result:
    """Return the result of the same run in another process; raise AssertionError with its error output if it fails."""
    # Not multiprocessing's spawn, which would run an unguarded main script once more.
    message = pickle.dumps(sys.path) + pickle.dumps((run_here, problem, solver, looks))
    command = [sys.executable, "-c", WORKER]
    process = subprocess.run(command, input=message, capture_output=True, check=False)  # noqa: S603  (this very Python)
    if process.returncode:
        raise AssertionError(f"the other process failed: {process.stderr.decode(errors='replace')}")
    return Result.model_validate_json(process.stdout)
