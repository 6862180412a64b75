"""A task of tuning: solver, instances, budget, and the search space, from the ranges in the solver's Settings."""

from __future__ import annotations

import functools
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from swarmkit.contract.budget import Budget
from swarmkit.contract.errors import MissingError, Refusal, SwarmkitError, UsageError, unknown
from swarmkit.contract.problem import Problem
from swarmkit.contract.settings import Settings
from swarmkit.plugins.factory import make_problem, make_solver
from swarmkit.running.api import solve

if TYPE_CHECKING:
    from optuna import Trial


SPAN = 10
"""A number with a wide range is searched from its default divided by this to its default times this."""

SMALLEST = 1e-6
"""How far a number stays from a bound that is not part of its range, as a share of the range."""


class Dimension(NamedTuple):
    """A parameter and the values it may take."""

    name: str
    default: Any
    choices: tuple[Any, ...] = ()
    """The values of a parameter that is no number."""
    low: float = 0.0
    high: float = 0.0
    whole: bool = False
    """Whether only whole numbers are meant."""
    log: bool = False
    """Whether values are drawn evenly in their logarithms."""

    def suggest(self, trial: Trial) -> Any:
        """Return the value that a trial of Optuna proposes."""
        if self.choices:
            return trial.suggest_categorical(self.name, self.choices)
        if self.whole:
            return trial.suggest_int(self.name, int(self.low), int(self.high), log=self.log)
        return trial.suggest_float(self.name, self.low, self.high, log=self.log)

    def contains(self, value: Any) -> bool:
        """Whether a value lies in the search space."""
        if self.choices:
            return value in self.choices
        return isinstance(value, int | float) and self.low <= value <= self.high

    @property
    def words(self) -> str:
        """The range in words."""
        if self.choices:
            return " or ".join(map(str, self.choices))
        return f"{self.low:g} to {self.high:g}{', in logarithms' if self.log else ''}"


def search_space(
    model: type[Settings], *, only: Sequence[str] = (), fixed: Mapping[str, Any] | None = None
) -> list[Dimension]:
    """Return the parameters that can be tuned, with their ranges.

    Numbers are searched in their range as far as that is within a tenth to ten times the default; parameters with a
    few values (also true and false) among all of them, numbers that are None by default among None and powers of ten.
    Texts, lists and what is marked `"tunable": False` in the schema are left as they are.

    Args:
        model: the class of a solver's parameters.
        only: the names of the parameters to tune; by default all that are not fixed.
        fixed: parameters that keep a given value.

    Raises:
        UsageError: a name is unknown, a parameter has no range, or nothing is left to tune.
    """
    properties: dict[str, Any] = model.model_json_schema().get("properties", {})
    for name in only:
        if name not in properties:
            raise unknown("parameter", name, properties)
        if fixed and name in fixed:
            raise UsageError(f"'{name}' has a fixed value (-A) and is to be tuned; leave one of them out")
    names = [name for name in properties if name in (only or properties) and name not in (fixed or {})]
    dimensions = (_dimension(name, properties[name]) for name in names)
    space = [dimension for dimension in dimensions if dimension is not None]
    missing = sorted(set(only) - {dimension.name for dimension in space})
    if missing:
        raise UsageError(f"'{missing[0]}' has no range of numbers and no list of values, so it cannot be tuned")
    if not space:
        raise UsageError("the solver has no parameter with a range to tune")
    return space


def _dimension(name: str, entry: Mapping[str, Any]) -> Dimension | None:
    """Return the dimension of an entry of a JSON schema, None if it has neither values nor a range."""
    kinds = [kind for kind in entry.get("anyOf", [entry]) if kind.get("type") != "null"]
    kind, default = kinds[0], entry.get("default")
    # Several types, such as a number or a name, have no common range; None beside one type is one more value.
    if len(kinds) != 1 or not kind.get("tunable", True):
        return None
    if kind.get("type") == "boolean":
        return Dimension(name, default, (False, True))
    if "enum" in kind:
        optional = (None,) if len(kinds) < len(entry.get("anyOf", [entry])) else ()
        return Dimension(name, default, (*kind["enum"], *optional))
    if kind.get("type") not in ("integer", "number"):
        return None
    return Dimension(name, None, (None, *_powers(kind))) if default is None else _numbers(name, default, kind)


def _powers(kind: Mapping[str, Any]) -> tuple[float, ...]:
    """Return values of a number whose scale no default tells: the bounds of its range, and powers of ten between.

    >>> _powers({"type": "integer", "minimum": 0})
    (0, 1, 10, 100, 1000)
    >>> _powers({"type": "number", "exclusiveMinimum": 0, "maximum": 1})
    (0.01, 0.1, 1.0)
    """
    whole = kind["type"] == "integer"
    low, high = kind.get("minimum", -np.inf), kind.get("maximum", np.inf)
    powers = {10**k for k in range(4)} if whole else {10.0**k for k in range(-2, 3)}
    inside = {value for value in powers if low <= value <= high and kind.get("exclusiveMaximum", np.inf) > value}
    return tuple(sorted(inside | ({low} if np.isfinite(low) else set())))


def _numbers(name: str, default: float, kind: Mapping[str, Any]) -> Dimension:
    """Return the range of a number around its default.

    >>> _numbers("population", 100, {"type": "integer", "minimum": 2, "maximum": 1000000})[3:]
    (10.0, 1000.0, True, True)
    >>> _numbers("rate", 0.5, {"type": "number", "minimum": 0, "maximum": 1})[3:]
    (0.0, 1.0, False, False)
    >>> cooling = _numbers("cooling", 0.9, {"type": "number", "exclusiveMinimum": 0, "exclusiveMaximum": 1})
    >>> round(cooling.low, 3), round(cooling.high, 3)  # a tenth to ten times the odds
    (0.474, 0.989)
    """
    whole = kind["type"] == "integer"
    minimum = float(kind.get("minimum", kind.get("exclusiveMinimum", -float("inf"))))
    maximum = float(kind.get("maximum", kind.get("exclusiveMaximum", float("inf"))))
    if {"exclusiveMinimum", "exclusiveMaximum"} <= set(kind) and (minimum, maximum) == (0.0, 1.0):
        odds = default / (1.0 - default)
        low, high, log = (odds / SPAN) / (1.0 + odds / SPAN), (odds * SPAN) / (1.0 + odds * SPAN), False
    elif (minimum, maximum) == (0.0, 1.0):
        low, high, log = 0.0, 1.0, False
    elif default > 0:  # a scale: ten times as much and a tenth are as far away
        low, high, log = max(minimum, default / SPAN), min(maximum, default * SPAN), True
    else:
        reach = max(1.0, abs(default) * SPAN)
        low, high, log = max(minimum, -reach), min(maximum, reach), False
    if whole:
        low, high = max(low, 1.0) if log else low, high
        low, high = float(round(low)), float(round(high))
    else:  # the bound itself is no value: stay beside it
        step = SMALLEST * (high - low)
        low += step if low == minimum and "exclusiveMinimum" in kind else 0.0
        high -= step if high == maximum and "exclusiveMaximum" in kind else 0.0
    return Dimension(name, default, (), low, high, whole, log)


TRAINING, TEST = 0, 1
"""The first part of the seeds of runs on the two sets of instances: no seed is used in both."""


class Instance(NamedTuple):
    """A problem by its registered name, with its options."""

    problem: str
    options: Mapping[str, Any]

    @property
    def key(self) -> str:
        """The instance as JSON."""
        return json.dumps([self.problem, dict(self.options)], sort_keys=True)

    def make(self) -> Problem:
        """Return the problem, which is made once in a process."""
        return _problem(self.key)


class Run(NamedTuple):
    """What came of a run."""

    score: float | None
    """None if no feasible solution was found, or the run failed."""
    error: str | None = None
    """The message, if the run failed."""


@dataclass(frozen=True)
class TuningTask:
    """A solver, the parameters that are searched, and the instances and budget of its runs."""

    solver: str
    """The name of the solver."""
    train: Sequence[Instance]
    """The instances on which settings are tried, at least two."""
    test: Sequence[Instance]
    """The instances on which the setting that was found is compared with the default; none of them is in `train`."""
    budget: Budget
    """The limits of each run."""
    runs: int = 1
    """Runs on each instance, with seeds that are common to all settings."""
    fixed: Mapping[str, Any] | None = None
    """Parameters that keep a given value."""
    only: Sequence[str] = ()
    """The parameters to tune; by default all that have a range."""
    seed: int = 0
    """The seeds of all runs, and the proposals, are derived from it."""

    def check(self) -> None:
        """Refuse a task whose sets of instances overlap or are too small, or whose solver refuses an instance."""
        if len(self.train) < 2 or len(self.test) < 1:
            raise UsageError("tuning needs at least 2 training instances and 1 test instance")
        solver, places = make_solver(self.solver, **(self.fixed or {})), dict[str, tuple[str, str]]()
        sets = [("training", instance) for instance in self.train] + [("test", instance) for instance in self.test]
        # By content: two files, or two options, may be the same instance, and a test on it would be none.
        for part, instance in sets:
            content = instance.make().fingerprint
            if content in places:
                raise UsageError(_listed_twice(*places[content], part, instance.key))
            places[content] = (part, instance.key)
        for _, instance in sets:
            reason = solver.refuses(instance.make())
            if reason is not None:
                raise Refusal(self.solver, instance.problem, reason)

    @property
    def name(self) -> str:
        """The solver and the problems, in words."""
        return f"{self.solver} on {', '.join(dict.fromkeys(instance.problem for instance in self.train))}"

    @functools.cached_property
    def space(self) -> list[Dimension]:
        """The parameters that are searched, with their ranges."""
        return search_space(type(make_solver(self.solver)).Params, only=self.only, fixed=self.fixed)

    @property
    def default(self) -> dict[str, Any]:
        """The defaults of the parameters that are searched."""
        return {dimension.name: dimension.default for dimension in self.space}

    def allows(self, setting: Mapping[str, Any]) -> bool:
        """Whether a setting is one that the solver accepts, alone and on every training instance."""
        try:
            solver = make_solver(self.solver, **{**(self.fixed or {}), **setting})
        except UsageError:
            return False
        return all(solver.refuses(instance.make()) is None for instance in self.train)

    def calls(self, setting: Mapping[str, Any], instance: int, part: int = TRAINING) -> list[tuple[Any, ...]]:
        """Return the arguments of `run_once` for all runs of a setting on an instance."""
        item = (self.train, self.test)[part][instance]
        params = json.dumps({**(self.fixed or {}), **setting}, sort_keys=True)  # plain text, for other processes
        return [
            (item, self.solver, params, self.budget, run_seed(self.seed, part, instance, run))
            for run in range(self.runs)
        ]

    @property
    def facts(self) -> dict[str, Any]:
        """What a stored study must have in common with this task to be continued, as plain data.

        Changed files and changed defaults of the solver are noticed: the scores of the default would be others.
        """
        return {
            "solver": self.solver,
            "budget": self.budget.model_dump(exclude_none=True),
            "runs": self.runs,
            "seed": self.seed,
            "parameters": {dimension.name: dimension.words for dimension in self.space},
            "defaults": {**self.default, **(self.fixed or {})},
            "training instances": [[item.key, item.make().fingerprint] for item in self.train],
            "test instances": [[item.key, item.make().fingerprint] for item in self.test],
        }


def run_once(instance: Instance, solver: str, params: str, budget: Budget, seed: int) -> Run:
    """Make one run of a setting; an error that the setting causes is part of what is returned."""
    limits = budget.model_dump(exclude_none=True)
    try:
        method = make_solver(solver, **json.loads(params))
        return Run(solve(instance.make(), method, seed=seed, **limits).score)
    except MissingError:  # no setting is to blame: every run would fail
        raise
    except SwarmkitError as error:
        return Run(None, str(error))


def run_seed(seed: int, part: int, instance: int, run: int) -> int:
    """Return the seed of a run, which all settings have in common."""
    return int(np.random.SeedSequence([seed, part, instance, run]).generate_state(1)[0])


def _listed_twice(first_part: str, first: str, part: str, again: str) -> str:
    """Return a sentence about an instance that is listed twice, in one set or in both."""
    where = f"twice among the {part} instances" if part == first_part else "in both sets, training and test"
    return f"an instance is {where}: {first} and {again} are the same"


@functools.lru_cache(maxsize=1024)
def _problem(key: str) -> Problem:
    name, options = json.loads(key)
    return make_problem(name, **options)
