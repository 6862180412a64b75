"""The experiment: which solvers run on which problems, how many times and for how long; as data, and as a TOML file."""

from __future__ import annotations

import itertools
import json
import math
import re
import tomllib
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any, NamedTuple, Self

import tomli_w
from pydantic import Field, ValidationError, model_validator

from swarmkit.comparison.labels import canonical_json, distinct_labels, method_settings
from swarmkit.contract.bounded_json import check_plain, read_bytes, reading
from swarmkit.contract.budget import Budget
from swarmkit.contract.errors import UsageError, unknown
from swarmkit.contract.settings import Settings, sentence
from swarmkit.plugins.factory import settings_of

COMBINATIONS = 10_000
"""The most combinations of a sweep: more than anyone can wait for or read."""

RUNS = 1_000_000
"""The most repetitions of a method on an instance."""

MEGABYTES = 1
"""The size of the largest experiment file."""

DOTTED = re.compile(r"""(?:^|[\n{,])[ \t]*\[{0,2}[ \t]*(?:(?:[A-Za-z0-9_-]+|"[^"\n]*"|'[^'\n]*')[ \t]*\.[ \t]*){20}""")
"""The beginning of a name with many dots: the time to parse it grows with the square of their number."""


class ExperimentEntry(Settings):
    """A problem or a solver by name, in one setting or in all combinations of a sweep."""

    name: str
    label: str | None = None
    """The name in tables; by default `name`, followed by the settings that differ."""
    sweep: Annotated[dict[str, Annotated[list[Any], Field(min_length=1)]], Field(default_factory=dict)]
    """Settings with several values each; several such settings are combined in every way."""

    @model_validator(mode="before")
    @classmethod
    def _from_name(cls, entry: Any) -> Any:
        return {"name": entry} if isinstance(entry, str) else entry

    def combinations(self, fixed: Mapping[str, Any]) -> list[dict[str, Any]]:
        """Return the settings of every combination of the sweep, each with the `fixed` settings added."""
        twice = sorted(set(self.sweep) & set(fixed))
        if twice:
            raise UsageError(f"'{self.name}': '{twice[0]}' has a fixed value and is swept too; set it once")
        count = math.prod(len(values) for values in self.sweep.values())
        if count > COMBINATIONS:
            raise UsageError(
                f"'{self.name}': the sweep has {count:,} combinations; at most {COMBINATIONS:,} are expected"
            )
        values = itertools.product(*self.sweep.values())
        return [{**fixed, **dict(zip(self.sweep, row, strict=True))} for row in values]


class ProblemEntry(ExperimentEntry):
    """A problem with its options."""

    options: Annotated[dict[str, Any], Field(default_factory=dict)]


class SolverEntry(ExperimentEntry):
    """A solver with its parameters, and its own budget if it differs from the experiment's."""

    params: Annotated[dict[str, Any], Field(default_factory=dict)]
    budget: Budget | None = None


class Experiment(Settings):
    """Every solver on every problem, `runs` times. Names and settings are checked before anything runs."""

    problems: Annotated[list[ProblemEntry], Field(min_length=1)]
    """The problems: names, or tables with `name`, `options`, `sweep` and `label`."""
    solvers: Annotated[list[SolverEntry], Field(min_length=1)]
    """The solvers: names, or tables with `name`, `params`, `sweep`, `label` and `budget`."""
    runs: Annotated[int, Field(ge=1, le=RUNS)] = 10
    """Repetitions of each solver on each problem."""
    budget: Budget = Budget()
    """The limits of a run; without any, those of `solve`."""
    seed: Annotated[int, Field(ge=0)] = 0
    """The seeds of all runs are derived from it."""
    polish: str = "none"
    """A local search applied once to every answer, at the end of the run."""
    gap: bool = False
    """Whether to compute the gap to the optimum or to a bound, found once for each problem."""

    @classmethod
    def read(cls, values: Mapping[str, Any], source: str) -> Self:
        """Make an experiment from plain data.

        Args:
            values: The fields of the experiment.
            source: The origin of the values, which begins an error message: a file name or "the command line".

        Raises:
            UsageError: A sentence for each wrong value, with its place.
        """
        try:
            return cls.model_validate(values)
        except ValidationError as error:
            raise UsageError(f"{source}: {'; '.join(_explanation(entry) for entry in error.errors())}") from None


class Instance(NamedTuple):
    """A problem in one setting of its options."""

    name: str
    label: str
    options: dict[str, Any]


class Method(NamedTuple):
    """A solver in one setting of its parameters, and its budget."""

    name: str
    label: str
    params: dict[str, Any]
    limits: Budget


def check(experiment: Experiment, prefix: str = "") -> tuple[list[Instance], list[Method]]:
    """Return the instances and methods of an experiment with their labels.

    Args:
        experiment: The experiment.
        prefix: The beginning of an error message, such as the file's name; with one, the place of the entry follows.

    Raises:
        UsageError: A name is unknown, a setting is wrong, or an entry occurs twice.
    """
    problems = _combinations("problem", experiment.problems, prefix)
    labels = _labels("problem", [(entry.label or entry.name, options) for entry, options in problems], prefix)
    instances = [Instance(entry.name, label, options) for label, (entry, options) in zip(labels, problems, strict=True)]
    solvers = _combinations("solver", experiment.solvers, prefix)
    limits = [getattr(entry, "budget", None) or experiment.budget for entry, _ in solvers]
    pairs = [
        (entry.label or entry.name, method_settings(params, budget))
        for (entry, params), budget in zip(solvers, limits, strict=True)
    ]
    methods = [
        Method(entry.name, label, params, budget)
        for (entry, params), label, budget in zip(solvers, _labels("solver", pairs, prefix), limits, strict=True)
    ]
    return instances, methods


def _combinations(kind: str, entries: Sequence[Any], prefix: str) -> list[tuple[ExperimentEntry, dict[str, Any]]]:
    """Return every combination of the sweeps of all entries: the entry, and its complete settings."""
    combinations = []
    for number, entry in enumerate(entries, 1):
        try:
            for settings in entry.combinations(entry.options if kind == "problem" else entry.params):
                # Defaults are written out: a default that changes makes another instance or method.
                complete = settings_of(kind, entry.name, settings).model_dump(mode="json")
                combinations.append((entry, complete))
        except UsageError as error:
            raise UsageError(f"{prefix}{kind}s[{number}]: {error}" if prefix else str(error)) from None
    return combinations


def _labels(kind: str, entries: list[tuple[str, dict[str, Any]]], prefix: str) -> list[str]:
    """Return distinct labels for (label, settings) pairs; two equal pairs are an error."""
    counts = Counter(canonical_json(entry) for entry in entries)
    for text in (text for text, count in counts.items() if count > 1):
        name = json.loads(text)[0]
        raise UsageError(f"{prefix}the {kind} '{name}' occurs twice with the same settings; remove one")
    return distinct_labels(entries)


def read_experiment(path: Path | str) -> Experiment:
    """Read an experiment from a TOML file and check its names and settings.

    Raises:
        UsageError: The file cannot be read, is not TOML, or names something unknown; the message has the place.
    """
    with reading(Path(path), "an experiment in TOML"):
        text = read_bytes(Path(path), MEGABYTES).decode("utf-8")
        if DOTTED.search(text):
            raise ValueError("a name with more than 20 dots")
        try:
            values = tomllib.loads(text)
        except RecursionError:
            raise ValueError("nested too deeply") from None
        check_plain(values)
    experiment = Experiment.read(values, str(path))
    check(experiment, f"{path}: ")
    return experiment


def write_experiment(experiment: Experiment) -> str:
    """Return an experiment as TOML text, which `read_experiment` reads; defaults are left out.

    Raises:
        UsageError: a setting is null, which TOML cannot express.

    >>> print(write_experiment(Experiment(problems=["synthetic"], solvers=["icm"], runs=3)))
    problems = [
        { name = "synthetic" },
    ]
    solvers = [
        { name = "icm" },
    ]
    runs = 3
    <BLANKLINE>
    """
    values = experiment.model_dump(mode="json", exclude_defaults=True, exclude_none=True)
    for name in ("problems", "solvers"):
        values[name] = [{key: value for key, value in entry.items() if value != {}} for entry in values[name]]
    try:
        return tomli_w.dumps(values)
    except TypeError as error:
        raise UsageError(f"a setting of the experiment cannot be written as TOML ({error})") from None


def _explanation(entry: Any) -> str:
    """Describe an error of pydantic with the place of the wrong value, such as `solvers[2].budget`."""
    *parents, last = entry["loc"] or [""]
    if entry["type"] != "extra_forbidden":
        return sentence({**entry, "loc": (_place(entry["loc"]),) if entry["loc"] else ()})
    place = _place(parents)
    return f"{f'{place}: ' if place else ''}{unknown('setting', str(last), _model(parents).model_fields)}"


def _place(parts: Any) -> str:
    """Format the place of a value; list items are counted from 1.

    >>> _place(("solvers", 0, "budget", "looks"))
    'solvers[1].budget.looks'
    """
    text = "".join(f"[{part + 1}]" if isinstance(part, int) else f".{part}" for part in parts)
    return text.removeprefix(".")


def _model(parents: Any) -> type[Settings]:
    """Return the class of the settings at a place."""
    match list(parents):
        case [*_, "budget"]:
            return Budget
        case ["problems", _]:
            return ProblemEntry
        case ["solvers", _]:
            return SolverEntry
    return Experiment
