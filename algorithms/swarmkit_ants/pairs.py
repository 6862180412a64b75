"""The ant colony of Nguyen & Ock 2011: ants visit words in an order of their own, pheromone lies on pairs of senses.

From sense s it goes to sense s' of any word that is not visited yet, with probability ∝ τ(s, s')^alpha·η(s, s')^beta, η
the relatedness of the two. References as in `swarmkit_ants.tsp_aco`. Solutions are judged by the problem's score and
not by the length of the tour, and the limits of the pheromone are those of MAX-MIN ant system [SH].
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.random import Generator

from swarmkit import Floats, Found, Ints, Left, Problem, RngState, Solutions, evaluate
from swarmkit.search import StepBudget, rng_state
from swarmkit_ants.aca_world import similarities
from swarmkit_ants.formulas import lowest_pheromone
from swarmkit_ants.incumbents import STAGNATION, Incumbents
from swarmkit_ants.stage_task import FAINTEST
from swarmkit_ants.stages import PERIOD, RHO, WARM

if TYPE_CHECKING:
    from swarmkit_ants.tsp_aco import TspAco

MOST_SLOTS = 4096
"""The most slots: pheromone of all their pairs takes 128 MiB."""


@dataclass
class PairColony:
    """The pheromone τ of every pair of slots, the best tours of slots, and the iteration in progress."""

    rng_state: RngState
    pheromone: Floats
    incumbents: Incumbents
    """Tours of slots."""
    tours: Ints
    """Those of this iteration, one for each ant."""
    scores: Floats
    built: int = 0
    """The tours that are built and scored."""


def cannot(problem: Problem, params: TspAco.Params) -> str | None:
    """Return the reason why pheromone cannot lie on pairs, or None."""
    structure, slots = problem.structure, int(np.sum(problem.sizes))
    if structure.distinct or structure.constrained:
        return "trail=pairs is for problems in which every combination of candidates is a solution"
    if params.variant != "mmas" or params.local_search != "none":
        return "trail=pairs goes with variant=mmas and local_search=none"
    if slots > MOST_SLOTS:
        return (
            f"trail=pairs keeps pheromone for each pair of its {slots:,} candidates, and at most {MOST_SLOTS:,} "
            "candidates are expected: trail=candidates needs less (for words, sentences as units too: -P unit=sentence)"
        )
    return None


def start(problem: Problem, params: TspAco.Params, rng: Generator) -> PairColony:
    """Return a colony with equal pheromone everywhere."""
    n, slots = len(problem.sizes), int(np.sum(problem.sizes))
    pheromone = np.ones((slots, slots))
    tours = np.zeros((params.ants, n), np.int64)
    return PairColony(rng_state(rng), pheromone, Incumbents.of(n), tours, np.zeros(params.ants))


def take_up(problem: Problem, state: PairColony, x: Solutions, score: float) -> None:
    """Make a given solution the restart-best, and deposit pheromone on all pairs of its slots, if it is the best.

    Half of all pheromone evaporates, except on these pairs. The tour of its slots visits the stages in order.
    """
    incumbents, sizes = state.incumbents, np.asarray(problem.sizes, np.int64)
    if score <= incumbents.score:
        return
    tour = np.cumsum(sizes) - sizes + x
    incumbents.note(tour, score)
    incumbents.restart_best, incumbents.restart_score, incumbents.improved = tour.copy(), score, incumbents.iteration
    highest = float(state.pheromone.max())
    state.pheromone *= 1.0 - WARM
    state.pheromone[np.ix_(tour, tour)] = highest


def step(problem: Problem, params: TspAco.Params, state: PairColony, left: Left) -> Found:
    """Let ants build tours, one at least, until a limit is reached; an iteration ends when all are back."""
    incumbents, n = state.incumbents, len(problem.sizes)
    budget, begun, found = StepBudget(left), incumbents.iteration, Found(None, None, 0)
    stage_of = np.repeat(np.arange(n), problem.sizes)
    weights = weigh(problem, params, state)
    while budget.open and incumbents.iteration - begun < left.iterations:
        rows, begin = problem.evaluations, state.built
        looks = build(state, weights, stage_of, budget.left.rows(int(np.sum(problem.sizes)) * n // 2 + n))
        X = solutions(problem, state.tours[begin : state.built])
        state.scores[begin : state.built] = evaluate(problem, X)
        best = begin + int(state.scores[begin : state.built].argmax())
        if state.scores[best] > incumbents.score:
            found = Found(X[best - begin], float(state.scores[best]), 0)
        incumbents.note(state.tours[best], float(state.scores[best]))
        if state.built == len(state.tours):
            end_iteration(params, state)
            weights = weigh(problem, params, state)
        budget.spend(looks, problem.evaluations - rows)
    return found._replace(looks=budget.looks, iterations=incumbents.iteration - begun)


def weigh(problem: Problem, params: TspAco.Params, state: PairColony) -> Floats:
    """Return τ^alpha·η^beta of all pairs of slots; η is at least FAINTEST."""
    return np.asarray(state.pheromone**params.alpha * np.maximum(relations(problem), FAINTEST) ** params.beta)


def relations(problem: Problem) -> Floats:
    """Return the relatedness of all pairs of slots: that of the problem, of its tables, or 1 where nothing is known."""
    known, slots = similarities(problem), int(np.sum(problem.sizes))
    if len(known.dense):
        return known.dense
    dense = np.zeros((slots, slots)) if len(known.table_of) else np.ones((slots, slots))
    for i, j in zip(*np.nonzero(known.table_of >= 0), strict=True) if len(known.table_of) else ():
        rows, columns = (slice(known.offsets[k], known.offsets[k] + known.sizes[k]) for k in (i, j))
        begin = known.table_of[i, j]
        dense[rows, columns] = known.flat[begin : begin + known.sizes[i] * known.sizes[j]].reshape(-1, known.sizes[j])
        dense[columns, rows] = dense[rows, columns].T
    return dense


def build(state: PairColony, weights: Floats, stage_of: Ints, ants: int) -> int:
    """Let the next ants build tours, and return the looks."""
    from swarmkit_ants.kernels.pair_construction import build_tours

    begin, state.built = state.built, min(len(state.tours), state.built + max(1, ants))
    memory = np.zeros(state.tours.shape[1], np.bool_), np.zeros(len(stage_of))
    return int(build_tours(weights, stage_of, state.tours, begin, state.built, *memory, state.rng_state))


def solutions(problem: Problem, tours: Ints) -> Solutions:
    """Return the candidates that tours of slots choose, by stage."""
    sizes = np.asarray(problem.sizes, np.int64)
    stage_of, first = np.repeat(np.arange(len(sizes)), sizes), np.cumsum(sizes) - sizes
    X = np.empty_like(tours)
    np.put_along_axis(X, stage_of[tours], tours - first[stage_of[tours]], axis=1)
    return X


def end_iteration(params: TspAco.Params, state: PairColony) -> None:
    """Record the best tour, evaporate pheromone, and deposit on the pairs of the depositing one, both ways."""
    incumbents, pheromone, rho = state.incumbents, state.pheromone, params.rho or RHO
    best = int(state.scores.argmax())
    incumbents.record(state.tours[best], float(state.scores[best]))
    tour, _ = incumbents.depositing(state.tours[best], float(state.scores[best]), PERIOD)
    pheromone *= 1.0 - rho
    after = np.roll(tour, -1)
    pheromone[tour, after] += rho
    pheromone[after, tour] += rho
    n, choices = len(tour), len(pheromone) / 2
    np.clip(pheromone, lowest_pheromone(n, choices, params.p_best), 1.0, out=pheromone)
    if incumbents.waited > STAGNATION:
        pheromone[:] = 1.0
        incumbents.restart()
    state.built = 0
