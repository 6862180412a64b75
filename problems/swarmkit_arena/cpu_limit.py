"""A limit on the CPU time of a run: of a solver in another process, or of one in this process."""

from __future__ import annotations

import resource
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from numpy.random import Generator

from swarmkit import NO_STEP, Problem, Solver, StepResult, take_steps

STEPS_SECONDS = 0.01
"""The CPU seconds of the steps that are made at once: what comes after the limit is lost."""

GROWTH = 8
"""At most this many times the steps of the last call: a step may take longer than the one before."""

LATE = 4.0
"""The first answer counts up to this multiple of the limit: the first step may be long."""


def own_cpu_seconds() -> float:
    """Return the CPU seconds of this process, and of those that it has started and that have ended."""
    usages = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(usage.ru_utime + usage.ru_stime for usage in usages)


class CpuLimited(Solver[Any]):
    """A solver whose runs end after some CPU seconds; what it reports later does not count.

    Args:
        solver: the solver.
        clock: returns the CPU seconds of its process.
        seconds: the limit, preparation included.
    """

    def __init__(self, solver: Solver[Any], clock: Callable[[], float], seconds: float) -> None:
        super().__init__()
        self._solver, self._clock, self._seconds = solver, clock, seconds
        self._at_once, self._has_answer = 1, False
        self.used = 0.0
        """The CPU seconds of the run so far."""
        self.looks = 0
        """The looks of the steps whose answers count."""

    @property
    def waits(self) -> bool:
        """Whether the solver may wait for a process outside."""
        return self._solver.waits

    def refuses(self, problem: Problem) -> str | None:
        """Return the reason of the solver for refusing an instance."""
        with self._counting():
            return self._solver.refuses(problem)

    def prepare(self, problem: Problem) -> None:
        """Let the solver prepare."""
        with self._counting():
            self._solver.prepare(problem)

    def start(self, problem: Problem, rng: Generator) -> Any:
        """Let the solver start."""
        with self._counting():
            return self._solver.start(problem, rng)

    def step(self, problem: Problem, state: Any, rng: Generator) -> StepResult:
        """Let the solver make a step."""
        return self._call(problem, state, rng, 1)

    def steps(self, problem: Problem, state: Any, rng: Generator, count: int) -> StepResult:
        """Let the solver make steps, as many at once as fit into a short time."""
        total = NO_STEP
        while count > 0 and not total.done:
            at_once = min(count, self._at_once)
            result = self._call(problem, state, rng, at_once)
            total, count = total.plus(result), count - at_once
            if result.looks == 0:  # it waits for a process: to ask again at once would only burn CPU time
                break
        return total

    def _call(self, problem: Problem, state: Any, rng: Generator, count: int) -> StepResult:
        """Let the solver make steps at once; drop what it reports too late."""
        before = self.used
        if before >= self._latest:
            return NO_STEP._replace(done=True)
        with self._counting():
            result = take_steps(self._solver, problem, state, rng, count)
        # The next call gets as many steps as fit, by the pace of this one.
        room = min(STEPS_SECONDS, max(0.0, self._seconds - self.used))
        self._at_once = max(1, min(int(count * room / max(self.used - before, 1e-6)), GROWTH * count))
        if self.used <= self._latest:
            self.looks += result.looks
            self._has_answer = self._has_answer or result.solution is not None
            return result
        return result._replace(solution=None, score=None, done=True)

    @property
    def _latest(self) -> float:
        """The CPU seconds up to which an answer counts."""
        return self._seconds * (1.0 if self._has_answer else LATE)

    def finish(self, problem: Problem, state: Any) -> None:
        """Let the solver ask a process outside for its report."""
        self._solver.finish(problem, state)

    def stop(self) -> None:
        """End what the solver has started."""
        self._solver.stop()

    @contextmanager
    def _counting(self) -> Iterator[None]:
        before = self._clock()
        try:
            yield
        finally:
            self.used += self._clock() - before
