"""What the checks of a solver look at: runs on one small problem, whole, cut, resumed and counted."""

from __future__ import annotations

import copy
import tempfile
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from swarmkit.contract.budget import Budget
from swarmkit.contract.problem import Problem
from swarmkit.contract.result import Result
from swarmkit.contract.solver import UNLIMITED, Found, Left, Solver
from swarmkit.running.decomposition import PartwiseSolver
from swarmkit.running.run import Run
from swarmkit.running.specification import make_spec
from swarmkit.testing.families import LOOKS, Family, Shape
from swarmkit.testing.optimum import best_score
from swarmkit.testing.report import Skipped

STEPS = 3
"""Steps that are looked at one by one."""

FIRST_TURN = LOOKS // 4
"""Looks of a part's first turn: in a run that is checked every part has its turn."""

SMALLEST = Left(1, 1, 1)
"""What is left when the next unit of work is the last one."""

SMALLEST_OF_PARTS = Left(1, 1)
"""The same on parts: which of them works next depends on the iterations left, as all have to reach the same number."""


class Spent(NamedTuple):
    """What a solver has spent at one moment."""

    looks: int
    evaluations: int
    iterations: int


class Ended(NamedTuple):
    """Where a solver stands after some steps: the same for the same run, however it was cut."""

    spent: Spent
    best: tuple[float | None, list[int] | None]
    generator: Any
    """The state of the random generator."""
    onward: tuple[Any, ...]
    """What one more whole step finds and costs: it depends on all of the solver's state. Nothing if it is done."""


@dataclass
class Evidence:
    """Runs of one solver on one small problem, each made when a check first needs it."""

    solver: Solver[Any]
    family: Family
    shape: Shape

    def __post_init__(self) -> None:
        self.untouched = copy.deepcopy(self.solver)
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
        return self.shape.seed % 1000

    @property
    def looks(self) -> int:
        """The looks of a run: enough to see whether it can be stopped, resumed and repeated."""
        return 2 * LOOKS if self.problem.parts else LOOKS

    @cached_property
    def steps(self) -> list[Found]:
        """What the solver reports, step by step."""
        driven = Driven(self.solver, self.problem, self.seed)
        while len(driven.found) < STEPS and not driven.done:
            driven.step(Left(looks=self.looks))
        return driven.found

    @cached_property
    def units(self) -> list[Spent]:
        """What is spent after each unit of work, up to the looks of a run: after each of the smallest steps."""
        driven = Driven(self.solver, self.problem, self.seed)
        spent = [driven.spent]
        while driven.spent.looks < self.looks and not driven.done:
            driven.step(SMALLEST_OF_PARTS if self.problem.parts else SMALLEST)
            spent.append(driven.spent)
        return spent

    def run(self, limits: Budget | None = None, observers: tuple[object, ...] = ()) -> Run:
        """Return a run that has not started yet."""
        spec = make_spec(self.problem, self.solver, self.seed, limits or Budget())
        return Run(self.problem, method_for(self.solver, self.problem), spec, observers=observers)

    @cached_property
    def uninterrupted(self) -> Result:
        """A run from start to end."""
        return self.run().go(self.looks)

    @cached_property
    def repeated(self) -> Result:
        """The same run once more."""
        return self.run().go(self.looks)

    @cached_property
    def resumed(self) -> Result:
        """The same run, saved several times and each time resumed from the file, by a solver that knows nothing of it.

        It is saved before the first step, after it, and at three random moments.
        """
        moments = np.random.default_rng(self.seed).integers(2, self.looks, 3)
        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder) / "run.ckpt"
            run = self._saved(self.run(), 0, file)
            run = self._saved(run, run.progress.looks + 1, file)
            for looks in sorted(moments.tolist()):
                run = self._saved(run, looks, file)
            return run.go(self.looks)

    def _saved(self, run: Run, looks: int, file: Path) -> Run:
        run.go(looks)
        if not file.exists():  # a restored run writes it itself
            run.save(file)
        return Run.restore(file, self.family.make(self.shape), method_for(copy.deepcopy(self.untouched), self.problem))

    @cached_property
    def whole(self) -> Ended:
        """Where the solver stands after one run without cuts of ours."""
        return Driven(self.solver, self.problem, self.seed).go(self.looks, lambda _: UNLIMITED)

    @cached_property
    def cut(self) -> Ended:
        """Where the same run stands if every step was told another limit."""
        rng = np.random.default_rng(self.seed)
        return Driven(self.solver, self.problem, self.seed).go(self.looks, lambda top: int(rng.integers(1, top)))

    @cached_property
    def optimum(self) -> float | None:
        """The best score of all feasible solutions; None if there is none."""
        return best_score(self.problem)


class Driven:
    """A solver that is driven step by step, without a run around it."""

    def __init__(self, solver: Solver[Any], problem: Problem, seed: int) -> None:
        self.method, self.problem = method_for(solver, problem), problem
        self.rng = np.random.Generator(np.random.PCG64(seed))
        self.found: list[Found] = []
        self._reported = self._iterations = 0
        self._rows, self._row_looks = problem.evaluations, problem.evaluation_looks
        self.state = self.method.start(problem, self.rng)

    @property
    def done(self) -> bool:
        """Whether the solver has nothing more to do."""
        return bool(self.found) and self.found[-1].done

    @property
    def spent(self) -> Spent:
        """What the solver has spent, counted as a run counts it."""
        looks = max(self._reported, self.problem.evaluation_looks - self._row_looks)
        return Spent(looks, self.problem.evaluations - self._rows, self._iterations)

    def step(self, left: Left) -> None:
        """Make one step."""
        found = self.method.advance(self.problem, self.state, self.rng, left)
        self.found.append(found._replace(solution=copy.deepcopy(found.solution)))
        self._reported += int(found.looks)
        self._iterations += int(found.iterations)

    def go(self, looks: int, cut: Any) -> Ended:
        """Make steps up to a number of looks, then a whole one more, and return where that leads.

        Args:
            looks: the looks after which no more steps are made.
            cut: returns the limit of the next step, given the largest sensible one.
        """
        while self.spent.looks < looks and not self.done:
            left = looks - self.spent.looks
            iterations = UNLIMITED if self.problem.parts else cut(4)
            self.step(Left(min(left, cut(looks)), cut(looks // len(self.problem.sizes) + 2), iterations))
        spent, best, generator = self.spent, self.best, copy.deepcopy(self.rng.bit_generator.state)
        if self.done:  # the last step was as long as its limit allowed
            return Ended(spent, best, generator, ())
        self.step(Left(looks=looks))
        last = self.found[-1]
        solution = None if last.solution is None else np.asarray(last.solution).tolist()
        return Ended(spent, best, generator, (solution, last.score, last.looks, last.iterations, last.done))

    @property
    def best(self) -> tuple[float | None, list[int] | None]:
        """The best score reported so far, and the first solution that had it."""
        scored = [(f.score, f.solution) for f in self.found if f.score is not None and f.solution is not None]
        if not scored:
            return None, None
        score, solution = max(scored, key=lambda pair: pair[0])
        return float(score), np.asarray(solution).tolist()


def method_for(solver: Solver[Any], problem: Problem) -> Solver[Any]:
    """Return the solver, or the one that applies it to the parts of a problem that has some."""
    return PartwiseSolver(solver, FIRST_TURN) if problem.parts else solver
