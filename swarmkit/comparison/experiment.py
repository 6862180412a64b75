"""What is compared: problems, solvers, how often and how long. Written in Python, on the command line, or as TOML."""

from __future__ import annotations

import itertools
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any, Self

from pydantic import Field, ValidationError, model_validator

from swarmkit.contract.budget import Budget
from swarmkit.contract.errors import UsageError, unknown
from swarmkit.contract.settings import Settings, sentence


class Entry(Settings):
    """Something with a name, in one setting or in all combinations of a sweep."""

    name: str
    label: str | None = None
    """What it is called in tables; by default its name, and what tells it apart."""
    sweep: Annotated[dict[str, Annotated[list[Any], Field(min_length=1)]], Field(default_factory=dict)]
    """Settings that take several values; with several such settings, every combination."""

    @model_validator(mode="before")
    @classmethod
    def _named(cls, given: Any) -> Any:
        return {"name": given} if isinstance(given, str) else given

    def combinations(self, fixed: Mapping[str, Any]) -> list[dict[str, Any]]:
        """Give the settings of every combination."""
        twice = sorted(set(self.sweep) & set(fixed))
        if twice:
            raise UsageError(f"'{self.name}': '{twice[0]}' has a value and is swept too; give it once")
        values = itertools.product(*self.sweep.values())
        return [{**fixed, **dict(zip(self.sweep, row, strict=True))} for row in values]


class ProblemEntry(Entry):
    """A problem with its options."""

    options: Annotated[dict[str, Any], Field(default_factory=dict)]


class SolverEntry(Entry):
    """A solver with its parameters, and a budget of its own if it is not to have everybody's."""

    params: Annotated[dict[str, Any], Field(default_factory=dict)]
    budget: Budget | None = None


class Experiment(Settings):
    """Every solver on every problem, so many times. Names and settings are checked before anything runs."""

    problems: Annotated[list[ProblemEntry], Field(min_length=1)]
    solvers: Annotated[list[SolverEntry], Field(min_length=1)]
    runs: Annotated[int, Field(ge=1)] = 10
    """Repetitions of each solver on each problem."""
    budget: Budget = Budget()
    """When a run ends; without a limit, as `solve` does."""
    seed: Annotated[int, Field(ge=0)] = 0
    """The seeds of all runs follow from it."""
    polish: str = "none"
    """A local search on every answer, once, at the end."""
    gap: bool = False
    """Whether to look for the best score there can be, once for each problem."""

    @classmethod
    def read(cls, values: Mapping[str, Any], source: str) -> Self:
        """Make an experiment from plain data, or say in a sentence what is wrong with it, and where."""
        try:
            return cls.model_validate(values)
        except ValidationError as error:
            raise UsageError(f"{source}: {'; '.join(_explained(entry) for entry in error.errors())}") from None


def read_experiment(path: Path | str) -> Experiment:
    """Read an experiment from a TOML file."""
    from swarmkit.comparison.plan import check

    try:
        values = tomllib.loads(Path(path).read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise UsageError(f"{path}: no such file") from None
    except OSError as error:
        raise UsageError(f"{path}: cannot be read ({error.strerror})") from None
    except ValueError as error:  # not TOML, or not even text
        raise UsageError(f"{path}: not an experiment in TOML ({error})") from None
    experiment = Experiment.read(values, str(path))
    check(experiment, f"{path}: ")
    return experiment


def _explained(entry: Any) -> str:
    """Say what is wrong with a value and where it stands: `solvers[2].budget`."""
    *parents, last = entry["loc"] or [""]
    if entry["type"] != "extra_forbidden":
        return sentence({**entry, "loc": (_place(entry["loc"]),) if entry["loc"] else ()})
    place = _place(parents)
    return f"{f'{place}: ' if place else ''}{unknown('setting', str(last), _model(parents).model_fields)}"


def _place(parts: Any) -> str:
    """Write where something stands, counting from 1.

    >>> _place(("solvers", 0, "budget", "looks"))
    'solvers[1].budget.looks'
    """
    text = "".join(f"[{part + 1}]" if isinstance(part, int) else f".{part}" for part in parts)
    return text.removeprefix(".")


def _model(parents: Any) -> type[Settings]:
    match list(parents):
        case [*_, "budget"]:
            return Budget
        case ["problems", _]:
            return ProblemEntry
        case ["solvers", _]:
            return SolverEntry
    return Experiment
