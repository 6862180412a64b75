"""Annealing of tours by 2-opt and Or-opt moves; for symmetric travelling salesman problems."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.random import Generator

from swarmkit import Ints, Problem, Solutions, Tour
from swarmkit.search import Neighbours, TourNeighbourhood, TourState
from swarmkit_annealing.adaptive_schedule import Cycle
from swarmkit_annealing.schedule import Schedule, Sweeps

HOT = 0.5
"""Start temperature, in mean costs of an edge to a near neighbour: an edge to the next nearest city is accepted often,
a long one never, so that even hot tours stay local."""
COLD = 0.01
"""End temperature, in the same unit: almost only moves between tours of the same length are still accepted."""

PROPOSALS_PER_CITY = 10
"""Proposals in a sweep: about as many as a city has 2-opt and Or-opt moves with near neighbours that are worth it."""


@dataclass
class TourAnnealer(TourState):
    """A tour that moves by 2-opt and Or-opt moves, which join a city to one of its nearest neighbours; and the best.

    After each cooling of a cycle the incumbent is improved by local search.
    """

    @classmethod
    def start(cls, problem: Problem, x: Solutions, rng: Generator) -> TourAnnealer:
        """Return an annealer that starts from solution x."""
        return cls(**vars(TourState.at(TourNeighbourhood(problem).tour, x, rng)))

    def incumbent(self, problem: Problem) -> tuple[Solutions, float]:
        """Return the best solution met, and its score."""
        return self.found(TourNeighbourhood(problem).tour)

    def sweep(self, problem: Problem) -> int:
        """Return the proposals in a sweep."""
        return PROPOSALS_PER_CITY * len(self.tour)

    def anneal(self, problem: Problem, schedule: Schedule, rng: Generator) -> Sweeps:
        """Make sweeps of random proposals: a longer tour is accepted with probability exp(Δ / T).

        Args:
            problem: the problem.
            schedule: the sweeps.
            rng: not used: a tour has random numbers of its own.
        """
        from swarmkit.kernels.compiling import read_only
        from swarmkit_annealing.kernels.metropolis import Incumbent
        from swarmkit_annealing.kernels.tour_annealing import TourSearch, anneal

        tour, trace = TourNeighbourhood(problem).tour, np.empty((2, len(schedule.temperatures)))
        near, move = tour.nearest(Neighbours.RANDOM_MOVE), np.empty(7, np.int64)
        # Only the costs are read-only to the kernel: they may be a memory map.
        search = read_only(TourSearch(self.route, tour.cost, near, move))._replace(near=near, move=move)
        sweeps = anneal(search, Incumbent(self.best, self.scores), self.rng_state, schedule, trace)
        scores, accepted = trace[:, :sweeps]
        frozen = schedule.until_frozen and accepted[-1] == 0
        return Sweeps(2 * sweeps * schedule.sweep, scores, accepted, frozen)  # a proposal evaluates two new edges

    def cool(self, problem: Problem, schedule: Schedule, block: Ints, rng: Generator) -> Sweeps:
        """Make sweeps of random proposals; a tour has no blocks."""
        return self.anneal(problem, schedule, rng)

    def finish(self, problem: Problem, cycle: Cycle, negligible: float) -> int:
        """Improve the best tour until no 3-opt or Or-opt move does, a pass in each call, which returns the looks."""
        if not cycle.finishing:
            self.begin_improving()
        looks = self.improve(TourNeighbourhood(problem).tour, 1)
        cycle.finishing = self.improving
        return looks

    def choose_block(self, problem: Problem, cycle: Cycle, block: int | None, rng: Generator) -> bool:
        """Return False: on tours the next cycle gains more than reheats of parts."""
        return False


def tour_scale(tour: Tour) -> tuple[float, float]:
    """Return start and end temperature; their unit is the mean cost of an edge to a near neighbour."""
    near = tour.nearest(Neighbours.RANDOM_MOVE)
    unit = float(np.abs(np.take_along_axis(tour.cost, near.astype(np.int64), axis=1)).mean()) or 1.0
    return HOT * unit, COLD * unit
