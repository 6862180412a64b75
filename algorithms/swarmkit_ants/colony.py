"""What all colonies of `tsp-aco` have in common: their state, who deposits pheromone, and what a trail has to offer.

Pheromone τ is measured in units of what the best solution would make of it: τ_max is 1.

[SH] Stützle, T. and Hoos, H. 2000. MAX-MIN ant system. Future Generation Computer Systems 16(8).
[BD] Blum, C. and Dorigo, M. 2004. The hyper-cube framework for ant colony optimization. IEEE Trans. SMC B 34(2).
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass, field
from typing import ClassVar

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from swarmkit import Floats, Ints, Problem, RngState, Solutions
from swarmkit.search import Climb, rng_state

FAINTEST = 0.05
"""The least η as a share of the best candidate's: what is never chosen could never be reinforced."""

FRUITLESS = 50
"""Iterations without a better solution, late in a restart, after which the best of all restarts deposits [SH]."""


@dataclass
class Incumbents:
    """The best route of all, the best since the restart, and the iterations in which these were built."""

    best: Ints
    restart_best: Ints
    score: float = -np.inf
    restart_score: float = -np.inf
    iteration: int = 0
    """Iterations so far."""
    restarted: int = 0
    """The iteration of the last restart."""
    improved: int = 0
    """The iteration in which the restart-best was built."""

    @classmethod
    def of(cls, n: int) -> Incumbents:
        """Return incumbents of n stages before the first iteration."""
        return cls(np.zeros(n, np.int64), np.zeros(n, np.int64))

    @property
    def waited(self) -> int:
        """Iterations since the restart-best was built."""
        return self.iteration - self.improved

    def record(self, route: Ints, score: float) -> None:
        """Count an iteration and keep its best route if it is better."""
        self.iteration += 1
        if score > self.restart_score:
            self.restart_best, self.restart_score, self.improved = route.copy(), score, self.iteration
        self.note(route, score)

    def note(self, route: Ints, score: float) -> bool:
        """Keep a route if it is the best of all, and return whether it is; its iteration need not have ended."""
        if score <= self.score:
            return False
        self.best, self.score = route.copy(), score
        return True

    def depositor(self, route: Ints, score: float, period: int | None) -> tuple[Ints, float]:
        """Return the route that deposits pheromone in MAX-MIN ant system, and its score [SH].

        Args:
            route: the iteration-best.
            score: its score.
            period: every `period` iterations the restart-best deposits; None for the schedule with local search.
        """
        every = period or restart_best_period(self.iteration - self.restarted)
        if self.iteration % every:
            return route, score
        if every == 1 and self.waited > FRUITLESS:
            return self.best, self.score
        return self.restart_best, self.restart_score

    def restart(self) -> None:
        """Forget the restart-best."""
        self.restarted = self.improved = self.iteration
        self.restart_score = -np.inf


@dataclass
class Colony:
    """A colony between two steps. A route is a solution in the terms of the trail: cities in order, for instance."""

    rng_state: RngState
    """The state of the kernels' generator."""
    pheromone: Floats
    incumbents: Incumbents
    routes: Ints
    """What the ants of the iteration have built, one a row."""
    scores: Floats
    """The score of each route; -inf where it is not known, because local search comes first."""
    attempts: int = 0
    """How often the ants of the iteration have begun, while it takes them further steps to build its routes; else 0."""
    first: int = 0
    """The stage at which they begin then."""
    climb: Climb | None = None
    """The solutions of the iteration under local search."""
    weights: NDArray[np.float32] = field(default_factory=lambda: np.empty((0, 0), np.float32))
    """On tours: τ^alpha·η^β of the edges to each city's nearest."""
    source: Ints = field(default_factory=lambda: np.empty(0, np.int64))
    """On tours: the tour that focused and partial ants change."""
    greedy_length: float = 0.0
    """On tours: the length of a first greedy tour, in whose units `acs` and `as` deposit."""

    @classmethod
    def of(cls, pheromone: Floats, rows: int, n: int, rng: Generator) -> Colony:
        """Return a colony before its first iteration.

        Args:
            pheromone: that of the whole trail.
            rows: the routes of an iteration.
            n: the stages of a route.
            rng: the run's generator, from which that of the kernels is seeded.
        """
        routes, scores = np.zeros((rows, n), np.int64), np.full(rows, -np.inf)
        return cls(rng_state(rng), pheromone, Incumbents.of(n), routes, scores)


class Trail(ABC):
    """Where the pheromone of a colony lies, and how its ants build routes along it."""

    rho: float = 0.05
    """The share of pheromone that evaporates with each update, unless the user says otherwise; ours."""
    period: ClassVar[int] = 5
    """Without local search, the restart-best deposits every `period` iterations of MAX-MIN ant system; ours."""
    limits: tuple[float, float] = (0.0, np.inf)
    """What pheromone is kept within."""
    constant: float = 0.0
    """What the score of a solution is more than that of its route."""
    wears: ClassVar[bool] = False
    """Whether the ants of ant colony system leave the local updates of what they cross to the end of the iteration."""
    improves: bool = False
    """Whether the ants improve their solutions themselves, so that no local search follows."""

    @abstractmethod
    def start(self, rng: Generator) -> Colony:
        """Return a colony with equal pheromone everywhere."""

    @abstractmethod
    def construct(self, problem: Problem, colony: Colony, rng: Generator) -> int:
        """Let all ants build routes by pheromone and heuristic values; write them to the colony, return the looks."""

    @abstractmethod
    def reinforce(self, colony: Colony, route: Ints, keep: float, amount: float) -> None:
        """Let the pheromone τ along a route become keep·τ + amount."""

    @abstractmethod
    def warm(self, colony: Colony, route: Ints) -> None:
        """Let pheromone evaporate except along a route that was handed in."""

    def solutions(self, routes: Ints) -> Solutions:
        """Return the solutions that routes stand for: themselves, unless a trail says otherwise."""
        return routes

    def routes(self, X: Solutions) -> Ints:
        """Return routes of solutions."""
        return X

    def update(self, colony: Colony, routes: Ints, amounts: Floats, keep: float) -> None:
        """Keep a share of all pheromone, add an amount along each route, and keep to the limits."""
        colony.pheromone *= keep
        for route, amount in zip(routes, amounts, strict=True):
            self.reinforce(colony, route, 1.0, float(amount))
        self.keep_limits(colony)

    def keep_limits(self, colony: Colony) -> None:
        """Keep pheromone that has changed within its limits, and compute what follows from it."""
        np.clip(colony.pheromone, *self.limits, out=colony.pheromone)

    def deposits(self, colony: Colony, scores: Floats) -> Floats:
        """Return what routes of some scores deposit, before evaporation: scores may have any sign, the best gets 1."""
        return relative_quality(scores)

    def score_of(self, route: Ints, score: float) -> float:
        """Return the score of a route, given that of its solution."""
        return score

    def converged(self, colony: Colony) -> bool:
        """Return whether a colony that has stagnated is to be restarted."""
        return True

    def restart(self, colony: Colony) -> None:
        """Set all pheromone to its highest value."""
        colony.pheromone[:] = 1.0
        self.keep_limits(colony)


def lowest_pheromone(stages: int, choices: float, p_best: float) -> float:
    """Return τ_min / τ_max with which, all pheromone at its limits, the best solution is built with probability p_best.

    [SH] Eq. (11): (1 - p) / ((avg - 1)·p) with p the n-th root of p_best.

    >>> round(lowest_pheromone(100, 11.0, 0.05), 5)
    0.00304

    Args:
        stages: n, the choices that make a solution.
        choices: avg, the mean number of candidates that an ant chooses among.
        p_best: the probability.
    """
    p = p_best ** (1.0 / stages)
    return float(min(1.0, (1.0 - p) / (max(choices - 1.0, 1.0) * p)))


def restart_best_period(age: int) -> int:
    """Return the period in which the restart-best deposits instead of the iteration-best; `age`: iterations since then.

    [SH] Section 4.4, for ants with local search: seldom at first, always at last.

    >>> [restart_best_period(age) for age in (0, 25, 75, 125, 250)]
    [25, 5, 3, 2, 1]
    """
    return next((period for until, period in ((25, 25), (75, 5), (125, 3), (250, 2)) if age < until), 1)


def relative_quality(scores: Floats) -> Floats:
    """Return the quality of each solution where scores may have any sign: 0 for the worst, 1 for the best [BD].

    >>> relative_quality(np.array([-5.0, 0.0, 5.0])).tolist()
    [0.0, 0.5, 1.0]
    """
    extent = np.ptp(scores)
    return (scores - scores.min()) / extent if extent > 0 else np.ones(len(scores))
