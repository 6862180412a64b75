"""The front door in Python: solve, solve many times, resume, replay."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from swarmkit.contract.budget import Budget, budget
from swarmkit.contract.errors import UsageError
from swarmkit.contract.problem import Problem
from swarmkit.contract.result import Result, Results, best_of, read_results
from swarmkit.contract.solver import Solver
from swarmkit.contract.spec import Spec
from swarmkit.contract.validation import validate
from swarmkit.plugins.factory import make_problem, make_solver
from swarmkit.running.checkpoint import remake_problem, same_content
from swarmkit.running.parallel import check_jobs, in_order, spread
from swarmkit.running.run import Run
from swarmkit.running.specification import make_spec


def solve(
    problem: Problem | str,
    solver: Solver[Any] | str,
    *,
    seed: int = 0,
    seconds: float | None = None,
    looks: int | None = None,
    iterations: int | None = None,
    target: float | None = None,
    patience: int | None = None,
    params: Mapping[str, Any] | None = None,
    observers: Sequence[object] = (),
    checkpoint: Path | str | None = None,
    every: float = 5.0,
    setup_seconds: float = 0.0,
    polish: str = "none",
) -> Result:
    """Run a solver on a problem and give the best it found.

    Problem and solver are objects or registered names (`params` go with a name). The first limit reached ends the run;
    without any, limits of ours do. The same seed gives the same result. `polish` names a local search on the answer.

    >>> solve("synthetic", "icm", looks=10_000).stopped
    'looks'
    """
    limits = budget(seconds, looks, iterations, target, patience)
    problem, solver, spec = prepare(problem, solver, params, seed, limits, polish)
    path = Path(checkpoint) if checkpoint is not None else None
    run = Run(problem, solver, spec, observers=observers, checkpoint=path, every=every, setup_seconds=setup_seconds)
    return run.go()


def solve_many(
    problem: Problem | str,
    solver: Solver[Any] | str,
    runs: int,
    *,
    jobs: int = 1,
    seed: int = 0,
    limits: Budget | None = None,
    params: Mapping[str, Any] | None = None,
    setup_seconds: float = 0.0,
    ready: Callable[[Result], None] = lambda _: None,
    polish: str = "none",
) -> Results:
    """Run a solver several times, with the seeds seed, seed + 1, …, on several processes; `ready` sees each result.

    With looks or iterations as the budget the results do not depend on `jobs`.
    """
    if runs < 1:
        raise UsageError(f"at least 1 run is needed, got {runs}")
    check_jobs(jobs)
    problem, solver, spec = prepare(problem, solver, params, seed, limits or budget(), polish)
    specs = [spec.model_copy(update={"seed": spec.seed + i}) for i in range(runs)]
    results = []
    for result in in_order(spread(_one, [(problem, solver, s, setup_seconds) for s in specs], jobs)):
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
) -> Result:
    """Go on with a checkpointed run to the end of its budget, or of a new one."""
    run = Run.restore(Path(file), problem, solver, observers=observers, every=every)
    if limits is not None:
        run.spec = run.spec.model_copy(update={"budget": limits})
    return run.go()


class Replayed(NamedTuple):
    """A result, the same run made again, and what differs between them (nothing, one hopes)."""

    before: Result
    after: Result
    differences: list[str]


def replay(file: Path | str, problem: Problem | None = None, solver: Solver[Any] | None = None) -> list[Replayed]:
    """Run again what a result file tells of, for as many steps, and compare."""
    replayed = []
    for before in read_results(Path(file)):
        made = problem if problem is not None else remake_problem(before, str(file))
        same_content(before, made, str(file))
        method = solver if solver is not None else make_solver(before.solver, **before.params)
        after = Run(made, method, make_spec(made, method, before.seed, before.budget, before.polish)).go(
            steps=before.steps
        )
        replayed.append(Replayed(before, after, before.differences(after)))
    return replayed


def prepare(
    problem: Problem | str,
    solver: Solver[Any] | str,
    params: Mapping[str, Any] | None,
    seed: int,
    limits: Budget,
    polish: str = "none",
) -> tuple[Problem, Solver[Any], Spec]:
    """Make what was given by name, check the problem, and write down what will be run."""
    problem = make_problem(problem) if isinstance(problem, str) else problem
    if isinstance(solver, str):
        solver = make_solver(solver, **(params or {}))
    elif params:
        raise UsageError("params go with a solver's name; a solver object has its own already")
    validate(problem)
    return problem, solver, make_spec(problem, solver, seed, limits, polish)


def _one(problem: Problem, solver: Solver[Any], spec: Spec, setup_seconds: float) -> Result:
    return Run(problem, solver, spec, setup_seconds=setup_seconds).go()
