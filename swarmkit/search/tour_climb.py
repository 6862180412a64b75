"""Climbing on symmetric tours: 2-opt, 3-opt and Or-opt moves, one tour after another."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.random import Generator

from swarmkit.contract.arrays import Bools, Floats, Ints, Solutions
from swarmkit.contract.problem import Problem
from swarmkit.contract.solver import Left
from swarmkit.contract.tour import Tour
from swarmkit.search.neighbours import Neighbours


@dataclass
class TourClimb:
    """Tours that are improved one after another; plain data, kept in a solver's State."""

    X: Solutions
    """The tours as solutions: improved ones once they are through."""
    scores: Floats
    """The scores of those that are through; -inf for the others."""
    tours: Ints
    """The tours as cities in order, changed in place."""
    at: Ints
    """The number of the tour that is improved, and whether its cities have been queued."""
    tour: Ints
    position: Ints
    queue: Ints
    queued: Bools
    counters: Ints
    """These five: the tour that is improved (see `swarmkit.kernels.tour_moves.Route`)."""

    @classmethod
    def start(cls, problem: Problem, X: Solutions) -> TourClimb:
        """Return a climb from every row of X.

        Args:
            problem: a symmetric travelling salesman problem.
            X: solutions, one a row.
        """
        from swarmkit.kernels.tour_moves import empty_route

        tours = np.ascontiguousarray(_tour(problem).tours(X))
        return cls(X, np.full(len(X), -np.inf), tours, np.zeros(2, np.int64), *empty_route(X.shape[1]))

    @property
    def ended(self) -> int:
        """The number of tours that are local optima."""
        return int(self.at[0])

    @property
    def finished(self) -> bool:
        """Whether every tour is a local optimum."""
        return self.ended == len(self.X)

    def go_on(self, problem: Problem, rng: Generator, left: Left) -> int:
        """Improve tours until all are local optima, or what is left is used up; return the looks.

        Args:
            problem: the problem.
            rng: not used: nothing is drawn.
            left: where to pause; an iteration is a climb.
        """
        from swarmkit.kernels.tour_moves import Route, improve

        tour, before = _tour(problem), self.ended
        route = Route(self.tour, self.position, self.queue, self.queued, self.counters)
        self.counters[3] = 0
        near = tour.nearest(Neighbours.LOCAL_SEARCH)
        improve(self.tours[: before + left.iterations], route, tour.cost, near, tour.tolerance, self.at, left.looks)
        rows = slice(before, self.ended)
        self.X[rows] = tour.solutions(self.tours[rows])
        self.scores[rows] = tour.constant - tour.lengths(self.tours[rows])
        return int(self.counters[3])

    def found(self, problem: Problem) -> tuple[Solutions, float] | None:
        """Return the best solution so far, the one that is improved included, and its score; None before a look."""
        tour, ended = _tour(problem), self.ended
        best = int(self.scores[:ended].argmax()) if ended else -1
        if self.at[1]:
            score = tour.constant - float(tour.lengths(self.tours[ended]))
            if best < 0 or score > self.scores[best]:
                return tour.solutions(self.tours[ended]), score
        return None if best < 0 else (self.X[best], float(self.scores[best]))


def _tour(problem: Problem) -> Tour:
    tour = problem.structure.symmetric_tour()
    assert tour is not None  # noqa: S101  (start refuses others)
    return tour
