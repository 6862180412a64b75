"""Rounds of iterated local search, compiled: on gain tables, and on symmetric tours."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from swarmkit import Floats, Ints, Left, Pairwise, Solutions, Tour
from swarmkit.search import GainTable, Neighbours, TourState, links_of

LONGEST = 50
"""The longest segment that a kick of a tour moves: 3-opt repairs a kick between cities near each other."""

SPARE = 100
"""Moves that the log has room for besides the kick and two a stage: a climb that is longer is ended."""


class Rounds(NamedTuple):
    """The looks of some rounds, and the number of those that have ended."""

    looks: int
    ended: int


@dataclass
class Round:
    """A round in progress on a gain table: its queue of stages and its log of moves (see `kernels.ils.Workspace`)."""

    queue: Ints
    queued: Ints
    counters: Ints
    log: Ints
    sums: Floats

    @classmethod
    def none(cls, n: int, strength: int) -> Round:
        """Return an empty queue and an empty log.

        Args:
            n: the number of stages.
            strength: the most stages that a kick changes.
        """
        log = np.zeros((strength + 2 * n + SPARE, 2), np.int64)
        return cls(np.zeros(n, np.int64), np.zeros(n, np.int64), np.zeros(3, np.int64), log, np.zeros(2))

    @classmethod
    def climb(cls, n: int, strength: int, score: float) -> Round:
        """Return a round without a kick: all stages are queued, and the climb has not begun.

        Args:
            n: the number of stages.
            strength: the most stages that a later kick changes.
            score: the score of the solution that climbs.
        """
        fresh = cls.none(n, strength)
        fresh.queue[:], fresh.queued[:], fresh.counters[1], fresh.sums[0] = np.arange(n), 1, n, score
        return fresh


def kick_and_climb(form: Pairwise, table: GainTable, current: Round, strength: int, left: Left) -> Rounds:
    """Kick and climb, and undo what ends in a worse score, until what is left is used up.

    Args:
        form: the tables.
        table: the current solution, its gain table and the incumbent; changed in place.
        current: the round in progress; changed in place.
        strength: the most stages that a kick changes.
        left: where to pause.
    """
    from swarmkit.kernels.compiling import read_only
    from swarmkit_local.kernels import ils

    half = form.half_edges
    around = read_only(ils.Neighbourhood(half.indptr, half.neighbour, np.flatnonzero(form.sizes > 1)))
    workspace = ils.Workspace(current.queue, current.queued, current.counters, current.log, current.sums)
    incumbent = ils.Incumbent(table.best, table.scores, table.rng_state)
    limits = ils.Limits(left.looks, left.iterations)
    return Rounds(*ils.iterate(links_of(form), around, table.current, incumbent, workspace, strength, limits))


def best_solution(table: GainTable, current: Round) -> tuple[Solutions, float]:
    """Return the incumbent, or the solution of the round in progress where that is better already, and its score."""
    now, in_progress = float(current.sums.sum()), current.counters[0] < current.counters[1]
    if in_progress and now > table.scores[1]:
        return table.x, now
    return table.best, float(table.scores[1])


def kick_tour(tour: Tour, state: TourState, base: Ints, left: Left) -> Rounds:
    """Improve the first tour; then kick it, improve around there, and return if that was worse, until nothing is left.

    Args:
        tour: the travelling salesman problem.
        state: the current tour and the incumbent; changed in place. The first round, which `begin_improving` began,
            has no kick.
        base: the tour that rounds start from; changed in place.
        left: where to pause.
    """
    from swarmkit_local.kernels import ils, tour_ils

    given = tour.cost, tour.nearest(Neighbours.RANDOM_MOVE), tour.tolerance
    longest = max(1, min(LONGEST, len(state.tour) // 3 - 1))
    tours = tour_ils.Tours(base, state.best, state.scores, state.rng_state)
    limits = ils.Limits(left.looks, left.iterations)
    state.counters[3] = 0
    rounds = tour_ils.iterate(state.queued_route, *given, tours, state.saved, longest, limits)
    return Rounds(int(state.counters[3]), int(rounds))


def best_tour(tour: Tour, state: TourState) -> tuple[Solutions, float]:
    """Return the incumbent, or the tour of the round in progress where that is better already, and its score."""
    now = float(state.scores[0] + state.saved[0])
    if now > state.scores[1]:
        return tour.solutions(state.tour.copy()), tour.constant + now
    return state.found(tour)
