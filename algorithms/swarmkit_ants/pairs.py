"""The trail of Nguyen & Ock 2011: ants visit words in an order of their choice, pheromone lies on pairs of senses.

From sense s an ant goes to sense s' of any word that is not visited yet, with probability ∝ τ(s,s')^alpha·η(s,s')^beta,
η the relatedness of the two. Routes are tours of slots. Solutions are judged by the problem's score and not by the
length of the tour, and the limits of the pheromone are those of MAX-MIN ant system [SH]. References as in
`swarmkit_ants.tsp_aco`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.random import Generator

from swarmkit import Floats, Ints, Problem, Solutions, evaluate
from swarmkit_ants.colony import FAINTEST, Colony, Trail, lowest_pheromone
from swarmkit_ants.kernels.stage_walk import build_tours
from swarmkit_ants.stages import WARM
from swarmkit_ants.surroundings import similarities

if TYPE_CHECKING:
    from swarmkit_ants.tsp_aco import TspAco


class PairTrail(Trail):
    """Pheromone on pairs of slots.

    Args:
        problem: a problem in which every combination of candidates is a solution.
        params: the parameters of the solver.
    """

    def __init__(self, problem: Problem, params: TspAco.Params) -> None:
        sizes = np.asarray(problem.sizes, np.int64)
        self.params, self.rho, self.stage_of = params, params.rho or Trail.rho, np.repeat(np.arange(len(sizes)), sizes)
        self.first = np.cumsum(sizes) - sizes
        self.limits = lowest_pheromone(len(sizes), len(self.stage_of) / 2, params.p_best), 1.0
        self.heuristic = np.maximum(relations(problem), FAINTEST) ** params.beta
        """η^beta of all pairs of slots."""

    def start(self, rng: Generator) -> Colony:
        """Return a colony with equal pheromone everywhere."""
        return Colony.of(np.ones(self.heuristic.shape), self.params.ants, len(self.first), rng)

    def construct(self, problem: Problem, colony: Colony, rng: Generator) -> int:
        """Let all ants build tours, and score these."""
        weights = colony.pheromone**self.params.alpha * self.heuristic
        visited, open_weights = np.zeros(len(self.first), np.bool_), np.zeros(len(self.stage_of))
        looks = build_tours(weights, self.stage_of, colony.routes, visited, open_weights, colony.rng_state)
        colony.scores[:] = evaluate(problem, self.solutions(colony.routes))
        return int(looks)

    def solutions(self, routes: Ints) -> Solutions:
        """Return the candidates that tours of slots choose, by stage."""
        stages, X = self.stage_of[routes], np.empty_like(routes)
        np.put_along_axis(X, stages, routes - self.first[stages], axis=-1)
        return X

    def routes(self, X: Solutions) -> Ints:
        """Return tours that visit the slots of solutions in the order of the stages."""
        return self.first + X

    def reinforce(self, colony: Colony, route: Ints, keep: float, amount: float) -> None:
        """Let the pheromone τ between consecutive slots become keep·τ + amount, both ways."""
        after = np.roll(route, -1)
        for pair in ((route, after), (after, route)):
            colony.pheromone[pair] = keep * colony.pheromone[pair] + amount

    def warm(self, colony: Colony, route: Ints) -> None:
        """Let half of all pheromone evaporate, except between all slots of a route."""
        highest = float(colony.pheromone.max())
        colony.pheromone *= 1.0 - WARM
        colony.pheromone[np.ix_(route, route)] = highest


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
