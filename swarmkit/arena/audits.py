"""Audits: short runs, each made twice under conditions that must not matter, and what they show."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.random import Generator

from swarmkit.arena.families import ALONE, FAMILIES, PAIRS, Family, independent_values
from swarmkit.arena.process import ContestantProcess, Setting
from swarmkit.arena.remote import Conditions, RemoteSolver
from swarmkit.arena.rules import Breach, Reason, distinct_reasons
from swarmkit.arena.submission import Submission
from swarmkit.arena.trials import DIVIDED, MOVED, PIECES, SPEED, run_remote, trial
from swarmkit.contract.budget import Budget
from swarmkit.contract.errors import Refusal, SwarmkitError
from swarmkit.contract.problem import Problem
from swarmkit.contract.result import Result
from swarmkit.running.metering import TOLERANCE

WAIT = 0.3
"""Seconds for which a solver is made to wait there, for clocks that are not Python's."""

WAITING_SECONDS = 2.0
"""Seconds of a run of a solver that waits for a process outside."""

SEEDS = (11, 12)
"""The seeds of the runs of an audit."""

STEPS = 3
"""The steps of which it is seen whether they end without a limit."""

FEW_LOOKS = Budget(looks=1000, iterations=50, seconds=5.0)
"""The limits of the run in which reading is audited: any part of it will do."""

DEVIATIONS = 6.0
"""Standard deviations beyond which a score is called impossible."""


@dataclass
class Audits:
    """The audits of one submission.

    Args:
        submission: the solver.
        rng: draws the instances.
    """

    submission: Submission
    rng: Generator
    reasons: list[Reason] = field(default_factory=list)
    families: list[Family] = field(default_factory=list)
    """The families that the solver does not refuse."""
    refused: dict[str, str] = field(default_factory=dict)
    """The reasons of the solver for refusing the others."""
    facts: dict[str, Any] = field(default_factory=dict)
    """What the process says about itself when it is ready."""
    _processes: list[ContestantProcess] = field(default_factory=list)

    def run(self) -> list[Reason]:
        """Make all audits, and return the reasons to refuse the solver; none if it is in order."""
        with ExitStack() as open_processes:

            def process(setting: Setting) -> ContestantProcess:
                made = open_processes.enter_context(ContestantProcess(self.submission, setting))
                self._processes.append(made)
                return made

            try:
                self._compare(process)
            except Breach as breach:
                self._noted(*self._processes)  # what it did explains more than what came of it
                self.reasons.append(breach.reason)
            except SwarmkitError as error:
                self._add("kit", str(error))
        self.reasons = distinct_reasons(self.reasons)
        return self.reasons

    def _compare(self, process: Callable[[Setting], ContestantProcess]) -> None:
        """Make the runs of all families under different conditions; differences are reasons."""
        first = process(Setting())
        self.facts = first.ready
        instances = list(self._accepted(first))
        if self._noted(first) or not instances or self._waits(first, instances):
            return
        reads_what_it_counts(first, self.rng)
        second = process(Setting(hash_seed=1))
        hurried = process(Setting(speed=SPEED, hash_seed=2))
        for problem in instances:
            if problem.structure.black_box:
                make_steps(first, problem)
            one = [trial(first, problem, seed) for seed in SEEDS]
            self._check_bounds(one)
            if self._noted(first) or self._remembers(process, second, problem, one):
                return
            moved = trial(first, problem, SEEDS[0], Conditions(other=second, pieces=PIECES))
            if one[0].differences(moved):
                self._explain(one[0], moved, trial(second, problem, SEEDS[0], Conditions(pieces=PIECES)))
            elif one[0].differences(trial(hurried, problem, SEEDS[0], Conditions(wait=WAIT))):
                self._explain_hurry(one[0], trial(process(Setting(hash_seed=2)), problem, SEEDS[0]))
            if self._noted(first, second, hurried):
                return

    def _waits(self, process: ContestantProcess, instances: Sequence[Problem]) -> bool:
        """Whether the solver waits for a process outside: its runs depend on time, so only its answers are checked."""
        if not self.facts.get("waits"):
            return False
        if not self.submission.trusted:
            self._add("process", "It says that it waits for a process outside.")
            return True
        run_remote(RemoteSolver(process), instances[0], SEEDS[0], Budget(seconds=WAITING_SECONDS))
        self._noted(process)
        return True

    def _accepted(self, process: ContestantProcess) -> Iterator[Problem]:
        """Yield an instance of each family that the solver does not refuse."""
        for family in FAMILIES:
            problem = family.draw(self.rng)
            reason = RemoteSolver(process).refuses(problem)
            if reason is None:
                self.families.append(family)
                yield problem
            else:
                self.refused[family.name] = reason

    def _remembers(
        self,
        process: Callable[[Setting], ContestantProcess],
        second: ContestantProcess,
        problem: Problem,
        one: Sequence[Result],
    ) -> bool:
        """Whether runs are others after other runs, or in another process; the reason is added.

        Args:
            process: starts a process.
            second: a process that makes the runs in the other order.
            problem: the instance.
            one: the runs of a process, in the order of the seeds.
        """
        two = [trial(second, problem, seed) for seed in reversed(SEEDS)][::-1]
        if self._noted(second):
            return True
        if not any(a.differences(b) for a, b in zip(one, two, strict=True)):
            return False
        other = process(Setting(hash_seed=1))
        fresh, again = (trial(made, problem, SEEDS[0]) for made in (process(Setting()), other))
        if fresh.differences(again):
            self._explain_chance(*(trial(process(Setting(speed=0.0, hash_seed=h)), problem, SEEDS[0]) for h in (0, 1)))
        else:
            self._add("memory", "A run is another one after other runs in the same process: something is remembered.")
            moved = trial(process(Setting()), problem, SEEDS[0], Conditions(other=process(Setting())))
            if fresh.differences(moved):
                self._add("state", MOVED)
        return True

    def _explain_chance(self, one: Result, two: Result) -> None:
        """Add why two processes make different runs with the same seed; `one` and `two` had clocks that stood still."""
        if one.differences(two):
            words = "it draws from something else than the generator"
            self._add("generator", f"Two processes make different runs with the same seed: {words}.")
        else:
            self._add("clock", "Two processes make different runs with the same seed, unless their clocks stand still.")

    def _check_bounds(self, runs: Sequence[Result]) -> None:
        """Add a reason if a bound that one run claims to have proved is passed by the answer of another."""
        bounds = [run.bound for run in runs if run.bound is not None]
        best = max((run.score for run in runs if run.score is not None), default=None)
        if bounds and best is not None and min(bounds) < best - TOLERANCE * max(1.0, abs(best)):
            words = f"It claims that no solution scores more than {min(bounds):.6g}; another run of it has {best:.6g}."
            self._add("score", words)

    def _explain(self, whole: Result, moved: Result, cut: Result) -> None:
        """Add why a run is another one when it is divided and moved: because of the one, or of the other, or both."""
        if whole.differences(cut):
            self._add("budget", DIVIDED)
        if moved.differences(cut):
            self._add("state", MOVED)

    def _explain_hurry(self, whole: Result, hashed: Result) -> None:
        """Add why a run is another one with fast clocks and other string hashes: `hashed` has only the latter."""
        if whole.differences(hashed):
            self._add("generator", "The run goes by the hashes of strings, which Python draws.")
        else:
            self._add("clock", "The run is another one when time passes faster, or when it has to wait.")

    def _noted(self, *processes: ContestantProcess) -> bool:
        """Whether something was seen of the solver's conduct; it is added to the reasons."""
        for process in processes:
            self.reasons += process.reasons
        return bool(self.reasons)

    def _add(self, rule: str, words: str) -> None:
        self.reasons.append(Reason(rule=rule, words=words))


def make_steps(process: ContestantProcess, problem: Problem) -> None:
    """Let a solver make its first steps on a black box without a limit, which might end them: they end by themselves.

    Raises:
        Breach: they do not.
    """
    solver, own = RemoteSolver(process), problem.with_own_meter()
    rng = np.random.default_rng(SEEDS[0])
    solver.refuses(own)
    solver.prepare(own)
    state = solver.start(own, rng)
    for _ in range(STEPS):
        if solver.step(own, state, rng).done:
            break
    solver.stop()


def reads_what_it_counts(process: ContestantProcess, rng: Generator) -> None:
    """Check that a score after few looks is possible: of values that were not read, nothing can be known.

    The score of the instance adds N independent values, uniform in [0, 1]: of a stage alone, or of the table of two
    stages. A value that was not read has the mean 1/2. If the best that is known of a stage or pair is b >= 1/2,
    reading one more value gains (1 - b)² / 2 <= 1/8 on average. So after R looks no method can expect more than
    N/2 + R/8; the score of a run deviates from that by chance.

    Raises:
        Breach: the score is higher than chance allows.
    """
    problem, added = independent_values(rng), ALONE + PAIRS
    try:
        result = run_remote(RemoteSolver(process), problem, SEEDS[0], FEW_LOOKS)
    except (Refusal, SwarmkitError):
        return
    looks = result.looks
    possible = added / 2 + looks / 8 + DEVIATIONS * math.sqrt((added + looks) / 12)
    if result.score is not None and result.score > possible:
        words = (
            f"After {looks:,} looks it has a score of {result.score:,.0f}; "
            f"whoever has read no more values cannot have more than {possible:,.0f}."
        )
        raise Breach("count", words)
