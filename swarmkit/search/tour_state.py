"""A search on tours: the current tour, the position of every city on it, and the incumbent."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

import numpy as np
from numpy.random import Generator

from swarmkit.contract.arrays import Floats, Ints, RngState, Solutions
from swarmkit.contract.tour import Tour
from swarmkit.search.neighbours import Neighbours
from swarmkit.search.random_state import rng_state

if TYPE_CHECKING:
    from swarmkit.kernels.tour_moves import Route


@dataclass
class TourState:
    """The current tour and the best one met; plain data, kept in a solver's State as it is."""

    SMALLEST: ClassVar[int] = 8
    """Random 2-opt, Or-opt and double-bridge moves need this many cities: below, some of them are no moves at all."""

    tour: Ints
    position: Ints
    """The position of each city on the tour."""
    best: Ints
    scores: Floats
    """Minus the current length, and minus the best."""
    rng_state: RngState

    @classmethod
    def at(cls, tour: Tour, x: Solutions, rng: Generator) -> TourState:
        """Return the state of a search that starts from a solution.

        Args:
            tour: the travelling salesman problem.
            x: the solution to start from.
            rng: the run's generator, from which the kernels' generator is seeded.
        """
        cities = tour.tours(np.array(x, np.int64))
        position = np.empty_like(cities)
        position[cities] = np.arange(len(cities))
        score = -float(tour.lengths(cities))
        return cls(cities, position, cities.copy(), np.array([score, score]), rng_state(rng))

    @property
    def route(self) -> Route:
        """The current tour as the kernels of `swarmkit.kernels.tour_moves` change it, with an empty queue."""
        from swarmkit.kernels.tour_moves import new_route

        return new_route(self.tour, self.position)

    def found(self, tour: Tour) -> tuple[Solutions, float]:
        """Return the incumbent as a solution, and its score."""
        return tour.solutions(self.best), tour.constant + float(self.scores[1])

    def improve_best(self, tour: Tour) -> int:
        """Improve the incumbent to a 3-opt and Or-opt local optimum, make it current, and return the looks."""
        from swarmkit.kernels.tour_moves import optimise_from

        route, near = self.route, tour.nearest(Neighbours.RANDOM_MOVE)
        self.scores[:] = self.scores[1] + optimise_from(route, tour.cost, near, tour.tolerance, self.best)
        self.best[:] = self.tour
        return int(route.counters[3])
