"""Short runs of a solver in its process, as audits make them: by looks or evaluations, never by the clock."""

from __future__ import annotations

from typing import Any

from swarmkit.arena.process import ContestantProcess
from swarmkit.arena.remote import USUAL, Conditions, RemoteSolver
from swarmkit.contract.budget import Budget
from swarmkit.contract.problem import Problem
from swarmkit.contract.result import Result
from swarmkit.running.run import Run
from swarmkit.running.specification import make_spec

LOOKS = 10_000
"""The looks of a trial on tables."""

STEP_LOOKS = 200
"""The most looks of a step: every trial is cut into some dozens of them."""

MOVED = "Continued in another process with nothing but its State, the run is another one."
"""The reason for which a solver is refused that keeps something elsewhere."""

SPEED = 1000.0
"""How much faster time passes on changed clocks."""

IDLE = 20
"""The looks of a run on a black box that end it, as a multiple of those of its evaluations."""

EVALUATIONS = 400
"""The evaluations of a trial on a black box."""


def trial(process: ContestantProcess, problem: Problem, seed: int, conditions: Conditions = USUAL) -> Result:
    """Return the result of a short run.

    Args:
        process: the process of the solver.
        problem: the instance.
        seed: the seed of the run.
        conditions: what must not matter.

    Raises:
        Breach: a rule is broken.
        Refusal: the solver refuses the instance.
    """
    conditions = conditions._replace(cut=min(conditions.cut, STEP_LOOKS))
    black_box = problem.structure.black_box
    limits = evaluations_budget(problem, EVALUATIONS) if black_box else Budget(looks=LOOKS)
    solver = RemoteSolver(process, EVALUATIONS if black_box else None, conditions)
    run = new_run(solver, problem, seed, limits)
    run.ignore_clock()
    return run.go()


def evaluations_budget(problem: Problem, evaluations: int) -> Budget:
    """Return a limit on evaluations that also ends a run which scores nothing new, such as one that keeps scores."""
    return Budget(evaluations=evaluations, looks=IDLE * evaluations * len(problem.sizes))


def new_run(solver: Any, problem: Problem, seed: int, limits: Budget) -> Run:
    """Return a run of a solver on an instance with a meter of its own."""
    own = problem.with_own_meter()
    return Run(own, solver, make_spec(own, solver, seed, limits))


def run_remote(solver: Any, problem: Problem, seed: int, limits: Budget) -> Result:
    """Return the result of a run of a solver on an instance with a meter of its own."""
    return new_run(solver, problem, seed, limits).go()
