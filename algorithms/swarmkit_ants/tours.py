"""The ant colony on a travelling salesman problem: pheromone lies on the edges to each city's nearest neighbours.

References as in `swarmkit_ants.tsp_aco`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.random import Generator

from swarmkit import GRAIN, Floats, Found, Ints, Near, Problem, RngState, Tour, local_search
from swarmkit.search import rng_state
from swarmkit_ants.construction.choice import choose_construction
from swarmkit_ants.construction.policy import BuiltTours, Construction
from swarmkit_ants.construction.walk import Walk
from swarmkit_ants.formulas import branching_factor, heuristic_values, lowest_pheromone, relative_deposit
from swarmkit_ants.incumbents import STAGNATION, Incumbents
from swarmkit_ants.pheromone_table import PheromoneTable

if TYPE_CHECKING:
    from swarmkit_ants.kernels.pheromone import Weighting
    from swarmkit_ants.tsp_aco import TspAco

CONVERGED = 2.1
"""The branching factor at which pheromone has converged: a tour has two edges per city."""

PERIOD = 25
"""Without local search, the restart-best deposits every 25 iterations [SH]."""


@dataclass
class TourColony:
    """Pheromone τ and η^β of the edges, the best tours, and the tour that ants change.

    Tours are rows of cities; scores are minus their lengths.
    """

    rng_state: RngState
    pheromone: Floats
    heuristic: Floats
    incumbents: Incumbents
    source: Ints
    greedy_length: float
    """The length of a first greedy tour, in whose units `acs` and `as` deposit."""


class Setup(NamedTuple):
    """What stays the same in all iterations of a step."""

    problem: Problem
    tour: Tour
    params: TspAco.Params
    construction: Construction
    table: PheromoneTable
    weighting: Weighting


def start(tour: Tour, params: TspAco.Params, rng: Generator) -> TourColony:
    """Return a colony with equal pheromone everywhere, and a first ant's greedy tour as the one to change."""
    from swarmkit_ants.kernels.pheromone import compute_weights

    near = tour.nearest(params.candidates)
    heuristic = heuristic_values(np.take_along_axis(tour.cost, near.astype(np.int64), axis=1), params.beta)
    state, pheromone = rng_state(rng), np.ones_like(heuristic)
    table = PheromoneTable.of(near, pheromone, heuristic)
    compute_weights(table, weighting(near, params))
    first = Walk(tour, 1, greed=1.0).build(table, np.empty(0, np.int64), state)
    if params.variant == "acs":
        pheromone[:] = 1.0 / len(near)  # [DG]: 1 / (n · length of a greedy tour)
    return TourColony(state, pheromone, heuristic, Incumbents.of(len(near)), first.tours[0], float(first.lengths[0]))


def step(problem: Problem, params: TspAco.Params, state: TourColony, rng: Generator) -> Found:
    """Make as many iterations as one grain is worth."""
    from swarmkit_ants.kernels.pheromone import compute_weights

    tour = problem.structure.tour
    assert tour is not None  # noqa: S101  (for the type checker: start has seen it)
    table = PheromoneTable.of(tour.nearest(params.candidates), state.pheromone, state.heuristic)
    setup = Setup(problem, tour, params, choose_construction(tour, params), table, weighting(table.near, params))
    compute_weights(table, setup.weighting)
    looks, begun = 0, state.incumbents.iteration
    while looks < GRAIN:
        looks += iterate(setup, state, rng)
    best, iterations = state.incumbents, state.incumbents.iteration - begun
    return Found(tour.solutions(best.best), tour.constant + best.score, looks, iterations)


def iterate(setup: Setup, state: TourColony, rng: Generator) -> int:
    """Build tours, improve them, update the pheromone, restart after stagnation; return the looks."""
    built = setup.construction.build(setup.table, state.source, state.rng_state)
    built = improve(setup, built, rng)
    best = int(built.lengths.argmin())
    state.incumbents.record(built.tours[best], -float(built.lengths[best]))
    update(setup, state, built)
    if setup.params.variant == "mmas" and stagnates(setup.table, state.incumbents, several=len(built.tours) > 1):
        restart(setup, state)
    return built.looks


def improve(setup: Setup, built: BuiltTours, rng: Generator) -> BuiltTours:
    """Return the tours improved by the local search, unless their construction has done so."""
    kind, tour = setup.params.local_search, setup.tour
    if kind == "none" or setup.construction.improves:
        return built
    improved = local_search(setup.problem, tour.solutions(built.tours), kind, rng)
    return BuiltTours(tour.tours(improved.solutions), tour.constant - improved.scores, built.looks + improved.looks)


def update(setup: Setup, state: TourColony, built: BuiltTours) -> None:
    """Evaporate pheromone, deposit on the tours of those that may, and compute the weights."""
    from swarmkit_ants.kernels import pheromone as kernel

    params, table, incumbents, symmetric = setup.params, setup.table, state.incumbents, setup.tour.symmetric
    rho = params.rho or setup.construction.rho
    if params.variant == "mmas":  # [SH]: one tour deposits, and pheromone has limits
        best = int(built.lengths.argmin())
        period = PERIOD if params.local_search == "none" else None
        tour, score = incumbents.depositing(built.tours[best], -float(built.lengths[best]), period)
        amount = rho * relative_deposit(-score, -incumbents.score)
        kernel.update_pheromone(table, tour, kernel.Change(1.0 - rho, amount, symmetric), setup.weighting)
        return
    if params.variant == "acs":  # [DG] Eq. (4): only the edges of the best tour change
        amount = rho * relative_deposit(-incumbents.score, state.greedy_length)
        kernel.change_edges(table, incumbents.best, kernel.Change(1.0 - rho, amount, symmetric))
    else:  # [DM]: every ant deposits
        table.pheromone[:] *= 1.0 - rho
        for tour, length in zip(built.tours, built.lengths, strict=True):
            amount = rho / params.ants * relative_deposit(float(length), state.greedy_length)
            kernel.change_edges(table, tour, kernel.Change(1.0, amount, symmetric))
    kernel.compute_weights(table, setup.weighting)


def stagnates(table: PheromoneTable, incumbents: Incumbents, *, several: bool) -> bool:
    """Whether nothing better has been found for long and, where several tours are judged, the pheromone converged."""
    waited = incumbents.waited
    if waited <= STAGNATION:
        return False
    return not several or (waited % 50 == 0 and branching_factor(table.pheromone) < CONVERGED)


def restart(setup: Setup, state: TourColony) -> None:
    """Set all pheromone to its highest value, forget the restart-best, and let one ant walk a new tour to change."""
    from swarmkit_ants.kernels.pheromone import compute_weights

    setup.table.pheromone[:] = 1.0
    state.incumbents.restart()
    compute_weights(setup.table, setup.weighting)
    state.source = Walk(setup.tour, 1).build(setup.table, state.source, state.rng_state).tours[0]


def weighting(near: Near, params: TspAco.Params) -> Weighting:
    """Return how weights follow from pheromone; only MAX-MIN ant system has limits [SH]."""
    from swarmkit_ants.kernels.pheromone import Weighting

    n, k = near.shape
    limits = (lowest_pheromone(n, 1 + k / 2, params.p_best), 1.0) if params.variant == "mmas" else (0.0, np.inf)
    return Weighting(params.alpha, *limits)
