"""What is tuned: a solver with its search space, instances to learn from and instances to check on, and a budget."""

from __future__ import annotations

import functools
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from swarmkit.contract.budget import Budget
from swarmkit.contract.errors import Refusal, SwarmkitError, UsageError
from swarmkit.contract.problem import Problem
from swarmkit.plugins.factory import make_problem, make_solver
from swarmkit.running.api import solve
from swarmkit.tuning.space import Dimension, search_space

TRAINING, TEST = 0, 1
"""The first part of the seeds of runs on the two sets of instances: no seed is used in both."""


@dataclass(frozen=True)
class TuningTask:
    """A solver, the parameters that are searched, and the instances and budget of its runs."""

    solver: str
    problem: str
    train: Sequence[Mapping[str, Any]]
    """The options of each training instance."""
    test: Sequence[Mapping[str, Any]]
    """The options of each test instance."""
    budget: Budget
    runs: int = 1
    """Runs on each instance, with seeds that are common to all settings."""
    fixed: Mapping[str, Any] | None = None
    """Parameters that keep a given value."""
    only: Sequence[str] = ()
    """The parameters to tune; by default all that have a range."""
    seed: int = 0

    def check(self) -> None:
        """Refuse a task whose sets of instances overlap or are too small, or whose solver refuses an instance."""
        if len(self.train) < 2 or len(self.test) < 1:
            raise UsageError("tuning needs at least 2 training instances and 1 test instance")
        both = {_key(one) for one in self.train} & {_key(one) for one in self.test}
        if both:
            raise UsageError(f"an instance is in both sets, training and test: {min(both)}")
        solver = make_solver(self.solver, **(self.fixed or {}))
        for options in (self.train[0], self.test[0]):
            reason = solver.refuses(_problem(self.problem, _key(options)))
            if reason is not None:
                raise Refusal(self.solver, self.problem, reason)

    @property
    def space(self) -> list[Dimension]:
        """The parameters that are searched, with their ranges."""
        return search_space(type(make_solver(self.solver)).Params, only=self.only, fixed=self.fixed)

    @property
    def default(self) -> dict[str, Any]:
        """The defaults of the parameters that are searched."""
        return {one.name: one.default for one in self.space}

    def allows(self, setting: Mapping[str, Any]) -> bool:
        """Whether a setting is one that the solver accepts, alone and on the first training instance."""
        try:
            made = make_solver(self.solver, **{**(self.fixed or {}), **setting})
            return made.refuses(_problem(self.problem, _key(self.train[0]))) is None
        except UsageError:
            return False

    def calls(self, setting: Mapping[str, Any], instance: int, part: int = TRAINING) -> list[tuple[Any, ...]]:
        """Return the arguments of `run_once` for all runs of a setting on an instance."""
        options = (self.train, self.test)[part][instance]
        params = json.dumps({**(self.fixed or {}), **setting}, sort_keys=True)
        return [
            (self.problem, _key(options), self.solver, params, self.budget, run_seed(self.seed, part, instance, run))
            for run in range(self.runs)
        ]

    @property
    def facts(self) -> str:
        """What a stored study must have in common with this task to be continued, as JSON."""
        plain = {name: value for name, value in vars(self).items() if name != "budget"}
        return json.dumps(plain | {"budget": self.budget.model_dump(exclude_none=True)}, sort_keys=True, default=list)


def run_once(problem: str, options: str, solver: str, params: str, budget: Budget, seed: int) -> float | None:
    """Return the score of one run, None if it found no feasible solution or the setting does not work."""
    limits = budget.model_dump(exclude_none=True)
    try:
        made = make_solver(solver, **json.loads(params))
        return solve(_problem(problem, options), made, seed=seed, **limits).score
    except SwarmkitError:
        return None


def run_seed(seed: int, part: int, instance: int, run: int) -> int:
    """Return the seed of a run, which all settings have in common."""
    return int(np.random.SeedSequence([seed, part, instance, run]).generate_state(1)[0])


@functools.lru_cache(maxsize=64)
def _problem(name: str, options: str) -> Problem:
    return make_problem(name, **json.loads(options))


def _key(options: Mapping[str, Any]) -> str:
    return json.dumps(dict(options), sort_keys=True)
