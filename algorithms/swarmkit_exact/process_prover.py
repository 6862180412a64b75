"""What the solvers have in common that prove in a process of their own."""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass
from typing import Any, ClassVar, Protocol

from numpy.random import Generator

from swarmkit import Ints, Problem, Prover, StepResult, evaluate
from swarmkit_exact.process import Process

GRACE = 10.0
"""Seconds for reading the problem and writing the answer, in addition to the search; then the process is killed."""

TOLERANCE = 1e-6
"""By how much the bound of a proved optimum may be off, relative to the score: that of HiGHS and of CP-SAT."""

POLL = 0.05
"""Seconds that a step waits for the process: limits on seconds are kept, and Ctrl-C is heard in time."""


@dataclass
class Proof:
    """Nothing but an identity, by which a solver knows its process: a resumed run has another, and starts another."""


class Task(Protocol):
    """A problem as the process takes it."""

    @property
    def entries(self) -> int:
        """The numbers that it is made of: the looks of a proof."""

    def solution(self, answer: list[int]) -> Ints:
        """Return an answer's solution as one of the problem."""

    def bound(self, answer: float) -> float:
        """Return an answer's bound as one of the scores."""


class ProcessProver(Prover[Proof]):
    """A solver that runs in a process of its own, for which its steps wait."""

    program: ClassVar[str]
    """Its function in `programs.py`."""

    def __init__(self, **params: Any) -> None:
        super().__init__(**params)
        self._running: tuple[Proof, Task, Process] | None = None
        """The process at work: the state and the task that it was started for."""

    @abstractmethod
    def task(self, problem: Problem) -> tuple[Task, dict[str, Any], float]:
        """Return the task, the arguments of the program, and the seconds that its search may take."""

    def start(self, problem: Problem, rng: Generator) -> Proof:
        """Return a proof that has not been started."""
        self.prepare(problem)
        return Proof()

    def step(self, problem: Problem, state: Proof, rng: Generator) -> StepResult:
        """Wait a moment for the process; the looks count when it has ended."""
        task, process = self._process(problem, state)
        answer = process.wait(POLL)
        return StepResult(None, None, looks=0, iterations=0) if answer is None else self._result(problem, task, answer)

    def finish(self, problem: Problem, state: Proof) -> None:
        """Ask the process for what it has proved so far: the time of the run is nearly up."""
        self._process(problem, state)[1].ask_to_report()

    def stop(self) -> None:
        """Kill the process, if there is one."""
        if self._running is not None:
            self._running[2].kill()
            self._running = None

    def __getstate__(self) -> dict[str, Any]:
        """Leave the process out of copies, which may go to another process."""
        return vars(self) | {"_running": None}

    def _result(self, problem: Problem, task: Task, answer: dict[str, Any]) -> StepResult:
        self.stop()
        bound = task.bound(answer["bound"]) if answer.get("bound") is not None else None
        if answer.get("solution") is None:
            return StepResult(None, None, task.entries, done=True, bound=bound)
        x = task.solution(answer["solution"])
        score = float(evaluate(problem, x[None])[0])
        if bound is not None:
            # What is proved is proved within the tolerance of floating point.
            bound = (
                score if answer.get("proved") and bound - score <= TOLERANCE * (1.0 + abs(score)) else max(bound, score)
            )
        return StepResult(x, score, task.entries, done=True, bound=bound)

    def _process(self, problem: Problem, state: Proof) -> tuple[Task, Process]:
        """Return the process of a state and its task, started if this is the first step or the run goes on."""
        if self._running is None or self._running[0] is not state:
            self.stop()
            task, arguments, seconds = self.task(problem)
            self._running = state, task, Process(self.program, arguments, seconds + GRACE, GRACE)
        return self._running[1:]
