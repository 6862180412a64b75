"""Ruin and recreate on the routes of a problem: how a search begins, goes on from given solutions, and is read."""

from __future__ import annotations

from copy import deepcopy

import numpy as np
from numpy.random import Generator

from swarmkit.contract.arrays import Solutions
from swarmkit.contract.lists import Lists
from swarmkit.contract.problem import Problem
from swarmkit.kernels import route_state as codes
from swarmkit.kernels.route_state import Network, Workspace
from swarmkit.kernels.route_state import RouteState as RouteState
from swarmkit.search.construction import rng_state
from swarmkit.search.route_network import network_of
from swarmkit.search.savings import merge_routes, savings_apply

ROUND, LONGEST_ROUND = 4, 1000
"""A round is ROUND ruins for each item, LONGEST_ROUND at most: that takes a few milliseconds."""

FIRST = 500
"""The looks of the first cycle for each item; each later cycle has twice as many."""

HOT, COLD = 0.1, 0.003
"""The first and the last temperature of a cycle, in mean losses of rejected changes."""

CURRENT_ARRAYS = "following", "previous", "links", "list_of", "loads", "counts", "begin", "latest", "absent"
"""The fields of a state that are its current solution."""


def routes_of(problem: Problem) -> Lists | None:
    """Return the lists of a problem if they are routes with at least one item.

    Args:
        problem: the problem as solvers see it.
    """
    lists = problem.structure.lists
    return lists if lists is not None and lists.routes is not None and lists.items else None


class RouteSearch:
    """Searches on the routes of a problem; it keeps nothing that changes.

    Args:
        problem: a problem with routes, as solvers see it.
    """

    def __init__(self, problem: Problem) -> None:
        lists = routes_of(problem)
        assert lists is not None  # noqa: S101  (the caller's choice)
        self.lists, self.stages = lists, len(problem.sizes)

    @property
    def net(self) -> Network:
        """The rules of the routes as kernels read them."""
        return network_of(self.lists)

    def start(self, rng: Generator, first: int = FIRST) -> RouteState:
        """Merge routes by savings where that applies, insert what is in none at cheap places, and return the state.

        Args:
            rng: the run's generator.
            first: the looks of the first cycle for each item.
        """
        from swarmkit.kernels import routes

        net, state = self.net, self._empty(rng, first)
        self._set_best(state, merge_routes(net) if savings_apply(net) else [])
        routes.insert_absent(net, state, make_workspace(state), rng.permutation(len(state.list_of)))
        return state

    def _empty(self, rng: Generator, first: int) -> RouteState:
        """Return a state in which every list is empty."""
        n, k, kinds = self.lists.items, self.lists.count, self.net.kinds
        following, previous = np.full(n + 2 * k, -1), np.full(n + 2 * k, -1)
        following[n : n + k], previous[n + k :] = np.arange(n + k, n + 2 * k), np.arange(n, n + k)
        counters, free = np.zeros(10, np.int64), np.zeros(k, np.int64)
        counters[codes.LENGTH], free[: len(kinds) - 1] = first * n, kinds[:-1]
        return RouteState(
            following=following,
            previous=previous,
            links=np.zeros(n + 2 * k),
            list_of=np.full(n, -1),
            loads=np.zeros(k),
            counts=np.zeros(k, np.int64),
            begin=np.zeros(n + 2 * k),
            latest=np.zeros(n + 2 * k),
            absent=np.zeros(n, np.int64),
            free=free,
            best=following.copy(),
            costs=np.zeros(5),
            counters=counters,
            x=np.zeros(self.stages, np.int64),
            rng_state=rng_state(rng),
        )

    def _set_best(self, state: RouteState, lists: list[list[int]]) -> None:
        """Make lists the best solution and the current one; lists beyond the last one are left to insertion."""
        from swarmkit.kernels import routes

        n, k = len(state.list_of), len(state.loads)
        state.best[: n + k] = -1
        for r in range(k):
            path = [n + r, *(lists[r] if r < len(lists) else []), n + k + r]
            state.best[path[:-1]] = path[1:]
        state.counters[codes.IMPROVED] = 1
        routes.return_to_best(self.net, state)

    def go_on_from(self, state: RouteState, x: Solutions) -> None:
        """Make a solution the current and the best one if it costs less than the best; else go on from the best.

        Args:
            state: the state.
            x: the solution.
        """
        from swarmkit.kernels import routes

        before, cost, improved = state.best.copy(), state.costs[codes.BEST], state.counters[codes.IMPROVED]
        self._set_best(state, self.lists.lists(x))
        if state.costs[codes.BEST] >= cost:
            state.best[:], state.counters[codes.IMPROVED] = before, improved
            routes.return_to_best(self.net, state)

    def ruin_and_recreate(self, state: RouteState, count: int, temperatures: tuple[float, float] = (HOT, COLD)) -> int:
        """Make some rounds of ruin and recreate, and return the looks.

        Args:
            state: the state, which is advanced.
            count: the number of rounds.
            temperatures: the first and the last of a cycle, in mean losses.
        """
        from swarmkit.kernels import routes

        ruins = min(ROUND * len(state.list_of), LONGEST_ROUND)
        return int(routes.iterate(self.net, state, make_workspace(state), *temperatures, count * ruins))

    def improvement(self, state: RouteState) -> tuple[Solutions, float] | tuple[None, None]:
        """Return the best solution and its score if it leaves out nothing required and has not been returned yet.

        Args:
            state: the state, which notes that.
        """
        from swarmkit.kernels import routes

        if not state.counters[codes.IMPROVED] or state.counters[codes.BEST_ABSENT]:
            return None, None
        state.counters[codes.IMPROVED] = 0
        routes.write_solution(state, state.best, state.x)
        # Summed afresh, without the rounding errors that many changes leave.
        return state.x.copy(), -float(self.lists.costs(state.x[None])[0])

    @staticmethod
    def current(state: RouteState) -> Solutions:
        """Return the current solution; required items in no list stand at its end."""
        from swarmkit.kernels import routes

        x = np.empty_like(state.x)
        routes.write_solution(state, state.following, x)
        return x

    @staticmethod
    def temperature(state: RouteState) -> float:
        """Return the temperature; 0 in the first cycle, which measures the losses."""
        from swarmkit.kernels import routes

        return float(routes.temperature(state))

    @staticmethod
    def cost(state: RouteState) -> float:
        """Return the cost of the current solution; a required item in no list costs more than any detour."""
        return float(state.costs[codes.CURRENT])

    @staticmethod
    def best_cost(state: RouteState) -> float:
        """Return the cost of the best solution, likewise."""
        return float(state.costs[codes.BEST])

    @staticmethod
    def cycles(state: RouteState) -> int:
        """Return the number of complete cycles."""
        return int(state.counters[codes.PHASE])

    @staticmethod
    def copy(state: RouteState, rng: Generator) -> RouteState:
        """Return a copy of a state with random numbers of its own."""
        return deepcopy(state)._replace(rng_state=rng_state(rng))

    @staticmethod
    def take_current(state: RouteState, leader: RouteState) -> None:
        """Make the current solution of another state that of this one."""
        for name in CURRENT_ARRAYS:
            getattr(state, name)[:] = getattr(leader, name)
        state.costs[codes.CURRENT] = leader.costs[codes.CURRENT]
        for counter in (codes.USED, codes.ABSENT):
            state.counters[counter] = leader.counters[counter]

    @staticmethod
    def take_best(state: RouteState, leader: RouteState) -> None:
        """Make the best solution of another state that of this one, unless they cost the same."""
        if leader.costs[codes.BEST] == state.costs[codes.BEST]:
            return
        state.best[:] = leader.best
        state.costs[codes.BEST] = leader.costs[codes.BEST]
        state.counters[codes.BEST_ABSENT], state.counters[codes.IMPROVED] = leader.counters[codes.BEST_ABSENT], 0


def make_workspace(state: RouteState) -> Workspace:
    """Return arrays for the iterations of one call."""
    n, k = len(state.list_of), len(state.loads)
    return Workspace(
        removed=np.zeros(n, np.int64),
        keys=np.zeros(n),
        failed=np.zeros(n, np.int64),
        log_items=np.zeros(2 * n, np.int64),
        log_places=np.zeros(2 * n, np.int64),
        touched=np.zeros(k, np.int64),
        old_loads=np.zeros(k),
        stamps=np.full(k, -1),
        sizes=np.zeros(3, np.int64),
    )
