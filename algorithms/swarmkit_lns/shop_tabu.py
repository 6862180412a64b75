"""Tabu search on schedules with moves on a critical path: `shop-tabu`.

Nowicki, E. and Smutnicki, C. 1996. A fast taboo search algorithm for the job shop problem. Management Science 42(6).
The moves are those of later papers, see `kernels.shop`.

    begin with the schedule of a dispatching rule
    repeat
        find a critical path, and the blocks of items that follow each other on one machine
        value every move of an item to an end of its block, and places of one item on other machines
        make the best one that is not tabu, or leads to a new best schedule; its reversal becomes tabu
        after 8,000 iterations without a new best schedule go back to the best, shaken by random moves
"""

from __future__ import annotations

import heapq
from typing import Any

import numpy as np
from numpy.random import Generator

from swarmkit import Floats, Lists, Problem, Solutions, Solver, StepResult, Suitability
from swarmkit.search import rng_state, warm_up
from swarmkit_lns import kernels
from swarmkit_lns.shop_state import Shop, ShopState, ShopWorkspace

LARGEST_TABU = 1 << 20
"""The entries of the tabu list: more orders of two items share them."""


class ShopTabu(Solver[ShopState]):
    """Tabu search on schedules: the best move of an item along a critical path, even if the makespan grows."""

    reference = "Nowicki & Smutnicki 1996, A fast taboo search algorithm for the job shop problem, Management Science"

    def refuses(self, problem: Problem) -> str | None:
        """Refuse what is no schedule."""
        lists = problem.structure.lists
        if lists is None or lists.schedule is None or not lists.items:
            return "its shape is no schedule with durations; 'ils' solves any problem"
        return None

    def suits(self, problem: Problem) -> Suitability | None:
        """Suit schedules."""
        return Suitability(10.0, "its solutions are schedules", nanoseconds=150.0)  # others see the score alone

    def prepare(self, problem: Problem) -> None:
        """Compile the kernels."""
        warm_up(problem, kernels.shop)

    def start(self, problem: Problem, rng: Generator) -> ShopState:
        """Schedule the item with the most work behind it first, on the machine that ends it first."""
        lists = _lists(problem)
        state = _empty_state(problem, rng)
        _take(rules_of(lists), state, dispatch(lists, rng))
        return state

    def steps(self, problem: Problem, state: ShopState, rng: Generator, count: int) -> StepResult:
        """Make `count` iterations, or fewer where a schedule is optimal by its critical path alone."""
        lists, shop = _lists(problem), kernels.shop
        durations = lists.schedule.durations  # type: ignore[union-attr]  # refused otherwise
        flexible = bool((np.isfinite(durations).sum(axis=1) > 1).any())
        looks, made, optimal = shop.iterate(rules_of(lists), state, make_workspace(state), flexible, count)
        if not state.counters[shop.IMPROVED]:
            return StepResult(None, None, looks, made, optimal, steps=made)
        state.counters[shop.IMPROVED] = 0
        shop.write_solution(state)
        return StepResult(state.x.copy(), -float(state.costs[shop.BEST]), looks, made, optimal, steps=made)

    def inject(self, problem: Problem, state: ShopState, X: Solutions, scores: Floats, rng: Generator) -> int:
        """Go on from the best of the given solutions if it is better than the best schedule."""
        lists, best = _lists(problem), int(np.argmax(scores))
        if -scores[best] < state.costs[kernels.shop.BEST]:
            _take(rules_of(lists), state, lists.lists(X[best]))
        return len(state.places)

    def snapshot(self, state: ShopState) -> dict[str, Any]:
        """Return the makespan of the current schedule."""
        return {"makespan": float(state.costs[kernels.shop.CURRENT])}


def _lists(problem: Problem) -> Lists:
    lists = problem.structure.lists
    assert lists is not None  # noqa: S101  (refused otherwise)
    return lists


def rules_of(lists: Lists) -> Shop:
    """Return the rules of a schedule as kernels read them."""
    from swarmkit.kernels.compiling import read_only

    schedule = lists.schedule
    assert schedule is not None  # noqa: S101  (refused otherwise)
    before, later = schedule.edges.T
    return read_only(
        Shop(
            schedule.durations,
            np.concatenate([[0], np.cumsum(np.bincount(later, minlength=lists.items))]),
            np.ascontiguousarray(before[np.argsort(later, kind="stable")]),
            np.concatenate([[0], np.cumsum(np.bincount(before, minlength=lists.items))]),
            np.ascontiguousarray(later[np.argsort(before, kind="stable")]),
        )
    )


def dispatch(lists: Lists, rng: Generator) -> list[list[int]]:
    """Return the schedule that takes the item with the most work behind it first; equal ones in random order.

    Args:
        lists: the items and machines.
        rng: breaks ties.
    """
    schedule = lists.schedule
    assert schedule is not None  # noqa: S101  (refused otherwise)
    n, k = schedule.durations.shape
    shortest = schedule.durations.min(axis=1)
    waits, work, noise = np.bincount(schedule.edges[:, 1], minlength=n), shortest.copy(), rng.permutation(n)
    order = np.flatnonzero(waits == 0).tolist()
    left = waits.copy()
    for item in order:  # it grows: items after those before them
        for later in schedule.successors[item]:
            left[later] -= 1
            if left[later] == 0:
                order.append(later)
    for item in reversed(order):
        work[item] += max((work[later] for later in schedule.successors[item]), default=0.0)
    ready, free = np.zeros(n), np.zeros(k)
    machines: list[list[int]] = [[] for _ in range(k)]
    heap = [(-work[item], noise[item], item) for item in range(n) if waits[item] == 0]
    heapq.heapify(heap)
    while heap:
        item = heapq.heappop(heap)[2]
        ends = np.maximum(ready[item], free) + schedule.durations[item]
        machine = int(ends.argmin())
        machines[machine].append(item)
        free[machine] = ends[machine]
        for later in schedule.successors[item]:
            ready[later] = max(ready[later], ends[machine])
            waits[later] -= 1
            if waits[later] == 0:
                heapq.heappush(heap, (-work[later], noise[later], later))
    return machines


def _empty_state(problem: Problem, rng: Generator) -> ShopState:
    lists = _lists(problem)
    n, k = lists.items, lists.count
    return ShopState(
        lists=np.zeros((k, n), np.int64),
        counts=np.zeros(k, np.int64),
        places=np.zeros(n, np.int64),
        machines=np.zeros(n, np.int64),
        times=np.zeros(n),
        heads=np.zeros(n),
        tails=np.zeros(n),
        best_lists=np.zeros((k, n), np.int64),
        best_counts=np.zeros(k, np.int64),
        tabu=np.zeros(min(n * n + n * k, LARGEST_TABU), np.int64),
        costs=np.zeros(2),
        counters=np.zeros(4, np.int64),
        x=np.zeros(len(problem.sizes), np.int64),
        rng_state=rng_state(rng),
    )


def _take(shop: Shop, state: ShopState, lists: list[list[int]]) -> None:
    """Make a schedule the best one and the current one."""
    for machine, items in enumerate(lists):
        state.best_lists[machine, : len(items)] = items
        state.best_counts[machine] = len(items)
    kernels.shop.return_to_best(shop, state, make_workspace(state))
    state.counters[kernels.shop.IMPROVED_AT] = state.counters[kernels.shop.ITERATION]
    state.counters[kernels.shop.IMPROVED] = 1


def make_workspace(state: ShopState) -> ShopWorkspace:
    """Return arrays for the iterations of one call."""
    n = len(state.places)
    order, waits, path, block = np.zeros((4, n), np.int64)
    candidate, best, random_move = np.zeros(4, np.int64), np.zeros(5, np.int64), np.zeros(5, np.int64)
    return ShopWorkspace(order, waits, path, block, np.zeros(n), candidate, best, random_move)
