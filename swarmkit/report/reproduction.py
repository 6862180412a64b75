"""The experiment behind a set of runs: what to type to have them made again."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from swarmkit.comparison.experiment import Experiment
from swarmkit.comparison.plan import run_seed
from swarmkit.comparison.record import Record
from swarmkit.comparison.toml_text import write_toml
from swarmkit.contract.errors import SwarmkitError
from swarmkit.contract.result import Result
from swarmkit.plugins.host import host

SEEDS = 100
"""Seeds of experiments that are tried, to find the one from which the runs' seeds follow."""


@dataclass(frozen=True)
class Reproduction:
    """An experiment as a file, and the command that runs it; or in words why there is none."""

    words: str
    toml: str = ""
    command: str = ""
    direct: str = ""
    """The same without a file, where one problem is all."""


def reproduce(records: Sequence[Record]) -> Reproduction:
    """Find the experiment that makes these runs, and check that their seeds follow from it."""
    results = [record.result for record in records]
    own = sorted({r.problem for r in results if r.options is None})
    if own:
        return Reproduction(f"{', '.join(own)} was made in Python: run the program that made it again.")
    polishes = {r.polish for r in results}
    if len(polishes) > 1:
        return Reproduction(
            "Some runs were polished and some were not: two experiments, of which each has its own file."
        )
    seed = experiment_seed(records)
    if seed is None:
        return Reproduction("The runs do not stem from one experiment; each can be made again with its seed, below.")
    experiment = _experiment(records, seed, polishes.pop())
    exact = all(r.budget.seconds is None for r in results)
    words = "The runs come out the same, bit for bit." if exact else "With seconds as a limit, runs may end elsewhere."
    return Reproduction(
        words, write_toml(experiment), "swarmkit compare experiment.toml --store runs.db", _direct(experiment)
    )


def experiment_seed(records: Sequence[Record]) -> int | None:
    """Find the seed from which those of all runs follow."""
    for seed in range(SEEDS):
        if all(run_seed(r.result, seed, r.repetition) == r.result.seed for r in records):
            return seed
    return None


def _experiment(records: Sequence[Record], seed: int, polish: str) -> Experiment:
    instances = {r.instance: r.result for r in records}
    methods = {r.method: r.result for r in records}
    budgets = [r.budget for r in methods.values()]
    shared = max(budgets, key=budgets.count)
    solvers = []
    for label, result in methods.items():
        entry = _entry("solver", label, result)
        solvers.append(
            entry if result.budget == shared else entry | {"budget": result.budget.model_dump(exclude_none=True)}
        )
    given: dict[str, Any] = {
        "problems": [_entry("problem", label, result) for label, result in instances.items()],
        "solvers": solvers,
        "runs": 1 + max(r.repetition for r in records),
        "budget": shared.model_dump(exclude_none=True),
        "seed": seed,
        "polish": polish,
        "gap": any(r.result.gap is not None for r in records),
    }
    return Experiment.read(given, "the runs")


def _entry(kind: str, label: str, result: Result) -> dict[str, Any]:
    """Describe a problem or a solver by what differs from its defaults."""
    name = result.problem if kind == "problem" else result.solver
    settings = (result.options or {}) if kind == "problem" else result.params
    usual = _defaults(kind, name)
    changed = {k: v for k, v in settings.items() if v is not None and (k not in usual or usual[k] != v)}
    entry: dict[str, Any] = {"name": name, "options" if kind == "problem" else "params": changed}
    return entry if label == name or label.startswith(f"{name} ") else entry | {"label": label}


def _defaults(kind: str, name: str) -> dict[str, Any]:
    """Give the settings that need not be said; none if the plugin is not here."""
    try:
        found = host().find(kind, name).value
        values: dict[str, Any] = (found.Options if kind == "problem" else found.Params)().model_dump(mode="json")
    except (SwarmkitError, ValueError):
        return {}
    return values


def _direct(experiment: Experiment) -> str:
    """Write the experiment as one command line, where that can say it."""
    names = [solver.name for solver in experiment.solvers]
    entries = [*experiment.problems, *experiment.solvers]
    if len(experiment.problems) > 1 or len({*names}) < len(names) or any(entry.label for entry in entries):
        return ""
    if any(solver.budget for solver in experiment.solvers):
        return ""
    [problem] = experiment.problems
    words = ["swarmkit", "compare", "-p", problem.name]
    words += [word for key, value in problem.options.items() for word in ("-P", f"{key}={_plain(value)}")]
    words += ["--algos", ",".join(names)]
    for solver in experiment.solvers:
        words += [
            word for key, value in solver.params.items() for word in ("-A", f"{solver.name}.{key}={_plain(value)}")
        ]
    words += ["--runs", str(experiment.runs)]
    for limit, value in experiment.budget.model_dump(exclude_none=True).items():
        words += [f"--{limit}", f"{value:g}" if isinstance(value, float) else str(value)]
    words += ["--seed", str(experiment.seed)] if experiment.seed else []
    words += ["--polish", experiment.polish] if experiment.polish != "none" else []
    words += ["--gap"] if experiment.gap else []
    return shlex.join([*words, "--store", "runs.db"])


def _plain(value: Any) -> str:
    import json

    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
