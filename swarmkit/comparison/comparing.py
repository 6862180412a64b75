"""Comparing: make the runs of an experiment that are not in the store yet, and give them all."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Any

from swarmkit.comparison.experiment import Experiment
from swarmkit.comparison.plan import Plan, Planned, make_plan
from swarmkit.comparison.record import Failed, Record
from swarmkit.comparison.store import Store
from swarmkit.comparison.working import Trouble, find_bound, perform, perform_packed
from swarmkit.contract.errors import FailedRuns
from swarmkit.contract.result import Result
from swarmkit.running.gap import Bound, measure_gap
from swarmkit.running.parallel import WorkersDied, check_jobs, pack, spread

Instance = tuple[str, str]
"""A problem's name and the fingerprint of its content."""


def compare(
    experiment: Experiment,
    *,
    store: Path | str | None = None,
    jobs: int | None = None,
    backend: str = "loky",
    scheduler: str | None = None,
    planned: Callable[[Plan, Sequence[Record]], None] = lambda *_: None,
    ready: Callable[[Record], None] = lambda _: None,
) -> list[Record]:
    """Run every solver on every problem, so many times, and give the runs by instance, method and repetition.

    Runs that are in the store are not made again. `jobs` are processes (one by default; on a cluster, all there are);
    with looks or iterations as the budget the outcome does not depend on them. `planned` is told what will be run and
    what is there already, `ready` sees each new run. Runs that raise an error are left out, and told of at the end:
    `FailedRuns`. What a solver refuses is in the plan.
    """
    spreading = Spreading(jobs, backend, scheduler)
    plan = make_plan(experiment)
    with ExitStack() as stack:
        kept = stack.enter_context(Store(store)) if store is not None else None
        wanted = {run.key for run in plan.runs}
        there = {record.key: record.result for record in kept.records(keys=wanted)} if kept else {}
        planned(plan, [_record(run, there[run.key]) for run in plan.runs if run.key in there])
        bounds = _bounds(plan, kept, spreading) if experiment.gap else {}
        made, failed = dict(there), []
        for run, outcome in _outcomes([run for run in plan.runs if run.key not in there], spreading):
            if isinstance(outcome, Trouble):
                failed.append(Failed(run.key, run.instance, run.method, run.repetition, outcome.error))
                continue
            made[run.key] = outcome
            if kept:
                kept.add(_record(run, outcome))
            ready(_record(run, _with_gap(outcome, bounds)))
    records = [_record(run, _with_gap(made[run.key], bounds)) for run in plan.runs if run.key in made]
    if failed:
        raise FailedRuns(failed, records)
    return records


class Spreading:
    """How runs are spread: on how many processes, by which of joblib's backends, and where its scheduler is."""

    def __init__(self, jobs: int | None, backend: str, scheduler: str | None) -> None:
        self.jobs = (1 if backend == "loky" else -1) if jobs is None else jobs
        self.here = backend == "loky" and self.jobs == 1
        self.way: dict[str, Any] = {"backend": backend, "scheduler": scheduler}
        check_jobs(self.jobs)

    def __call__(self, function: Callable[..., Any], tasks: Sequence[tuple[Any, ...]]) -> Iterator[tuple[int, Any]]:
        """Call a function on every task, as `swarmkit.spreading` does."""
        return spread(function, tasks, self.jobs, **self.way)


def _outcomes(runs: Sequence[Planned], spreading: Spreading) -> Iterator[tuple[Planned, Result | Trouble]]:
    """Make runs, here or elsewhere, and give each with what came of it."""
    if spreading.here:
        yield from ((run, perform(run.kind, run.solver, run.spec)) for run in runs)
        return
    try:
        for number, outcome in spreading(perform_packed, _messages(runs)):
            yield runs[number], outcome
    except WorkersDied as death:
        for number in death.tasks:
            yield runs[number], Trouble("its process died, alone too (out of memory?)")


def _messages(runs: Sequence[Planned]) -> list[tuple[bytes, Any]]:
    """Pack what is run; the runs of one method on one instance share a message."""
    recipes: dict[tuple[int, int], bytes] = {}
    for run in runs:
        shared = (id(run.kind), id(run.solver))
        if shared not in recipes:
            recipes[shared] = pack((run.kind, run.solver))
    return [(recipes[id(run.kind), id(run.solver)], run.spec) for run in runs]


def _bounds(plan: Plan, store: Store | None, spreading: Spreading) -> dict[Instance, Bound]:
    """Find out, once for each problem, what is known of the best score there can be."""
    first = {(run.spec.problem, run.spec.fingerprint): run for run in reversed(plan.runs)}
    known = {instance: store.bound(*instance) if store else None for instance in first}
    missing = [instance for instance, bound in known.items() if bound is None]
    tasks = [(pack(first[instance].kind), first[instance].spec) for instance in missing]
    for number, bound in spreading(find_bound, tasks):
        if isinstance(bound, Trouble):
            said = f"{first[missing[number]].instance}: no bound could be looked for ({bound.error})"
            warnings.warn(said, RuntimeWarning, stacklevel=3)
            continue
        known[missing[number]] = bound
        if store:
            store.add_bound(*missing[number], bound)
    return {instance: bound for instance, bound in known.items() if bound is not None}


def _record(run: Planned, result: Result) -> Record:
    return Record(run.key, run.instance, run.method, run.repetition, result)


def _with_gap(result: Result, bounds: dict[Instance, Bound]) -> Result:
    known = bounds.get((result.problem, result.fingerprint))
    return result if known is None else result.model_copy(update={"gap": measure_gap(result, known)})
