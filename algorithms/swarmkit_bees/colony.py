"""What D-Bees and bee colony optimisation share: iterations of a colony, compiled where the problem is tables."""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from swarmkit import GRAIN, Found, Pairwise, Problem, Solver
from swarmkit.compiled import ColonyRules, Flight, fly, free_form, kernel_words, load_colony
from swarmkit_bees.flight import iterate

Ints = NDArray[np.int64]


@dataclass
class Colony:
    """What a colony carries from iteration to iteration."""

    hive: int
    """The stage where the bees begin; -1: at the first of the walk, like at any other."""
    iterations: int
    passes: int
    best: float
    words: NDArray[np.uint64]
    """The kernel's generator; empty where there is no kernel."""


class Plan(NamedTuple):
    """How the colony flies: its walk, the bees' candidates at the hive (-1: none given), and its rules."""

    order: Ints
    hive: Ints
    rules: ColonyRules


class ColonySolver(Solver[Colony]):
    """A colony that makes so many iterations of a plan."""

    params: Any

    @abstractmethod
    def plan(self, problem: Problem, state: Colony) -> Plan:
        """Say how the colony flies."""

    def draw_hive(self, problem: Problem, rng: Generator) -> int:
        """Choose the hive, if there is one."""
        return -1

    def prepare(self, problem: Problem) -> None:
        """Compile the iterations where the problem is tables."""
        if free_form(problem) is not None:
            load_colony()

    def start(self, problem: Problem, rng: Generator) -> Colony:
        """Begin before the first iteration."""
        hive = self.draw_hive(problem, rng)
        words = kernel_words(rng) if free_form(problem) is not None else np.empty(0, np.uint64)
        return Colony(hive, iterations=0, passes=0, best=-np.inf, words=words)

    def step(self, problem: Problem, state: Colony, rng: Generator) -> Found:
        """Make the iterations that one grain is worth, but not more than are left."""
        plan, form = self.plan(problem, state), free_form(problem)
        flight = self._fast(form, plan, state) if form is not None else self._plain(problem, plan, state, rng)
        state.iterations += flight.iterations
        state.passes, state.best = flight.passes, max(state.best, flight.score)
        done = flight.ended or state.iterations >= self.params.iterations
        score = None if flight.solution is None else flight.score
        return Found(flight.solution, score, flight.looks, flight.iterations, done)

    def _fast(self, form: Pairwise, plan: Plan, state: Colony) -> Flight:
        """Make iterations in the kernel."""
        order, hive, rules = plan
        per_iteration = len(hive) * int(np.minimum(form.sizes, rules.tries or form.sizes).sum())
        count = min(max(1, GRAIN // per_iteration), self.params.iterations - state.iterations)
        return fly(form, order, hive, rules, count, state.words, passes=state.passes, record=state.best)

    def _plain(self, problem: Problem, plan: Plan, state: Colony, rng: Generator) -> Flight:
        """Make one iteration, whatever the problem."""
        made = iterate(problem, plan.order, plan.hive, plan.rules, state.passes, rng)
        ended = made.quality <= plan.rules.beta or made.score - state.best <= plan.rules.tolerance
        ended &= made.solution is not None
        return Flight(made.solution, made.score, made.looks, 1, made.passes, bool(ended))
