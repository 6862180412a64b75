"""A solver in another process as the harness has it: what it finds is checked, what it asks is answered and counted."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.random import Generator

from swarmkit.arena.messages import Message
from swarmkit.arena.mirror import description
from swarmkit.arena.process import ContestantProcess
from swarmkit.arena.rules import Breach
from swarmkit.arena.run_generator import take_generator
from swarmkit.contract.arrays import Solutions
from swarmkit.contract.problem import Problem
from swarmkit.contract.solver import GRAIN, UNLIMITED, WHOLE_STEP, Found, Left, Solver
from swarmkit.contract.validation import evaluate, judge
from swarmkit.running.incumbent import TOLERANCE

LARGEST_UNIT = 20 * GRAIN
"""By how many looks a step may exceed what is left; by GRAIN, where a submitted solver says that it can pause."""

INTO_STEP = 0.002
"""Seconds into a step at which a solver that has to wait is stopped."""

MOVES = 8
"""The first steps before which State moves between processes; then it moves four times while their number doubles."""

FREE_ROWS = 100
"""Solutions that may be scored before the first step without being reported: a population to start with."""

UNCOUNTED = 1.25
"""The looks that a process may have seen for each that is reported: to score an answer again is no cheat."""

WAITING_STEPS = 2
"""Steps in which a solver has to wait, if at all: the pace of a run follows the clock."""


@dataclass
class Served:
    """What a run has asked about a black box."""

    rows: int = 0
    """The rows scored so far."""
    most: int | None = None
    """The rows that count: the budget of the run."""
    best: Solutions | None = None
    """The best feasible row among those that count."""
    score: float = -np.inf


class Conditions(NamedTuple):
    """Conditions of a run that must not matter."""

    other: ContestantProcess | None = None
    """A second process of the solver: State moves from one to the other before steps."""
    cut: int = UNLIMITED
    """The most looks that a step is told to make."""
    wait: float = 0.0
    """Seconds for which the process is stopped in each of its first steps, while clocks go on."""


USUAL = Conditions()


class RemoteSolver(Solver[None]):
    """A solver in a process of its own.

    Args:
        process: the process.
        evaluations: the rows of a black box that count; what is scored later is answered, and ignored.
        conditions: what must not matter.
    """

    def __init__(
        self, process: ContestantProcess, evaluations: int | None = None, conditions: Conditions = USUAL
    ) -> None:
        super().__init__()
        self._process, self._other, self._conditions = process, conditions.other, conditions
        self._served = Served(most=evaluations)
        self._steps, self._best = 0, -np.inf
        pauses = bool(process.ready.get("takes_left")) and not process.trusted
        self._largest_unit = GRAIN if pauses else LARGEST_UNIT
        self._waits = bool(process.ready.get("waits"))
        self._read = self._reported = 0
        """The looks that its process has counted, and those that it has reported."""

    @property
    def waits(self) -> bool:
        """Whether the solver says that it may wait for a process outside."""
        return self._waits

    def refuses(self, problem: Problem) -> str | None:
        """Send the instance, and return the reason why the solver refuses it."""
        self._served = Served(most=self._served.most)
        told, arrays = description(problem)
        replies = [
            process.ask("open", {"problem": told}, arrays=arrays, serve=self._serving(problem))
            for process in (self._process, self._other)
            if process is not None
        ]
        self._read, self._reported = _looks_of(replies[0]), 0
        reason = replies[0].body.get("refuses")
        return None if reason is None else str(reason)

    def prepare(self, problem: Problem) -> None:
        """Let the solver prepare; rows that it scores count."""
        self._read += _looks_of(self._process.ask("prepare", serve=self._serving(problem)))
        if self._other is not None:
            self._other.ask("prepare", serve=self._serving(problem))

    def start(self, problem: Problem, rng: Generator) -> None:
        """Let the solver start; the state stays with it."""
        reply = self._process.ask("start", {"rng": _plain(rng)}, serve=self._serving(problem))
        take_generator(rng, reply.body.get("rng"))
        self._read = max(0, self._read + _looks_of(reply) - FREE_ROWS * len(problem.sizes))

    def step(self, problem: Problem, state: None, rng: Generator, left: Left = WHOLE_STEP) -> Found:
        """Let the solver make a step, and check what it says."""
        before = self._served.rows
        if self._other is not None and is_move(self._steps):
            self._move_state()
        left = left._replace(looks=min(left.looks, self._conditions.cut))
        body = {"rng": _plain(rng), "left": [left.looks, left.evaluations, left.iterations, _finite(left.seconds)]}
        with self._waiting():
            reply = self._process.ask("step", body, serve=self._serving(problem))
        take_generator(rng, reply.body.get("rng"))
        found = _found(reply.body, reply.arrays.get("solution"))
        self._steps += 1
        self._waits = bool(reply.body.get("waits"))
        if self._waits and not self._process.trusted:
            raise Breach("process", "It says that it waits for a process outside.")
        self._read += _looks_of(reply)
        self._reported += found.looks
        self._check_counts(problem, found, left, self._served.rows - before, reply.body.get("rows"))
        return self._within_budget(self._bounded(_checked(problem, found)))

    def _bounded(self, found: Found) -> Found:
        """Return what a step says, if the bound that it claims is not below the best answer so far."""
        self._best = max(self._best, -np.inf if found.score is None else found.score)
        if found.bound is not None and found.bound < self._best - TOLERANCE * max(1.0, abs(self._best)):
            words = (
                f"It claims that no solution scores more than {found.bound:.6g}; one of its own has {self._best:.6g}."
            )
            raise Breach("score", words)
        return found

    @contextmanager
    def _waiting(self) -> Iterator[None]:
        """Stop the solver's process for a while in the middle of a step, if it has to wait."""
        if not self._conditions.wait or self._steps >= WAITING_STEPS:
            yield
            return
        stopping = threading.Timer(INTO_STEP, self._process.pause, [self._conditions.wait])
        stopping.start()
        try:
            yield
        finally:
            stopping.join()

    def stop(self) -> None:
        """Let the solver end what it has started; what was seen of its conduct comes with the reply."""
        with suppress(Breach):  # one that ended its process is being reported already
            self._process.ask("stop")

    def _move_state(self) -> None:
        """Continue in the other process, with nothing but the state."""
        assert self._other is not None  # noqa: S101  (for the type checker)
        try:
            saved = self._process.ask("save")
            self._other.ask("load", {"state": saved.body["state"]}, arrays=saved.arrays)
        except Breach as breach:
            raise Breach("state", f"Its State cannot be saved and restored: {breach}") from None
        self._process, self._other = self._other, self._process

    def _serving(self, problem: Problem) -> Any:
        """Return what answers the questions of the solver about a black box; None where it has tables."""
        return self._serve(problem) if problem.structure.black_box else None

    def _serve(self, problem: Problem) -> Any:
        n, sizes = len(problem.sizes), np.asarray(problem.sizes)

        def serve(what: str, X: Any, stage: int) -> Any:
            if X.ndim != 2 or X.shape[1] != n or X.dtype.kind not in "iub":
                return f"expected rows of {n} integers, got the shape {X.shape} and the type {X.dtype}"
            X = X.astype(np.int64)
            if (X >= sizes).any() or (X < (0 if what != "allowed" else -1)).any():
                return "a candidate number is out of range"
            if what == "feasible":
                return np.asarray(problem.feasible(X), bool)
            if what == "allowed":
                return np.asarray(problem.allowed(X, stage), bool) if 0 <= stage < n else "there is no such stage"
            return self._score(problem, X)

        return serve

    def _score(self, problem: Problem, X: Solutions) -> Any:
        """Score rows, count them, and keep the best of those that count."""
        served = self._served
        scores = evaluate(problem, X)
        counting = len(X) if served.most is None else max(0, min(len(X), served.most - served.rows))
        served.rows += len(X)
        for i in np.argsort(-scores[:counting], kind="stable"):
            if scores[i] <= served.score:
                break
            if judge(problem, X[i][None])[0]:
                served.best, served.score = X[i].copy(), float(scores[i])
                break
        return scores

    def _check_counts(self, problem: Problem, found: Found, left: Left, rows: int, counted: Any) -> None:
        """Check the rows of a step, and that the solver's own count of all rows is the referee's.

        Args:
            problem: the instance.
            found: what the step says.
            left: what it was told.
            rows: the rows that it has scored here.
            counted: the rows of the whole run as its process counts them.
        """
        n = len(problem.sizes)
        spent, told = max(rows * n, found.looks), min(left.looks, left.evaluations * n)
        if spent > told + self._largest_unit:
            most = f"a unit of work has {self._largest_unit:,} at most"
            words = f"Told to pause after {told:,} looks, a step takes {spent:,}; {most}."
            raise Breach("budget", words)
        if problem.structure.black_box and self._other is None and counted != self._served.rows:
            raise Breach("count", f"It has scored {self._served.rows:,} solutions and counted {counted!s:.20}.")
        if not problem.structure.black_box and self._read > UNCOUNTED * self._reported:
            raise Breach("count", f"It has made {self._read:,} looks at least, and reports {self._reported:,}.")

    def _within_budget(self, found: Found) -> Found:
        """Return what was found within the budget: of a step that exceeds it, the best row that counts."""
        served = self._served
        if served.most is None or served.rows <= served.most:
            return found
        if served.best is None:
            return found._replace(solution=None, score=None)
        return found._replace(solution=served.best, score=served.score)


def is_move(steps: int) -> bool:
    """Whether State moves before the next step.

    >>> [steps for steps in range(40) if is_move(steps)][7:]
    [7, 8, 10, 12, 14, 16, 20, 24, 28, 32]
    """
    return steps < MOVES or steps % (1 << (steps.bit_length() - 3)) == 0


def _checked(problem: Problem, found: Found) -> Found:
    """Return what a step says, if it is right.

    Raises:
        Breach: the solution is none, or its score is another one.
    """
    if found.solution is None or found.score is None:
        return found._replace(solution=None, score=None)
    x = found.solution
    n = len(problem.sizes)
    if x.shape != (n,) or (x < 0).any() or (x >= np.asarray(problem.sizes)).any():
        raise Breach("feasible", "It reports a solution that is none: a candidate number is out of range.")
    own = problem.with_own_meter()  # looked at by the referee: not an evaluation of the solver
    if not judge(own, x[None])[0]:
        raise Breach("feasible", "It reports a solution that is not feasible.")
    score = float(evaluate(own, x[None])[0])
    if not abs(score - found.score) <= TOLERANCE * max(1.0, abs(score)):
        raise Breach("score", f"It claims a score of {found.score:.6g}; the problem says {score:.6g}.")
    return found


def _found(body: dict[str, Any], solution: Any) -> Found:
    """Return the reply to a step as a `Found`."""
    try:
        bound, score = (None if body[name] is None else float(body[name]) for name in ("bound", "score"))
        found = Found(solution, score, int(body["looks"]), int(body["iterations"]), bool(body["done"]), bound)
        if solution is not None and solution.dtype != np.int64:
            raise ValueError("a solution of another type")
    except (KeyError, TypeError, ValueError):
        raise Breach("harness", "It replies to a step with something else.") from None
    if found.looks < 0 or found.iterations < 0:
        raise Breach("count", f"A step reports {found.looks} looks and {found.iterations} iterations.")
    return found


def _looks_of(reply: Message) -> int:
    """Return the looks that the process of a solver has counted since its last reply."""
    read = reply.body.get("read", 0)
    return read if isinstance(read, int) else 0


def _plain(rng: Generator) -> Any:
    return rng.bit_generator.state


def _finite(seconds: float) -> float:
    return min(seconds, 1e9)
