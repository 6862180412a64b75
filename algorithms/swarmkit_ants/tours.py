"""The trail on a travelling salesman problem: pheromone lies on the edges to each city's nearest neighbours.

References as in `swarmkit_ants.tsp_aco`, and
[GD] Gambardella, L. and Dorigo, M. 1995. Ant-Q. Proceedings of the 12th International Conference on Machine Learning.
"""

from __future__ import annotations

import numpy as np
from numpy.random import Generator

from swarmkit import Floats, Ints, Problem, Solutions, Tour
from swarmkit.search import Neighbours
from swarmkit_ants.colony import Colony, Params, Trail
from swarmkit_ants.kernels.focused import Focused
from swarmkit_ants.kernels.partial import Partial
from swarmkit_ants.kernels.tour_walk import PheromoneTable, TransitionRule, Walk, change_edges, compute_weights

VIOLATIONS = 0.06
"""Where more triples violate the triangle inequality, partial ants lose more by removing cities than they win; ours."""

BRANCHING_AT_REST = 2.1
"""The branching factor at which pheromone has converged: a tour has two edges per city."""

WARM = 0.98
"""The share of pheromone that evaporates around a tour that was handed in: with half of it, ants without local search
lose the tour before they have improved it."""


class TourTrail(Trail):
    """Pheromone on edges; routes are tours, rows of cities, and scores minus their lengths.

    Args:
        tour: the travelling salesman problem.
        params: the parameters of the solver.
    """

    period = 25
    """[SH]."""
    wears = False
    """Ants update the edges that they cross at once."""

    def __init__(self, tour: Tour, params: Params) -> None:
        self.tour, self.near, self.constant = tour, tour.nearest(params.candidates), tour.constant
        n, k = self.near.shape
        # An ant chooses among half of the k neighbours on average [SH]: the others are visited.
        super().__init__(params, (n, k), n, 1 + k / 2)
        self.construction = choose_construction(tour, params)
        self.rows, self.rho = self.construction.rows, params.rho or self.construction.rho
        self.improves = isinstance(self.construction, Focused) and params.local_search == "2opt"
        cost = np.take_along_axis(tour.cost, self.near.astype(np.int64), axis=1)
        self._heuristic = heuristic_values(cost, params.beta)
        tour.nearest(Neighbours.LOCAL_SEARCH)  # before the clock runs

    def start(self, rng: Generator) -> Colony:
        """Return a colony with equal pheromone everywhere, and a first ant's greedy tour as the one to change."""
        colony = super().start(rng)
        colony.weights, colony.source = np.empty(self.shape, np.float32), np.zeros(self.stages, np.int64)
        self.keep_limits(colony)
        colony.greedy_length = self._walk_source(colony, greed=1.0)
        return colony

    def construct(self, problem: Problem, colony: Colony, rng: Generator) -> int:
        """Let all ants build tours."""
        table = self._table(colony)
        return self.construction.build(table, colony.source, colony.routes, colony.scores, colony.rng_state)

    def solutions(self, routes: Ints) -> Solutions:
        """Return the solutions that tours stand for."""
        return self.tour.solutions(routes)

    def routes(self, X: Solutions) -> Ints:
        """Return the tours of solutions."""
        return self.tour.tours(X)

    def score_of(self, route: Ints, score: float) -> float:
        """Return minus the length of a tour, summed as everywhere here."""
        return -float(self.tour.lengths(route))

    def deposits(self, colony: Colony, scores: Floats) -> Floats:
        """Return 1 / length, in units of the best tour in MAX-MIN ant system and of a greedy one elsewhere."""
        reference = -colony.best_score if self.params.variant == "mmas" else colony.greedy_length
        return np.array([relative_deposit(-score, reference) for score in scores.tolist()])

    def reinforce(self, colony: Colony, route: Ints, keep: float, amount: float) -> None:
        """Let the pheromone τ of a tour's edges become keep·τ + amount."""
        change_edges(self._table(colony), route, keep, amount, self.tour.symmetric)

    def keep_limits(self, colony: Colony) -> None:
        """Keep pheromone that has changed within its limits, and compute the weights."""
        compute_weights(self._table(colony), self.params.alpha, *self.limits)

    def warm(self, colony: Colony, route: Ints) -> None:
        """Let nearly all pheromone evaporate, except on the edges of a tour, which is now the one to change."""
        colony.source[:] = route
        self.update(colony, route[None], np.array([WARM * float(colony.pheromone.max())]), 1.0 - WARM)

    def needs_restart(self, colony: Colony) -> bool:
        """Return whether the pheromone has converged; where ants change one tour, it need not."""
        if len(colony.routes) == 1:  # focused and partial ants keep one tour
            return True
        return colony.wait % 50 == 0 and branching_factor(colony.pheromone) < BRANCHING_AT_REST

    def restart(self, colony: Colony) -> None:
        """Set all pheromone to its highest value, and let one ant walk a new tour to change."""
        super().restart(colony)
        self._walk_source(colony)

    def _table(self, colony: Colony) -> PheromoneTable:
        return PheromoneTable(self.near, colony.pheromone, self._heuristic, colony.weights)

    def _walk_source(self, colony: Colony, greed: float = 0.0) -> float:
        """Let one ant walk the source tour, and return its length."""
        score, walk = np.empty(1), Walk(self.tour, 1, TransitionRule(greed=greed))
        walk.build(self._table(colony), colony.source, colony.source[None], score, colony.rng_state)
        return -float(score[0])


def choose_construction(tour: Tour, params: Params) -> Walk | Focused | Partial:
    """Return the way of building tours that `construction` names.

    `auto` is focused with 2opt on symmetric tours, partial where it can be done and pays, walk otherwise.
    """
    name, improves = params.construction, params.local_search == "2opt"
    if name == "auto" and tour.symmetric and improves:
        name = "focused"
    elif name == "auto" and params.cannot_build("partial", tour) is None and tour.triangle_violations <= VIOLATIONS:
        name = "partial"
    if name == "focused":
        return Focused(tour, params.ants, params.new_edges, improves=improves)
    if name == "partial":
        return Partial(tour, params.ants, params.segment)
    if params.variant == "acs":
        return Walk(tour, params.ants, TransitionRule(params.alpha, params.greed, params.wear, 1.0 / len(tour.cost)))
    return Walk(tour, params.ants)


def branching_factor(pheromone: Floats, share: float = 0.05) -> float:
    """Return the mean number of edges per city whose τ is above the row's least by a share of the row's range [GD].

    >>> branching_factor(np.array([[1.0, 0.0, 0.0], [1.0, 1.0, 0.0]]))
    1.5
    """
    low, high = pheromone.min(axis=1, keepdims=True), pheromone.max(axis=1, keepdims=True)
    return float((pheromone > low + share * (high - low)).sum(axis=1).mean())


def relative_deposit(length: float, reference: float) -> float:
    """Return what a tour deposits on each edge, 1 / length in units of 1 / reference; 1 where a length is not > 0.

    >>> relative_deposit(120.0, 90.0)
    0.75
    """
    return reference / length if reference > 0 and length > 0 else 1.0


def heuristic_values(cost: Floats, beta: float) -> Floats:
    """Return η^beta of edges by their cost (η = 1 / cost, shifted where costs are negative), the best of each row 1.

    >>> heuristic_values(np.array([[2.0, 4.0]]), 2.0).round(2).tolist()
    [[1.0, 0.25]]
    """
    # Shifted a little: an edge that costs nothing would be infinitely attractive.
    away = cost - min(0.0, float(cost.min()))
    away = away + 1e-6 * (float(away.mean()) or 1.0)
    return np.asarray((away.min(axis=1, keepdims=True) / away) ** beta)
