"""The experiments that made a set of runs: as files, and as the commands that run them again."""

from __future__ import annotations

import json
import shlex
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

from swarmkit.comparison.experiment import Experiment, write_experiment
from swarmkit.comparison.record import Record
from swarmkit.comparison.store import StoredExperiment
from swarmkit.contract.errors import UsageError
from swarmkit.statistics.wording import join_words, quantity


@dataclass(frozen=True)
class ExperimentCommand:
    """An experiment as a file and as commands."""

    file: str
    """The name of the file in `command`."""
    toml: str
    """The content of the file."""
    command: str
    """The command that runs the file."""
    direct: str
    """The same without a file; empty where options of the command line cannot express the experiment."""


@dataclass(frozen=True)
class Reproduction:
    """How to make a set of runs again."""

    words: str
    """What the commands reproduce, or why there are none."""
    experiments: list[ExperimentCommand] = field(default_factory=list)


def reproduce(records: Sequence[Record], experiments: Sequence[StoredExperiment] = ()) -> Reproduction:
    """Return the experiments that made the given runs, with the commands that run them again.

    Args:
        records: the runs.
        experiments: the experiments of their store, as `Store.experiments` returns them.
    """
    keys = {record.key for record in records}
    sources = _covering(keys, experiments)
    plan_keys = frozenset().union(*(entry.keys for entry in sources))
    sentences = [_origin(len(sources), len(plan_keys - keys))] if sources else []
    if orphans := [record for record in records if record.key not in plan_keys]:
        sentences.append(_without_experiment(orphans, len(records)))
    if sources:
        sentences.append(_exactness(records))
    commands = []
    for number, entry in enumerate(sources, 1):
        file = "experiment.toml" if len(sources) == 1 else f"experiment-{number}.toml"
        plugins = _plugin_files(record for record in records if record.key in entry.keys)
        if plugins:
            sentences.append(f"{file} needs {join_words([f'{name} ({digest})' for name, digest in plugins.items()])}.")
        try:
            commands.append(_command(entry.experiment, file, plugins))
        except UsageError as error:
            sentences.append(f"{file} is missing: {error}.")
    return Reproduction(" ".join(sentences), commands)


def _covering(keys: set[str], experiments: Sequence[StoredExperiment]) -> list[StoredExperiment]:
    """Return the experiments that made some of the runs, without those whose plan is part of another's.

    An experiment that was continued with more repetitions or solvers contains the earlier one. Of several with the same
    plan the last is returned.
    """
    # Without those that say nothing about these runs.
    candidates = [entry for entry in experiments if entry.keys & keys]
    return [
        entry
        for i, entry in enumerate(candidates)
        if not any(
            entry.keys < other.keys or (entry.keys == other.keys and i < j)
            for j, other in enumerate(candidates)
            if j != i
        )
    ]


def _origin(experiments: int, others: int) -> str:
    """Return which experiments made the runs; `others` of their runs are not in the report."""
    origin = "One experiment" if experiments == 1 else f"{experiments} experiments"
    rest = f", and {quantity(others, 'run')} that this report does not show" if others else ""
    return f"{origin} made these runs{rest}."


def _without_experiment(records: Sequence[Record], total: int) -> str:
    """Return why there is no experiment for these runs of a report with `total` runs."""
    which = "these runs" if len(records) == total else f"{len(records)} of the {total} runs"
    if own := sorted({r.result.problem for r in records if r.result.options is None}):
        return f"There is no experiment for {which}: {join_words(own)} was made in Python. Run that program again."
    origin = "an earlier version of swarmkit made them, or not 'swarmkit compare'"
    return f"No experiment is stored for {which}: {origin}. Their seeds are below."


def _exactness(records: Sequence[Record]) -> str:
    if not any(rule.by_clock for record in records for rule in record.result.budget.criteria()):
        return "With the versions below, the results are the same, bit for bit."
    return "Runs with a limit in seconds may stop after another number of iterations."


def _plugin_files(records: Iterable[Record]) -> dict[str, str]:
    """Return the single-file plugins that some runs need, with the hashes of the files."""
    versions = {name: text for record in records for name, text in record.result.versions.items()}
    return {name: text for name, text in versions.items() if name.endswith(".py")}


def _command(experiment: Experiment, file: str, plugins: Iterable[str]) -> ExperimentCommand:
    start = ["swarmkit", *(word for name in plugins for word in ("--plugin", name)), "compare"]
    command = shlex.join([*start, file, "--store", "runs.db"])
    return ExperimentCommand(file, write_experiment(experiment), command, _direct(experiment, start))


def _direct(experiment: Experiment, start: Sequence[str]) -> str:
    """Return the experiment as one command without a file, an empty string where options cannot express it."""
    names = [solver.name for solver in experiment.solvers]
    entries = [*experiment.problems, *experiment.solvers]
    if (
        len(experiment.problems) > 1
        or len({*names}) < len(names)
        or any(entry.label or entry.sweep for entry in entries)
    ):
        return ""
    if any(solver.budget for solver in experiment.solvers):
        return ""
    [problem] = experiment.problems
    words = [*start, "-p", problem.name, *_settings("-P", "", problem.options)]
    words += ["--algos", ",".join(names)]
    for solver in experiment.solvers:
        words += _settings("-A", f"{solver.name}.", solver.params)
    words += ["--runs", str(experiment.runs)]
    for limit, value in experiment.budget.model_dump(exclude_none=True).items():
        words += [f"--{limit.replace('_', '-')}", str(value)]
    words += ["--seed", str(experiment.seed)] if experiment.seed else []
    words += ["--polish", experiment.polish] if experiment.polish != "none" else []
    words += ["--gap"] if experiment.gap else []
    return shlex.join([*words, "--store", "runs.db"])


def _settings(option: str, prefix: str, settings: dict[str, Any]) -> list[str]:
    """Return settings as arguments of an option, such as `-P n=8`.

    >>> _settings("-A", "sa.", {"cooling": 0.9})
    ['-A', 'sa.cooling=0.9']
    """
    texts = {name: v if isinstance(v, str) else json.dumps(v, ensure_ascii=False) for name, v in settings.items()}
    return [word for name, text in texts.items() for word in (option, f"{prefix}{name}={text}")]
