"""Schedules as the kernels of tabu search take them: what they read, what they change, their workspace."""

from __future__ import annotations

from typing import NamedTuple

from swarmkit import Floats, Ints, RngState, Solutions


class Shop(NamedTuple):
    """The rules of a schedule."""

    durations: Floats
    """The time of each item (row) on each machine (column); inf where the machine cannot do it."""
    before_start: Ints
    """Where the items that come before each item begin in `before`."""
    before: Ints
    after_start: Ints
    """Where the items that come after each item begin in `after`."""
    after: Ints


class ShopState(NamedTuple):
    """Where the search is."""

    lists: Ints
    """The items of each machine (row) in order."""
    counts: Ints
    """How many they are."""
    places: Ints
    """The place of each item in its list."""
    machines: Ints
    """The machine of each item."""
    times: Floats
    """The time of each item on its machine."""
    heads: Floats
    """When each item begins."""
    tails: Floats
    """The longest way from the end of each item to the end of the schedule."""
    best_lists: Ints
    best_counts: Ints
    """The best schedule."""
    tabu: Ints
    """The iteration up to which an order of two items, or an item on a machine, is tabu; entries are shared."""
    costs: Floats
    """The current makespan and the best."""
    counters: Ints
    """See `kernels.shop`."""
    x: Solutions
    """The best solution as the problem has it."""
    rng_state: RngState


class ShopWorkspace(NamedTuple):
    """Arrays that mean nothing from one iteration to the next."""

    order: Ints
    """The items in an order in which each comes after those before it."""
    waits: Ints
    """For how many items each still waits."""
    path: Ints
    """A critical path."""
    block: Ints
    """The items of a block after a move."""
    ends: Floats
    """When they end, at the earliest."""
    candidate: Ints
    """The move that is valued: its kind, machine and places, or item and place."""
    move: Ints
    """The best move so far, and the number of moves that are as good."""
    random_move: Ints
    """A random move, and the number of moves."""
