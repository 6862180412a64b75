"""Rounds of iterated local search, compiled: on gain tables, and on symmetric tours."""

from __future__ import annotations

import numpy as np

from swarmkit import Pairwise, Tour
from swarmkit.search import GainTable, Neighbours, TourState, links_of

LONGEST = 50
"""The longest segment that a kick of a tour moves: 3-opt repairs a kick between cities near each other."""

SPARE = 100
"""Moves that the log has room for besides the kick and two a stage: a climb that is longer is ended."""


def kick_and_climb(form: Pairwise, table: GainTable, strength: int, looks: int) -> tuple[int, int]:
    """Kick and climb, and undo what ends in a worse score, until enough looks are spent.

    Args:
        form: the tables.
        table: the current solution, its gain table and the incumbent; changed in place.
        strength: the most stages that a kick changes.
        looks: no new round begins after this many.

    Returns:
        The looks, and the number of rounds.
    """
    from swarmkit.kernels.compiling import read_only
    from swarmkit_local.kernels import ils

    half, n = form.half_edges, len(form.sizes)
    around = read_only(ils.Neighbourhood(half.indptr, half.neighbour, np.flatnonzero(form.sizes > 1)))
    log = np.empty((strength + 2 * n + SPARE, 2), np.int64)
    workspace = ils.Workspace(np.empty(n, np.int64), np.zeros(n, np.int64), np.zeros(2, np.int64), log)
    incumbent = ils.Incumbent(table.best, table.scores, table.rng_state)
    spent, rounds = ils.iterate(links_of(form), around, table.current, incumbent, workspace, strength, looks)
    return int(spent), int(rounds)


def kick_tour(tour: Tour, state: TourState, looks: int) -> tuple[int, int]:
    """Improve the best tour; then kick it, improve around there, and return if that was worse, until looks are spent.

    Args:
        tour: the travelling salesman problem.
        state: the current tour and the incumbent; changed in place.
        looks: no new round begins after this many.

    Returns:
        The looks, and the number of rounds, of which the first has no kick.
    """
    from swarmkit_local.kernels.ils import Incumbent
    from swarmkit_local.kernels.tour_ils import iterate

    polishing = state.improve_best(tour)
    route, near = state.route, tour.nearest(Neighbours.RANDOM_MOVE)
    route.counters[3] = polishing
    longest = max(1, min(LONGEST, len(state.tour) // 3 - 1))
    incumbent = Incumbent(state.best, state.scores, state.rng_state)
    rounds = iterate(route, tour.cost, near, tour.tolerance, incumbent, longest, looks)
    return int(route.counters[3]), int(rounds) + 1
