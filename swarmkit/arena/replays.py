"""Runs of the contest made again, as long as they were, under conditions that must not matter.

The audits see the beginning of a run. What a solver does later, or with the speed that it has, shows here.
"""

from __future__ import annotations

from contextlib import ExitStack
from types import TracebackType
from typing import NamedTuple, Self

from swarmkit.arena.process import ContestantProcess, Setting
from swarmkit.arena.remote import Conditions
from swarmkit.arena.rules import Breach
from swarmkit.arena.submission import Submission
from swarmkit.arena.trials import DIVIDED, MOVED, PIECES, SPEED, run_by_count
from swarmkit.contract.budget import Budget
from swarmkit.contract.problem import Problem
from swarmkit.contract.result import Result

OTHER_HASHES = 3
"""A seed of string hashes that no audit has."""


class Played(NamedTuple):
    """A run of the contest, and what it takes to make it again."""

    problem: Problem
    seed: int
    limits: Budget
    """The evaluations or looks that count."""
    result: Result


class Replays:
    """Two processes of a submission, between which State moves; one of them has fast clocks.

    Args:
        submission: the solver.
    """

    def __init__(self, submission: Submission) -> None:
        self._submission = submission
        with ExitStack() as opened:
            one, two = (
                opened.enter_context(ContestantProcess(submission, setting))
                for setting in (Setting(hash_seed=OTHER_HASHES), Setting(speed=SPEED, hash_seed=OTHER_HASHES + 1))
            )
            self._processes, self._opened = (one, two), opened.pop_all()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self._opened.close()

    def check(self, played: Played) -> None:
        """Make a run again.

        Raises:
            Breach: its answer is another one.
        """
        one, two = self._processes
        again = _again(one, played, Conditions(other=two, pieces=PIECES))
        for process in self._processes:
            if process.reasons:
                raise Breach(process.reasons[0].rule, process.reasons[0].words)
        if _differ(played.result, again):
            raise self._explained(played)

    def _explained(self, played: Played) -> Breach:
        """Return why a run is another one when it is made again: one condition at a time is changed."""
        alone = self._fresh(played)
        if _differ(alone, self._fresh(played)):
            return Breach("generator", "A run of the contest is another one each time that it is made.")
        if _differ(alone, self._fresh(played, Setting(hash_seed=OTHER_HASHES))):
            return Breach("generator", "A run of the contest goes by the hashes of strings, which Python draws.")
        if _differ(alone, self._fresh(played, Setting(speed=SPEED))):
            return Breach("clock", "A run of the contest is another one when time passes faster.")
        with ContestantProcess(self._submission) as one, ContestantProcess(self._submission) as two:
            if _differ(alone, _again(one, played, Conditions(other=two))):
                return Breach("state", MOVED)
        if _differ(alone, self._fresh(played, pieces=PIECES)):
            return Breach("budget", DIVIDED)
        return Breach("memory", "A run of the contest is another one in a process that has made no other runs.")

    def _fresh(self, played: Played, setting: Setting = Setting(), pieces: int = 1) -> Result:  # noqa: B008  (it is immutable)
        """Make a run again in a process of its own."""
        with ContestantProcess(self._submission, setting) as process:
            return _again(process, played, Conditions(pieces=pieces))


def _again(process: ContestantProcess, played: Played, conditions: Conditions) -> Result:
    """Make a run again in a process, under some conditions."""
    return run_by_count(process, played.problem, played.seed, played.limits, conditions)


def _differ(one: Result, two: Result) -> bool:
    """Whether two runs have different answers."""
    return one.score != two.score or one.solution != two.solution
