"""The process of a solver: it imports the file and does what the referee asks, one message after the other.

Started as `python -m swarmkit.arena.contestant RECEIVING SENDING` with two file descriptors. Nothing that this process
says is believed where the referee can know better: scores of black boxes, counts, budgets and random numbers are its.
"""

from __future__ import annotations

import random
import sys
import traceback
from pathlib import Path
from typing import Any

import numpy as np

from swarmkit.arena.clocks import change_clocks
from swarmkit.arena.conduct import Conduct
from swarmkit.arena.integrity import ROOMS, Snapshot, changes, import_core, take_snapshot
from swarmkit.arena.messages import Channel, Message
from swarmkit.arena.mirror import TABLES, computed_members, mirror
from swarmkit.arena.reads import Reads
from swarmkit.arena.rules import Breach, Reason
from swarmkit.arena.sandbox import Limits, restrict
from swarmkit.arena.submission import Submission, load_submission
from swarmkit.contract.meter import StepCut
from swarmkit.contract.problem import Problem
from swarmkit.contract.solver import Solver, take_steps
from swarmkit.running.checkpoint import state_types
from swarmkit.running.codec import pack, unpack
from swarmkit.running.workers import initialise


class Contestant:
    """A solver that is asked by messages.

    Args:
        channel: the pipes to the referee.
        told: the submission, limits, and the speed of clocks.
    """

    def __init__(self, channel: Channel, told: dict[str, Any]) -> None:
        self._channel = channel
        self._problem: Problem
        self._members: set[str] = set()
        self._state: Any = None
        network = restrict(Limits(**told["limits"]))
        import_core((*ROOMS, "testing") if told["kit"] else ROOMS)
        submission = Submission(**told["submission"])
        self._conduct = Conduct(submission.owns, submission.trusted)
        change_clocks(self._conduct, submission.owns, told["speed"])
        self._reads = Reads(submission.owns)
        if not submission.trusted:
            self._reads.watch()
        self.before = take_snapshot()
        self._conduct.watch()
        self._generators = _global_generators()
        self._solver = self._loaded(submission)
        self._own_generators = self._generators_of_solver()
        self.ready = {
            "name": type(self._solver).__name__,
            "params": self._solver.params.model_dump(mode="json"),
            "waits": bool(self._solver.waits),
            "without_network": network,
        }

    def _loaded(self, submission: Submission) -> Solver[Any]:
        """Return the solver of a submission; if it cannot be imported, what it did meanwhile explains more."""
        try:
            return load_submission(submission, self._conduct)
        except Breach as breach:
            for seen in self._conduct.take():
                raise Breach(seen.rule, f"{seen.words} {breach}") from None
            raise

    def answer(self, asked: Message) -> Message:
        """Return the reply to a request: what it asks for, with what was seen of the solver's conduct."""
        try:
            found = getattr(self, f"_{asked.body['ask']}")(asked)
            reply = found if isinstance(found, Message) else Message(found or {})
        except StepCut:
            reply = Message({"cut": True})
        except Exception as error:
            last = traceback.extract_tb(error.__traceback__)[-1]
            where = f"{Path(last.filename).name}:{last.lineno}"
            reply = Message({"error": f"{type(error).__name__}: {error}"[:500], "where": where})
        reasons = [reason.model_dump() for reason in self._seen()]
        return Message({**reply.body, "reasons": reasons}, reply.arrays)

    def _seen(self) -> list[Reason]:
        """Return what was seen since the last reply."""
        if _global_generators() != self._generators:
            self._conduct.note("generator", "It draws from a global generator, or seeds it.")
            self._generators = _global_generators()
        if self._generators_of_solver() != self._own_generators:
            self._conduct.note("generator", "It draws from a generator of its own, which is not that of the run.")
            self._own_generators = self._generators_of_solver()
        return self._conduct.take()

    def _generators_of_solver(self) -> list[Any]:
        """Return the states of the generators that its module, its class and the solver itself keep."""
        kind = type(self._solver)
        owners = (sys.modules.get(kind.__module__), kind, self._solver)
        kept = [value for owner in owners for value in getattr(owner, "__dict__", {}).values()]
        drawn = [value.bit_generator.state for value in kept if isinstance(value, np.random.Generator)]
        legacy = [str(value.get_state()) for value in kept if isinstance(value, np.random.RandomState)]
        return [str(drawn), legacy, [value.getstate() for value in kept if isinstance(value, random.Random)]]

    def _open(self, asked: Message) -> dict[str, Any]:
        """Take an instance; reply with the reason why the solver refuses it."""
        self._problem = mirror(asked.body["problem"], asked.arrays, self._ask)
        self._members = set(vars(self._problem)) | computed_members(self._problem)
        self._kind, self._state = type(self._problem), None
        self._opened = self._shape()
        self._reads.take()
        return {"refuses": self._solver.refuses(self._problem), "read": self._reads.take()}

    def _prepare(self, asked: Message) -> dict[str, Any]:
        self._solver.prepare(self._problem)
        return {"read": self._reads.take()}

    def _start(self, asked: Message) -> dict[str, Any]:
        rng = _generator(asked.body["rng"])
        self._state = self._solver.start(self._problem, rng)
        self._check_problem()
        return {"rng": rng.bit_generator.state, "read": self._reads.take()}

    def _steps(self, asked: Message) -> Message:
        rng = _generator(asked.body["rng"])
        found = take_steps(self._solver, self._problem, self._state, rng, int(asked.body["count"]))
        self._check_problem()
        body = {
            "rng": rng.bit_generator.state,
            "looks": int(found.looks),
            "iterations": int(found.iterations),
            "done": bool(found.done),
            "score": None if found.score is None else float(found.score),
            "bound": None if found.bound is None else float(found.bound),
            "rows": self._problem.evaluations,
            "read": self._reads.take(),
            "waits": bool(self._solver.waits),
        }
        return Message(body, {} if found.solution is None else {"solution": np.asarray(found.solution, np.int64)})

    def _check_problem(self) -> None:
        """Note if the solver has made something else of the problem."""
        if type(self._problem) is not self._kind:
            self._conduct.note("harness", "It changes the class of the problem.")
        if self._shape() != self._opened:
            self._conduct.note("harness", "It changes the sizes of the problem.")
        for name in set(vars(self._problem)) - self._members:
            if hasattr(self._kind, name):
                self._conduct.note("harness", f"It replaces '{name}' of the problem.")
            else:
                self._conduct.note("state", f"It keeps something on the problem: '{name}'.")
        form = self._problem.pairwise()
        if form is not None and any(getattr(form, name).flags.writeable for name in TABLES):
            self._conduct.note("harness", "It makes the tables of the problem writeable.")

    def _shape(self) -> tuple[list[int], bool]:
        return np.asarray(self._problem.sizes).tolist(), bool(self._problem.distinct)

    def _save(self, asked: Message) -> Message:
        tree, arrays = pack(self._state, state_types(self._solver))
        return Message({"state": tree}, arrays)

    def _load(self, asked: Message) -> None:
        self._state = unpack(asked.body["state"], dict(asked.arrays), state_types(self._solver))

    def _finish(self, asked: Message) -> None:
        """Ask for a report before time is up."""
        self._solver.finish(self._problem, self._state)

    def _stop(self, asked: Message) -> None:
        """End what the solver has started."""
        self._solver.stop()

    def _kit(self, asked: Message) -> dict[str, Any]:
        """Run the conformance kit; reply with its counts and the checks that failed."""
        from swarmkit.testing import ConformanceError, check_solver

        try:
            report = check_solver(self._solver, examples=asked.body["examples"])
        except ConformanceError as error:
            report = error.report
        counts = {status: len(report.of(status)) for status in ("passed", "failed", "skipped")}
        return {**counts, "failures": [[one.name, one.detail[:400]] for one in report.of("failed")]}

    def _ask(self, what: str, X: Any, stage: int) -> Any:
        """Ask the referee about rows of the instance; it may reply that the step ends here."""
        self._channel.send({"asks": what, "stage": stage}, {"X": X})
        reply = self._channel.receive()
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


def main() -> None:
    """Serve until the referee closes the pipe."""
    channel = Channel(int(sys.argv[1]), int(sys.argv[2]))
    sys.argv[1:] = []  # they differ from process to process
    told = channel.receive().body
    initialise(int(told["parent"]), by_main_thread=bool(told["by_main_thread"]))
    try:
        contestant = Contestant(channel, told)
    except Exception as error:
        reason = getattr(error, "reason", None) or Reason(
            rule="loading", words=f"{type(error).__name__}: {error}"[:500]
        )
        channel.send({"reasons": [reason.model_dump()]})
        return
    serve(channel, contestant, contestant.before)


def serve(channel: Channel, contestant: Contestant, before: Snapshot) -> None:
    """Answer requests until the referee closes the pipe; see after each run whether all modules are as they were.

    Args:
        channel: the pipes to the referee.
        contestant: what answers.
        before: the modules as they were before the submission was imported.
    """
    asked, reply = Message({"ask": "stop"}), contestant.answer(Message({"ask": "stop"}))
    reply.body["ready"] = contestant.ready
    while True:
        if asked.body.get("ask") in ("stop", "kit") and (changed := changes(before)):
            more = f" and {len(changed) - 3} more" if len(changed) > 3 else ""
            words = f"It changes {', '.join(changed[:3])}{more}."
            reply.body["reasons"].append(Reason(rule="harness", words=words).model_dump())
        channel.send(reply.body, reply.arrays)
        try:
            asked = channel.receive()
        except EOFError:
            return
        reply = contestant.answer(asked)


if __name__ == "__main__":
    main()
