"""The ant colony on any problem: an ant visits every stage once and picks a candidate, which carries the pheromone.

References as in `swarmkit_ants.tsp_aco`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.random import Generator

from swarmkit import Floats, Found, Left, Problem, RngState, Solutions
from swarmkit.search import Climb, StepBudget, rng_state, start_climb
from swarmkit_ants.asked_batch import AskedBatch
from swarmkit_ants.compiled_batch import CompiledBatch
from swarmkit_ants.formulas import lowest_pheromone, relative_quality, updated
from swarmkit_ants.incumbents import STAGNATION, Incumbents
from swarmkit_ants.stage_task import Task

if TYPE_CHECKING:
    from swarmkit_ants.tsp_aco import TspAco

WARM = 0.5
"""The share of pheromone that evaporates where a given solution has other candidates."""

PERIOD = 5
"""Without local search, the restart-best deposits every 5 iterations; ours."""

RHO = 0.05
"""The share of pheromone that evaporates with each update, unless the user says otherwise; ours."""


@dataclass
class StageColony:
    """The pheromone τ of every slot, the best solutions, and the iteration in progress."""

    rng_state: RngState
    pheromone: Floats
    incumbents: Incumbents
    batch: CompiledBatch | AskedBatch
    """The solutions that the ants of this iteration build."""
    climb: Climb | None = None
    """These under local search, once all ants are back."""


def start(problem: Problem, params: TspAco.Params, rng: Generator) -> StageColony:
    """Return a colony with equal pheromone everywhere."""
    n, slots, structure = len(problem.sizes), int(np.sum(problem.sizes)), problem.structure
    initial = 1.0 / n if params.variant == "acs" else 1.0
    batch = AskedBatch if structure.constrained or structure.own_appeal else CompiledBatch
    return StageColony(rng_state(rng), np.full(slots, initial), Incumbents.of(n), batch.of(problem, params.ants))


def take_up(problem: Problem, state: StageColony, x: Solutions, score: float) -> None:
    """Make a given solution the restart-best, and deposit pheromone on it, if it is the best.

    Half of all pheromone evaporates, except on the candidates of the solution.
    """
    incumbents, sizes = state.incumbents, np.asarray(problem.sizes, np.int64)
    if score <= incumbents.score:
        return
    incumbents.note(x, score)
    incumbents.restart_best, incumbents.restart_score, incumbents.improved = x.copy(), score, incumbents.iteration
    kept = np.cumsum(sizes) - sizes + x
    deposit = state.pheromone[kept].copy()
    state.pheromone *= 1.0 - WARM
    state.pheromone[kept] = np.maximum(deposit, state.pheromone.max())


def step(problem: Problem, params: TspAco.Params, state: StageColony, rng: Generator, left: Left) -> Found:
    """Let ants build solutions, one at least, until a limit is reached; an iteration ends when all are back."""
    climbs, incumbents = params.local_search == "icm", state.incumbents
    offsets = np.concatenate([[0], np.cumsum(problem.sizes)])
    task = Task(problem, offsets, params.beta, not climbs, rng, state.rng_state)
    budget, begun = StepBudget(left), incumbents.iteration
    while budget.open and incumbents.iteration - begun < left.iterations:
        rows = problem.evaluations
        looks = (
            build(task, params, state, budget.left)
            if state.climb is None
            else improve(task, params, state, budget.left)
        )
        budget.spend(looks, problem.evaluations - rows)
    return found(problem, state, budget.looks, incumbents.iteration - begun)


def build(task: Task, params: TspAco.Params, state: StageColony, left: Left) -> int:
    """Let ants build solutions; when all are back, improve these or end the iteration. Return the looks."""
    batch = state.batch
    looks = batch.go_on(task, state.pheromone**params.alpha, left)
    X, scores = batch.known
    if len(X):
        best = int(scores.argmax())
        state.incumbents.note(X[best], float(scores[best]))
    if batch.finished(task):
        if params.local_search == "icm" and len(batch.X):
            state.climb = start_climb(task.problem, batch.X.copy(), "icm", task.rng)
        else:
            end_iteration(task.problem, params, state, batch.X, batch.scores)
    return looks


def improve(task: Task, params: TspAco.Params, state: StageColony, left: Left) -> int:
    """Improve the solutions of the iteration; when all are local optima, end it. Return the looks."""
    climb = state.climb
    assert climb is not None  # noqa: S101  (for the type checker: `step` has seen it)
    looks = climb.go_on(task.problem, task.rng, left)
    if climb.finished:
        state.climb = None
        end_iteration(task.problem, params, state, climb.X, climb.scores)
    return looks


def end_iteration(problem: Problem, params: TspAco.Params, state: StageColony, X: Solutions, scores: Floats) -> None:
    """Record the best solution, update the pheromone, and restart after stagnation."""
    incumbents = state.incumbents
    if len(X) == 0:
        incumbents.iteration += 1
    else:
        best = int(scores.argmax())
        incumbents.record(X[best], float(scores[best]))
        update(problem, params, state, X, scores)
        if params.variant == "mmas" and incumbents.waited > STAGNATION:
            state.pheromone[:] = 1.0
            incumbents.restart()
    state.batch.end()


def found(problem: Problem, state: StageColony, looks: int, iterations: int) -> Found:
    """Return the best solution so far, one under local search included."""
    incumbents = state.incumbents
    climbing = None if state.climb is None else state.climb.found(problem)
    if climbing is not None and climbing[1] > incumbents.score:
        return Found(*climbing, looks, iterations)
    if incumbents.score == -np.inf:
        return Found(None, None, looks, iterations)
    return Found(incumbents.best, incumbents.score, looks, iterations)


def update(problem: Problem, params: TspAco.Params, state: StageColony, X: Solutions, scores: Floats) -> None:
    """Evaporate pheromone and deposit on the candidates of those that may; the best deposits 1 [BD]."""
    sizes = np.asarray(problem.sizes, np.int64)
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
        np.add.at(pheromone, first + X, (rho / len(X) * relative_quality(scores))[:, None])
        return
    best = int(scores.argmax())
    period = None if params.local_search == "icm" else PERIOD
    x, _ = state.incumbents.depositing(X[best], float(scores[best]), period)
    pheromone[first + x] += rho
    np.clip(pheromone, lowest_pheromone(len(sizes), float(sizes.mean()), params.p_best), 1.0, out=pheromone)
