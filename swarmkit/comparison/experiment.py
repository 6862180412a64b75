"""The experiment: which solvers run on which problems, how many times and for how long."""

from __future__ import annotations

import itertools
import math
from collections.abc import Mapping
from typing import Annotated, Any, Self

from pydantic import Field, ValidationError, model_validator

from swarmkit.contract.budget import Budget
from swarmkit.contract.errors import UsageError, unknown
from swarmkit.contract.settings import Settings, sentence

COMBINATIONS = 10_000
"""The most combinations of a sweep: more than anyone can wait for or read."""

RUNS = 1_000_000
"""The most repetitions of a method on an instance."""


class ExperimentEntry(Settings):
    """A problem or a solver by name, in one setting or in all combinations of a sweep."""

    name: str
    label: str | None = None
    """The name in tables; by default `name`, followed by the settings that differ."""
    sweep: Annotated[dict[str, Annotated[list[Any], Field(min_length=1)]], Field(default_factory=dict)]
    """Settings with several values each; several such settings are combined in every way."""

    @model_validator(mode="before")
    @classmethod
    def _from_name(cls, given: Any) -> Any:
        return {"name": given} if isinstance(given, str) else given

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
