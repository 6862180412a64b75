"""Large neighbourhood search by ruin and recreate: `lns`.

Christiaens, J. and Vanden Berghe, G. 2020. Slack induction by string removals for vehicle routing problems.
Transportation Science 54(2).

    begin with lists that savings or cheap insertions make
    repeat
        remove strings of items near a random one from their lists        `swarmkit.kernels.routes.ruin`
        insert them again at the cheapest places, some passed over        `swarmkit.kernels.routes.recreate`
        keep the change if it costs less than -T log(u), else undo it     Eq. (10)
    T falls from `hot` to `cold` in cycles, each twice as long as the one before

An iteration, as the harness counts it, is a round of these.
"""

from __future__ import annotations

from typing import Annotated, Any

import numpy as np
from numpy.random import Generator
from pydantic import Field

from swarmkit import Floats, Problem, Settings, Solutions, Solver, StepResult, Suitability
from swarmkit.search import RouteSearch, RouteState, routes_of, warm_up


class Lns(Solver[RouteState]):
    """Large neighbourhood search: strings of items are removed from lists, and inserted again where they cost least."""

    reference = "Christiaens & Vanden Berghe 2020, Slack induction by string removals, Transportation Science 54(2)"

    class Params(Settings):
        """The temperatures and the length of the first cycle; values ours."""

        hot: Annotated[float, Field(gt=0)] = 0.1
        """The first temperature of a cycle, in mean losses of rejected changes; with time windows in tens of them."""
        cold: Annotated[float, Field(gt=0)] = 0.003
        """The last one."""
        first: Annotated[int, Field(ge=1, le=10**6)] = 500
        """The looks of the first cycle for each item; each later cycle has twice as many."""

    params: Params

    def refuses(self, problem: Problem) -> str | None:
        """Refuse what has no routes."""
        if routes_of(problem) is None:
            return "its shape is no routes with costs of arcs; 'ils' solves any problem"
        return None

    def suits(self, problem: Problem) -> Suitability | None:
        """Suit routes."""
        return Suitability(10.0, "its solutions are routes", nanoseconds=25.0)  # others see the score alone

    def prepare(self, problem: Problem) -> None:
        """Compile the kernels."""
        from swarmkit.kernels import routes

        warm_up(problem, routes)

    def start(self, problem: Problem, rng: Generator) -> RouteState:
        """Merge routes by savings where that applies, and insert what is in none at cheap places."""
        return RouteSearch(problem).start(rng, self.params.first)

    def inject(self, problem: Problem, state: RouteState, X: Solutions, scores: Floats, rng: Generator) -> int:
        """Go on from the best of the given solutions if it is better than the best one; losses are measured there."""
        RouteSearch(problem).go_on_from(state, X[int(np.argmax(scores))])
        return len(state.list_of)

    def snapshot(self, state: RouteState) -> dict[str, Any]:
        """Return the current solution and the temperature."""
        return {"current": RouteSearch.current(state), "temperature": RouteSearch.temperature(state)}

    def steps(self, problem: Problem, state: RouteState, rng: Generator, count: int) -> StepResult:
        """Make `count` rounds of ruin and recreate."""
        search, temperatures = RouteSearch(problem), (self.params.hot, self.params.cold)
        looks = search.ruin_and_recreate(state, count, temperatures)
        solution, score = search.improvement(state)
        return StepResult(solution, score, looks, count)
