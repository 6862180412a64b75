"""Audits: short runs, each made twice under conditions that must not matter, and what they show."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.random import Generator

from swarmkit import Budget, Problem, Result, SwarmkitError
from swarmkit_arena.families import ALONE, FAMILIES, PAIRS, Family, independent_values
from swarmkit_arena.process import ContestantProcess
from swarmkit_arena.remote import Conditions, RemoteSolver
from swarmkit_arena.rules import Breach, Reason, distinct_reasons, is_below
from swarmkit_arena.submission import Submission
from swarmkit_arena.trials import DIVIDED, MOVED, PIECES, WAIT, new_run, trial

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

Start = Callable[[int], ContestantProcess]
"""Starts a process of the submission with a seed of string hashes."""


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
    refusals: dict[str, str] = field(default_factory=dict)
    """The reasons of the solver for refusing the others."""
    facts: dict[str, Any] = field(default_factory=dict)
    """What the process says about itself when it is ready."""

    def run(self) -> list[Reason]:
        """Make all audits, and return the reasons to refuse the solver; none if it is in order."""
        processes: list[ContestantProcess] = []
        with ExitStack() as stack:

            def start(hash_seed: int) -> ContestantProcess:
                processes.append(stack.enter_context(ContestantProcess(self.submission, hash_seed=hash_seed)))
                return processes[-1]

            try:
                self._compare(start)
            except Breach as breach:
                self._is_noted(*processes)  # what it did explains more than what came of it
                self.reasons.append(breach.reason)
            except SwarmkitError as error:
                self._add("kit", str(error))
        self.reasons = distinct_reasons(self.reasons)
        return self.reasons

    def _compare(self, start: Start) -> None:
        """Make the runs of all families under different conditions; differences are reasons."""
        first = start(0)
        self.facts = first.ready
        instances = list(self._accepted(first))
        if self._is_noted(first) or not instances or self._waits(first, instances):
            return
        reads_what_it_counts(first, self.rng)  # on an instance for which a bound is known
        second = start(1)
        for problem in instances:
            if problem.structure.black_box:
                make_steps(first, problem)
            runs = [trial(first, problem, seed) for seed in SEEDS]
            self._check_bounds(runs)
            if self._is_noted(first) or self._remembers(start, second, problem, runs):
                return
            transfer = trial(first, problem, SEEDS[0], Conditions(second=second, pieces=PIECES))
            if runs[0].differences(transfer):
                self._explain(runs[0], transfer, trial(second, problem, SEEDS[0], Conditions(pieces=PIECES)))
            elif runs[0].differences(trial(second, problem, SEEDS[0], Conditions(wait=WAIT))):
                self._add("clock", "The run is another one when it has to wait.")
            if self._is_noted(first, second):
                return

    def _waits(self, process: ContestantProcess, instances: Sequence[Problem]) -> bool:
        """Whether the solver waits for a process outside: its runs depend on time, so only its answers are checked."""
        if not self.facts.get("waits"):
            return False
        if not self.submission.trusted:
            self._add("process", "It says that it waits for a process outside.")
            return True
        new_run(RemoteSolver(process), instances[0], SEEDS[0], Budget(seconds=WAITING_SECONDS)).run()
        self._is_noted(process)
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
                self.refusals[family.name] = reason

    def _remembers(self, start: Start, second: ContestantProcess, problem: Problem, runs: Sequence[Result]) -> bool:
        """Whether runs are others after other runs, or in another process; the reason is added.

        Args:
            start: starts a process.
            second: a process that makes the runs in the other order.
            problem: the instance.
            runs: the runs of a process, in the order of the seeds.
        """
        # In the other order: whatever a process remembers of one seed would help with the other.
        reverse = [trial(second, problem, seed) for seed in reversed(SEEDS)][::-1]
        if self._is_noted(second):
            return True
        if not any(a.differences(b) for a, b in zip(runs, reverse, strict=True)):
            return False
        # Both processes are new here: if they differ, memory is not the reason.
        fresh, again = (trial(start(hash_seed), problem, SEEDS[0]) for hash_seed in (0, 1))
        if fresh.differences(again):
            words = "it draws from something else than the generator"
            self._add("generator", f"Two processes make different runs with the same seed: {words}.")
        else:
            self._add("memory", "A run is another one after other runs in the same process: something is remembered.")
            transfer = trial(start(0), problem, SEEDS[0], Conditions(second=start(0)))
            if fresh.differences(transfer):
                self._add("state", MOVED)
        return True

    def _check_bounds(self, runs: Sequence[Result]) -> None:
        """Add a reason if a bound that one run claims to have proved is passed by the answer of another."""
        bounds = [run.bound for run in runs if run.bound is not None]
        best = max((run.score for run in runs if run.score is not None), default=-math.inf)
        if bounds and is_below(min(bounds), best):
            words = f"It claims that no solution scores more than {min(bounds):.6g}; another run of it has {best:.6g}."
            self._add("score", words)

    def _explain(self, whole: Result, transfer: Result, cut: Result) -> None:
        """Add why a run is another one when it is divided and moved: because of the one, or of the other, or both."""
        if whole.differences(cut):
            self._add("budget", DIVIDED)
        if transfer.differences(cut):
            self._add("state", MOVED)

    def _is_noted(self, *processes: ContestantProcess) -> bool:
        """Whether something that breaks a rule was seen in some processes; it is added to the reasons."""
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
    solver, copy = RemoteSolver(process), problem.with_own_meter()
    rng = np.random.default_rng(SEEDS[0])
    solver.refuses(copy)
    solver.prepare(copy)
    state = solver.start(copy, rng)
    for _ in range(STEPS):
        if solver.step(copy, state, rng).done:
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
    problem, terms = independent_values(rng), ALONE + PAIRS
    try:
        result = new_run(RemoteSolver(process), problem, SEEDS[0], FEW_LOOKS).run()
    except Breach:
        raise
    except SwarmkitError:  # it refuses the instance, or fails: other audits say so
        return
    looks = result.looks
    # The variance of a uniform value is 1/12; so is, at most, that of what a look adds.
    possible = terms / 2 + looks / 8 + DEVIATIONS * math.sqrt((terms + looks) / 12)
    if result.score is not None and result.score > possible:
        words = (
            f"After {looks:,} looks it has a score of {result.score:,.0f}; "
            f"whoever has read no more values cannot have more than {possible:,.0f}."
        )
        raise Breach("count", words)
