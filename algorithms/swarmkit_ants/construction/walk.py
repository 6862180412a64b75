"""Walk: every ant builds a whole tour, city by city: the construction of [DM], [DG] and [SH]."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from swarmkit import GRAIN, Floats, Ints, RngState, Tour
from swarmkit.search import Neighbours
from swarmkit_ants.construction.policy import BuiltTours, Construction, Iteration, Pause
from swarmkit_ants.pheromone_table import PheromoneTable


@dataclass(kw_only=True)
class Walks(Iteration):
    """The tour of each ant, and its length."""

    tours: Ints
    lengths: Floats

    @property
    def shortest(self) -> float:
        """The length of the shortest tour so far."""
        return float(self.lengths[: self.ants].min())


class Walk(Construction[Walks]):
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
        from swarmkit_ants.kernels.portion import Portion

        self.ants, self._kernel, self._portion = ants, kernel, Portion
        self._cities = read_only(kernel.Cities(tour.cost, tour.nearest(Neighbours.CONSTRUCTION), tour.symmetric))
        self._rule = kernel.TransitionRule(alpha, greed, local_evaporation, initial=1.0 / len(tour.cost))
        self._unvisited = np.empty(len(tour.cost), np.float32)

    def new_iteration(self) -> Walks:
        """Return room for the tour of each ant."""
        return Walks(tours=np.empty((self.ants, len(self._unvisited)), np.int64), lengths=np.empty(self.ants))

    def build(self, table: PheromoneTable, source: Ints, iteration: Walks, rng_state: RngState, pause: Pause) -> int:
        """Let the next ants walk whole tours; no tour has to be recorded at once, because all of them are kept."""
        built = self._kernel.AntTours(iteration.tours, iteration.lengths, self._unvisited)
        portion = self._portion(iteration.ants, self.ants, pause.looks, -np.inf)
        iteration.ants, looks = self._kernel.build_tours(table, self._cities, self._rule, rng_state, built, portion)
        return int(looks)

    def built(self, iteration: Walks) -> BuiltTours:
        """Return the tour of each ant."""
        return BuiltTours(iteration.tours[: iteration.ants], iteration.lengths[: iteration.ants])


def walk_once(tour: Tour, table: PheromoneTable, rng_state: RngState, *, greed: float = 0.0) -> BuiltTours:
    """Return the tour of a single ant."""
    walk, source = Walk(tour, 1, greed=greed), np.empty(0, np.int64)
    iteration = walk.new_iteration()
    walk.build(table, source, iteration, rng_state, Pause(GRAIN, -np.inf))
    return walk.built(iteration)
