"""The process of a solver: it imports the file and does what the referee asks, one message after the other.

Started by `swarmkit_arena.restrictions` with a file descriptor, and whether the network is gone. Nothing that this
process says is believed where the referee can know better: scores of black boxes, counts, budgets and random numbers.
"""

from __future__ import annotations

import ctypes
import os
import random
import signal
import sys
import traceback
from contextlib import suppress
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

import numpy as np

from swarmkit import Problem, Solver, StepCut, pack_state, take_steps, unpack_state
from swarmkit_arena.audit_log import AuditLog
from swarmkit_arena.integrity import PACKAGES, Snapshot, changes, import_core, take_snapshot
from swarmkit_arena.messages import Message, receive, send
from swarmkit_arena.mirror import TABLES, computed_members, mirror
from swarmkit_arena.reads import Reads
from swarmkit_arena.rules import Breach, Reason
from swarmkit_arena.submission import Submission, load_submission

PARENT_DEATH_SIGNAL = 1
"""The option of prctl(2) that lets the kernel send a signal when the parent ends."""


class Contestant:
    """A solver that is asked by messages.

    Args:
        connection: the pipe to the referee.
        submission: the solver.
        kit: whether the conformance kit will be run.
        without_network: whether the process has no network.
    """

    def __init__(self, connection: Connection, submission: Submission, kit: bool, without_network: bool) -> None:
        self._connection = connection
        self._problem: Problem
        self._members: set[str] = set()
        self._state: Any = None
        # The order matters: what is imported or replaced before the snapshot is ours, what changes after it is not.
        import_core((*PACKAGES, "swarmkit.testing") if kit else PACKAGES)
        self._log = AuditLog(submission.owns, submission.trusted)
        self._reads = Reads(submission.owns)
        if not submission.trusted:
            self._reads.watch()
        self.modules = take_snapshot()
        self._log.watch()  # from here on events count: imports of ours raise the same
        self._generators = _global_generators()
        self._solver = self._load(submission)
        self._own_generators = self._generators_of_solver()
        self.ready = {
            "name": type(self._solver).__name__,
            "params": self._solver.params.model_dump(mode="json"),
            "waits": bool(self._solver.waits),
            "without_network": without_network,
        }

    def _load(self, submission: Submission) -> Solver[Any]:
        """Return the solver of a submission; if it cannot be imported, what it did meanwhile explains more."""
        try:
            return load_submission(submission, self._log)
        except Breach as breach:
            for reason in self._log.take():
                raise Breach(reason.rule, f"{reason.words} {breach}") from None
            raise

    def answer(self, request: Message) -> Message:
        """Return the reply to a request: what it asks for, with what was seen meanwhile that breaks a rule."""
        try:
            result = getattr(self, f"_{request.body['ask']}")(request)
            reply = result if isinstance(result, Message) else Message(result or {})
        except StepCut:  # the limit of the referee, or one that the solver has raised itself: the referee knows
            reply = Message({"cut": True})
        except Exception as error:
            last = traceback.extract_tb(error.__traceback__)[-1]
            where = f"{Path(last.filename).name}:{last.lineno}"
            reply = Message({"error": f"{type(error).__name__}: {error}"[:500], "where": where})
        reasons = [reason.model_dump() for reason in self._seen()]
        return Message({**reply.body, "reasons": reasons}, reply.arrays)

    def _seen(self) -> list[Reason]:
        """Return what was seen since the last reply that breaks a rule."""
        if _global_generators() != self._generators:
            self._log.note("generator", "It draws from a global generator, or seeds it.")
            self._generators = _global_generators()
        if self._generators_of_solver() != self._own_generators:
            self._log.note("generator", "It draws from a generator of its own, which is not that of the run.")
            self._own_generators = self._generators_of_solver()
        return self._log.take()

    def _generators_of_solver(self) -> list[Any]:
        """Return the states of the generators that its module, its class and the solver itself keep."""
        kind = type(self._solver)
        owners = (sys.modules.get(kind.__module__), kind, self._solver)
        values = [value for owner in owners for value in getattr(owner, "__dict__", {}).values()]
        states = [value.bit_generator.state for value in values if isinstance(value, np.random.Generator)]
        legacy = [str(value.get_state()) for value in values if isinstance(value, np.random.RandomState)]
        return [str(states), legacy, [value.getstate() for value in values if isinstance(value, random.Random)]]

    def _open(self, request: Message) -> dict[str, Any]:
        """Take an instance; reply with the reason why the solver refuses it."""
        self._problem = mirror(request.body["problem"], request.arrays, self._ask)
        self._members = set(vars(self._problem)) | computed_members(self._problem)
        self._kind, self._state = type(self._problem), None
        self._shape = self._current_shape()
        self._reads.take()
        return {"refuses": self._solver.refuses(self._problem), "read": self._reads.take()}

    def _prepare(self, request: Message) -> dict[str, Any]:
        self._solver.prepare(self._problem)
        return {"read": self._reads.take()}

    def _start(self, request: Message) -> dict[str, Any]:
        rng = _generator(request.body["rng"])  # a new object for each call: one that was kept is another one
        self._state = self._solver.start(self._problem, rng)
        self._check_problem()
        return {"rng": rng.bit_generator.state, "read": self._reads.take()}

    def _steps(self, request: Message) -> Message:
        rng = _generator(request.body["rng"])
        result = take_steps(self._solver, self._problem, self._state, rng, int(request.body["count"]))
        self._check_problem()
        body = {
            "rng": rng.bit_generator.state,
            "looks": int(result.looks),
            "iterations": int(result.iterations),
            "done": bool(result.done),
            "score": None if result.score is None else float(result.score),
            "bound": None if result.bound is None else float(result.bound),
            "rows": self._problem.evaluations,
            "read": self._reads.take(),
            "waits": bool(self._solver.waits),
        }
        return Message(body, {} if result.solution is None else {"solution": np.asarray(result.solution, np.int64)})

    def _check_problem(self) -> None:
        """Note if the solver has made something else of the problem."""
        if type(self._problem) is not self._kind:
            self._log.note("harness", "It changes the class of the problem.")
        if self._current_shape() != self._shape:
            self._log.note("harness", "It changes the sizes of the problem.")
        for name in set(vars(self._problem)) - self._members:
            if hasattr(self._kind, name):
                self._log.note("harness", f"It replaces '{name}' of the problem.")
            else:
                self._log.note("state", f"It keeps something on the problem: '{name}'.")
        form = self._problem.pairwise()
        if form is not None and any(getattr(form, name).flags.writeable for name in TABLES):
            self._log.note("harness", "It makes the tables of the problem writeable.")

    def _current_shape(self) -> tuple[list[int], bool]:
        return np.asarray(self._problem.sizes).tolist(), bool(self._problem.distinct)

    def _save(self, request: Message) -> Message:
        tree, arrays = pack_state(self._solver, self._state)
        return Message({"state": tree}, arrays)

    def _load_state(self, request: Message) -> None:
        self._state = unpack_state(self._solver, request.body["state"], dict(request.arrays))

    def _finish(self, request: Message) -> None:
        """Ask for a report before time is up."""
        self._solver.finish(self._problem, self._state)

    def _stop(self, request: Message) -> None:
        """End what the solver has started."""
        self._solver.stop()

    def _kit(self, request: Message) -> dict[str, Any]:
        """Run the conformance kit; reply with its counts and the checks that failed."""
        from swarmkit.testing import ConformanceError, check_solver

        try:
            report = check_solver(self._solver, examples=request.body["examples"])
        except ConformanceError as error:
            report = error.report
        counts = {status: len(report.of(status)) for status in ("passed", "failed", "skipped")}
        return {**counts, "failures": [[check.name, check.detail[:400]] for check in report.of("failed")]}

    def _ask(self, what: str, X: Any, stage: int) -> Any:
        """Ask the referee about rows of the instance; it may reply that the step ends here."""
        send(self._connection, {"asks": what, "stage": stage}, {"X": X})
        reply = receive(self._connection)
        if "cut" in reply.body:
            raise StepCut(str(reply.body["cut"]))
        if "wrong" in reply.body:
            raise ValueError(reply.body["wrong"])
        return reply.arrays["values"]


def _generator(state: Any) -> np.random.Generator:
    """Return the generator of the run in the state that the referee sent."""
    generator = np.random.PCG64()
    generator.state = state
    return np.random.Generator(generator)


def _global_generators() -> tuple[Any, ...]:
    """Return the states of the generators that nobody should use."""
    legacy = np.random.get_state(legacy=False)["state"]  # noqa: NPY002  (only its state is read)
    return random.getstate(), legacy["key"].tobytes(), legacy["pos"]


def die_with(parent: int) -> None:
    """Let Linux kill this process when the referee's ends: it reads no pipe while a step does not end."""
    if sys.platform == "linux":
        with suppress(OSError, AttributeError):
            ctypes.CDLL(None).prctl(PARENT_DEATH_SIGNAL, int(signal.SIGKILL))
    if os.getppid() != parent:  # it has ended before
        os._exit(1)


def main() -> None:
    """Serve until the referee closes the pipe."""
    connection, without_network = Connection(int(sys.argv[1])), sys.argv[2] == "1"
    sys.argv[1:] = []  # they differ from process to process
    first = receive(connection).body
    die_with(int(first["parent"]))
    try:
        contestant = Contestant(connection, Submission(**first["submission"]), bool(first["kit"]), without_network)
    except Exception as error:
        words = f"{type(error).__name__}: {error}"[:500]
        reason = error.reason if isinstance(error, Breach) else Reason(rule="loading", words=words)
        send(connection, {"reasons": [reason.model_dump()]})
        return
    request, ready = Message({"ask": "stop"}), {"ready": contestant.ready}
    while True:
        reply = contestant.answer(request)
        if request.body.get("ask") in ("stop", "kit"):  # a run has ended: to compare modules takes longer than a step
            reply.body["reasons"] += [reason.model_dump() for reason in harness_reasons(contestant.modules)]
        send(connection, reply.body | ready, reply.arrays)
        ready = {}
        try:
            request = receive(connection)
        except EOFError:
            return


def harness_reasons(modules: Snapshot) -> list[Reason]:
    """Return a reason if modules are not as they were; no method, which would be replaced most easily."""
    names = changes(modules)
    more = f" and {len(names) - 3} more" if len(names) > 3 else ""
    return [Reason(rule="harness", words=f"It changes {', '.join(names[:3])}{more}.")] if names else []


if __name__ == "__main__":
    main()
