"""Large neighbourhood search by ruin and recreate: `lns`.

Christiaens, J. and Vanden Berghe, G. 2020. Slack induction by string removals for vehicle routing problems.
Transportation Science 54(2).

    begin with lists that savings or cheap insertions make
    repeat
        remove strings of items near a random one from their lists        `kernels.routes.ruin`
        insert them again at the cheapest places, some passed over        `kernels.routes.recreate`
        keep the change if it costs less than -T log(u), else undo it     Eq. (10)
    T falls from `hot` to `cold` in cycles, each twice as long as the one before

An iteration, as the harness counts it, is a round of these.
"""

from __future__ import annotations

from typing import Annotated, Any

import numpy as np
from numpy.random import Generator
from pydantic import Field

from swarmkit import Floats, Lists, Problem, Settings, Solutions, Solver, StepResult, Suitability
from swarmkit.search import rng_state, warm_up
from swarmkit_lns import kernels
from swarmkit_lns.network import network_of
from swarmkit_lns.route_state import Network, RouteState, Workspace
from swarmkit_lns.savings import merge_routes, savings_apply

ROUND, LONGEST_ROUND = 4, 1000
"""An iteration makes ROUND ruins for each item, LONGEST_ROUND at most: that takes a few milliseconds."""


class Lns(Solver[RouteState]):
    """Large neighbourhood search: strings of items are removed from lists, and inserted again where they cost least."""

    reference = "Christiaens & Vanden Berghe 2020, Slack induction by string removals, Transportation Science 54(2)"

    class Params(Settings):
        """The temperatures and the length of the first cycle; values ours."""

        hot: Annotated[float, Field(gt=0)] = 0.1
        """The first temperature of a cycle, in mean losses of rejected changes."""
        cold: Annotated[float, Field(gt=0)] = 0.003
        """The last one."""
        first: Annotated[int, Field(ge=1, le=10**6)] = 500
        """The looks of the first cycle for each item; each later cycle has twice as many."""

    params: Params

    def refuses(self, problem: Problem) -> str | None:
        """Refuse what has no routes."""
        lists = problem.structure.lists
        if lists is None or lists.routes is None or not lists.items:
            return "its shape is no routes with costs of arcs; 'ils' solves any problem"
        return None

    def suits(self, problem: Problem) -> Suitability | None:
        """Suit routes."""
        return Suitability(10.0, "its solutions are routes", nanoseconds=25.0)  # others see the score alone

    def prepare(self, problem: Problem) -> None:
        """Compile the kernels."""
        warm_up(problem, kernels.routes)

    def start(self, problem: Problem, rng: Generator) -> RouteState:
        """Merge routes by savings where that applies, and insert what is in none at cheap places."""
        net, state = _network(problem), _empty_state(problem, self.params.first, rng)
        _take(net, state, merge_routes(net) if savings_apply(net) else [])
        kernels.routes.insert_absent(net, state, make_workspace(state), rng.permutation(len(state.list_of)))
        return state

    def inject(self, problem: Problem, state: RouteState, X: Solutions, scores: Floats, rng: Generator) -> int:
        """Go on from the best of the given solutions if it is better than the best one; losses are measured there."""
        lists, net = _lists(problem), _network(problem)
        before, cost = state.best.copy(), state.costs[kernels.routes.BEST]
        _take(net, state, lists.lists(X[int(np.argmax(scores))]))
        if state.costs[kernels.routes.BEST] >= cost:
            state.best[:] = before
            kernels.routes.return_to_best(net, state)
        return len(state.list_of)

    def snapshot(self, state: RouteState) -> dict[str, Any]:
        """Return the current solution and the temperature."""
        routes = kernels.routes
        current = np.empty_like(state.x)
        routes.write_solution(state, state.following, current)
        return {"current": current, "temperature": float(routes.temperature(state))}

    def steps(self, problem: Problem, state: RouteState, rng: Generator, count: int) -> StepResult:
        """Make `count` rounds of ruin and recreate."""
        net, ruins = _network(problem), min(ROUND * len(state.list_of), LONGEST_ROUND)
        looks = kernels.routes.iterate(
            net, state, make_workspace(state), self.params.hot, self.params.cold, count * ruins
        )
        return self._result(problem, state, int(looks), count)

    def _result(self, problem: Problem, state: RouteState, looks: int, count: int) -> StepResult:
        """Return the best solution if it is better than the last one that was returned."""
        routes = kernels.routes
        if not state.counters[routes.IMPROVED] or state.counters[routes.BEST_ABSENT]:
            return StepResult(None, None, looks, count)
        state.counters[routes.IMPROVED] = 0
        routes.write_solution(state, state.best, state.x)
        # Summed afresh, without the rounding errors that many changes leave.
        return StepResult(state.x.copy(), -float(_lists(problem).costs(state.x[None])[0]), looks, count)


def _lists(problem: Problem) -> Lists:
    lists = problem.structure.lists
    assert lists is not None  # noqa: S101  (refused otherwise)
    return lists


def _network(problem: Problem) -> Network:
    return network_of(_lists(problem))


def _take(net: Network, state: RouteState, lists: list[list[int]]) -> None:
    """Make lists the best solution and the current one; lists beyond the last one are left to insertion."""
    n, k = len(state.list_of), len(state.loads)
    state.best[: n + k] = -1
    for r in range(k):
        path = [n + r, *(lists[r] if r < len(lists) else []), n + k + r]
        state.best[path[:-1]] = path[1:]
    state.counters[kernels.routes.IMPROVED] = 1
    kernels.routes.return_to_best(net, state)


def _empty_state(problem: Problem, first: int, rng: Generator) -> RouteState:
    """Return a state in which every list is empty."""
    lists = _lists(problem)
    n, k = lists.items, lists.count
    following, previous = np.full(n + 2 * k, -1), np.full(n + 2 * k, -1)
    following[n : n + k], previous[n + k :] = np.arange(n + k, n + 2 * k), np.arange(n, n + k)
    counters = np.zeros(10, np.int64)
    counters[kernels.routes.LENGTH] = first * max(1, n)
    kinds = _network(problem).kinds
    free = np.zeros(k, np.int64)
    free[: len(kinds) - 1] = kinds[:-1]
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
        x=np.zeros(len(problem.sizes), np.int64),
        rng_state=rng_state(rng),
    )


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
