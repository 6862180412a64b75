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

PIECES = 7
"""The pieces into which a run is divided: calls instead of one where steps are made at once, or cuts of a black box."""

DIVIDED = "Cut at other places, or its steps made at once in other numbers, the run is another one."
"""The reason for which a solver is refused whose steps depend on where they end."""

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
    black_box = problem.structure.black_box
    limits = evaluations_budget(problem, EVALUATIONS) if black_box else Budget(looks=LOOKS)
    return run_by_count(process, problem, seed, limits, conditions)


def run_by_count(
    process: ContestantProcess, problem: Problem, seed: int, limits: Budget, conditions: Conditions
) -> Result:
    """Return the result of a run that sees no clock; a run by evaluations is also cut, and goes on, between its pieces.

    Args:
        process: the process of the solver.
        problem: the instance.
        seed: the seed of the run.
        limits: of looks or evaluations.
        conditions: what must not matter.
    """
    run = new_run(RemoteSolver(process, conditions), problem, seed, limits)
    run.ignore_clock()
    if limits.evaluations is not None:
        for piece in range(1, conditions.pieces):
            run.run(looks=limits.evaluations * piece // conditions.pieces * len(problem.sizes))
    return run.run()


def evaluations_budget(problem: Problem, evaluations: int) -> Budget:
    """Return a limit on evaluations that also ends a run which scores nothing new, such as one that keeps scores."""
    return Budget(evaluations=evaluations, looks=IDLE * evaluations * len(problem.sizes))


def new_run(solver: Any, problem: Problem, seed: int, limits: Budget) -> Run:
    """Return a run of a solver on an instance with a meter of its own."""
    own = problem.with_own_meter()
    return Run(own, solver, make_spec(own, solver, seed, limits))


def run_remote(solver: Any, problem: Problem, seed: int, limits: Budget) -> Result:
    """Return the result of a run of a solver on an instance with a meter of its own."""
    return new_run(solver, problem, seed, limits).run()
