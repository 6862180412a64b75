"""The contract of solvers as checks. Each examines runs of a solver on one small problem."""

from __future__ import annotations

import itertools
import random
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from swarmkit.contract.arrays import Solutions
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
from swarmkit.search.construction import random_solutions
from swarmkit.testing.evidence import (
    EndPoint,
    Evidence,
    StepDriver,
    Usage,
    accepted_problem,
    count_rows,
    expect_equal,
    method_for,
)
from swarmkit.testing.families import LOOKS
from swarmkit.testing.report import Skipped, expect
from swarmkit.testing.subprocess_run import run_here, run_in_subprocess

SECONDS = 0.01
"""A run by the clock: a few steps."""

STARTS = 2
"""Solutions that a checked run begins with."""


def every_solution_is_feasible(evidence: Evidence) -> None:
    """Judge every solution that a step reports."""
    for result in evidence.steps:
        if result.solution is not None:
            x = np.asarray(result.solution)
            expect(judge(evidence.problem, x[None])[0], f"{x} was reported and is not feasible")


def reported_scores_are_the_problems(evidence: Evidence) -> None:
    """Score every reported solution again."""
    for result in evidence.steps:
        expect((result.solution is None) == (result.score is None), "a solution and its score come together")
        if result.solution is not None and result.score is not None:
            score = float(evaluate(evidence.problem, np.asarray(result.solution)[None])[0])
            near = abs(score - result.score) <= TOLERANCE * max(1.0, abs(score))
            expect(near, f"a score of {result.score} was reported; the problem says {score}")


def every_step_counts_its_looks(evidence: Evidence) -> None:
    """Expect whole numbers, at most one iteration, and at least one look unless the solver waits for a process."""
    least = 0 if evidence.solver.waits else 1  # a step of no looks would never reach a limit
    for result in evidence.steps:
        expect(int(result.looks) == result.looks >= least, f"a step reported {result.looks} looks")
        whole = int(result.iterations) == result.iterations and 0 <= result.iterations <= 1
        expect(whole, f"a step reported {result.iterations} iterations; it is one iteration at most")


def the_best_never_decreases(evidence: Evidence) -> None:
    """Expect that the scores of the trace increase and end at the result's."""
    scores = evidence.whole_run.trace.score
    expect(all(a < b for a, b in itertools.pairwise(scores)), f"the best score goes {scores}")
    expect(not scores or scores[-1] == evidence.whole_run.score, "the trace does not end at the reported score")


def the_same_seed_gives_the_same_run(evidence: Evidence) -> None:
    """Run twice and compare solution, score, looks, iterations, steps and trace."""
    expect_equal(
        evidence.whole_run, evidence.run().run(evidence.looks), f"two runs with seed {evidence.seed} differ in"
    )


def a_resumed_run_equals_the_uninterrupted_run(evidence: Evidence) -> None:
    """Save before the first step, after it, and at random later moments, each time go on from the file, and compare."""
    # Before the first step, after it, and at three random moments.
    later = sorted(np.random.default_rng(evidence.seed).integers(2, evidence.looks, 3).tolist())
    expect_equal(evidence.whole_run, evidence.resume([0, None, *later]), "the resumed run differs in")


def showing_its_state_changes_nothing(evidence: Evidence) -> None:
    """Record a run, which asks for a snapshot wherever the run is observed, and compare it with one without."""
    recorder = Recorder(every=1)
    expect_equal(
        evidence.whole_run, evidence.run(observers=(recorder,)).run(evidence.looks), "the recorded run differs in"
    )
    if recorder.recording is not None:
        n = len(evidence.problem.sizes)
        for frame in recorder.recording.frames:
            whole = "part" not in frame.shown
            for name, last in (("current", 1), ("solutions", 2)):
                shape = np.shape(frame.shown[name]) if name in frame.shown else None
                fits = shape is None or (len(shape) == last and (shape[-1] == n or not whole))
                expect(fits, f"a snapshot has '{name}' of the shape {shape}; the problem has {n} stages")


def steps_made_at_once_are_single_steps(evidence: Evidence) -> None:
    """Make the same number of steps one by one and several at once, from copies, and compare where that leads."""
    for steps, at_once in evidence.at_once.course.items():
        single = evidence.single.course.get(steps)
        expect(single == at_once, f"{steps} steps, several at once, are not those steps: {at_once} instead of {single}")
    for name in EndPoint._fields[:-1]:  # the last is the course
        single, at_once = getattr(evidence.single, name), getattr(evidence.at_once, name)
        expect(single == at_once, f"several steps at once are not those steps: {name} {at_once} instead of {single}")


def a_longer_run_begins_as_the_shorter_one(evidence: Evidence) -> None:
    """Run to a part of the looks, evaluations and iterations, and compare the traces up to there."""
    whole = evidence.whole_run
    for name in _limits(evidence):
        limit = getattr(whole, name) // 2
        if limit == 0:
            continue  # nothing is shorter
        shorter = evidence.run(Budget.model_validate({name: limit})).run()
        message = f"with a limit of {limit} {name} the run is another one: {shorter.trace} instead of {whole.trace}"
        expect(_begins_as(whole, shorter), message)


def a_run_by_the_clock_can_be_replayed(evidence: Evidence) -> None:
    """Run for a moment, repeat as many looks, and compare."""
    run = evidence.run(Budget(seconds=SECONDS)).run()
    expect_equal(
        run,
        evidence.run().run(run.search_looks, evaluations=run.search_evaluations),
        f"a run of {SECONDS} seconds cannot be replayed: it differs in",
    )


def every_row_scored_is_counted(evidence: Evidence) -> None:
    """Run on a problem that counts the rows passed to its `score`, and compare with what the result says."""
    if evidence.problem is not None:  # accessing it skips the check if the solver refuses
        problem = evidence.family.make(evidence.shape)
        rows = count_rows(problem)
        spec = make_spec(problem, evidence.solver, evidence.seed, Budget())
        run = Run(problem, method_for(evidence.solver, problem), spec)
        result = run.run(evidence.looks)
        scores, count = sum(rows), result.evaluations + result.setup_evaluations + run.uncounted
        expect(scores == count, f"{scores} rows were scored, {count} were counted: score by the problem of the run")


def no_limit_is_exceeded(evidence: Evidence) -> None:
    """Run with limits at random places: only the first step, or a proof, may exceed looks; evaluations are exact."""
    rng, whole = np.random.default_rng(evidence.seed), evidence.whole_run
    for name in Usage._fields:
        highest = getattr(whole, name)
        if highest < 2:
            continue
        limit = int(rng.integers(1, highest))
        run = evidence.run(Budget.model_validate({name: limit}))
        total, usage = getattr(run.run(), name), getattr(run.progress, name)
        proof = run.progress.done and run.progress.bound is not None
        allowed = name == "looks" and (run.progress.steps <= 1 or proof)
        expect(usage <= limit or allowed, f"a budget of {limit} {name} was spent, and the run went on to {usage}")
        if name == "evaluations" and evidence.problem.structure.black_box:
            expect(total == limit, f"a budget of {limit} evaluations ends the run after {total}")


def _limits(evidence: Evidence) -> Sequence[str]:
    """Return the limits that cut a run in its order; with a limit on iterations, parts take turns in another order."""
    return Usage._fields[:2] if evidence.problem.parts else Usage._fields


def _begins_as(whole: Result, shorter: Result) -> bool:
    """Whether the trace of a shorter run is that of the whole one, but for its last point, which is at its end."""
    ends, points = shorter.search_looks or 0, _points(whole.trace)
    before = [point for point in points if point[0] <= ends]
    begin = _points(shorter.trace)
    return begin[: len(before)] == before and len(begin) <= len(before) + 1


def _points(trace: Trace) -> list[tuple[int, int, int, float]]:
    return list(zip(trace.looks, trace.evaluations, trace.iterations, trace.score, strict=True))


def never_better_than_the_optimum(evidence: Evidence) -> None:
    """Compare the score with that of every solution."""
    if evidence.whole_run.score is not None:
        if evidence.optimum is None:
            raise AssertionError("a solution was reported where none is feasible")
        score, slack = evidence.whole_run.score, TOLERANCE * max(1.0, abs(evidence.optimum))
        expect(score <= evidence.optimum + slack, f"{score} is above {evidence.optimum}")


def a_proved_bound_holds(evidence: Evidence) -> None:
    """Compare the bound with the score of every solution."""
    if evidence.whole_run.bound is not None and evidence.optimum is not None:
        slack = TOLERANCE * max(1.0, abs(evidence.optimum))
        message = f"a bound of {evidence.whole_run.bound} was claimed; a solution scores {evidence.optimum}"
        expect(evidence.whole_run.bound >= evidence.optimum - slack, message)


def problem_and_global_generators_stay_untouched(evidence: Evidence) -> None:
    """Compare the problem's arrays, and the states of the global random generators, before and after a step."""
    problem = evidence.family.make(evidence.shape)
    before = _arrays(problem)
    legacy, plain = np.random.get_state(legacy=False), random.getstate()  # noqa: NPY002  (only its state is read)
    if evidence.problem is not None:  # accessing it skips the check if the solver refuses
        StepDriver(evidence.solver, problem, evidence.seed).step()
    after = _arrays(problem)
    expect(all(np.array_equal(before[name], after[name]) for name in before), "the problem's arrays were changed")
    expect(random.getstate() == plain, "the global generator of 'random' was used")
    expect(_equal(np.random.get_state(legacy=False), legacy), "the global generator of numpy was used")  # noqa: NPY002  (as above)


def a_warm_start_is_never_worse(evidence: Evidence) -> None:
    """Begin with the best of some random solutions, and compare the answer with it."""
    X = _random_rows(evidence, 8 * STARTS)
    scores = evaluate(evidence.problem, X)
    result = evidence.run(start=X[np.argsort(scores)[-STARTS:]]).run(evidence.looks)
    expect(result.score is not None and result.score >= scores.max(), f"{result.score} is worse than {scores.max()}")


def a_warm_start_can_be_resumed(evidence: Evidence) -> None:
    """Begin with given solutions, save before and after the start and later, go on from the file, and compare.

    Each time it goes on with a solver that was never given anything.
    """
    start = _random_rows(evidence, STARTS)
    whole = evidence.run(start=start).run(evidence.looks)
    resumed_run = evidence.resume([0, 1, evidence.looks // 2], start=start)  # 1: the given solutions alone take more
    expect_equal(whole, resumed_run, "begun with given solutions and resumed, the run differs in")


def fixed_stages_are_respected(evidence: Evidence) -> None:
    """Fix half of the stages to the candidates of a feasible solution; a later run must not know of them.

    Where the solver refuses what is left (half of a tour is none), one stage is fixed.
    """
    x = _random_rows(evidence, 1)[0]
    stages = np.random.default_rng(evidence.seed).permutation(len(x))[: max(1, len(x) // 2)]
    fixed = {int(stage): int(x[stage]) for stage in stages}
    try:
        run = evidence.run(fixed=fixed)
    except Skipped:
        fixed = {int(stages[0]): int(x[stages[0]])}
        run = evidence.run(fixed=fixed)
    result = run.run(evidence.looks)
    if result.solution is not None:
        for stage, candidate in fixed.items():
            expect(result.solution[stage] == candidate, f"stage {stage} was fixed to {candidate}: {result.solution}")
        score = float(evaluate(evidence.problem, np.array([result.solution]))[0])
        near = result.score is not None and abs(score - result.score) <= 1e-9 * max(1.0, abs(score))
        expect(near, f"a score of {result.score} with fixed stages; the problem says {score}")
    expect_equal(
        evidence.whole_run,
        evidence.run().run(evidence.looks),
        "after a run with fixed stages, a run without them differs in",
    )


def _random_rows(evidence: Evidence, k: int) -> Solutions:
    X = random_solutions(evidence.problem, k, np.random.default_rng(evidence.seed))
    if len(X) == 0:
        raise Skipped("no feasible solution was drawn")
    return X


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
    problem = accepted_problem(solver)
    limits = Budget(iterations=2)
    one, two = (solve_many(problem, solver, 2, jobs=jobs, limits=limits) for jobs in (1, 2))
    for alone, beside in zip(one.runs, two.runs, strict=True):
        expect_equal(alone, beside, "with two processes the run differs in")
    return 2


def a_spawned_process_can_run_it(solver: Solver[Any]) -> int:
    """Compare a run here with a run in a newly started process."""
    if type(solver).__module__ == "__main__":
        raise Skipped("it is defined in the main script, which other processes cannot import: put it in a module")
    problem = accepted_problem(solver)
    expect_equal(
        run_here(problem, solver, LOOKS),
        run_in_subprocess(problem, solver, LOOKS),
        "in a spawned process the run differs in",
    )
    return 1


def _arrays(problem: Problem) -> dict[str, Any]:
    """Return copies of all arrays of a problem and of its tables."""
    owners = {"": problem, "form.": problem.pairwise()}
    values = {f"{p}{name}": value for p, owner in owners.items() if owner for name, value in vars(owner).items()}
    return {name: value.copy() for name, value in values.items() if isinstance(value, np.ndarray)}


def _equal(a: Any, b: Any) -> bool:
    return bool(np.array_equal(a["state"]["key"], b["state"]["key"]) and a["state"]["pos"] == b["state"]["pos"])
