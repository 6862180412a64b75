"""The ways in which ants build tours: walk, focused, partial. References as in `swarmkit_ants.tsp_aco`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from swarmkit import Floats, Ints, RngState, Tour
from swarmkit.kernels.compiling import read_only
from swarmkit.kernels.tour_moves import empty_route
from swarmkit.search import Neighbours
from swarmkit_ants.kernels.focused import FocusedTours, FocusRule, change_source
from swarmkit_ants.kernels.partial import PartialTours, rebuild_segments
from swarmkit_ants.kernels.tour_walk import Cities, PheromoneTable, TransitionRule, build_tours

if TYPE_CHECKING:
    from swarmkit_ants.tsp_aco import TspAco

VIOLATIONS = 0.06
"""Where more triples violate the triangle inequality, partial ants lose more by removing cities than they win; ours."""

TEMPERATURE = 0.1
"""Mean edges by which a focused ant's tour may be longer than the source and still become it, with probability 1/e;
ours."""

ROULETTE = TransitionRule(alpha=1.0, greed=0.0, local_evaporation=0.0, initial=0.0)
"""Ants draw every city, and pheromone stays as it is on their way."""

SHARE, SHORTEST, LONGEST = 0.4, 10, 80
"""The most cities of a partial ant's segment as a share of all cities, and its limits; ours."""


class Walk:
    """Every ant walks through all cities [DM] [DG] [SH]; the source tour plays no part.

    Args:
        tour: the travelling salesman problem.
        ants: how many ants walk in an iteration.
        rule: how they choose the next city; by default by a roulette wheel of the weights.
    """

    rho: ClassVar[float] = 0.05

    def __init__(self, tour: Tour, ants: int, rule: TransitionRule = ROULETTE) -> None:
        self.rows, self._rule, self._unvisited = ants, rule, np.empty(len(tour.cost), np.float32)
        self._cities = read_only(Cities(tour.cost, tour.nearest(Neighbours.CONSTRUCTION), tour.symmetric))

    def build(self, table: PheromoneTable, source: Ints, tours: Ints, scores: Floats, rng_state: RngState) -> int:
        """Write the tour and the score of each ant, and return the looks."""
        cities, rule, unvisited = self._cities, self._rule, self._unvisited
        return int(build_tours(table, cities, rule, tours, scores, unvisited, rng_state))


class Focused:
    """Ants make a few new edges in the source tour, one after another [SK]; costs are symmetric.

    A tour that is not longer, now and then a longer one, replaces the source.

    Args:
        tour: the travelling salesman problem.
        ants: how many ants change the source in an iteration.
        new_edges: the number of new edges along which each ant leaves it.
        improves: whether 2-opt, 3-opt and Or-opt moves improve each tour around the changes.
        temperature: a tour longer by Δ mean edges replaces the source with probability exp(-Δ/temperature).
    """

    rows, rho = 1, 0.05

    def __init__(
        self, tour: Tour, ants: int, new_edges: int, *, improves: bool, temperature: float = TEMPERATURE
    ) -> None:
        n = len(tour.cost)
        self._tour, self._rule = tour, FocusRule(ants, new_edges, improves, tour.tolerance, temperature)
        self._route, self._unvisited, self._position = empty_route(n), np.ones(n, np.float32), np.empty(n, np.int64)

    def build(self, table: PheromoneTable, source: Ints, tours: Ints, scores: Floats, rng_state: RngState) -> int:
        """Change the source, write the best tour that an ant made and its score, and return the looks."""
        lengths = np.array([float(self._tour.lengths(source)), np.inf])
        changed = FocusedTours(self._route, self._unvisited, source, self._position, tours[0], lengths)
        looks = change_source(table, self._tour.cost, self._rule, rng_state, changed)
        scores[:] = -self._tour.lengths(tours)
        return int(looks)


class Partial:
    """Ants walk a segment of the source tour each and keep its order for the rest [CH]; costs are symmetric.

    A walk starts anywhere and leaves the source at once. It is inserted where its last or its first city was. The best
    of these tours, longer or not, is the next source.

    Args:
        tour: the travelling salesman problem.
        ants: how many ants rebuild a segment in an iteration.
        segment: the most cities that each walks; None for two fifths of all, at least 10 and at most 80.
    """

    rows: ClassVar[int] = 1
    rho: ClassVar[float] = 0.02
    """[SH]: pheromone that evaporates slowly, because few edges change in an iteration."""

    def __init__(self, tour: Tour, ants: int, segment: int | None = None) -> None:
        n = len(tour.cost)
        self._cost, self._ants, self.segment = tour.cost, ants, default_segment(n) if segment is None else segment
        self._scratch: tuple[Any, ...] = *np.empty((3, n), np.int64), np.ones(n, np.float32)

    def build(self, table: PheromoneTable, source: Ints, tours: Ints, scores: Floats, rng_state: RngState) -> int:
        """Write the best tour that an ant made and its score, let it be the source, and return the looks."""
        rebuilt = PartialTours(source, tours[0], *self._scratch)
        length, looks = rebuild_segments(table, self._cost, self.segment, self._ants, rng_state, rebuilt)
        scores[0], source[:] = -length, tours[0]
        return int(looks)


def choose_construction(tour: Tour, params: TspAco.Params) -> Walk | Focused | Partial:
    """Return the way of building tours that `construction` names.

    `auto` is focused with 2opt on symmetric tours, partial where it can be done and pays, walk otherwise.
    """
    name, improves = params.construction, params.local_search == "2opt"
    if name == "auto" and tour.symmetric and improves:
        name = "focused"
    elif name == "auto" and params.cannot_build("partial", tour) is None and tour.triangle_violations <= VIOLATIONS:
        name = "partial"
    if name == "focused":
        return Focused(tour, params.ants, params.new_edges, improves=improves)
    if name == "partial":
        return Partial(tour, params.ants, params.segment)
    if params.variant == "acs":
        return Walk(tour, params.ants, TransitionRule(params.alpha, params.greed, params.wear, 1.0 / len(tour.cost)))
    return Walk(tour, params.ants)


def default_segment(cities: int) -> int:
    """Return the most cities that a partial ant walks where it is not said.

    >>> [default_segment(cities) for cities in (10, 100, 1000)]
    [10, 40, 80]
    """
    return int(min(max(SHARE * cities, SHORTEST), LONGEST))
