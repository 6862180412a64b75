"""Walk: every ant builds a whole tour, city by city: the construction of [DM], [DG] and [SH]."""

from __future__ import annotations

import numpy as np

from swarmkit import Ints, RngState, Tour
from swarmkit.search import Neighbours
from swarmkit_ants.construction.policy import BuiltTours, Construction
from swarmkit_ants.pheromone_table import PheromoneTable


class Walk(Construction):
    """Every ant walks through all cities; the source tour plays no part."""

    def __init__(
        self, tour: Tour, ants: int, *, alpha: float = 1.0, greed: float = 0.0, local_evaporation: float = 0.0
    ) -> None:
        """Set the walk up.

        Args:
            tour: the travelling salesman problem.
            ants: how many ants walk in an iteration.
            alpha: the exponent of the pheromone, for weights that change on the way.
            greed: the probability of taking the best edge instead of drawing one (q0 in [DG]).
            local_evaporation: the share by which a crossed edge's pheromone moves to its initial value (ξ in [DG]).
        """
        from swarmkit.kernels.compiling import read_only
        from swarmkit_ants.kernels import tour_construction as kernel

        n, farther = len(tour.cost), tour.nearest(Neighbours.CONSTRUCTION)
        tours, lengths, unvisited = np.empty((ants, n), np.int64), np.empty(ants), np.empty(n, np.float32)
        self._build_tours = kernel.build_tours
        self._cities = read_only(kernel.Cities(tour.cost, farther, tour.symmetric))
        self._rule = kernel.TransitionRule(alpha, greed, local_evaporation, initial=1.0 / n)
        self._built = kernel.AntTours(tours, lengths, unvisited)

    def build(self, table: PheromoneTable, source: Ints, rng_state: RngState) -> BuiltTours:
        """Return the tour of each ant."""
        looks = self._build_tours(table, self._cities, self._rule, rng_state, self._built)
        return BuiltTours(self._built.tours, self._built.lengths, looks)
