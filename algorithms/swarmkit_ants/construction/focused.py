"""Focused: every ant makes a few new edges in a good tour, and only what changed is improved again.

Skinderowicz, R. 2022. Improving ant colony optimization efficiency for solving large TSP instances. Applied Soft
Computing 120.
"""

from __future__ import annotations

import numpy as np

from swarmkit import Ints, RngState, Tour
from swarmkit_ants.construction.policy import BuiltTours, Construction
from swarmkit_ants.pheromone_table import PheromoneTable

TEMPERATURE = 0.1
"""Mean edges by which a tour may be longer than the source and still become it, with probability 1/e; ours."""


class Focused(Construction):
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
        self.tour, self.ants, self.new_edges = tour, ants, new_edges
        self.improves, self.temperature = improves, temperature

    def build(self, table: PheromoneTable, source: Ints, rng_state: RngState) -> BuiltTours:
        """Return the best tour that an ant made."""
        from swarmkit.kernels.tour_moves import empty_route
        from swarmkit_ants.kernels.focused_aco import FocusedTours, FocusRule, change_source

        tour, n = self.tour, len(source)
        position = np.empty_like(source)
        position[source] = np.arange(n)
        lengths = np.array([tour.lengths(source), np.inf])
        temperature = self.temperature * abs(lengths[0]) / n
        rule = FocusRule(self.ants, self.new_edges, self.improves, tour.tolerance, temperature)
        tours = FocusedTours(empty_route(n), np.ones(n, np.float32), source, position, np.empty_like(source), lengths)
        change_source(table, tour.cost, rule, rng_state, tours)
        return BuiltTours(tours.best[None], tour.lengths(tours.best)[None], int(tours.route.counters[3]))
