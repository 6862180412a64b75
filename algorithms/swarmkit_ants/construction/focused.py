"""Focused: every ant makes a few new edges in a good tour, and only what changed is improved again.

Skinderowicz, R. 2022. Improving ant colony optimization efficiency for solving large TSP instances. Applied Soft
Computing 120.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from swarmkit import Floats, Ints, RngState, Tour
from swarmkit_ants.construction.policy import BuiltTours, Construction, Iteration, Pause
from swarmkit_ants.pheromone_table import PheromoneTable

TEMPERATURE = 0.1
"""Mean edges by which a tour may be longer than the source and still become it, with probability 1/e; ours."""


@dataclass(kw_only=True)
class Changes(Iteration):
    """The best tour that an ant made."""

    best: Ints
    lengths: Floats
    """The length of the source, of the best tour, and of the source as the first ant found it."""

    @property
    def shortest(self) -> float:
        """The length of the best tour."""
        return float(self.lengths[1])


class Focused(Construction[Changes]):
    """Ants change the source tour one after another; a tour that is not longer, now and then a longer one, replaces it.

    Costs are symmetric.
    """

    def __init__(
        self, tour: Tour, ants: int, new_edges: int, *, improves: bool, temperature: float = TEMPERATURE
    ) -> None:
        """Set the construction up.

        Args:
            tour: the travelling salesman problem.
            ants: how many ants change the source in an iteration.
            new_edges: the number of new edges along which each ant leaves it.
            improves: whether 2-opt, 3-opt and Or-opt moves improve each tour around the changes.
            temperature: a tour longer by Δ mean edges replaces the source with probability exp(-Δ/temperature).
        """
        from swarmkit.kernels.tour_moves import empty_route
        from swarmkit_ants.kernels import focused_aco
        from swarmkit_ants.kernels.portion import Portion

        self._kernel, self._portion, n = focused_aco, Portion, len(tour.cost)
        self.tour, self.ants, self.new_edges = tour, ants, new_edges
        self.improves, self.temperature = improves, temperature
        self._route, self._unvisited, self._position = empty_route(n), np.ones(n, np.float32), np.empty(n, np.int64)

    def new_iteration(self) -> Changes:
        """Return room for the best tour."""
        return Changes(best=np.zeros(len(self._position), np.int64), lengths=np.zeros(3))

    def build(self, table: PheromoneTable, source: Ints, iteration: Changes, rng_state: RngState, pause: Pause) -> int:
        """Let the next ants change the source."""
        tour, n, lengths = self.tour, len(source), iteration.lengths
        if iteration.ants == 0:
            lengths[:] = tour.lengths(source), np.inf, 0.0
            lengths[2] = lengths[0]
        self._position[source] = np.arange(n)
        temperature = self.temperature * abs(float(lengths[2])) / n
        rule = self._kernel.FocusRule(self.new_edges, self.improves, tour.tolerance, temperature)
        tours = self._kernel.FocusedTours(self._route, self._unvisited, source, self._position, iteration.best, lengths)
        portion = self._portion(iteration.ants, self.ants, *pause)
        iteration.ants, looks = self._kernel.change_source(table, tour.cost, rule, rng_state, tours, portion)
        return int(looks)

    def built(self, iteration: Changes) -> BuiltTours:
        """Return the best tour that an ant made."""
        return BuiltTours(iteration.best[None], self.tour.lengths(iteration.best)[None])
