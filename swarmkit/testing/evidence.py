"""What the checks of a solver look at: runs on one small problem, whole, cut, resumed and counted."""

from __future__ import annotations

import copy
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from swarmkit.contract.arrays import Solutions
from swarmkit.contract.budget import Budget
from swarmkit.contract.errors import Refusal
from swarmkit.contract.problem import Problem
from swarmkit.contract.result import Result
from swarmkit.contract.solver import Solver, StepResult, take_steps
from swarmkit.running.decomposition import PartwiseSolver
from swarmkit.running.run import Run
from swarmkit.running.specification import make_spec
from swarmkit.testing.families import FAMILIES, LOOKS, Family, Shape
from swarmkit.testing.optimum import best_score
from swarmkit.testing.report import Skipped, expect

STEPS = 3
"""Steps that are looked at one by one."""

FIRST_TURN = LOOKS // 4
"""Looks of a part's first turn: in a run that is checked every part has its turn."""

AT_ONCE = 7
"""The most steps that are made in one call, where that must not matter."""


class Usage(NamedTuple):
    """What a solver has spent at one moment."""

    looks: int
    evaluations: int
    iterations: int


class Moment(NamedTuple):
    """What a solver has spent and reached after some steps."""

    usage: Usage
    score: float | None
    """The best score reported so far."""
    solution: list[int] | None
    """The first solution that had it."""


class EndPoint(NamedTuple):
    """Where a solver stands after some steps: the same however many of them were made at once."""

    steps: int
    moment: Moment
    generator: Any
    """The state of the random generator."""
    onward: tuple[Any, ...]
    """What one more step reports and costs: it depends on all of the solver's state. Nothing if it is done."""
    course: dict[int, Moment]
    """The moments after its calls, by the number of steps until then: at the end most solvers have the same best."""


@dataclass
class Evidence:
    """Runs of one solver on one small problem, each made when a check first needs it."""

    solver: Solver[Any]
    family: Family
    shape: Shape

    def __post_init__(self) -> None:
        # Resumed runs get this one: a solver that keeps something on itself must not be helped by its own past.
        self.original = copy.deepcopy(self.solver)
        """The solver as it was before its first run."""

    @cached_property
    def problem(self) -> Problem:
        """The problem; a check is skipped if the solver refuses it."""
        problem = self.family.make(self.shape)
        reason = method_for(self.solver, problem).refuses(problem)
        if reason:
            raise Skipped(f"refused: {reason}")
        if all(size == 1 for size in problem.sizes):
            raise Skipped("it has only one solution, which is found without the solver")
        return problem

    @property
    def seed(self) -> int:
        """The seed of the runs."""
        return self.shape.seed % 1000  # short enough to be typed again from a report

    @property
    def looks(self) -> int:
        """The looks of a run: enough to see whether it can be stopped, resumed and repeated."""
        return 2 * LOOKS if self.problem.parts else LOOKS  # every part has to have its turn

    @cached_property
    def steps(self) -> list[StepResult]:
        """What the solver reports, step by step."""
        driver = StepDriver(self.solver, self.problem, self.seed)
        while len(driver.results) < STEPS and not driver.done:
            driver.step()
        return driver.results

    def run(self, limits: Budget | None = None, observers: tuple[object, ...] = (), **inputs: Any) -> Run:
        """Return a run that has not started yet; a check is skipped if the solver refuses what the inputs leave.

        Args:
            limits: the limits of the run.
            observers: what observes it.
            inputs: solutions to begin with (`start`), or fixed stages (`fixed`).
        """
        spec = make_spec(self.problem, self.solver, self.seed, limits or Budget(), **inputs)
        try:
            return Run(self.problem, method_for(self.solver, self.problem), spec, observers=observers)
        except Refusal as refusal:
            raise Skipped(f"with fixed stages refused: {refusal.reason}") from None

    @cached_property
    def whole_run(self) -> Result:
        """A run from start to end."""
        return self.run().run(self.looks)

    def resume(self, moments: Sequence[int | None], **inputs: Any) -> Result:
        """Return a run that is saved and resumed several times, each time by a solver that knows nothing of it.

        Args:
            moments: the looks at which it is saved; None for one step after the last.
            inputs: what it begins with.
        """
        with tempfile.TemporaryDirectory() as folder:
            file, run = Path(folder) / "run.ckpt", self.run(**inputs)
            for looks in moments:
                run.run(run.progress.looks + 1 if looks is None else looks)
                run.save(file)
                # A copy of the solver before its first run: what a run has left on the solver would hide a fault.
                solver = method_for(copy.deepcopy(self.original), self.problem)
                run = Run.restore(file, self.family.make(self.shape), solver)
            return run.run(self.looks)

    @cached_property
    def single(self) -> EndPoint:
        """Where the solver stands after steps made one by one."""
        return StepDriver(self.solver, self.problem, self.seed).run(self.looks, lambda: 1)

    @cached_property
    def at_once(self) -> EndPoint:
        """Where it stands if several steps are made at once, each time from a copy of its state."""
        steps, rng = self.single.steps, np.random.default_rng(self.seed)  # before the rows are counted: it scores some
        driver = StepDriver(self.solver, self.problem, self.seed, copies=True)
        return driver.run(self.looks, lambda: int(rng.integers(1, AT_ONCE)), steps=steps or None)

    @cached_property
    def optimum(self) -> float | None:
        """The best score of all feasible solutions; None if there is none."""
        return best_score(self.problem)


class StepDriver:
    """A solver that is driven step by step, without a run around it.

    Args:
        solver: the solver.
        problem: the problem.
        seed: the seed of the generator.
        copies: whether every call goes on from a copy of the state, as after a limit.
    """

    def __init__(self, solver: Solver[Any], problem: Problem, seed: int, copies: bool = False) -> None:
        self.method, self.problem, self.copies = method_for(solver, problem), problem, copies
        self.rng = np.random.Generator(np.random.PCG64(seed))
        self.results: list[StepResult] = []
        self.course: dict[int, Moment] = {}
        self._score: float | None = None
        self._solution: list[int] | None = None
        self.count = self._looks = self._iterations = 0
        self._rows, self._row_looks = problem.evaluations, problem.evaluation_looks
        self.state = self.method.start(problem, self.rng)

    @property
    def done(self) -> bool:
        """Whether the solver has nothing more to do."""
        return bool(self.results) and self.results[-1].done

    @property
    def usage(self) -> Usage:
        """What the solver has spent, counted as a run counts it."""
        looks = max(self._looks, self.problem.evaluation_looks - self._row_looks)
        return Usage(looks, self.problem.evaluations - self._rows, self._iterations)

    def step(self, count: int = 1) -> None:
        """Make steps in one call."""
        waiting = bool(self.results) and self.results[-1].looks == 0  # a copy would begin its process once more
        # From a copy, as after a limit: whatever a step keeps outside of its state is missing there.
        self.state = copy.deepcopy(self.state) if self.copies and not waiting else self.state
        result = take_steps(self.method, self.problem, self.state, self.rng, count)
        # Copied: some solvers report an array of their state, and change it in the next step.
        self.results.append(result._replace(solution=copy.deepcopy(result.solution)))
        self.count += count if result.looks else 0  # a step that waits for a process is none
        self._looks += int(result.looks)
        self._iterations += int(result.iterations)
        better = result.score is not None and (self._score is None or result.score > self._score)
        if better and result.solution is not None:
            self._score, self._solution = float(result.score or 0.0), np.asarray(result.solution).tolist()
        if not result.done and not self.method.waits:  # else it is not known how many steps of the call were made
            self.course[self.count] = self.moment

    def run(self, looks: int, at_once: Callable[[], int], steps: int | None = None) -> EndPoint:
        """Make steps up to a number of looks, or of steps, then another one, and return where that leads.

        Args:
            looks: the looks after which no more steps are made.
            at_once: returns the number of steps of the next call.
            steps: the number of steps to make instead.
        """
        while not self.done and (self.usage.looks < looks if steps is None else self.count < steps):
            self.step(at_once() if steps is None else min(at_once(), steps - self.count))
        course, moment = dict(self.course), self.moment
        if self.done:
            return EndPoint(0, moment, None, (), course)
        generator, steps = copy.deepcopy(self.rng.bit_generator.state), self.count
        self.step()
        last = self.results[-1]
        solution = None if last.solution is None else np.asarray(last.solution).tolist()
        onward = (solution, last.score, last.looks, last.iterations, last.done)
        return EndPoint(steps, moment, generator, onward, course)

    @property
    def moment(self) -> Moment:
        """What the solver has spent and reached."""
        return Moment(self.usage, self._score, self._solution)


def method_for(solver: Solver[Any], problem: Problem) -> Solver[Any]:
    """Return the solver, or the one that applies it to the parts of a problem that has some."""
    return PartwiseSolver(solver, FIRST_TURN) if problem.parts else solver


def accepted_problem(solver: Solver[Any], seed: int = 1) -> Problem:
    """Return the first small problem that the solver does not refuse.

    Args:
        solver: the solver.
        seed: the seed of the problem's numbers.
    """
    for window in (2, 1):  # 1: some solvers need a chain
        for family in FAMILIES:
            problem = family.make(Shape(4, 3, window, "floats", seed))
            if not method_for(solver, problem).refuses(problem):
                return problem
    raise Skipped("it refuses every family of problems")


def expect_equal(run: Result, other: Result, otherwise: str) -> None:
    """Fail unless two runs are the same, with a sentence that ends with the names of what differs."""
    differences = run.differences(other)
    expect(not differences, f"{otherwise} {', '.join(differences)}")


def count_rows(problem: Problem) -> list[int]:
    """Let a problem, and its parts, count the rows passed to `score`; return the list that each call extends.

    >>> import numpy as np, swarmkit
    >>> problem = swarmkit.make_problem("synthetic", n=3)
    >>> rows = count_rows(problem)
    >>> _ = problem.score(np.zeros((5, 3), np.int64))
    >>> rows
    [5]
    """
    rows: list[int] = []
    for counted in (problem, *(part.problem for part in problem.parts)):
        kind = type(counted)
        counted.__class__ = type(kind.__name__, (kind,), {"score": _counting(kind, rows)})
    return rows


def _counting(kind: type[Problem], rows: list[int]) -> Any:
    def score(self: Problem, X: Solutions) -> Any:
        rows.append(len(X))
        return kind.score(self, X)

    return score
