"""The runs of a store, or of a CSV file with the results of other tools, that are to be reported."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from swarmkit.comparison.other_results import read_other_results
from swarmkit.comparison.schema import check_file
from swarmkit.comparison.store import Store
from swarmkit.contract.errors import UsageError

if TYPE_CHECKING:
    from swarmkit.comparison.record import Record, RefusedPair
    from swarmkit.comparison.stored_experiment import StoredExperiment


def runs_of(
    store: Path,
    *,
    problem: str | None = None,
    solver: str | None = None,
    instance: str | None = None,
    method: str | None = None,
) -> tuple[Sequence[Record], list[StoredExperiment]]:
    """Return the runs of a store, or of a CSV file, that match all given values, and the experiments of a store.

    Args:
        store: a store, or a file with results of other tools whose name ends in `.csv`.
        problem: only runs on this problem; None matches everything, here and below.
        solver: only runs of this solver.
        instance: only runs on this instance.
        method: only runs of this method.
    """
    if store.suffix.lower() == ".csv":
        every = read_other_results(store)
        given = {"instance": instance or problem, "method": method or solver}
        records = [r for r in every if all(value in (None, getattr(r, name)) for name, value in given.items())]
        if not records:
            raise UsageError(f"{store}: no runs match; it has {len(every)}")
        return records, []
    if not check_file(store):
        raise UsageError(f"{store}: no such file")
    chosen = {"problem": problem, "solver": solver, "instance": instance, "method": method}
    with Store(store, read_only=True) as opened:
        found = opened.records(problem=problem, solver=solver, instance=instance, method=method)
        experiments = only_refusals(opened.experiments(), chosen)
    if not found:
        none = "no runs match" if any(chosen.values()) else "no runs yet"
        raise UsageError(f"{store}: {none}. 'swarmkit runs {store}' lists all runs.")
    return found, experiments


def only_refusals(experiments: Sequence[StoredExperiment], chosen: Mapping[str, str | None]) -> list[StoredExperiment]:
    """Return the experiments with only those refused pairs that match all given values.

    Args:
        experiments: the experiments of a store.
        chosen: values of problem, solver, instance and method; None matches everything.
    """

    def matches(pair: RefusedPair) -> bool:
        return all(value in (None, getattr(pair, name)) for name, value in chosen.items())

    return [replace(one, refused=list(filter(matches, one.refused))) for one in experiments]
