"""What D-Bees and bee colony optimisation share: State and step, and the call of the compiled iterations."""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.random import Generator

from swarmkit import GRAIN, Found, Pairwise, Problem, RngState, Solver
from swarmkit.search import rng_state, visiting_order
from swarmkit_bees import iteration
from swarmkit_bees.rules import Outcome, Plan, Rules


@dataclass
class Colony:
    """The state of a colony between iterations."""

    hive: int
    """The stage where the bees begin, one at each of its candidates; -1: they have none."""
    iterations: int
    """Iterations so far."""
    passes: int
    """u: forward passes so far."""
    best: float
    """The best score so far."""
    rng_state: RngState
    """The kernel's random state; empty where there is no kernel."""


class ColonySolver(Solver[Colony]):
    """A colony that makes a given number of iterations, all by the same plan."""

    params: Any

    @abstractmethod
    def plan(self, problem: Problem, state: Colony) -> Plan:
        """Return the order of the stages, the bees' candidates at the hive, and the rules."""

    def draw_hive(self, problem: Problem, rng: Generator) -> int:
        """Return the stage that is the hive of this run, or -1 if there is none."""
        return -1

    def prepare(self, problem: Problem) -> None:
        """Compile the iterations where the problem is tables; call them once, as numba's first call takes longest."""
        if problem.structure.free_tables is not None:
            plan = Plan(np.array([0]), np.array([0]), Rules(1, 1))
            iterate(Pairwise.of([2], unary=[0.0, 0.0]), plan, 1, np.ones(4, np.uint64))

    def start(self, problem: Problem, rng: Generator) -> Colony:
        """Return the state before the first iteration."""
        hive = self.draw_hive(problem, rng)
        state = np.empty(0, np.uint64) if problem.structure.free_tables is None else rng_state(rng)
        return Colony(hive, iterations=0, passes=0, best=-np.inf, rng_state=state)

    def step(self, problem: Problem, state: Colony, rng: Generator) -> Found:
        """Make compiled iterations worth one grain, but not more than are left; one where there is no kernel."""
        plan, form = self.plan(problem, state), problem.structure.free_tables
        if form is None:
            made = iteration.iterate(problem, plan, state.passes, state.best, rng)
        else:
            count = min(iterations_per_grain(form, plan), self.params.iterations - state.iterations)
            made = iterate(form, plan, count, state.rng_state, passes=state.passes, record=state.best)
        state.iterations += made.iterations
        state.passes, state.best = made.passes, max(state.best, made.score)
        done = made.ended or state.iterations >= self.params.iterations
        return Found(made.solution, None if made.solution is None else made.score, made.looks, made.iterations, done)


def iterations_per_grain(form: Pairwise, plan: Plan) -> int:
    """Return the number of iterations that take about one grain of looks; at least 1."""
    per_iteration = len(plan.hive) * int(np.minimum(form.sizes, plan.rules.tries or form.sizes).sum())
    return max(1, GRAIN // per_iteration)


def iterate(
    form: Pairwise, plan: Plan, iterations: int, rng_state: RngState, passes: int = 0, record: float = -np.inf
) -> Outcome:
    """Make compiled iterations on tables without constraints; `swarmkit_bees.reference` is the same in plain Python.

    Args:
        form: the tables.
        plan: the order of the stages, the bees' candidates at the hive, the rules.
        iterations: how many to make, unless the rules end the search before.
        rng_state: the kernel's random state, which is advanced.
        passes: u, the number of forward passes so far; not used if the rules reset it.
        record: the best score of the iterations before.
    """
    from swarmkit_bees import kernel

    order, hive, rules = plan
    best = np.zeros(len(order), np.int64)
    score, looks, made, passes, ended = kernel.iterate(
        kernel.tables_of(form),
        kernel.unsigned(visiting_order(form, order)),
        kernel.new_workspace(best, len(hive), int(form.sizes.max())),
        rules.encoded(),
        np.asarray(hive, np.int64),
        kernel.Progress(iterations, passes, record),
        rng_state,
    )
    return Outcome(best, score, looks, made, passes, ended)
