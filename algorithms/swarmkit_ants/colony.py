"""What all colonies of `tsp-aco` have in common: parameters, state, who deposits pheromone, what a trail has to offer.

Pheromone τ is measured in units of what the best solution would make of it: τ_max is 1. References as in
`swarmkit_ants.tsp_aco`, and
[BD] Blum, C. and Dorigo, M. 2004. The hyper-cube framework for ant colony optimization. IEEE Trans. SMC B 34(2).
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Annotated, ClassVar, Literal

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray
from pydantic import Field

from swarmkit import Floats, Ints, Problem, RngState, Settings, Solutions, Tour
from swarmkit.search import Climb, rng_state

FRUITLESS = 50
"""Iterations without a better solution, late in a restart, after which the best of all restarts deposits [SH]."""


class Params(Settings):
    """The colony, and how ants build tours. Defaults are ours where no paper is named."""

    renamed: ClassVar[Mapping[str, str]] = MappingProxyType(
        {
            "focus": "-A construction=focused -A new_edges=N",
            "part": "-A construction=partial -A segment=N (part=0: -A construction=walk)",
        }
    )

    variant: Literal["mmas", "acs", "as"] = "mmas"
    """MAX-MIN ant system [SH], ant colony system [DG] or ant system [DM]."""
    ants: Annotated[int, Field(ge=1, le=100_000)] = 25
    """Ants per iteration."""
    alpha: Annotated[float, Field(ge=0)] = 1.0
    """Exponent of the pheromone τ."""
    beta: Annotated[float, Field(ge=0)] = 2.0
    """Exponent of the heuristic value η: 1 / distance on tours, the heuristic values of candidates elsewhere."""
    rho: Annotated[float, Field(gt=0, le=1)] | None = None
    """Share of the pheromone that evaporates with each update; [DG]: 0.1, [DM]: 0.5. Default: 0.02 [SH] with
    construction=partial, else 0.05."""
    candidates: Annotated[int, Field(ge=1)] = 12
    """On tours: number of nearest cities that an ant chooses among; only edges to these carry pheromone."""
    local_search: Literal["none", "2opt", "icm"] = "none"
    """What improves the ants' solutions: nothing, 2opt (tours: 2-opt, 3-opt, Or-opt), or icm."""
    construction: Literal["auto", "walk", "focused", "partial"] = "auto"
    """On tours: an ant walks a whole tour (walk), makes a few new edges in a good one (focused [SK]), or walks a
    segment of one (partial [CH]). auto: focused with local_search=2opt on symmetric tours; partial for mmas without
    local search on symmetric tours where at most 6 % of triples violate the triangle inequality; walk otherwise."""
    new_edges: Annotated[int, Field(ge=1)] = 2
    """focused: new edges along which an ant leaves the tour that it changes."""
    segment: Annotated[int, Field(ge=2)] | None = None
    """partial: the most cities that an ant walks. Default: two fifths of the cities, at least 10, at most 80."""
    trail: Literal["candidates", "pairs"] = "candidates"
    """Where pheromone lies on problems that are no tours: on single candidates, or as in [NO] on pairs of them, the
    ants choosing the next stage too, by relatedness (mmas without local search)."""
    p_best: Annotated[float, Field(gt=0, lt=1)] = 0.05
    """mmas: the probability of building the best solution with all pheromone at its limits [SH]."""
    greed: Annotated[float, Field(ge=0, le=1)] = 0.9
    """acs: the probability of taking the best edge instead of drawing one (q0 in [DG])."""
    wear: Annotated[float, Field(ge=0, le=1)] = 0.1
    """acs: share by which the pheromone of an edge that an ant crosses moves to its initial value (ξ in [DG])."""

    def cannot_build(self, construction: str, tour: Tour) -> str | None:
        """Return the reason why tours cannot be built in the way named, or None."""
        way_out = "construction=walk and construction=auto do any tour"
        if construction in ("focused", "partial") and not tour.symmetric:
            return f"construction={construction} is for tours with equal costs both ways; {way_out}"
        if construction == "partial" and (self.variant != "mmas" or self.local_search != "none"):
            return f"construction=partial is for variant=mmas with local_search=none; {way_out}"
        return None


@dataclass
class Colony:
    """A colony between two steps. A route is a solution in the terms of the trail: cities in order, for instance."""

    rng_state: RngState
    """The state of the kernels' generator."""
    pheromone: Floats
    routes: Ints
    """What the ants of the iteration have built, one a row."""
    scores: Floats
    """The score of each route; -inf where it is not known, because local search comes first."""
    best: Ints
    """The best route of all."""
    restart_best: Ints
    """The best route since the restart."""
    best_score: float = -np.inf
    restart_score: float = -np.inf
    iteration: int = 0
    """Iterations so far."""
    restart_iteration: int = 0
    """The iteration of the last restart."""
    best_iteration: int = 0
    """The iteration in which the restart-best was built."""
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

    @property
    def wait(self) -> int:
        """Iterations since the restart-best was built."""
        return self.iteration - self.best_iteration

    @property
    def iteration_best(self) -> tuple[Ints, float]:
        """The best route of the iteration, and its score."""
        best = int(self.scores.argmax())
        return self.routes[best], float(self.scores[best])

    def note(self, route: Ints, score: float) -> None:
        """Keep a route if it is the best of all; its iteration need not have ended."""
        if score > self.best_score:
            self.best, self.best_score = route.copy(), score

    def record(self, route: Ints, score: float) -> None:
        """Keep a route if it is the best since the restart, or of all."""
        if score > self.restart_score:
            self.restart_best, self.restart_score, self.best_iteration = route.copy(), score, self.iteration
        self.note(route, score)

    def depositor(self, period: int | None) -> tuple[Ints, float]:
        """Return the route that deposits pheromone in MAX-MIN ant system, and its score [SH].

        Args:
            period: every `period` iterations the restart-best deposits, and the iteration-best otherwise; None for the
                schedule with local search.
        """
        # Iteration-best explores, restart-best exploits: with local search the schedule shifts from one to the other.
        every = period or restart_best_period(self.iteration - self.restart_iteration)
        if self.iteration % every:
            return self.iteration_best
        if every == 1 and self.wait > FRUITLESS:
            return self.best, self.best_score
        return self.restart_best, self.restart_score

    def forget(self) -> None:
        """Forget the restart-best: a restart."""
        self.restart_iteration = self.best_iteration = self.iteration
        self.restart_score = -np.inf


class Trail(ABC):
    """Where the pheromone of a colony lies, and how its ants build routes along it.

    Args:
        params: the parameters of the solver.
        shape: that of the pheromone.
        stages: the number of choices that make a route.
        choices: the mean number of candidates that an ant chooses among.
    """

    rho: float = 0.05
    """The share of pheromone that evaporates with each update, unless the user says otherwise; ours."""
    period: ClassVar[int] = 5
    """Without local search, the restart-best deposits every `period` iterations of MAX-MIN ant system; ours."""
    limits: tuple[float, float] = (0.0, np.inf)
    """What pheromone is kept within."""
    constant: float = 0.0
    """What the score of a solution is more than that of its route."""
    wears: ClassVar[bool] = True
    """Whether the ants of ant colony system leave the local updates of what they cross to the end of the iteration."""
    improves: bool = False
    """Whether the ants improve their solutions themselves, so that no local search follows."""

    def __init__(self, params: Params, shape: tuple[int, ...], stages: int, choices: float) -> None:
        self.params, self.shape, self.stages, self.rows = params, shape, stages, params.ants
        self.rho = params.rho or self.rho
        if params.variant == "mmas":  # only MAX-MIN ant system has limits [SH]
            self.limits = lowest_pheromone(stages, choices, params.p_best), 1.0

    def start(self, rng: Generator) -> Colony:
        """Return a colony before its first iteration, with equal pheromone everywhere."""
        # MAX-MIN ant system begins at τ_max, so that the first iterations explore [SH].
        initial = 1.0 / self.stages if self.params.variant == "acs" else 1.0  # [DG]: 1 / (n · length of a greedy tour)
        routes, scores = np.zeros((self.rows, self.stages), np.int64), np.full(self.rows, -np.inf)
        return Colony(rng_state(rng), np.full(self.shape, initial), routes, scores, routes[0].copy(), routes[0].copy())

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

    def needs_restart(self, colony: Colony) -> bool:
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
    p = p_best ** (1.0 / stages)  # of one right choice
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
