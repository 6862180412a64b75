"""The neighbourhood of symmetric tours: the moves of tables, and climbs by 2-opt, 3-opt and Or-opt moves."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.random import Generator

from swarmkit.contract.arrays import Bools, Ints, Solutions
from swarmkit.contract.problem import Problem
from swarmkit.contract.tour import Tour
from swarmkit.search.climb import Climb
from swarmkit.search.neighbours import Neighbours
from swarmkit.search.table_neighbourhood import TableNeighbourhood


class TourNeighbourhood(TableNeighbourhood):
    """Swaps of two cities as random moves; 2-opt, 3-opt and Or-opt moves among nearest neighbours as climbs."""

    @property
    def tour(self) -> Tour:
        """The travelling salesman problem."""
        return _tour(self.problem)

    def compiled(self, rows: int) -> bool:
        """Return True: climbs are made by a kernel.

        Args:
            rows: the number of solutions.
        """
        return True

    def climb(self, X: Solutions, rng: Generator) -> TourClimb:
        """Return climbs to local optima of 2-opt, 3-opt and Or-opt moves.

        Args:
            X: solutions, one a row; they are not changed.
            rng: not used: nothing is drawn.
        """
        return TourClimb.start(self.problem, X)


@dataclass
class TourClimb(Climb):
    """Tours that are improved one after another; plain data, kept in a solver's State."""

    tours: Ints
    """The tours as cities in order, changed in place; X has them once they are local optima."""
    at: Ints
    """The number of the tour that is improved, whether its cities have been queued, and the passes so far."""
    tour: Ints
    position: Ints
    queue: Ints
    queued: Bools
    counters: Ints
    """These five: the tour that is improved (see `swarmkit.kernels.tour_moves.Route`)."""

    @classmethod
    def start(cls, problem: Problem, X: Solutions) -> TourClimb:
        """Return climbs from solutions.

        Args:
            problem: a symmetric travelling salesman problem.
            X: solutions, one a row; they are not changed.
        """
        from swarmkit.kernels.tour_moves import empty_route

        X = np.array(X, np.int64, order="C")
        tours = np.ascontiguousarray(_tour(problem).tours(X))
        return cls(X, np.full(len(X), -np.inf), tours, np.zeros(3, np.int64), *empty_route(X.shape[1]))

    @property
    def ended(self) -> int:
        """The number of tours that are local optima."""
        return int(self.at[0])

    @property
    def finished(self) -> bool:
        """Whether every tour is a local optimum."""
        return self.ended == len(self.X)

    @property
    def pieces(self) -> int:
        """The passes so far."""
        return int(self.at[2])

    def step(self, problem: Problem, rng: Generator) -> int:
        """Make a pass: examine as many queued cities as the tour has; return the looks.

        Args:
            problem: the problem of the climb.
            rng: not used: nothing is drawn.
        """
        return self.steps(problem, rng, 1)

    def steps(self, problem: Problem, rng: Generator, count: int) -> int:
        """Make `count` passes, fewer if the climb finishes, and return their looks.

        Args:
            problem: the problem of the climb.
            rng: not used: nothing is drawn.
            count: the number of passes.
        """
        from swarmkit.kernels.tour_moves import Route, improve

        tour, before = _tour(problem), self.ended
        route = Route(self.tour, self.position, self.queue, self.queued, self.counters)
        self.counters[3] = 0
        improve(self.tours, route, tour.cost, tour.nearest(Neighbours.LOCAL_SEARCH), tour.tolerance, self.at, count)
        rows = slice(before, self.ended)
        self.X[rows] = tour.solutions(self.tours[rows])
        self.scores[rows] = tour.constant - tour.lengths(self.tours[rows])
        return int(self.counters[3])

    def best(self, problem: Problem) -> tuple[Solutions, float] | None:
        """Return the best solution so far, the one that is improved included, and its score; None before a pass."""
        tour, known = _tour(problem), self.scores[: self.ended]
        if self.at[1]:
            known = np.append(known, tour.constant - tour.lengths(self.tours[self.ended]))
        i = int(known.argmax()) if len(known) else -1
        return None if i < 0 else (tour.solutions(self.tours[i]), float(known[i]))


def _tour(problem: Problem) -> Tour:
    tour = problem.structure.symmetric_tour()
    assert tour is not None  # noqa: S101  (what this neighbourhood is for)
    return tour
