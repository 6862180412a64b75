"""Our side: the same instances, clock and marks; a job as JSON on standard input, a line of JSON for each run.

Kernels are compiled, or loaded from their cache, before the clock begins; what a solver prepares for an instance
(neighbour lists, first tours) is on the clock.
"""

from __future__ import annotations

import json
import sys
from typing import Any

import numpy as np
from moves import make
from stepping import totals

import swarmkit
from against.clock import Clock, Over
from against.tasks import Task


def problem_of(name: str, options: dict[str, Any]) -> swarmkit.Problem:
    """Make the problem: one that swarmkit knows by name, or the categorical one of `moves.py`."""
    return make(**options) if name == "categories" else swarmkit.make_problem(name, **options)


def task_of(kind: str, problem: Any) -> Task:
    """Write the problem down for the peers."""
    form, n = problem.pairwise(), len(problem.sizes)
    if kind == "tour":
        return Task(kind, {"first": problem.table})
    if kind == "assignment":  # minus the cost in our tables: flows are the weights, distances the shared table
        flows = np.zeros((n, n))
        flows[tuple(form.edges.T)] = -form.weights
        if form.unary.any():
            raise swarmkit.UsageError("the peers get no assignment with costs on the diagonals of both its matrices")
        return Task(kind, {"first": flows, "second": form.flat.reshape(n, n)})
    size = int(form.sizes[0])
    tables = np.array([form.flat[start : start + size**2].reshape(size, size) for start in form.starts.tolist()])
    return Task(kind, {"edges": form.edges, "tables": tables})


def work(solver: swarmkit.Solver[Any], found: swarmkit.StepResult, unit: str, problem: swarmkit.Problem) -> float:
    """Return the number of units of work of some steps."""
    params = solver.params
    if unit == "looks":
        return float(found.looks)
    if unit == "moves" and problem.distinct:
        return found.looks / 2  # a swap or a 2-opt move is two looks
    if unit == "moves":
        return found.looks * (1 - len(problem.sizes) / sum(problem.sizes))  # staying is looked at, and no move
    if unit == "tours":
        return found.iterations * getattr(params, "ants", getattr(params, "bees", 1))
    if unit == "evaluations":
        return found.iterations * (params.population - getattr(params, "elite", 0))
    return float(found.iterations)


def run(job: dict[str, Any], given: dict[str, Any]) -> dict[str, Any]:
    """Make one run."""
    problem = problem_of(given["problem"], given["options"])
    solver = swarmkit.make_solver(job["solver"], **job["params"])
    refusal = solver.refuses(problem)
    if refusal:
        return {"error": refusal}
    solver.prepare(problem)
    clock, rng = Clock(given["marks"]), np.random.default_rng(given["seed"])
    try:
        clock.begin()
        for total in totals(problem, solver, solver.start(problem, rng), rng):
            clock.count = int(work(solver, total, job["unit"], problem))
            clock.tell(np.inf if total.score is None else -float(total.score), 0)
    except Over:
        pass
    return clock.result()


def main() -> None:
    """Make all runs of the job, after a short one that is thrown away."""
    job = json.load(sys.stdin)
    for number, given in enumerate(job["runs"]):
        if not number:
            run(job, given | {"marks": [0.02]})
        try:
            line = run(job, given)
        except Exception as error:  # told, and the rest goes on
            line = {"error": f"{type(error).__name__}: {error}"}
        print(json.dumps(line), flush=True)


if __name__ == "__main__":
    main()
