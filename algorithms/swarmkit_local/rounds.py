"""Rounds of iterated local search by compiled kernels: on the gain table of a problem, and on a symmetric tour."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.random import Generator

from swarmkit import Floats, Ints, Problem, Solutions, StepResult
from swarmkit.search import GainTable, Neighbours, TableNeighbourhood, TourNeighbourhood, TourState, links_of
from swarmkit_local import kernels

LONGEST = 50
"""The longest segment that a kick of a tour moves: 3-opt repairs a kick between cities near each other."""

SPARE = 100
"""Moves that the log has room for besides the kick and two a stage: a climb that is longer is ended."""


@dataclass
class TableRounds:
    """The current solution with its gain table, and the round in progress: plain data."""

    table: GainTable
    queue: Ints
    """The stages to examine, a ring buffer; it is empty between rounds."""
    in_queue: Ints
    """Whether each stage is in the queue."""
    counters: Ints
    """How many stages have left the queue, how many have entered it, and the number of moves in the log."""
    log: Ints
    """Stage and former candidate of each move; a full log ends a climb."""
    sums: Floats
    """The score after the kick, and what the climb has gained since."""

    @classmethod
    def start(cls, problem: Problem, x: Solutions, strength: int, rng: Generator) -> TableRounds:
        """Return rounds of which the first kicks a solution.

        Args:
            problem: an unconstrained problem with tables.
            x: the solution.
            strength: the most stages that a kick changes.
            rng: the run's generator, from which the kernels' generator is seeded.
        """
        n = len(x)
        return cls(
            table=GainTable.at(TableNeighbourhood(problem).form, x, rng),
            queue=np.zeros(n, np.int64),
            in_queue=np.zeros(n, np.int64),
            counters=np.zeros(3, np.int64),
            log=np.zeros((strength + 2 * n + SPARE, 2), np.int64),
            sums=np.zeros(2),
        )

    def steps(self, problem: Problem, strength: int, rng: Generator, count: int) -> StepResult:
        """Kick and climb, and undo what ends in a worse score: `count` rounds, or parts of long ones."""
        from swarmkit.kernels.compiling import read_only

        form, table = TableNeighbourhood(problem).form, self.table
        half, free = read_only(form.half_edges), np.flatnonzero(form.sizes > 1)
        arrays = self.queue, self.in_queue, self.counters, self.log, self.sums
        progress = kernels.ils.Round(*arrays, table.best, table.scores, table.rng_state)
        looks, rounds = kernels.ils.iterate(links_of(form), half, free, table.current, progress, strength, count)
        return StepResult(table.best, float(table.scores[1]), int(looks), int(rounds))

    def inject(self, problem: Problem, X: Solutions, scores: Floats, rng: Generator) -> int:
        """Climb from the best of some solutions, all its stages queued, if it is the best known; return the looks."""
        best, n = int(np.argmax(scores)), len(problem.sizes)
        if scores[best] > self.table.scores[1]:
            self.table = GainTable.at(TableNeighbourhood(problem).form, X[best], rng)
            self.queue[:], self.in_queue[:], self.counters[:] = np.arange(n), 1, (0, n, 0)
            self.sums[:] = self.table.scores[0], 0.0  # as after a kick: the round under way is dropped
        return n

    def snapshot(self) -> dict[str, Any]:
        """Return the solution that is kicked and climbs."""
        return {"current": self.table.x}


@dataclass
class TourRounds:
    """The current tour with the queue of cities of the round in progress: plain data."""

    tour: TourState
    base: Ints
    """The tour that rounds start from."""

    @classmethod
    def start(cls, problem: Problem, x: Solutions, rng: Generator) -> TourRounds:
        """Return rounds of which the first, without a kick, improves a solution from all its cities.

        Args:
            problem: a symmetric travelling salesman problem.
            x: the solution.
            rng: the run's generator, from which the kernels' generator is seeded.
        """
        state = TourState.at(TourNeighbourhood(problem).tour, x, rng)
        state.begin_improving()
        return cls(state, state.tour.copy())

    def steps(self, problem: Problem, strength: int, rng: Generator, count: int) -> StepResult:
        """Kick the base tour, improve it, and return to it if that was worse: `count` rounds, or parts of long ones."""
        tour, state = TourNeighbourhood(problem).tour, self.tour
        near, longest = tour.nearest(Neighbours.RANDOM_MOVE), max(1, min(LONGEST, len(self.base) // 3 - 1))
        tours = kernels.tour_ils.Tours(self.base, state.best, state.scores, state.rng_state, state.saved)
        state.counters[3], route = 0, state.queued_route  # the kernel counts the looks there
        rounds = kernels.tour_ils.iterate(route, tour.cost, near, tour.tolerance, tours, longest, count)
        return StepResult(*state.found(tour), int(state.counters[3]), int(rounds))

    def inject(self, problem: Problem, X: Solutions, scores: Floats, rng: Generator) -> int:
        """Improve the best of some solutions, all its cities queued, if it is the best known; return the looks."""
        best = int(np.argmax(scores))
        if scores[best] > self.tour.found(TourNeighbourhood(problem).tour)[1]:
            begin = TourRounds.start(problem, X[best], rng)
            self.tour, self.base = begin.tour, begin.base
        return len(problem.sizes)

    def snapshot(self) -> dict[str, Any]:
        """Return the tour that is kicked and improved."""
        return {"current": self.tour.tour}
