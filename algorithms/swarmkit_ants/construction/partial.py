"""Partial: every ant walks a segment of its own and keeps the order of the last iteration's best tour for the rest.

[CH] Chitty, D. 2017. Applying ACO to large scale TSP instances. Advances in Computational Intelligence Systems (UKCI).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from swarmkit import Floats, Ints, RngState, Tour
from swarmkit_ants.construction.policy import BuiltTours, Construction, Iteration, Pause
from swarmkit_ants.pheromone_table import PheromoneTable

if TYPE_CHECKING:
    from swarmkit_ants.kernels.partial_aco import PartialTours

SHARE, SHORTEST, LONGEST = 0.4, 10, 80
"""The most cities of a segment as a share of all cities, and its limits; ours."""


@dataclass(kw_only=True)
class Segments(Iteration):
    """The segment of the ant that made the best tour."""

    best: Ints
    """The cities of the segment, and room for more."""
    insertion: Ints
    """How many cities they are, and where they are inserted into the source."""
    lengths: Floats
    """The length of the source, what the segment changes it by, and the length of the best tour, if it is written."""

    @property
    def shortest(self) -> float:
        """The length of the best tour; inf if it is not written."""
        return float(self.lengths[2])


class Partial(Construction[Segments]):
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
        from swarmkit_ants.kernels import partial_aco
        from swarmkit_ants.kernels.portion import Portion

        n = len(tour.cost)
        self.tour, self.ants, self._kernel, self._portion = tour, ants, partial_aco, Portion
        self.longest = default_segment(n) if longest is None else longest
        self._best, self._position, self._segment = np.empty((3, n), np.int64)
        self._unvisited = np.ones(n, np.float32)

    def new_iteration(self) -> Segments:
        """Return room for the best segment."""
        return Segments(best=np.zeros(len(self._best), np.int64), insertion=np.zeros(2, np.int64), lengths=np.zeros(3))

    def build(self, table: PheromoneTable, source: Ints, iteration: Segments, rng_state: RngState, pause: Pause) -> int:
        """Let the next ants rebuild a segment of the source."""
        tours, portion = self._tours(source, iteration), self._portion(iteration.ants, self.ants, *pause)
        iteration.ants, looks = self._kernel.rebuild_segments(
            table, self.tour.cost, self.longest, rng_state, tours, portion
        )
        return int(looks)

    def built(self, iteration: Segments) -> BuiltTours:
        """Return the best tour that an ant made; it is written only then when it is needed."""
        return BuiltTours(self._best[None], iteration.lengths[2:])

    def end(self, source: Ints, iteration: Segments, built: BuiltTours) -> None:
        """Let the best tour be the source, longer or not."""
        source[:] = built.tours[0]
        iteration.ants = 0

    def _tours(self, source: Ints, iteration: Segments) -> PartialTours:
        """Return the tours as the kernel reads and writes them."""
        scratch = self._best, self._position, self._segment
        return self._kernel.PartialTours(
            source, *scratch, iteration.best, self._unvisited, iteration.insertion, iteration.lengths
        )


def default_segment(cities: int) -> int:
    """Return the most cities that an ant walks where it is not said.

    >>> [default_segment(cities) for cities in (10, 100, 1000)]
    [10, 40, 80]
    """
    return int(min(max(SHARE * cities, SHORTEST), LONGEST))
