"""Iterations in rounds: the bees rebuild stretches of the best path, each from a hive of its own, and climb.

The first iteration is one round over all stages, as in the paper. In each later one the stages are cut into stretches.
The bees of a stretch build it anew beside what is kept of the best path; the paths of the recruiters are then improved
by local search, and the best of them replaces the best path if it is no worse. Bees that improve complete solutions
are those of Davidović, T., Ramljak, D., Šelmić, M. and Teodorović, D. 2011. Bee colony optimization for the p-center
problem. Computers & Operations Research 38(10).
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable

import numpy as np
from numpy.random import Generator

from swarmkit import Ints, Left, Problem, Solutions
from swarmkit_bees.rules import Outcome, Plan, Rules
from swarmkit_bees.state import Colony, Rounds

Draw = Callable[[Solutions | None], tuple[Ints, Ints]]
"""A function (best solution) -> order of the stages of a new round, candidate of each bee at its hive."""


class Engine(ABC):
    """Passes and climbs of a round on one kind of problem; made anew for each step, it changes the colony.

    Args:
        problem: the problem.
        colony: the state.
        rounds: the state of its rounds.
        rules: the colony's.
        improve: whether the recruiters' paths are improved by local search.
    """

    def __init__(self, problem: Problem, colony: Colony, rounds: Rounds, rules: Rules, improve: bool) -> None:
        self.problem, self.colony, self.rounds, self.rules, self.improve = problem, colony, rounds, rules, improve

    @property
    def plan(self) -> Plan:
        """The way of the bees in this round."""
        return Plan(self.rounds.order, self.rounds.starts, self.rules)

    @property
    @abstractmethod
    def best(self) -> Solutions | None:
        """The last of the best solutions; None before the first."""

    @property
    @abstractmethod
    def quality(self) -> float:
        """The best quality of a bee; infinite where no bee has a path."""

    @property
    @abstractmethod
    def finished(self) -> bool:
        """Whether the round has ended."""

    @abstractmethod
    def begin(self) -> None:
        """Begin the round that was drawn."""

    @abstractmethod
    def go_on(self, left: Left, rng: Generator) -> int:
        """Make passes, or climb, until one of the two is through or a pause; return the looks."""

    @abstractmethod
    def end(self) -> None:
        """Make the colony ready for the next round."""

    def found(self) -> tuple[Solutions, float] | None:
        """Return the first of the best solutions, that of a climb in progress included, and its score."""
        return None if self.best is None else (self.rounds.found, self.colony.best)


def advance(engine: Engine, draw: Draw, left: Left, rng: Generator) -> Outcome:
    """Make rounds until a pause, and return the best solution if it is better than all before.

    Args:
        engine: passes and climbs.
        draw: draws a round.
        left: where to pause.
        rng: the run's generator.
    """
    problem, colony, rounds = engine.problem, engine.colony, engine.rounds
    known, before = colony.best, problem.evaluations
    looks, made, ended = 0, 0, False
    while looks < left.looks and made < left.iterations and not ended:
        spent = problem.evaluations - before
        if spent >= left.evaluations:
            break
        if not len(rounds.order):
            rounds.before = rounds.before if rounds.visited else colony.best
            rounds.order, rounds.starts = draw(engine.best)
            engine.begin()
        looks += engine.go_on(left.after(looks, spent, made), rng)
        if engine.finished:
            ended = engine.quality <= engine.rules.beta
            engine.end()
            if end_round(colony, rounds, len(problem.sizes)):
                made += 1
                ended |= np.isfinite(colony.best) and colony.best - rounds.before <= engine.rules.tolerance
    found = engine.found()
    if found is None or found[1] <= known:
        return Outcome(None, known, looks, made, bool(ended))
    return Outcome(np.array(found[0]), found[1], looks, made, bool(ended))


def end_round(colony: Colony, rounds: Rounds, n: int) -> bool:
    """Count the stages of a round, and return whether its iteration has ended, because all n are visited."""
    rounds.visited += len(rounds.order)
    rounds.order = rounds.order[:0]
    if rounds.visited < n:
        return False
    colony.iterations += 1
    rounds.visited = 0
    return True


def next_stretch(rounds: Rounds, n: int, longest: int, rng: Generator) -> Ints:
    """Return the stages of the next round in their own order; the first round of an iteration decides how it is cut.

    Args:
        rounds: the state of the rounds; there is a best solution to keep the rest of.
        n: the number of stages.
        longest: the most stages of a stretch; an iteration draws the length of its stretches.
        rng: the run's generator.
    """
    if rounds.visited == 0:
        most = min(n, longest)
        rounds.offset, rounds.length = int(rng.integers(n)), int(rng.integers(min(2, most), most, endpoint=True))
    end = min(n, rounds.visited + rounds.length)
    return np.asarray((rounds.offset + np.arange(rounds.visited, end)) % n)
