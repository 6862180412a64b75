"""The neighbourhood of symmetric tours: the moves of tables, and climbs by 2-opt, 3-opt and Or-opt moves."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.random import Generator

from swarmkit.contract.arrays import Bools, Floats, Ints, Solutions
from swarmkit.contract.problem import Problem
from swarmkit.contract.tour import Tour
from swarmkit.kernels.constants import BEGIN
from swarmkit.search.climb import Climb, RowClimb
from swarmkit.search.table_neighbourhood import TableNeighbourhood
from swarmkit.search.tour_state import Neighbours


class TourNeighbourhood(TableNeighbourhood):
    """Swaps of two cities as random moves; 2-opt, 3-opt and Or-opt moves among nearest neighbours as climbs."""

    @property
    def tour(self) -> Tour:
        """The travelling salesman problem."""
        tour = self.problem.structure.symmetric_tour()
        assert tour is not None  # noqa: S101  (what this neighbourhood is for)
        return tour

    def compiled(self, rows: int) -> bool:
        """Return True: climbs are made by a kernel.

        Args:
            rows: the number of solutions.
        """
        return True

    def climb(self, X: Solutions, rng: Generator) -> Climb:
        """Return climbs to local optima of 2-opt, 3-opt and Or-opt moves.

        Args:
            X: solutions, one a row; they are not changed.
            rng: not used: nothing is drawn.
        """
        from swarmkit.kernels.tour_moves import empty_route

        state, tours = np.array([0, BEGIN, 0, 0]), self.tour.tours(np.asarray(X, np.int64))
        return TourClimb.at(X, state, tours, *empty_route(X.shape[1]))


@dataclass
class TourClimb(RowClimb):
    """Tours that are improved one after another: a piece of work is a pass over as many queued cities as there are."""

    tours: Ints
    """The tours as cities in order, changed in place."""
    tour: Ints
    position: Ints
    queue: Ints
    queued: Bools
    counters: Ints
    """These five: the tour that is improved (see `swarmkit.kernels.tour_moves.Route`)."""

    def improve(self, problem: Problem, count: int) -> int:
        """Make `count` passes, and return the looks.

        Args:
            problem: the problem of the climb.
            count: the number of passes.
        """
        from swarmkit.kernels.tour_moves import Route, improve

        tour = TourNeighbourhood(problem).tour
        route = Route(self.tour, self.position, self.queue, self.queued, self.counters)
        improve(self.tours, route, tour.cost, tour.nearest(Neighbours.LOCAL_SEARCH), tour.tolerance, self.state, count)
        looks, self.counters[3] = int(self.counters[3]), 0
        return looks

    def score(self, problem: Problem, rows: slice) -> Floats:
        """Write what some tours have become to X, and return their scores.

        Args:
            problem: the problem of the climb.
            rows: their numbers.
        """
        tour = TourNeighbourhood(problem).tour
        self.X[rows] = tour.solutions(self.tours[rows])
        return tour.constant - tour.lengths(self.tours[rows])
