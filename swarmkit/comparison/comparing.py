"""Comparisons: make the runs of an experiment that are not in the store yet, and return all of them."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Any

from swarmkit.comparison.experiment import Experiment
from swarmkit.comparison.plan import ExperimentPlan, PlannedRun, make_plan
from swarmkit.comparison.record import Failed, Record
from swarmkit.comparison.store import Store
from swarmkit.comparison.summary import Comparison
from swarmkit.comparison.worker import WorkerError, find_bound, make_packed_run, make_run
from swarmkit.contract.errors import FailedRuns
from swarmkit.contract.result import Result
from swarmkit.contract.spec import Spec
from swarmkit.running.gap import Bound, with_gap
from swarmkit.running.parallel import WorkersDied, check_jobs, pack, run_tasks

ProblemContent = tuple[str, str]
"""A problem's name and the fingerprint of its content, for which a bound holds."""


def compare(
    experiment: Experiment,
    *,
    store: Path | str | None = None,
    jobs: int | None = None,
    backend: str = "loky",
    scheduler: str | None = None,
    planned: Callable[[ExperimentPlan, Sequence[Record]], None] = lambda *_: None,
    ready: Callable[[Record], None] = lambda _: None,
) -> Comparison:
    """Run every solver of an experiment on every problem, and return the runs by instance, method and repetition.

    Args:
        experiment: the problems, solvers, repetitions and limits.
        store: a file that keeps the experiment and its runs; runs that are in it are not made again.
        jobs: processes, by default one (on a cluster, all workers). With looks or iterations as the limit, results do
            not depend on it.
        backend: a backend of joblib, such as `loky` (processes of this machine) or `dask`.
        scheduler: the address of the Dask scheduler.
        planned: called once with the plan, which has the refused pairs too, and the runs that are in the store.
        ready: called with every new run.

    Raises:
        FailedRuns: some runs raised an error; the exception carries these and the finished runs.
    """
    workers = Workers(jobs, backend, scheduler)
    plan = make_plan(experiment)
    with ExitStack() as stack:
        database = stack.enter_context(Store(store)) if store is not None else None
        results = _stored_results(plan, database) if database else {}
        planned(plan, [_record(run, results[run.key]) for run in plan.runs if run.key in results])
        bounds = _bounds(plan, database, workers) if experiment.gap else {}
        failed = []
        for run, outcome in _outcomes([run for run in plan.runs if run.key not in results], workers):
            if isinstance(outcome, WorkerError):
                failed.append(Failed(run.key, run.instance, run.method, run.repetition, outcome.error))
                continue
            results[run.key] = outcome
            if database:  # at once, and by this process alone: what is killed now loses the runs that are under way
                database.add(_record(run, outcome))
            ready(_record(run, outcome, bounds))
    records = Comparison(_record(run, results[run.key], bounds) for run in plan.runs if run.key in results)
    if failed:
        raise FailedRuns(failed, records)
    return records


class Workers:
    """The processes that make runs: their number, joblib's backend, and the address of its scheduler."""

    def __init__(self, jobs: int | None, backend: str, scheduler: str | None) -> None:
        self.jobs = (1 if backend == "loky" else -1) if jobs is None else jobs
        self.in_this_process = backend == "loky" and self.jobs == 1
        self._options: dict[str, Any] = {"backend": backend, "scheduler": scheduler}
        check_jobs(self.jobs)

    def map(self, function: Callable[..., Any], tasks: Sequence[tuple[Any, ...]]) -> Iterator[tuple[int, Any]]:
        """Call a function with the arguments of every task; yield (number of the task, outcome) as they finish."""
        return run_tasks(function, tasks, self.jobs, **self._options)


def _stored_results(plan: ExperimentPlan, store: Store) -> dict[str, Result]:
    """Store the experiment, and return those results of its plan that the store has, by key."""
    store.add_experiment(plan)
    return {record.key: record.result for record in store.records(keys={run.key for run in plan.runs})}


def _outcomes(runs: Sequence[PlannedRun], workers: Workers) -> Iterator[tuple[PlannedRun, Result | WorkerError]]:
    """Make runs in this process or in others, and yield each with its result or error."""
    if workers.in_this_process:  # nothing is pickled: classes of a notebook work, and Ctrl-C reaches the run itself
        yield from ((run, make_run(run.kind, run.solver, run.spec)) for run in runs)
        return
    try:
        for number, outcome in workers.map(make_packed_run, _packed(runs)):
            yield runs[number], outcome
    except WorkersDied as death:
        for number in death.tasks:
            yield runs[number], WorkerError("its process died, also when it ran alone (out of memory?)")


def _packed(runs: Sequence[PlannedRun]) -> list[tuple[bytes, Spec]]:
    """Return the arguments of `make_packed_run`; the runs of one method on one instance share the pickled pair."""
    messages: dict[tuple[int, int], bytes] = {}  # by identity: classes and solvers need not be hashable
    for run in runs:
        pair = (id(run.kind), id(run.solver))
        if pair not in messages:
            messages[pair] = pack((run.kind, run.solver))
    return [(messages[id(run.kind), id(run.solver)], run.spec) for run in runs]


def _bounds(plan: ExperimentPlan, store: Store | None, workers: Workers) -> dict[ProblemContent, Bound]:
    """Find the optimum or a bound, once for each problem, unless it is stored."""
    # Of several runs with one content the first is kept, because later entries of a dict replace earlier ones.
    first = {(run.spec.problem, run.spec.fingerprint): run for run in reversed(plan.runs)}
    bounds = {content: store.bound(*content) if store else None for content in first}
    missing = [content for content, bound in bounds.items() if bound is None]
    tasks = [(pack(first[content].kind), first[content].spec) for content in missing]
    for number, bound in workers.map(find_bound, tasks):
        if isinstance(bound, WorkerError):
            message = f"{first[missing[number]].instance}: the search for a bound failed ({bound.error})"
            warnings.warn(message, RuntimeWarning, stacklevel=3)
            continue
        bounds[missing[number]] = bound
        if store:
            store.add_bound(*missing[number], bound)
    return {content: bound for content, bound in bounds.items() if bound is not None}


def _record(run: PlannedRun, result: Result, bounds: Mapping[ProblemContent, Bound] | None = None) -> Record:
    """Return the record of a run, with the gap of its result if a bound is given."""
    bound = (bounds or {}).get((result.problem, result.fingerprint))
    return Record(run.key, run.instance, run.method, run.repetition, with_gap(result, bound))
