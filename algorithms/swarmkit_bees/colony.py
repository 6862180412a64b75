"""What D-Bees and bee colony optimisation share: `start`, `step`, and the call of the kernel on free tables."""

from __future__ import annotations

from abc import abstractmethod
from typing import Any

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from swarmkit import Found, Pairwise, Problem, Solver, UsageError
from swarmkit.search import rng_state
from swarmkit_bees.rules import Plan
from swarmkit_bees.state import WALKS, Colony


class ColonySolver(Solver[Colony]):
    """A colony that makes a number of iterations, all by the same plan."""

    params: Any

    @abstractmethod
    def plan(self, problem: Problem, hive: int) -> Plan:
        """Return the order of the stages, the bees' candidates at the hive, and the rules."""

    @abstractmethod
    def iterate(self, problem: Problem, colony: Colony, rng: Generator) -> Found:
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
        guide, no_paths = np.full(len(problem.sizes), -1), np.empty((0, len(problem.sizes)), np.int64)
        return Colony(hive, 0, -np.inf, 0, guide, seed, no_paths, np.empty(0))

    def step(self, problem: Problem, state: Colony, rng: Generator) -> Found:
        """Make one iteration: all forward and backward passes."""
        if problem.structure.free_tables is None:
            return self.iterate(problem, state, rng)
        return self.steps(problem, state, rng, 1)

    def steps(self, problem: Problem, state: Colony, rng: Generator, count: int) -> Found:
        """Make `count` iterations, fewer if the search ends; on tables in one call."""
        form = problem.structure.free_tables
        if form is None:
            return super().steps(problem, state, rng, count)
        from swarmkit_bees.kernel import memory_of

        memory = memory_of(form, state)
        if memory.plan is None:
            check_state(form, state)
            memory.follow(self.plan(problem, state.hive), form.unary, state.guide, state.passes)
        record, count = state.best, min(count, self.params.iterations - state.iterations)
        score, looks, iterations, ended = memory.iterate(count, record, state.rng_state)
        state.best, state.passes = score, int(memory.workspace.passes[0])
        state.iterations += iterations
        done = ended or state.iterations >= self.params.iterations
        if score <= record:
            return Found(None, None, looks, iterations, done, steps=iterations)
        return Found(memory.workspace.best.copy(), score, looks, iterations, done, steps=iterations)

    def snapshot(self, state: Colony) -> list[dict[str, Any]]:
        """Return the bees after each pass of the last iteration; while paths climb, at the end the one that does."""
        if not len(state.rng_state):
            return WALKS[state].moments() if state in WALKS else []
        from swarmkit_bees.kernel import MEMORIES

        moments, search = MEMORIES[state].moments() if state in MEMORIES else [], state.search
        if moments and search is not None and search.table is not None and len(search.paths):
            moments[-1]["current"] = search.table.x
        return moments


def check_state(form: Pairwise, state: Colony) -> None:
    """Raise UsageError if a state cannot be one of these tables: a kernel would read any memory by its numbers."""
    n, guide = len(form.sizes), state.guide
    sound = -1 <= state.hive < n and state.passes >= 0 and state.rng_state.shape == (4,) and guide.shape == (n,)
    expect(sound and within(guide + 1, form.sizes + 1))


def expect(sound: bool) -> None:
    """Raise UsageError if something about a state is not sound."""
    if not sound:
        raise UsageError("the bees of this state do not fit the problem: the checkpoint is damaged. Start a new run.")


def within(indices: NDArray[Any], sizes: Any) -> bool:
    """Return whether all numbers are indices below the sizes."""
    return bool(((indices >= 0) & (indices < sizes)).all())
