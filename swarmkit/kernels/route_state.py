"""Routes as the kernels of `swarmkit.kernels.routes` take them; without numba, so that States can name them."""

from __future__ import annotations

from typing import NamedTuple

from swarmkit.contract.arrays import Floats, Ints, Near, RngState, Solutions

ITERATION, USED, SKIP, ABSENT, CYCLE, LENGTH, LOSSES, PHASE, IMPROVED, BEST_ABSENT = range(10)
"""Counters: iterations, lists in use, places until the next blink, required items in no list, looks of this cycle, its
length in looks, losses that were measured, cycles so far, whether the best solution is not in `x` yet, required items
that are missing in it."""

CURRENT, BEST, LOSS, HOT, COLD = range(5)
"""Costs: the current, the best, the sum of losses, the first and the last temperature of a cycle."""


class Network(NamedTuple):
    """The rules of routes. Item i is number i, list r starts at number n + r and ends at n + k + r."""

    matrix: Floats
    """The cost of the arc between nodes; 1 by 1 where it is computed from points."""
    points: Floats
    """The coordinates of each number; one row where there is a matrix."""
    node: Ints
    """The node of each number, -1 for an open end."""
    facts: Ints
    """The code of the metric; 1 if there are time windows; 1 if items are optional."""
    pace: Floats
    """One number: the time that a unit of arc cost takes."""
    amounts: Floats
    capacities: Floats
    early: Floats
    """The earliest time at which service begins, of each number."""
    late: Floats
    services: Floats
    prizes: Floats
    """The cost of leaving out each item."""
    required: Ints
    """1 for items that may not be left out."""
    near: Near
    """The items near each item, nearest first."""
    near_to: Floats
    """The cost of the arc from the item to each of them."""
    near_from: Floats
    """The cost of the arc from each of them to the item."""
    alike: Ints
    """The lists, ordered so that those with the same ends and capacity are neighbours."""
    kinds: Ints
    """Where the lists of each kind begin in `alike`, and their number."""
    remote: Floats
    """The cost of the way from the nearest start to each item."""


class RouteState(NamedTuple):
    """Where the search is."""

    following: Ints
    """The number after each number in its list, -1 for none."""
    previous: Ints
    links: Floats
    """The cost of the arc to the following number; 0 in an empty list."""
    list_of: Ints
    """The list of each item, -1 for none."""
    loads: Floats
    counts: Ints
    """The number of items of each list."""
    begin: Floats
    """The earliest time at which service can begin at each number."""
    latest: Floats
    """The latest one that keeps all later windows."""
    absent: Ints
    """The required items in no list, at the front."""
    free: Ints
    """Where to look for an empty list of each kind."""
    best: Ints
    """`following` of the best solution."""
    costs: Floats
    """The current cost, the best, the sum of losses, the first and the last temperature of a cycle."""
    counters: Ints
    """See above."""
    x: Solutions
    """The best solution as the problem has it."""
    rng_state: RngState


class Workspace(NamedTuple):
    """Arrays that mean nothing from one iteration to the next."""

    removed: Ints
    """The items that are inserted next."""
    keys: Floats
    """By which they are ordered."""
    failed: Ints
    """The required items for which there was no place."""
    log_items: Ints
    """The items removed and inserted, in order."""
    log_places: Ints
    """Behind which number each was removed; -1: it was inserted."""
    touched: Ints
    """The lists that have changed."""
    old_loads: Floats
    """Their loads before."""
    stamps: Ints
    """The iteration that has last changed each list."""
    sizes: Ints
    """The lengths of the log, of `touched` and of `failed`."""
