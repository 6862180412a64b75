"""The ant colony on a travelling salesman problem: pheromone lies on the edges to each city's nearest neighbours.

References as in `swarmkit_ants.tsp_aco`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

import numpy as np
from numpy.random import Generator

from swarmkit import GRAIN, Floats, Found, Ints, Left, Near, Problem, RngState, Solutions, Tour
from swarmkit.search import Climb, rng_state, start_climb
from swarmkit_ants.construction.choice import choose_construction
from swarmkit_ants.construction.focused import Changes
from swarmkit_ants.construction.partial import Segments
from swarmkit_ants.construction.policy import BuiltTours, Construction, Pause
from swarmkit_ants.construction.walk import Walks, walk_once
from swarmkit_ants.formulas import branching_factor, heuristic_values, lowest_pheromone, relative_deposit
from swarmkit_ants.incumbents import STAGNATION, Incumbents
from swarmkit_ants.pheromone_table import PheromoneTable, Weights

if TYPE_CHECKING:
    from swarmkit_ants.kernels.pheromone import Weighting
    from swarmkit_ants.tsp_aco import TspAco

CONVERGED = 2.1
"""The branching factor at which pheromone has converged: a tour has two edges per city."""

WARM = 0.98
"""The share of pheromone that evaporates around a given tour: with half of it, ants without local search lose the tour
before they have improved it."""

PERIOD = 25
"""Without local search, the restart-best deposits every 25 iterations [SH]."""


@dataclass
class TourColony:
    """Pheromone τ and η^β of the edges, the best tours, the tour that ants change, and the iteration in progress.

    Tours are rows of cities; scores are minus their lengths.
    """

    rng_state: RngState
    pheromone: Floats
    heuristic: Floats
    weights: Weights
    incumbents: Incumbents
    source: Ints
    greedy_length: float
    """The length of a first greedy tour, in whose units `acs` and `as` deposit."""
    iteration: Walks | Changes | Segments
    """The ants that are back, and what they have built."""
    climb: Climb | None = None
    """The tours of this iteration under local search, once all ants are back."""


class Setup(NamedTuple):
    """What stays the same in all iterations of a step."""

    problem: Problem
    tour: Tour
    params: TspAco.Params
    construction: Construction[Any]
    table: PheromoneTable
    weighting: Weighting
    climb: Literal["icm", "2opt"] | None
    """The local search that follows the construction."""


def start(tour: Tour, params: TspAco.Params, rng: Generator) -> TourColony:
    """Return a colony with equal pheromone everywhere, and a first ant's greedy tour as the one to change."""
    from swarmkit_ants.kernels.pheromone import compute_weights

    near = tour.nearest(params.candidates)
    heuristic = heuristic_values(np.take_along_axis(tour.cost, near.astype(np.int64), axis=1), params.beta)
    state, pheromone = rng_state(rng), np.ones_like(heuristic)
    table = PheromoneTable.of(near, pheromone, heuristic)
    compute_weights(table, weighting(near, params))
    first = walk_once(tour, table, state, greed=1.0)
    if params.variant == "acs":
        pheromone[:] = 1.0 / len(near)  # [DG]: 1 / (n · length of a greedy tour)
        compute_weights(table, weighting(near, params))
    return TourColony(
        rng_state=state,
        pheromone=pheromone,
        heuristic=heuristic,
        weights=table.weights,
        incumbents=Incumbents.of(len(near)),
        source=first.tours[0].copy(),
        greedy_length=float(first.lengths[0]),
        iteration=choose_construction(tour, params).new_iteration(),
    )


def take_up(problem: Problem, params: TspAco.Params, state: TourColony, x: Solutions) -> None:
    """Make a given solution the restart-best and the tour that ants change, and deposit pheromone on it, if it is best.

    Nearly all pheromone evaporates, and the edges of the tour receive as much as they have lost.
    """
    from swarmkit_ants.kernels import pheromone as kernel

    setup = set_up(problem, params, state)
    tour, incumbents = setup.tour.tours(np.array(x, np.int64)), state.incumbents
    score = -float(setup.tour.lengths(tour))
    if score <= incumbents.score:
        return
    incumbents.note(tour, score)
    incumbents.restart_best, incumbents.restart_score, incumbents.improved = tour.copy(), score, incumbents.iteration
    if state.iteration.ants == 0:  # else ants are about to return to the tour that they left
        state.source[:] = tour
    highest = float(setup.table.pheromone.max())
    change = kernel.Change(1.0 - WARM, WARM * highest, setup.tour.symmetric)
    kernel.update_pheromone(setup.table, tour, change, setup.weighting)


def step(problem: Problem, params: TspAco.Params, state: TourColony, rng: Generator, left: Left) -> Found:
    """Let ants build tours, one at least, until a limit is reached; an iteration ends when all of them are back."""
    setup = set_up(problem, params, state)
    incumbents, looks, enough = state.incumbents, 0, min(left.looks, GRAIN)
    begun = incumbents.iteration
    while looks < enough and incumbents.iteration - begun < left.iterations:
        looks += (build if state.climb is None else improve)(setup, state, rng, enough - looks)
    return found(setup, state, looks, incumbents.iteration - begun)


def set_up(problem: Problem, params: TspAco.Params, state: TourColony) -> Setup:
    """Return what stays the same in a step."""
    tour = problem.structure.tour
    assert tour is not None  # noqa: S101  (for the type checker: start has seen it)
    table = PheromoneTable(tour.nearest(params.candidates), state.pheromone, state.heuristic, state.weights)
    construction = choose_construction(tour, params)
    climb = None if params.local_search == "none" or construction.improves else params.local_search
    return Setup(problem, tour, params, construction, table, weighting(table.near, params), climb)


def build(setup: Setup, state: TourColony, rng: Generator, enough: int) -> int:
    """Let ants build tours; when all are back, improve the tours or end the iteration. Return the looks."""
    construction, iteration, incumbents = setup.construction, state.iteration, state.incumbents
    pause = Pause(enough, -incumbents.score)
    looks = construction.build(setup.table, state.source, iteration, state.rng_state, pause)
    back = iteration.ants == construction.ants
    if back and setup.climb is None:
        end_iteration(setup, state, construction.built(iteration))
    elif back or iteration.shortest < pause.length:
        built = construction.built(iteration)
        best = built.best
        incumbents.note(built.tours[best], -float(built.lengths[best]))
        if back and setup.climb is not None:
            state.climb = start_climb(setup.problem, setup.tour.solutions(built.tours), setup.climb, rng)
    return looks


def improve(setup: Setup, state: TourColony, rng: Generator, enough: int) -> int:
    """Improve the tours of the iteration; when all are local optima, end it. Return the looks."""
    climb, tour = state.climb, setup.tour
    assert climb is not None  # noqa: S101  (for the type checker: `step` has seen it)
    looks = climb.go_on(setup.problem, rng, Left(enough))
    if climb.finished:
        state.climb = None
        end_iteration(setup, state, BuiltTours(tour.tours(climb.X), tour.constant - climb.scores))
    return looks


def end_iteration(setup: Setup, state: TourColony, built: BuiltTours) -> None:
    """Record the best tour, update the pheromone, and restart after stagnation."""
    best = built.best
    state.incumbents.record(built.tours[best], -float(built.lengths[best]))
    update(setup, state, built, best)
    setup.construction.end(state.source, state.iteration, built)
    if setup.params.variant == "mmas" and stagnates(setup.table, state.incumbents, several=len(built.tours) > 1):
        restart(setup, state)


def found(setup: Setup, state: TourColony, looks: int, iterations: int) -> Found:
    """Return the best tour so far, one under local search included."""
    incumbents, tour = state.incumbents, setup.tour
    score = tour.constant + incumbents.score
    climbing = None if state.climb is None else state.climb.found(setup.problem)
    if climbing is not None and climbing[1] > score:
        return Found(*climbing, looks, iterations)
    if score == -np.inf:
        return Found(None, None, looks, iterations)
    return Found(tour.solutions(incumbents.best), score, looks, iterations)


def update(setup: Setup, state: TourColony, built: BuiltTours, best: int) -> None:
    """Evaporate pheromone, deposit on the tours of those that may (`best` is the iteration-best), compute weights."""
    from swarmkit_ants.kernels import pheromone as kernel

    params, table, incumbents, symmetric = setup.params, setup.table, state.incumbents, setup.tour.symmetric
    rho = params.rho or setup.construction.rho
    if params.variant == "mmas":  # [SH]: one tour deposits, and pheromone has limits
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
    state.source[:] = walk_once(setup.tour, setup.table, state.rng_state).tours[0]


def weighting(near: Near, params: TspAco.Params) -> Weighting:
    """Return how weights follow from pheromone; only MAX-MIN ant system has limits [SH]."""
    from swarmkit_ants.kernels.pheromone import Weighting

    n, k = near.shape
    limits = (lowest_pheromone(n, 1 + k / 2, params.p_best), 1.0) if params.variant == "mmas" else (0.0, np.inf)
    return Weighting(params.alpha, *limits)
