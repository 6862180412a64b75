"""A solver in another process as the harness has it: what it finds is checked, what it asks is answered and counted."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import partial
from typing import Any, NamedTuple

import numpy as np
from numpy.random import Generator

from swarmkit import GRAIN, NO_STEP, Problem, Solutions, Solver, StepResult, evaluate
from swarmkit_arena.messages import Message
from swarmkit_arena.mirror import description
from swarmkit_arena.process import ContestantProcess
from swarmkit_arena.replies import check_bound, looks_in, step_result, take_generator
from swarmkit_arena.rules import Breach

LARGEST_STEP = 20 * GRAIN
"""The most looks of a step."""

INTO_STEP = 0.002
"""Seconds into a step at which a solver that has to wait is stopped."""

FREE_ROWS = 100
"""Solutions that may be scored before the first step without being reported: a population to start with."""

SLACK = 1.25
"""The looks that a process may have seen for each that is reported: to score an answer again is no cheat."""

WAITING_CALLS = 2
"""Calls in which a solver has to wait, if at all: the pace of a run follows the clock."""

MOVES = 8
"""The first calls before which State moves between processes; then it moves four times while their number doubles."""


class Conditions(NamedTuple):
    """Conditions of a run that must not matter."""

    second: ContestantProcess | None = None
    """A second process of the solver: State moves from one to the other before steps."""
    pieces: int = 1
    """The calls into which steps that are made at once are divided."""
    wait: float = 0.0
    """Seconds for which the process is stopped in each of its first calls, while clocks go on."""


USUAL = Conditions()


class RemoteState:
    """The state of a solver, which is in its process; a copy has it as a message.

    Args:
        fetch: returns the message.
        saved: the message, None if it has not been fetched since the last step.
    """

    def __init__(self, fetch: Callable[[], Message], message: Message | None = None) -> None:
        self._fetch, self._message = fetch, message

    def __deepcopy__(self, memo: object) -> RemoteState:
        return RemoteState(self._fetch, self.save())

    def save(self) -> Message:
        """Return the state as a message."""
        if self._message is None:
            self._message = self._fetch()
        return self._message

    def change(self) -> None:
        """Forget the message: the process is about to change the state."""
        self._message = None


def is_move(calls: int) -> bool:
    """Whether State moves before the next call.

    >>> [calls for calls in range(40) if is_move(calls)][7:]
    [7, 8, 10, 12, 14, 16, 20, 24, 28, 32]
    """
    return calls < MOVES or calls % (1 << (calls.bit_length() - 3)) == 0


@contextmanager
def saving() -> Iterator[None]:
    """Say of what fails inside that a State cannot be saved and restored."""
    try:
        yield
    except Breach as breach:
        raise Breach("state", f"Its State cannot be saved and restored: {breach}") from None


class RemoteSolver(Solver[RemoteState]):
    """A solver in a process of its own.

    Args:
        process: the process.
        conditions: what must not matter.
    """

    def __init__(self, process: ContestantProcess, conditions: Conditions = USUAL) -> None:
        super().__init__()
        self._process, self._second, self._conditions = process, conditions.second, conditions
        self._present: RemoteState | None = None
        """The state that the process has; None where a limit has ended a step."""
        self._calls, self._best = 0, -np.inf
        self._waits = bool(process.ready.get("waits"))
        self._rows = self._read = self._solver_looks = 0
        """The rows of a black box that were asked for; the looks that the process has counted; those it reports."""

    @property
    def waits(self) -> bool:
        """Whether the solver says that it may wait for a process outside."""
        return self._waits

    def refuses(self, problem: Problem) -> str | None:
        """Send the instance, and return the reason why the solver refuses it."""
        facts, arrays = description(problem)
        reply = self._ask_both("open", {"problem": facts}, arrays=arrays, serve=self._serving(problem))
        self._rows, self._read, self._solver_looks = 0, looks_in(reply), 0
        reason = reply.body.get("refuses")
        return None if reason is None else str(reason)

    def prepare(self, problem: Problem) -> None:
        """Let the solver prepare; the rows of a black box are not yet scored."""
        self._read += looks_in(self._ask_both("prepare", serve=self._serving(problem)))

    def _ask_both(self, question: str, body: dict[str, Any] | None = None, **options: Any) -> Message:
        """Send a request to all processes of the solver, and return the reply of the one that begins."""
        if self._second is not None:
            self._second.ask(question, body, **options)
        return self._process.ask(question, body, **options)

    def start(self, problem: Problem, rng: Generator) -> RemoteState:
        """Let the solver start; the state stays with it."""
        reply = self._process.ask("start", {"rng": rng.bit_generator.state}, serve=self._serving(problem, steps=1))
        take_generator(rng, reply.body.get("rng"))
        # What `start` scores is reported by no step.
        self._read = max(0, self._read + looks_in(reply) - FREE_ROWS * len(problem.sizes))
        self._present = RemoteState(self._fetch_state)
        return self._present

    def step(self, problem: Problem, state: RemoteState, rng: Generator) -> StepResult:
        """Let the solver make a step, and check what it says."""
        return self.steps(problem, state, rng, 1)

    def steps(self, problem: Problem, state: RemoteState, rng: Generator, count: int) -> StepResult:
        """Let the solver make steps, in as many calls as the conditions say, and check what it says."""
        at_once, total = -(-count // self._conditions.pieces), NO_STEP
        while count > 0 and not total.done:
            total = total.plus(self._call(problem, state, rng, min(at_once, count)))
            count -= at_once
        return total

    def _call(self, problem: Problem, state: RemoteState, rng: Generator, count: int) -> StepResult:
        self._bring(state)
        state.change()
        self._present = None  # until the call returns: a limit may end it, and the process has half a step
        with self._waiting():
            body = {"rng": rng.bit_generator.state, "count": count}
            reply = self._process.ask("steps", body, serve=self._serving(problem, count))
        self._present = state
        self._calls += 1
        take_generator(rng, reply.body.get("rng"))
        result = step_result(reply, problem)
        self._waits = bool(reply.body.get("waits"))
        if self._waits and not self._process.trusted:
            raise Breach("process", "It says that it waits for a process outside.")
        self._read += looks_in(reply)
        self._solver_looks += result.looks
        self._check_counts(problem, result, count, reply.body.get("rows"))
        self._best = max(self._best, -np.inf if result.score is None else result.score)
        check_bound(result, self._best)
        return result

    @contextmanager
    def _waiting(self) -> Iterator[None]:
        """Stop the solver's process for a while in the middle of a step, if it has to wait."""
        if not self._conditions.wait or self._calls >= WAITING_CALLS:
            yield
            return
        timer = threading.Timer(INTO_STEP, self._process.pause, [self._conditions.wait])
        timer.start()
        try:
            yield
        finally:
            timer.join()

    def finish(self, problem: Problem, state: RemoteState) -> None:
        """Let the solver ask a process outside for its report."""
        self._process.ask("finish", serve=self._serving(problem))

    def stop(self) -> None:
        """Let the solver end what it has started; what was seen of its conduct comes with the reply."""
        with suppress(Breach):  # one that ended its process is being reported already
            self._process.ask("stop")

    def _bring(self, state: RemoteState) -> None:
        """Bring a state to the process that makes the next steps, with nothing else."""
        moves = self._second is not None and is_move(self._calls)
        if state is self._present and not moves:
            return
        message = state.save()
        if moves and self._second is not None:  # the one that has made the last steps keeps its memory, and waits
            self._process, self._second = self._second, self._process
        with saving():
            self._process.ask("load_state", {"state": message.body["state"]}, arrays=message.arrays)

    def _fetch_state(self) -> Message:
        with saving():
            return self._process.ask("save")

    def _serving(self, problem: Problem, steps: int = 0) -> Any:
        """Return what answers the questions of the solver about a black box; None where it has tables.

        Args:
            problem: the instance.
            steps: the steps under way, `start` included; before it nothing is scored.
        """
        row_limit = self._rows + steps * LARGEST_STEP // max(1, len(problem.sizes))
        return partial(self._serve, problem, row_limit) if problem.structure.black_box else None

    def _serve(self, problem: Problem, row_limit: int, question: str, X: Any, stage: int) -> Any:
        """Return the answer to a question about rows, or what is wrong with it.

        Args:
            problem: the instance.
            row_limit: the rows of the run up to which the steps under way may score.
            question: `score`, `feasible` or `allowed`.
            X: the rows.
            stage: the stage that it is about, if any.
        """
        n, sizes = len(problem.sizes), np.asarray(problem.sizes)
        # An error of a solver, such as a wrong shape, is answered like in its own process: by an exception there.
        if X.ndim != 2 or X.shape[1] != n or X.dtype.kind not in "iub":
            return f"expected rows of {n} integers, got the shape {X.shape} and the type {X.dtype}"
        X = X.astype(np.int64)
        if (X >= sizes).any() or (X < (0 if question != "allowed" else -1)).any():
            return "a candidate number is out of range"
        if question == "feasible":
            return np.asarray(problem.feasible(X), bool)
        if question == "allowed":
            return np.asarray(problem.allowed(X, stage), bool) if 0 <= stage < n else "there is no such stage"
        return self._score(problem, X, row_limit)

    def _score(self, problem: Problem, X: Solutions, row_limit: int) -> Any:
        """Count rows and score them by the meter of the run, which may end the step by `StepCut`."""
        if row_limit == self._rows:  # no step is under way
            raise Breach("count", "It scores solutions before the run begins.")
        self._rows += len(X)
        if self._rows > row_limit:
            raise Breach("budget", f"A step scores more rows than {LARGEST_STEP:,} looks allow.")
        return evaluate(problem, X)

    def _check_counts(self, problem: Problem, result: StepResult, count: int, rows: Any) -> None:
        """Check the looks of steps, and that the solver's own count of all rows is the referee's.

        Args:
            problem: the instance.
            result: what the steps report.
            count: their number.
            rows: the rows of the whole run as its process counts them.
        """
        if result.looks > count * LARGEST_STEP:
            raise Breach("budget", f"A step takes {result.looks // count:,} looks; {LARGEST_STEP:,} are the most.")
        # With two processes each has counted a part of the run.
        if problem.structure.black_box and self._second is None and rows != self._rows:
            raise Breach("count", f"It has scored {self._rows:,} solutions and counted {rows!s:.20}.")
        if not problem.structure.black_box and self._read > SLACK * self._solver_looks:
            raise Breach("count", f"It has made {self._read:,} looks at least, and reports {self._solver_looks:,}.")
