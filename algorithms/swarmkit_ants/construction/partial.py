"""Partial: every ant walks a segment of its own and keeps the order of the last iteration's best tour for the rest.

[CH] Chitty, D. 2017. Applying ACO to large scale TSP instances. Advances in Computational Intelligence Systems (UKCI).
"""

from __future__ import annotations

from typing import ClassVar

import numpy as np

from swarmkit import Ints, RngState, Tour
from swarmkit_ants.construction.policy import BuiltTours, Construction
from swarmkit_ants.pheromone_table import PheromoneTable

SHARE, SHORTEST, LONGEST = 0.4, 10, 80
"""The most cities of a segment as a share of all cities, and its limits; ours."""


class Partial(Construction):
    """Ants rebuild a segment of the source tour; the best of their tours, longer or not, is the next source.

    A walk starts anywhere and leaves the source at once. It is inserted where its last or its first city was. Costs are
    symmetric.
    """

    rho: ClassVar[float] = 0.02
    """[SH]: pheromone that evaporates slowly, because few edges change in an iteration."""

    def __init__(self, tour: Tour, ants: int, longest: int | None = None) -> None:
        """Set the construction up.

        Args:
            tour: the travelling salesman problem.
            ants: how many ants rebuild a segment in an iteration.
            longest: the most cities that each walks; None for two fifths of all, at least 10 and at most 80.
        """
        from swarmkit_ants.kernels.partial_aco import PartialTours, rebuild_segments

        n = len(tour.cost)
        self.tour, self.ants = tour, ants
        self.longest = default_segment(n) if longest is None else longest
        self._rebuild_segments = rebuild_segments
        source, best, position, segment, best_segment = np.empty((5, n), np.int64)
        self._tours = PartialTours(source, best, position, segment, best_segment, np.empty(n, np.float32))

    def build(self, table: PheromoneTable, source: Ints, rng_state: RngState) -> BuiltTours:
        """Return the best tour that an ant made."""
        tours = self._tours
        tours.source[:] = source
        length, looks = self._rebuild_segments(table, self.tour.cost, self.ants, self.longest, rng_state, tours)
        source[:] = tours.best
        return BuiltTours(tours.best[None], np.array([length]), looks)


def default_segment(cities: int) -> int:
    """Return the most cities that an ant walks where it is not said.

    >>> [default_segment(cities) for cities in (10, 100, 1000)]
    [10, 40, 80]
    """
    return int(min(max(SHARE * cities, SHORTEST), LONGEST))
