"""Tours changed by 2-opt and Or-opt moves; for symmetric travelling salesman problems."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.random import Generator

from swarmkit import Ints, Left, Solutions, Tour
from swarmkit.search import Neighbours, TourState
from swarmkit_annealing.adaptive_schedule import Cycle
from swarmkit_annealing.neighbourhoods.proposals import cool_by_proposals
from swarmkit_annealing.neighbourhoods.protocol import Finished, Scale, Temperatures, proposals_within
from swarmkit_annealing.schedule import Annealed, Schedule

HOT = 0.5
"""Start temperature, in mean costs of an edge to a near neighbour: an edge to the next nearest city is accepted often,
a long one never, so that even hot tours stay local."""
COLD = 0.01
"""End temperature, in the same unit: almost only moves between tours of the same length are still accepted."""

PROPOSALS_PER_CITY = 10
"""Proposals in a sweep: about as many as a city has 2-opt and Or-opt moves with near neighbours that are worth it."""


def temperature_scale(tour: Tour) -> Scale:
    """Return the temperatures of a tour problem; their unit is the mean cost of an edge to a near neighbour."""
    near = tour.nearest(Neighbours.RANDOM_MOVE)
    costs = np.take_along_axis(tour.cost, near.astype(np.int64), axis=1)
    unit = float(np.abs(costs).mean()) or 1.0
    return Scale(unit * HOT, unit * COLD, costs.size)


@dataclass
class TourMoves:
    """The neighbourhood of a tour: 2-opt and Or-opt moves that join a city to one of its nearest neighbours.

    After each cooling of a cycle the incumbent is improved by local search.
    """

    tour: Tour
    state: TourState
    negligible: float

    @property
    def found(self) -> tuple[Solutions, float]:
        """The best solution met, and its score."""
        return self.state.found(self.tour)

    @cached_property
    def sweep(self) -> int:
        """The proposals in a sweep."""
        return PROPOSALS_PER_CITY * len(self.state.tour)

    @property
    def proposal_looks(self) -> int:
        """The looks of a proposal: it evaluates two new edges."""
        return 2

    def anneal(self, temperatures: Temperatures, progress: Ints, left: Left, until_frozen: bool = True) -> Annealed:
        """Propose moves of random cities until the step pauses."""
        proposals = proposals_within(left, self.proposal_looks, self.sweep, progress)
        falls = temperatures(proposals // self.sweep + 2)
        schedule = Schedule(falls, self.sweep, proposals, until_frozen, self.negligible)
        return anneal(self.tour, self.state, schedule, progress)

    def cool(self, cycle: Cycle, progress: Ints, left: Left) -> Annealed:
        """Propose moves of random cities, sweep by sweep."""
        return cool_by_proposals(self, cycle, progress, left)

    def finish(self, cycle: Cycle, left: Left) -> Finished:
        """Improve the best tour until no 3-opt or Or-opt move does."""
        if not cycle.finishing:
            self.state.begin_improving()
        looks = self.state.improve(self.tour, left.looks)
        cycle.finishing = self.state.improving
        return Finished(looks, not cycle.finishing)

    def choose_block(self, cycle: Cycle, rng: Generator) -> bool:
        """Return False: on tours the next cycle gains more than reheats of parts."""
        return False


def anneal(tour: Tour, state: TourState, schedule: Schedule, progress: Ints) -> Annealed:
    """Propose 2-opt and Or-opt moves and accept a worse tour with probability exp(Δ / T).

    Args:
        tour: the travelling salesman problem.
        state: the current tour and the incumbent; updated.
        schedule: the proposals and their temperatures.
        progress: the proposals made in the sweep under way and how many changed the length; updated.
    """
    from swarmkit_annealing.kernels import tour_annealing
    from swarmkit_annealing.kernels.arguments import Incumbent, Trace

    near, move = tour.nearest(Neighbours.RANDOM_MOVE), np.empty(7, np.int64)
    scores, accepted = np.empty((2, schedule.proposals // schedule.sweep + 2))
    incumbent, trace = Incumbent(state.best, state.scores), Trace(progress, scores, accepted)
    looks, sweeps, frozen = tour_annealing.anneal(
        state.route, tour.cost, near, move, incumbent, state.rng_state, schedule, trace
    )
    return Annealed(looks, sweeps, frozen, scores[:sweeps], accepted[:sweeps])
