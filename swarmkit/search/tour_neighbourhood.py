"""Searches on symmetric tours: the moves of tables, climbs by 2-opt, 3-opt and Or-opt moves, the state of a search."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, Self, cast

import numpy as np
from numpy.random import Generator

from swarmkit.contract.arrays import Bools, Floats, Ints, RngState, Solutions
from swarmkit.contract.problem import Problem
from swarmkit.contract.structure import Tour
from swarmkit.kernels.constants import BEGIN
from swarmkit.search.construction import rng_state
from swarmkit.search.neighbourhood import Climb, RowClimb
from swarmkit.search.table_neighbourhood import TableNeighbourhood

if TYPE_CHECKING:
    from swarmkit.kernels.tour_moves import Route


class Neighbours:
    """How many nearest neighbours of a city are considered, each number with its reason."""

    LOCAL_SEARCH = 10
    """2-opt, 3-opt and Or-opt: moves to farther cities almost never improve a Euclidean tour (Bentley 1992)."""
    RANDOM_MOVE = 6
    """Random 2-opt and Or-opt moves: a longer list lowers the share of proposals that are accepted."""
    RECOMBINATION = 5
    """Mutations and first tours of a population: nearly all edges of good tours lead to one of the five nearest."""
    CONSTRUCTION = 50
    """Tours built city by city, when all cities of the shorter list are visited: scanned before all cities are."""


class TourNeighbourhood(TableNeighbourhood):
    """Swaps of two cities as random moves; 2-opt, 3-opt and Or-opt moves among nearest neighbours as climbs."""

    @property
    def tour(self) -> Tour:
        """The travelling salesman problem."""
        return cast("Tour", self.problem.structure.symmetric_tour())  # it is one: that is what it is for

    def uses_kernel(self, rows: int) -> bool:
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
    queue: Ints
    queued: Bools
    counters: Ints
    """The cities to examine, whether each is among them, and counts (see `swarmkit.kernels.tour_moves.Route`)."""
    saved: Floats
    """One number: what the improvement in progress has saved; added to the current score when it is complete."""

    @classmethod
    def at(cls, tour: Tour, x: Solutions, rng: Generator) -> Self:
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
        n = len(cities)
        queue, counters = np.zeros(n, np.int64), np.zeros(4, np.int64)
        scores = np.array([score, score])
        return cls(
            cities, position, cities.copy(), scores, rng_state(rng), queue, np.zeros(n, bool), counters, np.zeros(1)
        )

    @property
    def route(self) -> Route:
        """The current tour as the kernels of `swarmkit.kernels.tour_moves` change it, with an empty queue."""
        from swarmkit.kernels.tour_moves import new_route

        return new_route(self.tour, self.position)

    def found(self, tour: Tour) -> tuple[Solutions, float]:
        """Return the incumbent as a solution, and its score."""
        return tour.solutions(self.best), tour.constant + float(self.scores[1])

    @property
    def queued_route(self) -> Route:
        """The current tour with the queue of this state, so that an improvement goes on in a later step."""
        from swarmkit.kernels.tour_moves import Route

        return Route(self.tour, self.position, self.queue, self.queued, self.counters)

    @property
    def improving(self) -> bool:
        """Whether an improvement has begun and has cities left to examine."""
        return bool(self.counters[2])

    def begin_improving(self) -> None:
        """Make the incumbent current and queue its cities: `improve` then leads to a local optimum."""
        from swarmkit.kernels.tour_moves import begin_from

        begin_from(self.queued_route, self.best)
        self.scores[0], self.saved[0] = self.scores[1], 0.0

    def improve(self, tour: Tour, passes: int) -> int:
        """Go on with an improvement, make what it has reached the incumbent, and return the looks.

        Args:
            tour: the travelling salesman problem.
            passes: the passes to make; each examines as many queued cities as the tour has.
        """
        from swarmkit.kernels.tour_moves import optimise_for

        near, cities = tour.nearest(Neighbours.RANDOM_MOVE), passes * len(self.tour)
        self.saved[0] = optimise_for(self.queued_route, tour.cost, near, tour.tolerance, self.saved[0], cities)
        # Added once to the score before the improvement: the sum does not depend on where it paused.
        self.scores[1] = self.scores[0] + self.saved[0]
        self.best[:] = self.tour
        if not self.improving:
            self.scores[0], self.saved[0] = self.scores[1], 0.0
        looks, self.counters[3] = int(self.counters[3]), 0
        return looks
