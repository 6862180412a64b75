"""Solve, solve several times, resume and replay, in Python."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from swarmkit.contract.budget import Budget, bounded_budget, budget
from swarmkit.contract.errors import UsageError
from swarmkit.contract.problem import Problem
from swarmkit.contract.result import Result, Results, best_of, read_results
from swarmkit.contract.solver import Solver
from swarmkit.contract.spec import Spec, refuse_format
from swarmkit.contract.validation import validate
from swarmkit.plugins.factory import DEFAULT_SOLVER, make_problem, make_solver
from swarmkit.running.checkpoint import check_content, remake_problem
from swarmkit.running.evaluation import evaluated_by
from swarmkit.running.given import Start
from swarmkit.running.parallel import check_jobs, in_order, run_tasks
from swarmkit.running.random_sampling import with_random_check
from swarmkit.running.run import Run
from swarmkit.running.specification import Given, make_spec, maximised_limits


# More than eight parameters: they are all keywords, named like the options of `swarmkit solve`, and most calls set two.
def solve(
    problem: Problem | str,
    solver: Solver[Any] | str = DEFAULT_SOLVER,
    *,
    seed: int = 0,
    seconds: float | None = None,
    looks: int | None = None,
    evaluations: int | None = None,
    iterations: int | None = None,
    target: float | None = None,
    patience: int | None = None,
    params: Mapping[str, Any] | None = None,
    observers: Sequence[object] = (),
    checkpoint: Path | str | None = None,
    every: float = 5.0,
    setup_seconds: float = 0.0,
    polish: str = "none",
    start: Start = None,
    fixed: Mapping[int, int] | None = None,
    eval_jobs: int = 1,
) -> Result:
    """Run a solver on a problem, and return the best solution found with everything needed to repeat the run.

    The first limit that is reached ends the run; without any, it ends after 2 million looks or 60 seconds, and on a
    problem without tables after 10 seconds.

    Args:
        problem: a problem, or the name of a registered one with its default options.
        solver: a solver, or the name of a registered one; without it `auto` chooses.
        seed: the same seed gives the same result.
        seconds: limit on the time of the search.
        looks: limit on the candidate values read.
        evaluations: limit on the solutions passed to the problem's `score`.
        iterations: limit on the solver's iterations.
        target: stop at this score; on a problem with costs, at this cost.
        patience: limit on the iterations without an improvement.
        params: the parameters of a solver that is given by name.
        observers: objects with methods such as `swarmkit_improved(run)`, called when that happens.
        checkpoint: a file from which `resume` can continue the run.
        every: seconds between two checkpoints.
        setup_seconds: time already spent on building the problem, for the result.
        polish: a local search on the answer, once, at the end: `none`, `icm`, or `local` (the one that fits).
        start: solutions to begin with: one, several, or a `Result`; the answer is never worse than the best of them.
        fixed: the candidate of each stage that must not change.
        eval_jobs: processes that evaluate the score of a problem without tables; -1 is one per core. Results do not
            depend on it.

    >>> solve("synthetic", "icm", looks=10_000).stopped
    'looks'
    """
    given = {"seconds": seconds, "looks": looks, "evaluations": evaluations, "iterations": iterations}
    limits = budget(**given, target=target, patience=patience)
    problem, solver = make_both(problem, solver, params)
    given_too = Given(polish, start, fixed)
    spec = make_spec(problem, solver, seed, maximised_limits(problem, limits), given_too)
    path = Path(checkpoint) if checkpoint is not None else None
    with evaluated_by(problem, eval_jobs) as starting:
        setup = setup_seconds + starting
        run = Run(problem, solver, spec, observers=observers, checkpoint=path, every=every, setup_seconds=setup)
        return with_random_check(run.go(), problem)


# More than eight parameters, for the same reason as `solve`.
def solve_many(
    problem: Problem | str,
    solver: Solver[Any] | str = DEFAULT_SOLVER,
    runs: int = 10,
    *,
    jobs: int = 1,
    seed: int = 0,
    limits: Budget | None = None,
    params: Mapping[str, Any] | None = None,
    setup_seconds: float = 0.0,
    ready: Callable[[Result], None] = lambda _: None,
    polish: str = "none",
    start: Start = None,
    fixed: Mapping[int, int] | None = None,
) -> Results:
    """Run a solver several times, and return all results and the best.

    With looks or iterations as the budget the results do not depend on `jobs`.

    Args:
        problem: a problem, or the name of a registered one with its default options.
        solver: a solver, or the name of a registered one; without it `auto` chooses.
        runs: the number of runs; their seeds are seed, seed + 1, ...
        jobs: the number of processes; -1 is one per core.
        seed: the seed of the first run.
        limits: the budget of each run.
        params: the parameters of a solver that is given by name.
        setup_seconds: time already spent on building the problem, for the results.
        ready: called with each result, in the order of the seeds.
        polish: a local search on each answer, as in `solve`.
        start: solutions that every run begins with, as in `solve`.
        fixed: the candidate of each stage that must not change.
    """
    if runs < 1:
        raise UsageError(f"at least 1 run is needed, got {runs}")
    check_jobs(jobs)
    problem, solver = make_both(problem, solver, params)
    own = maximised_limits(problem, limits or Budget())
    spec = make_spec(problem, solver, seed, own, Given(polish, start, fixed))
    tasks = [(problem, solver, spec.model_copy(update={"seed": spec.seed + i}), setup_seconds) for i in range(runs)]
    results = []
    for result in in_order(run_tasks(_one_run, tasks, jobs)):
        ready(result)
        results.append(result)
    return best_of(results)


def resume(
    file: Path | str,
    problem: Problem | None = None,
    solver: Solver[Any] | None = None,
    *,
    limits: Budget | None = None,
    observers: Sequence[object] = (),
    every: float = 5.0,
    eval_jobs: int = 1,
) -> Result:
    """Continue a checkpointed run to the end of its budget, or of a new one, and return its result.

    Args:
        file: the checkpoint, which the continued run writes to as well.
        problem: the problem; needed if it was made in Python.
        solver: the solver; needed if it was made in Python.
        limits: the new budget, which counts from the beginning of the run.
        observers: as in `solve`.
        every: seconds between two checkpoints.
        eval_jobs: as in `solve`.
    """
    run = Run.restore(Path(file), problem, solver, observers=observers, every=every)
    if limits is not None:
        own = bounded_budget(maximised_limits(run.problem, limits), run.problem.structure.black_box)
        run.spec = run.spec.model_copy(update={"budget": own})
    with evaluated_by(run.problem, eval_jobs):
        return run.go()


class Replayed(NamedTuple):
    """A result, the same run made again, and the names of the fields in which they differ."""

    before: Result
    after: Result
    differences: list[str]


def replay(file: Path | str, problem: Problem | None = None, solver: Solver[Any] | None = None) -> list[Replayed]:
    """Repeat the runs of a result file, step by step, and compare the outcomes.

    Args:
        file: what `swarmkit solve --out` wrote, or a `Result` or `Results` as JSON.
        problem: the problem; needed if it was made in Python.
        solver: the solver; needed if it was made in Python.
    """
    replayed = []
    results = read_results(Path(file))
    for before in results:
        refuse_format(before.format, str(file), "replayed")
    for before in results:
        made = problem if problem is not None else remake_problem(before, str(file))
        check_content(before, made, str(file))
        object.__setattr__(made, "evaluation_seconds", before.evaluation_seconds)  # it may be a frozen dataclass
        method = solver if solver is not None else make_solver(before.solver, **before.params)
        given = Given(before.polish, before.start or None, before.fixed)
        spec = make_spec(made, method, before.seed, before.budget, given)
        looks = before.looks if before.search_looks is None else before.search_looks
        after = Run(made, method, spec).go(looks, before.polish_looks)
        replayed.append(Replayed(before, after, before.differences(after)))
    return replayed


def make_both(
    problem: Problem | str, solver: Solver[Any] | str, params: Mapping[str, Any] | None
) -> tuple[Problem, Solver[Any]]:
    """Return a checked problem and a solver; those given by name are made."""
    problem = make_problem(problem) if isinstance(problem, str) else problem
    if isinstance(solver, str):
        solver = make_solver(solver, **(params or {}))
    elif params:
        raise UsageError("params go with a solver's name; a solver object has its own already")
    validate(problem)
    return problem, solver


def _one_run(problem: Problem, solver: Solver[Any], spec: Spec, setup_seconds: float) -> Result:
    return with_random_check(Run(problem.with_own_meter(), solver, spec, setup_seconds=setup_seconds).go(), problem)
