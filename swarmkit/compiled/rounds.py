"""Tours that are annealed: a round trip that changes, and the best it has been."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from swarmkit.compiled.loading import tables
from swarmkit.compiled.walk import Annealed
from swarmkit.pairwise import Floats, Ints
from swarmkit.problem import Problem, Solutions
from swarmkit.tour import Tour

if TYPE_CHECKING:
    from swarmkit.kernels.tours import Route

NEAREST = 6
"""With how many of its nearest a city may be joined."""


@dataclass
class Round:
    """Where a round trip is; plain data, kept in a solver's State as it is."""

    tour: Ints
    place: Ints
    """Where on the tour each city stands."""
    best: Ints
    scores: Floats
    """Minus the length now, and of the best."""
    words: NDArray[np.uint64]
    """The kernels' random numbers."""


def round_trip(problem: Problem) -> Tour | None:
    """Give a problem as a tour whose ways cost the same in both directions, or None where it is none."""
    form = tables(problem)
    if form is None or form.tour is None or not form.tour.symmetric or len(form.sizes) < 5:
        return None
    return form.tour


def start_round(tour: Tour, x: Solutions, rng: Generator) -> Round:
    """Begin at a solution."""
    from swarmkit.kernels.chance import seeded

    cities = tour.tours(np.array(x, np.int64))
    place = np.empty_like(cities)
    place[cities] = np.arange(len(cities))
    score = -float(tour.lengths(cities))
    return Round(cities, place, cities.copy(), np.array([score, score]), seeded(rng))


def anneal_round(
    tour: Tour,
    trip: Round,
    temperatures: Floats,
    sweep: int,
    within: Ints,
    proposals: int,
    *,
    until_frozen: bool = False,
    slight: float = 0.0,
) -> Annealed:
    """Propose 2-opt and Or-opt moves, `sweep` of them at each temperature; otherwise as `anneal`."""
    from swarmkit.kernels import rerouting

    course, taken = np.empty((2, proposals // sweep + 2))
    room = np.empty(7, np.int64), trip.best, trip.scores, trip.words
    how = (temperatures, sweep, within, proposals, until_frozen, slight)
    route = _route(trip)
    looks, sweeps, idle = rerouting.anneal(route, tour.cost, tour.nearest(NEAREST), *room, *how, course, taken)
    return Annealed(looks, sweeps, idle, course[:sweeps], taken[:sweeps])


def polish_round(tour: Tour, trip: Round) -> int:
    """Go back to the best tour and climb from there; give the looks."""
    from swarmkit.kernels import rerouting

    route = _route(trip)
    rerouting.polish(route, tour.cost, tour.nearest(NEAREST), tour.least, trip.best, trip.scores)
    return int(route.ends[3])


def _route(trip: Round) -> Route:
    from swarmkit.kernels.tours import Route

    n = len(trip.tour)
    return Route(  # nobody waits
        trip.tour, trip.place, np.empty(n, np.int64), np.zeros(n, np.bool_), np.zeros(4, np.int64)
    )
