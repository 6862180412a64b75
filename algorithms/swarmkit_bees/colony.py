"""The steps of D-Bees and of bee colony optimisation: iterations that all follow one plan, on free tables compiled."""

from __future__ import annotations

from abc import abstractmethod
from typing import Any

import numpy as np
from numpy.random import Generator

from swarmkit import NO_STEP, Pairwise, Problem, Solver, StepResult
from swarmkit.search import RouteSearch, rng_state
from swarmkit_bees.rules import Plan
from swarmkit_bees.state import PASSES, Colony


class ColonySolver(Solver[Colony]):
    """A colony that makes a number of iterations, all by the same plan."""

    params: Any

    @abstractmethod
    def plan(self, problem: Problem, hive: int) -> Plan:
        """Return the order of the stages, the bees' candidates at the hive, and the rules."""

    @abstractmethod
    def iterate(self, problem: Problem, colony: Colony, rng: Generator) -> StepResult:
        """Make an iteration on a problem that is not tables or has constraints."""

    def draw_hive(self, problem: Problem, rng: Generator) -> int:
        """Return the stage that is the hive of this run, or -1 if there is none."""
        return -1

    def prepare(self, problem: Problem) -> None:
        """Compile the passes where the problem is tables."""
        if problem.structure.free_tables is not None:
            from swarmkit_bees import kernel

            kernel.warm_up()

    def start(self, problem: Problem, rng: Generator) -> Colony:
        """Return the state before the first iteration."""
        return self.begin(problem, self.draw_hive(problem, rng), rng)

    def begin(self, problem: Problem, hive: int, rng: Generator) -> Colony:
        """Return the state before the first iteration from a given hive."""
        seed = np.empty(0, np.uint64) if problem.structure.free_tables is None else rng_state(rng)
        return Colony(hive, np.full(len(problem.sizes), -1), seed)

    def steps(self, problem: Problem, state: Colony, rng: Generator, count: int) -> StepResult:
        """Make `count` iterations, fewer if the search ends; on tables in one call."""
        form, most = problem.structure.free_tables, self.params.iterations
        total = NO_STEP
        if form is not None:
            return self._steps_on_tables(problem, form, state, min(count, most - state.iterations))
        while total.steps < count and not total.done:
            result = self.iterate(problem, state, rng)
            total = total.plus(result._replace(steps=1, done=result.done or state.iterations >= most))
        return total

    def _steps_on_tables(self, problem: Problem, form: Pairwise, state: Colony, count: int) -> StepResult:
        from swarmkit_bees.kernel import memory_of

        memory, best = memory_of(form, state), state.best
        if memory.plan is None:  # the first step of this process: the plan is a function of the hive
            memory.follow(self.plan(problem, state.hive), form.unary, state.guide, state.passes)
        state.best, looks, iterations, at_end = memory.iterate(count, best, state.rng_state)
        state.passes, state.iterations = int(memory.workspace.passes[0]), state.iterations + iterations
        done = at_end or state.iterations >= self.params.iterations
        if state.best <= best:
            return StepResult(None, None, looks, iterations, done, steps=iterations)
        return StepResult(memory.workspace.best.copy(), state.best, looks, iterations, done, steps=iterations)

    def snapshot(self, state: Colony) -> list[dict[str, Any]]:
        """Return the bees after each pass of the last iteration; while paths climb, at the end the one that does."""
        search = state.search
        if search is not None and search.bees:
            costs = np.array([RouteSearch.cost(bee) for bee in search.bees])
            return [{"solutions": np.array([RouteSearch.current(bee) for bee in search.bees]), "qualities": -costs}]
        moments: list[dict[str, Any]] = PASSES[state].moments() if state in PASSES else []
        if moments and search is not None and search.table is not None and len(search.paths):
            moments[-1]["current"] = search.table.x
        return moments
