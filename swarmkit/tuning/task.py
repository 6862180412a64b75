"""What is tuned: a solver with its search space, instances to learn from and instances to check on, and a budget."""

from __future__ import annotations

import functools
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from swarmkit.contract.budget import Budget
from swarmkit.contract.errors import MissingError, Refusal, SwarmkitError, UsageError
from swarmkit.contract.problem import Problem
from swarmkit.plugins.factory import make_problem, make_solver
from swarmkit.running.api import solve
from swarmkit.tuning.space import Dimension, search_space

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
