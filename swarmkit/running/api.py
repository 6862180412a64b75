"""Solve, solve several times, resume and replay, in Python."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from swarmkit.contract.budget import Budget, bounded_budget, budget
from swarmkit.contract.errors import UsageError, unknown
from swarmkit.contract.problem import Problem
from swarmkit.contract.result import Result, Results, best_of, read_results
from swarmkit.contract.solver import Solver
from swarmkit.contract.spec import Spec, refuse_format
from swarmkit.contract.validation import validate
from swarmkit.plugins.factory import DEFAULT_SOLVER, make_problem, make_solver
from swarmkit.running.checkpoint import remake
from swarmkit.running.evaluation import evaluated_by
from swarmkit.running.gap import with_random_check
from swarmkit.running.parallel import check_jobs, in_order, run_tasks
from swarmkit.running.run import Run
from swarmkit.running.specification import Start, make_spec, maximised_limits
from swarmkit.stopping import StopFunction, criteria

Stop = StopFunction | Iterable[StopFunction]
"""A function of the progress that says whether a run ends, or returns the reason in words; or several of them."""

CheckpointFile = Path | str | tuple[Path | str, float] | None
"""A file for checkpoints, with the seconds between two of them if these are not 5."""


# More than eight parameters: they are all keywords, named like the options of `swarmkit solve`, and most calls set two.
def solve(
    problem: Problem | str,
    solver: Solver[Any] | str = DEFAULT_SOLVER,
    *,
    seed: int = 0,
    params: Mapping[str, Any] | None = None,
    stop: Stop = (),
    start: Start = None,
    fixed: Mapping[int, int] | None = None,
    polish: str = "none",
    eval_jobs: int = 1,
    observers: Sequence[object] = (),
    checkpoint: CheckpointFile = None,
    **limits: Any,
) -> Result:
    """Run a solver on a problem, and return the best solution found with everything needed to repeat the run.

    The first limit that is reached ends the run; without any, it ends after 2 million looks or 60 seconds, and on a
    problem without tables after 10 seconds.

    Args:
        problem: a problem, or the name of a registered one with its default options.
        solver: a solver, or the name of a registered one; without it `auto` chooses.
        seed: the same seed gives the same result.
        params: the parameters of a solver that is given by name.
        stop: a function of the run's progress, or several: the run ends when one returns true, or the reason in words.
            It is asked between steps, and between evaluations of a problem without tables.
        start: solutions to begin with: one, several, or a `Result`; the answer is never worse than the best of them.
        fixed: the candidate of each stage that must not change.
        polish: a local search on the answer, once, at the end: `none`, `icm`, or `local` (the one that fits).
        eval_jobs: processes that evaluate the score of a problem without tables; -1 is one per core. Results do not
            depend on it.
        observers: objects with methods such as `swarmkit_improved(run)`, called when that happens.
        checkpoint: a file from which `resume` can continue the run, every 5 seconds; (file, seconds) for others.
        limits: `seconds` and `cpu_seconds` of the search (those of child processes are CPU seconds too), `looks`
            (candidate values read), `evaluations` (solutions passed to the problem's `score`), `iterations` of the
            solver, `target` (a score, or on a problem with costs a cost), `patience` (iterations without an
            improvement), and any other of `swarmkit.stopping`.

    >>> solve("synthetic", "icm", looks=10_000).stopped
    'looks'
    """
    functions, keywords = stop_functions(stop), read_keywords(limits)
    problem, solver = make_pair(problem, solver, params)
    whole = maximised_limits(problem, keywords.limits or Budget())
    spec = make_spec(problem, solver, seed, whole, polish=polish, start=start, fixed=fixed)
    path, every = checkpoint_file(checkpoint, keywords.every)
    with evaluated_by(problem, eval_jobs) as starting:
        setup = keywords.setup_seconds + starting
        options = {"observers": observers, "checkpoint": path, "every": every, "setup_seconds": setup}
        return _one_run(problem, solver, spec, functions, options)


# More than eight parameters, for the same reason as `solve`.
def solve_many(
    problem: Problem | str,
    solver: Solver[Any] | str = DEFAULT_SOLVER,
    runs: int = 10,
    *,
    jobs: int = 1,
    seed: int = 0,
    params: Mapping[str, Any] | None = None,
    stop: Stop = (),
    start: Start = None,
    fixed: Mapping[int, int] | None = None,
    polish: str = "none",
    ready: Callable[[Result], None] = lambda _: None,
    **limits: Any,
) -> Results:
    """Run a solver several times, and return all results and the best.

    With looks or iterations as the budget the results do not depend on `jobs`.

    Args:
        problem: a problem, or the name of a registered one with its default options.
        solver: a solver, or the name of a registered one; without it `auto` chooses.
        runs: the number of runs; their seeds are seed, seed + 1, ...
        jobs: the number of processes; -1 is one per core.
        seed: the seed of the first run.
        params: the parameters of a solver that is given by name.
        stop: functions that end a run, as in `solve`.
        start: solutions that every run begins with, as in `solve`.
        fixed: the candidate of each stage that must not change.
        polish: a local search on each answer, as in `solve`.
        ready: called with each result, in the order of the seeds.
        limits: the budget of each run, as in `solve`, or `limits=Budget(...)`.
    """
    if runs < 1:
        raise UsageError(f"at least 1 run is needed, got {runs}")
    check_jobs(jobs)
    functions, keywords = stop_functions(stop), read_keywords(limits)
    problem, solver = make_pair(problem, solver, params)
    whole = maximised_limits(problem, keywords.limits or Budget())
    spec = make_spec(problem, solver, seed, whole, polish=polish, start=start, fixed=fixed)
    specs = [spec.model_copy(update={"seed": spec.seed + i}) for i in range(runs)]
    options = {"setup_seconds": keywords.setup_seconds}
    # Each run counts its own evaluations, in whichever process it is made.
    tasks = [(problem.with_own_meter(), solver, run, functions, options) for run in specs]
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
    stop: Stop = (),
    observers: Sequence[object] = (),
    eval_jobs: int = 1,
    **limits: Any,
) -> Result:
    """Continue a checkpointed run to the end of its budget, or of a new one, and return its result.

    Args:
        file: the checkpoint, which the continued run writes to as well.
        problem: the problem; needed if it was made in Python.
        solver: the solver; needed if it was made in Python.
        stop: functions that end the run, as in `solve`; those of the run before are not in the file.
        observers: as in `solve`.
        eval_jobs: as in `solve`.
        limits: the new budget, as in `solve` or as `limits=Budget(...)`, which counts from the beginning of the run;
            and `every`, the seconds between two checkpoints.
    """
    functions, keywords = stop_functions(stop), read_keywords(limits)
    run = Run.restore(Path(file), problem, solver, observers=observers, every=keywords.every)
    run.stop_when(functions)
    if keywords.limits is not None:
        # The limits of the file are replaced as a whole: a run that ended by its looks goes on by its seconds, say.
        whole = bounded_budget(maximised_limits(run.problem, keywords.limits), run.problem.structure.black_box)
        run.spec = run.spec.model_copy(update={"budget": whole})
    with evaluated_by(run.problem, eval_jobs):
        return with_random_check(run.run(), run.problem)


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
    replays = []
    results = read_results(Path(file))
    for before in results:
        # All formats first: no run is made if one of them cannot be.
        refuse_format(before.format, str(file), "replayed")
    for before in results:
        instance, method = remake(before, str(file), problem, solver)
        object.__setattr__(instance, "evaluation_seconds", before.evaluation_seconds)  # it may be a frozen dataclass
        inputs: dict[str, Any] = {"polish": before.polish, "start": before.start or None, "fixed": before.fixed}
        spec = make_spec(instance, method, before.seed, before.budget, **inputs)
        # Results of version 0.1 have no looks of the search alone.
        looks = before.looks if before.search_looks is None else before.search_looks
        after = Run(instance, method, spec).run(looks, before.polish_looks, before.search_evaluations)
        replays.append(Replayed(before, after, before.differences(after)))
    return replays


def make_pair(
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


def _one_run(
    problem: Problem,
    solver: Solver[Any],
    spec: Spec,
    functions: Sequence[StopFunction],
    options: Mapping[str, Any],
) -> Result:
    """Make one run, and compare its answer with random sampling; the options are those of `Run`."""
    run = Run(problem, solver, spec, **options)
    run.stop_when(functions)
    return with_random_check(run.run(), problem)


class Keywords(NamedTuple):
    """Keywords that are not named in the signature of a function."""

    limits: Budget | None = None
    """The limits; None if there is none."""
    every: float = 5.0
    """Seconds between two checkpoints."""
    setup_seconds: float = 0.0
    """Time already spent on building the problem, for the result."""


def read_keywords(values: Mapping[str, Any]) -> Keywords:
    """Return limits, given one by one or as `limits=Budget(...)`, and the other keywords.

    Raises:
        UsageError: a name is unknown, or a limit is wrong.

    >>> read_keywords({"looks": 100, "seconds": None}).limits.looks
    100
    """
    for name in values:
        if name not in criteria() and name not in Keywords._fields:
            raise unknown("keyword", name, [*criteria(), *Keywords._fields])
    options = {name: values[name] for name in ("every", "setup_seconds") if name in values}
    limits: Budget | None = values.get("limits")
    whole = {} if limits is None else limits.model_dump(exclude_none=True)
    whole |= {name: value for name, value in values.items() if name in criteria() and value is not None}
    return Keywords(budget(**whole) if whole or limits is not None else None, **options)


def stop_functions(stop: Stop) -> tuple[StopFunction, ...]:
    """Return the functions that end a run, checked."""
    functions = tuple(stop) if isinstance(stop, Iterable) else (stop,)
    for function in functions:
        if not callable(function):
            raise UsageError(f"stop: a function of the progress is expected, got {function!r}")
    return functions


def checkpoint_file(checkpoint: CheckpointFile, every: float) -> tuple[Path | None, float]:
    """Return the file of checkpoints and the seconds between two of them, `every` unless they are given with it."""
    path, seconds = checkpoint if isinstance(checkpoint, tuple) else (checkpoint, every)
    return None if path is None else Path(path), float(seconds)
