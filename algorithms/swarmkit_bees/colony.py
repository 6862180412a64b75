"""What D-Bees and bee colony optimisation share: `start` and `step`."""

from __future__ import annotations

from abc import abstractmethod
from typing import Any

import numpy as np
from numpy.random import Generator

from swarmkit import WHOLE_STEP, Found, Left, Problem, Solver
from swarmkit.search import rng_state
from swarmkit_bees import compiled, iteration
from swarmkit_bees.restored import check_colony
from swarmkit_bees.rules import Outcome, Plan
from swarmkit_bees.state import Colony, no_bees


class ColonySolver(Solver[Colony]):
    """A colony that makes a given number of iterations, all by the same plan."""

    unit = "one forward and backward pass of all bees, or the score of one complete path"
    params: Any

    @abstractmethod
    def plan(self, problem: Problem, hive: int) -> Plan:
        """Return the order of the stages, the bees' candidates at the hive, and the rules."""

    def draw_hive(self, problem: Problem, rng: Generator) -> int:
        """Return the stage that is the hive of this run, or -1 if there is none."""
        return -1

    def prepare(self, problem: Problem) -> None:
        """Compile the passes where the problem is tables."""
        if problem.structure.free_tables is not None:
            compiled.warm_up()

    def start(self, problem: Problem, rng: Generator) -> Colony:
        """Return the state before the first iteration."""
        return self.begin(problem, self.draw_hive(problem, rng), rng)

    def begin(self, problem: Problem, hive: int, rng: Generator) -> Colony:
        """Return the state before the first iteration from a given hive."""
        form = problem.structure.free_tables
        if form is None:
            return Colony(hive, 0, -np.inf, np.empty(0, np.uint64), {}, no_bees())
        return compiled.new_colony(form, self.plan(problem, hive), hive, rng_state(rng))

    def step(self, problem: Problem, state: Colony, rng: Generator, left: Left = WHOLE_STEP) -> Found:
        """Make forward and backward passes until one of the limits or the last iteration is reached."""
        left = left._replace(iterations=min(left.iterations, self.params.iterations - state.iterations))
        form = problem.structure.free_tables
        if form is None:
            made = iteration.advance(problem, self.plan(problem, state.hive), state, left, rng)
        else:
            inputs = compiled.known_inputs(form, state)
            if inputs is None:  # the state comes from a checkpoint
                plan = self.plan(problem, state.hive)
                check_colony(form, plan, state)
                inputs = compiled.make_inputs(form, plan, state, form.unary)
            made = compiled.advance(inputs, state, left)
        return self.found(state, made)

    def snapshot(self, state: Colony) -> dict[str, Any]:
        """Return the bees' paths and qualities, and whom each followed; while paths climb, the one that does."""
        if not state.workspace:
            bees = state.bees
            return {"solutions": bees.paths, "qualities": bees.qualities} if len(bees.paths) else {}
        traced = compiled.paths(state)
        if traced is None:
            return {}
        by_step, order = traced
        table = None if state.rounds is None else state.rounds.table
        n = len(order) if table is None else len(table.x)
        solutions = np.full((len(by_step), n), -1)
        solutions[:, order] = by_step
        shown = {
            "solutions": solutions,
            "qualities": state.workspace["qualities"],
            "followed": compiled.followed(state),
            "home": int(order[0]),
        }
        if table is not None and state.rounds is not None and len(state.rounds.paths):
            shown["current"] = table.x
        return shown

    def found(self, state: Colony, made: Outcome) -> Found:
        """Return the outcome of a step; it is the last one after the last iteration, or when the rules say so."""
        done = made.ended or state.iterations >= self.params.iterations
        return Found(made.solution, None if made.solution is None else made.score, made.looks, made.iterations, done)
