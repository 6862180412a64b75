"""The ant colony on any problem: an ant visits every stage once and picks a candidate, which carries the pheromone.

References as in `swarmkit_ants.tsp_aco`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.random import Generator

from swarmkit import GRAIN, Floats, Found, Problem, RngState, local_search
from swarmkit.search import rng_state
from swarmkit_ants.formulas import lowest_pheromone, relative_quality, updated
from swarmkit_ants.incumbents import STAGNATION, Incumbents
from swarmkit_ants.stage_construction import BuiltSolutions, build_solutions

if TYPE_CHECKING:
    from swarmkit_ants.tsp_aco import TspAco

LONGEST = 20
"""Iterations of a step at most: where the problem is asked in Python, looks are dear and a grain would be long."""

PERIOD = 5
"""Without local search, the restart-best deposits every 5 iterations; ours."""

RHO = 0.05
"""The share of pheromone that evaporates with each update, unless the user says otherwise; ours."""


@dataclass
class StageColony:
    """The pheromone τ of every slot, and the best solutions."""

    rng_state: RngState
    pheromone: Floats
    incumbents: Incumbents


def start(problem: Problem, params: TspAco.Params, rng: Generator) -> StageColony:
    """Return a colony with equal pheromone everywhere."""
    n, slots = len(problem.sizes), int(np.sum(problem.sizes))
    initial = 1.0 / n if params.variant == "acs" else 1.0
    return StageColony(rng_state(rng), np.full(slots, initial), Incumbents.of(n))


def step(problem: Problem, params: TspAco.Params, state: StageColony, rng: Generator) -> Found:
    """Make as many iterations as one grain is worth."""
    incumbents = state.incumbents
    looks, begun = 0, incumbents.iteration
    while looks < GRAIN and incumbents.iteration - begun < LONGEST:
        looks += iterate(problem, params, state, rng)
    iterations = incumbents.iteration - begun
    if incumbents.score == -np.inf:
        return Found(None, None, looks, iterations)
    return Found(incumbents.best, incumbents.score, looks, iterations)


def iterate(problem: Problem, params: TspAco.Params, state: StageColony, rng: Generator) -> int:
    """Build solutions, improve them, update the pheromone, restart after stagnation; return the looks."""
    strength = state.pheromone**params.alpha
    built = build_solutions(problem, params.ants, strength, params.beta, state.rng_state, rng)
    if len(built.solutions) == 0:
        state.incumbents.iteration += 1
        return built.looks
    if params.local_search == "icm":
        improved = local_search(problem, built.solutions, "icm", rng)
        built = BuiltSolutions(improved.solutions, improved.scores, built.looks + improved.looks)
    best = int(built.scores.argmax())
    state.incumbents.record(built.solutions[best], float(built.scores[best]))
    update(problem, params, state, built)
    if params.variant == "mmas" and state.incumbents.waited > STAGNATION:
        state.pheromone[:] = 1.0
        state.incumbents.restart()
    return built.looks


def update(problem: Problem, params: TspAco.Params, state: StageColony, built: BuiltSolutions) -> None:
    """Evaporate pheromone and deposit on the candidates of those that may; the best deposits 1 [BD]."""
    sizes, X = np.asarray(problem.sizes, np.int64), built.solutions
    first, pheromone, rho = np.cumsum(sizes) - sizes, state.pheromone, params.rho or RHO
    if params.variant == "acs":
        # The ants of an iteration go at once: the local updates of all of them follow when they are back.
        for x in X:
            pheromone[first + x] = updated(pheromone[first + x], 1.0 - params.wear, params.wear / len(sizes))
        slots = first + state.incumbents.best
        pheromone[slots] = updated(pheromone[slots], 1.0 - rho, rho)
        return
    pheromone *= 1.0 - rho
    if params.variant == "as":
        np.add.at(pheromone, first + X, (rho / len(X) * relative_quality(built.scores))[:, None])
        return
    best = int(built.scores.argmax())
    period = None if params.local_search == "icm" else PERIOD
    x, _ = state.incumbents.depositing(X[best], float(built.scores[best]), period)
    pheromone[first + x] += rho
    np.clip(pheromone, lowest_pheromone(len(sizes), float(sizes.mean()), params.p_best), 1.0, out=pheromone)
