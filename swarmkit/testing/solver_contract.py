"""The contract of solvers as checks. Each examines runs of a solver on one small problem."""

from __future__ import annotations

import copy
import itertools
import random
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

from swarmkit.contract.budget import Budget, budget
from swarmkit.contract.problem import Problem
from swarmkit.contract.result import Result
from swarmkit.contract.solver import Found, Solver
from swarmkit.contract.validation import evaluate, judge
from swarmkit.running.api import solve_many
from swarmkit.running.run import TOLERANCE, Run
from swarmkit.running.specification import make_spec
from swarmkit.testing.families import FAMILIES, Family, Shape
from swarmkit.testing.report import Skipped, expect
from swarmkit.testing.subprocess_run import run_here, run_in_subprocess

STEPS = 3
"""Steps of a run: enough to see whether it can be stopped, resumed and repeated."""


@dataclass
class Evidence:
    """Runs of one solver on one small problem, each made when a check first needs it."""

    solver: Solver[Any]
    family: Family
    shape: Shape

    @cached_property
    def problem(self) -> Problem:
        """The problem; a check is skipped if the solver refuses it."""
        problem = self.family.make(self.shape)
        reason = self.solver.refuses(problem)
        if reason:
            raise Skipped(f"refused: {reason}")
        if all(size == 1 for size in problem.sizes):
            raise Skipped("it has only one solution, which is found without the solver")
        return problem

    @cached_property
    def steps(self) -> list[Found]:
        """What the solver reports, step by step."""
        rng = np.random.default_rng(self.seed)
        state = self.solver.start(self.problem, rng)
        found: list[Found] = []
        while len(found) < STEPS and not (found and found[-1].done):
            step = self.solver.step(self.problem, state, rng)
            found.append(step._replace(solution=copy.deepcopy(step.solution)))
        return found

    @property
    def seed(self) -> int:
        """The seed of the runs."""
        return self.shape.seed % 1000

    def run(self, limits: Budget | None = None, observers: tuple[object, ...] = ()) -> Run:
        """Return a run that has not started yet."""
        spec = make_spec(self.problem, self.solver, self.seed, limits or budget())
        return Run(self.problem, self.solver, spec, observers=observers)

    @cached_property
    def uninterrupted(self) -> Result:
        """A run from start to end."""
        return self.run().go(STEPS)

    @cached_property
    def repeated(self) -> Result:
        """The same run once more."""
        return self.run().go(STEPS)

    @cached_property
    def resumed(self) -> Result:
        """The same run, saved after its first step and resumed from the file."""
        first = self.run()
        first.go(1)
        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder) / "run.ckpt"
            first.save(file)
            return Run.restore(file, self.family.make(self.shape), self.solver).go(STEPS)

    @cached_property
    def optimum(self) -> float | None:
        """The best score of all feasible solutions, by enumeration; None if there is none."""
        sizes = self.problem.sizes
        every = (
            itertools.permutations(range(sizes[0]), len(sizes))
            if self.problem.distinct
            else itertools.product(*map(range, sizes))
        )
        X = np.array(list(every), np.int64)
        X = X[judge(self.problem, X)]
        return float(evaluate(self.problem, X).max()) if len(X) else None


def every_solution_is_feasible(seen: Evidence) -> None:
    """Judge every solution that a step reports."""
    for found in seen.steps:
        if found.solution is not None:
            x = np.asarray(found.solution)
            expect(judge(seen.problem, x[None])[0], f"{x} was reported and is not feasible")


def reported_scores_are_the_problems(seen: Evidence) -> None:
    """Score every reported solution again."""
    for found in seen.steps:
        expect((found.solution is None) == (found.score is None), "a solution and its score come together")
        if found.solution is not None and found.score is not None:
            score = float(evaluate(seen.problem, np.asarray(found.solution)[None])[0])
            near = abs(score - found.score) <= TOLERANCE * max(1.0, abs(score))
            expect(near, f"a score of {found.score} was reported; the problem says {score}")


def every_step_counts_its_looks(seen: Evidence) -> None:
    """Expect integers for looks and iterations, and at least one look per step."""
    for found in seen.steps:
        expect(int(found.looks) == found.looks >= 1, f"a step reported {found.looks} looks")
        expect(int(found.iterations) == found.iterations >= 0, f"a step reported {found.iterations} iterations")


def the_best_never_decreases(seen: Evidence) -> None:
    """Expect that the scores of the trace increase and end at the result's."""
    scores = seen.uninterrupted.trace.score
    expect(all(a < b for a, b in itertools.pairwise(scores)), f"the best score goes {scores}")
    expect(not scores or scores[-1] == seen.uninterrupted.score, "the trace does not end at the reported score")


def the_same_seed_gives_the_same_run(seen: Evidence) -> None:
    """Run twice and compare solution, score, looks, iterations, steps and trace."""
    different = seen.uninterrupted.differences(seen.repeated)
    expect(not different, f"two runs with seed {seen.seed} differ in {', '.join(different)}")


def a_resumed_run_equals_the_uninterrupted_run(seen: Evidence) -> None:
    """Save after one step, restore from the file, go on, and compare."""
    different = seen.uninterrupted.differences(seen.resumed)
    expect(not different, f"the resumed run differs in {', '.join(different)}")


def a_budget_is_kept_to_a_step(seen: Evidence) -> None:
    """Expect that the budget was not spent before the last step."""
    first = seen.steps[0].looks
    counted: list[int] = []

    class Counter:
        def swarmkit_stepped(self, run: Run) -> None:
            counted.append(run.progress.looks)

    seen.run(Budget(looks=first + 1), (Counter(),)).go()
    before_last = counted[-2] if len(counted) > 1 else 0
    expect(before_last < first + 1, f"a budget of {first + 1} looks was spent after {before_last}, and the run went on")


def never_better_than_the_optimum(seen: Evidence) -> None:
    """Compare the score with that of every solution."""
    if seen.uninterrupted.score is not None:
        if seen.optimum is None:
            raise AssertionError("a solution was reported where none is feasible")
        slack = TOLERANCE * max(1.0, abs(seen.optimum))
        expect(seen.uninterrupted.score <= seen.optimum + slack, f"{seen.uninterrupted.score} is above {seen.optimum}")


def a_proved_bound_holds(seen: Evidence) -> None:
    """Compare the bound with the score of every solution."""
    if seen.uninterrupted.bound is not None and seen.optimum is not None:
        slack = TOLERANCE * max(1.0, abs(seen.optimum))
        message = f"a bound of {seen.uninterrupted.bound} was claimed; a solution scores {seen.optimum}"
        expect(seen.uninterrupted.bound >= seen.optimum - slack, message)


def problem_and_global_generators_stay_untouched(seen: Evidence) -> None:
    """Compare the problem's arrays, and the states of the global random generators, before and after a step."""
    problem = seen.family.make(seen.shape)
    before = _arrays(problem)
    legacy, plain = np.random.get_state(legacy=False), random.getstate()  # noqa: NPY002  (only its state is read)
    rng = np.random.default_rng(seen.seed)
    if seen.problem is not None:  # accessing it skips the check if the solver refuses
        seen.solver.step(problem, seen.solver.start(problem, rng), rng)
    after = _arrays(problem)
    expect(all(np.array_equal(before[name], after[name]) for name in before), "the problem's arrays were changed")
    expect(random.getstate() == plain, "the global generator of 'random' was used")
    expect(_same(np.random.get_state(legacy=False), legacy), "the global generator of numpy was used")  # noqa: NPY002  (as above)


SolverCheck = Callable[[Evidence], None]
"""A check; it raises AssertionError if the solver breaks the contract, Skipped if the check does not apply."""

CHECKS: tuple[SolverCheck, ...] = (
    every_solution_is_feasible,
    reported_scores_are_the_problems,
    every_step_counts_its_looks,
    the_best_never_decreases,
    the_same_seed_gives_the_same_run,
    a_resumed_run_equals_the_uninterrupted_run,
    a_budget_is_kept_to_a_step,
    never_better_than_the_optimum,
    a_proved_bound_holds,
    problem_and_global_generators_stay_untouched,
)


def jobs_make_no_difference(solver: Solver[Any]) -> int:
    """Compare runs on one process with runs on two."""
    problem = _accepted_problem(solver)
    limits = Budget(iterations=2)
    one, two = (solve_many(problem, solver, 2, jobs=jobs, limits=limits) for jobs in (1, 2))
    for a, b in zip(one.runs, two.runs, strict=True):
        expect(not a.differences(b), f"with two processes the run differs in {', '.join(a.differences(b))}")
    return 2


def a_spawned_process_can_run_it(solver: Solver[Any]) -> int:
    """Compare a run here with a run in a newly started process."""
    if type(solver).__module__ == "__main__":
        raise Skipped("it is defined in the main script, which other processes cannot import: put it in a module")
    problem = _accepted_problem(solver)
    different = run_here(problem, solver, STEPS).differences(run_in_subprocess(problem, solver, STEPS))
    expect(not different, f"in a spawned process the run differs in {', '.join(different)}")
    return 1


def _accepted_problem(solver: Solver[Any]) -> Problem:
    """Return the first small problem that the solver does not refuse."""
    for window in (2, 1):  # 1: some solvers need a chain
        for family in FAMILIES:
            problem = family.make(Shape(4, 3, window, "floats", 1))
            if not solver.refuses(problem):
                return problem
    raise Skipped("it refuses every family of problems")


def _arrays(problem: Problem) -> dict[str, Any]:
    """Return copies of all arrays of a problem and of its tables."""
    owners = {"": problem, "form.": problem.pairwise()}
    values = {f"{p}{name}": value for p, owner in owners.items() if owner for name, value in vars(owner).items()}
    return {name: value.copy() for name, value in values.items() if isinstance(value, np.ndarray)}


def _same(a: Any, b: Any) -> bool:
    return bool(np.array_equal(a["state"]["key"], b["state"]["key"]) and a["state"]["pos"] == b["state"]["pos"])
