"""The contract of solvers as checks. Each examines runs of a solver on one small problem."""

from __future__ import annotations

import itertools
import random
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from swarmkit.contract.budget import Budget
from swarmkit.contract.problem import Problem
from swarmkit.contract.progress import Trace
from swarmkit.contract.result import Result
from swarmkit.contract.solver import Solver
from swarmkit.contract.validation import evaluate, judge
from swarmkit.running.api import solve_many
from swarmkit.running.metering import TOLERANCE
from swarmkit.running.recording import Recorder
from swarmkit.running.run import Run
from swarmkit.running.specification import make_spec
from swarmkit.testing.counting import count_rows
from swarmkit.testing.evidence import Driven, Ended, Evidence, Spent, method_for
from swarmkit.testing.families import FAMILIES, LOOKS, Shape
from swarmkit.testing.given_contract import (
    a_warm_start_can_be_resumed,
    a_warm_start_is_never_worse,
    fixed_stages_are_respected,
)
from swarmkit.testing.report import Skipped, expect
from swarmkit.testing.subprocess_run import run_here, run_in_subprocess

SECONDS = 0.01
"""A run by the clock: a few steps."""


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
    """Expect whole numbers, at most one iteration, and at least one look unless the solver waits for a process."""
    least = 0 if seen.solver.waits else 1
    for found in seen.steps:
        expect(int(found.looks) == found.looks >= least, f"a step reported {found.looks} looks")
        whole = int(found.iterations) == found.iterations and 0 <= found.iterations <= 1
        expect(whole, f"a step reported {found.iterations} iterations; it is one iteration at most")


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
    """Save before the first step, after it, and at random later moments, each time go on from the file, and compare."""
    different = seen.uninterrupted.differences(seen.resumed)
    expect(not different, f"the resumed run differs in {', '.join(different)}")


def showing_its_state_changes_nothing(seen: Evidence) -> None:
    """Record a run, which asks for a snapshot wherever the run is observed, and compare it with one without."""
    recorder = Recorder(every=1)
    different = seen.uninterrupted.differences(seen.run(observers=(recorder,)).run(seen.looks))
    expect(not different, f"the recorded run differs in {', '.join(different)}")
    if recorder.recording is not None:
        n = len(seen.problem.sizes)
        for frame in recorder.recording.frames:
            whole = "part" not in frame.shown
            for name, last in (("current", 1), ("solutions", 2)):
                shape = np.shape(frame.shown[name]) if name in frame.shown else None
                fits = shape is None or (len(shape) == last and (shape[-1] == n or not whole))
                expect(fits, f"a snapshot has '{name}' of the shape {shape}; the problem has {n} stages")


def steps_made_at_once_are_single_steps(seen: Evidence) -> None:
    """Make the same number of steps one by one and several at once, from copies, and compare where that leads."""
    for steps, at_once in seen.at_once.course.items():
        single = seen.single.course.get(steps)
        expect(single == at_once, f"{steps} steps, several at once, are not those steps: {at_once} instead of {single}")
    for name in Ended._fields[:-1]:  # the last is the course
        single, at_once = getattr(seen.single, name), getattr(seen.at_once, name)
        expect(single == at_once, f"several steps at once are not those steps: {name} {at_once} instead of {single}")


def a_longer_run_begins_as_the_shorter_one(seen: Evidence) -> None:
    """Run to a part of the looks, evaluations and iterations, and compare the traces up to there."""
    whole = seen.uninterrupted
    for name in _limits(seen):
        limit = getattr(whole, name) // 2
        if limit == 0:
            continue  # nothing is shorter
        shorter = seen.run(Budget.model_validate({name: limit})).run()
        message = f"with a limit of {limit} {name} the run is another one: {shorter.trace} instead of {whole.trace}"
        expect(_begins_as(whole, shorter), message)


def a_run_by_the_clock_can_be_replayed(seen: Evidence) -> None:
    """Run for a moment, repeat as many looks, and compare."""
    run = seen.run(Budget(seconds=SECONDS)).run()
    different = run.differences(seen.run().run(run.search_looks, evaluations=run.search_evaluations))
    expect(not different, f"a run of {SECONDS} seconds cannot be replayed: it differs in {', '.join(different)}")


def every_row_scored_is_counted(seen: Evidence) -> None:
    """Run on a problem that counts the rows passed to its `score`, and compare with what the result says."""
    if seen.problem is not None:  # accessing it skips the check if the solver refuses
        problem = seen.family.make(seen.shape)
        rows = count_rows(problem)
        spec = make_spec(problem, seen.solver, seen.seed, Budget())
        run = Run(problem, method_for(seen.solver, problem), spec)
        result = run.run(seen.looks)
        counted, said = sum(rows), result.evaluations + result.setup_evaluations + run.uncounted
        expect(counted == said, f"{counted} rows were scored, {said} were counted: score by the problem of the run")


def no_limit_is_exceeded(seen: Evidence) -> None:
    """Run with limits at random places: only the first step, or a proof, may exceed looks; evaluations are exact."""
    rng, whole = np.random.default_rng(seen.seed), seen.uninterrupted
    for name in Spent._fields:
        most = getattr(whole, name)
        if most < 2:
            continue
        limit = int(rng.integers(1, most))
        run = seen.run(Budget.model_validate({name: limit}))
        reached, spent = getattr(run.run(), name), getattr(run.progress, name)
        proved = run.progress.done and run.progress.bound is not None
        allowed = name == "looks" and (run.progress.steps <= 1 or proved)
        expect(spent <= limit or allowed, f"a budget of {limit} {name} was spent, and the run went on to {spent}")
        if name == "evaluations" and seen.problem.structure.black_box:
            expect(reached == limit, f"a budget of {limit} evaluations ends the run after {reached}")


def _limits(seen: Evidence) -> Sequence[str]:
    """Return the limits that cut a run in its order; with a limit on iterations, parts take turns in another order."""
    return Spent._fields[:2] if seen.problem.parts else Spent._fields


def _begins_as(whole: Result, shorter: Result) -> bool:
    """Whether the trace of a shorter run is that of the whole one, but for its last point, which is at its end."""
    ends, points = shorter.search_looks or 0, _points(whole.trace)
    before = [point for point in points if point[0] <= ends]
    found = _points(shorter.trace)
    return found[: len(before)] == before and len(found) <= len(before) + 1


def _points(trace: Trace) -> list[tuple[int, int, int, float]]:
    return list(zip(trace.looks, trace.evaluations, trace.iterations, trace.score, strict=True))


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
    if seen.problem is not None:  # accessing it skips the check if the solver refuses
        Driven(seen.solver, problem, seen.seed).step()
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
    showing_its_state_changes_nothing,
    steps_made_at_once_are_single_steps,
    a_longer_run_begins_as_the_shorter_one,
    a_run_by_the_clock_can_be_replayed,
    every_row_scored_is_counted,
    no_limit_is_exceeded,
    never_better_than_the_optimum,
    a_proved_bound_holds,
    problem_and_global_generators_stay_untouched,
    a_warm_start_is_never_worse,
    a_warm_start_can_be_resumed,
    fixed_stages_are_respected,
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
    different = run_here(problem, solver, LOOKS).differences(run_in_subprocess(problem, solver, LOOKS))
    expect(not different, f"in a spawned process the run differs in {', '.join(different)}")
    return 1


def _accepted_problem(solver: Solver[Any]) -> Problem:
    """Return the first small problem that the solver does not refuse."""
    for window in (2, 1):  # 1: some solvers need a chain
        for family in FAMILIES:
            problem = family.make(Shape(4, 3, window, "floats", 1))
            if not method_for(solver, problem).refuses(problem):
                return problem
    raise Skipped("it refuses every family of problems")


def _arrays(problem: Problem) -> dict[str, Any]:
    """Return copies of all arrays of a problem and of its tables."""
    owners = {"": problem, "form.": problem.pairwise()}
    values = {f"{p}{name}": value for p, owner in owners.items() if owner for name, value in vars(owner).items()}
    return {name: value.copy() for name, value in values.items() if isinstance(value, np.ndarray)}


def _same(a: Any, b: Any) -> bool:
    return bool(np.array_equal(a["state"]["key"], b["state"]["key"]) and a["state"]["pos"] == b["state"]["pos"])
