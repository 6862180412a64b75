"""Runs of a solver in its process: short ones as audits make them, and runs of the contest that are made again.

The audits see the beginning of a run. What a solver does later, or with the speed that it has, shows when a run of the
contest is made again, as long as it was, under conditions that must not matter.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from swarmkit import Budget, Problem, Result, Run, make_spec
from swarmkit_arena.process import ContestantProcess
from swarmkit_arena.remote import USUAL, Conditions, RemoteSolver
from swarmkit_arena.rules import Breach
from swarmkit_arena.submission import Submission

LOOKS = 10_000
"""The looks of a trial on tables."""

EVALUATIONS = 400
"""The evaluations of a trial on a black box."""

IDLE = 20
"""The looks of a run on a black box that end it, as a multiple of those of its evaluations."""

PIECES = 7
"""The pieces into which a run is divided: calls instead of one where steps are made at once, or cuts of a black box."""

WAIT = 0.3
"""Seconds for which a solver is made to wait in the middle of a step."""

OTHER_HASHES = (3, 4)
"""Seeds of string hashes that no audit has."""

DIVIDED = "Cut at other places, or its steps made at once in other numbers, the run is another one."
"""The reason for which a solver is refused whose steps depend on where they end."""

MOVED = "Continued in another process with nothing but its State, the run is another one."
"""The reason for which a solver is refused that keeps something elsewhere."""

RUN = "A run of the contest"


def trial(process: ContestantProcess, problem: Problem, seed: int, conditions: Conditions = USUAL) -> Result:
    """Return the result of a short run by looks or evaluations, never by the clock.

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
    run.ignore_clock()  # a busy machine must not end it earlier
    if limits.evaluations is not None:
        for piece in range(1, conditions.pieces):
            run.run(looks=limits.evaluations * piece // conditions.pieces * len(problem.sizes))
    return run.run()


def evaluations_budget(problem: Problem, evaluations: int) -> Budget:
    """Return a limit on evaluations that also ends a run which scores nothing new, such as one that keeps scores."""
    return Budget(evaluations=evaluations, looks=IDLE * evaluations * len(problem.sizes))


def new_run(solver: Any, problem: Problem, seed: int, limits: Budget) -> Run:
    """Return a run of a solver on an instance with a meter of its own."""
    copy = problem.with_own_meter()  # evaluations of other runs do not count
    return Run(copy, solver, make_spec(copy, solver, seed, limits))


class ContestRun(NamedTuple):
    """A run of the contest, and what it takes to make it again."""

    problem: Problem
    seed: int
    limits: Budget
    """The evaluations or looks that count."""
    result: Result

    def differs(self, process: ContestantProcess, conditions: Conditions) -> bool:
        """Make the run again, and return whether its answer is another one."""
        again = run_by_count(process, self.problem, self.seed, self.limits, conditions)
        return again.score != self.result.score or again.solution != self.result.solution


def check_replay(run: ContestRun, submission: Submission, processes: Sequence[ContestantProcess]) -> None:
    """Make a run of the contest again.

    Args:
        run: the run.
        submission: the solver that made it.
        processes: two others of its processes, with OTHER_HASHES, between which its State moves.

    Raises:
        Breach: its answer is another one.
    """
    first, second = processes
    differs = run.differs(first, Conditions(second=second, pieces=PIECES))
    for reason in (reason for process in processes for reason in process.reasons):
        raise Breach(reason.rule, reason.words)
    if differs:
        raise _explain(run, submission)


def _explain(run: ContestRun, submission: Submission) -> Breach:
    """Return why a run is another one when it is made again: one condition at a time is changed."""
    with ContestantProcess(submission) as process:
        again = run_by_count(process, run.problem, run.seed, run.limits, USUAL)
    alone = run._replace(result=again)

    def differs(conditions: Conditions = USUAL, hash_seed: int = 0) -> bool:
        with ContestantProcess(submission, hash_seed=hash_seed) as fresh:
            return alone.differs(fresh, conditions)

    # What would explain later differences, too, is asked first.
    if differs():
        return Breach("generator", f"{RUN} is another one each time that it is made.")
    if differs(hash_seed=OTHER_HASHES[0]):
        return Breach("generator", f"{RUN} goes by the hashes of strings, which Python draws.")
    if differs(Conditions(wait=WAIT)):
        return Breach("clock", f"{RUN} is another one when it has to wait.")
    with ContestantProcess(submission) as second:
        if differs(Conditions(second=second)):
            return Breach("state", MOVED)
    if differs(Conditions(pieces=PIECES)):
        return Breach("budget", DIVIDED)
    return Breach("memory", f"{RUN} is another one in a process that has made no other runs.")
