"""Large neighbourhood search by bees on routes: what `dbees` does where solutions are items in ordered lists.

All bees leave from the same routes. In a forward pass each makes NC moves, in a backward pass they compare what their
routes cost, and some take over those of a recruiter, by the same formulas as everywhere. A move is a round of ruin and
recreate, as `lns` makes it: strings of items leave their lists and are inserted again where they cost least. An
iteration is a cycle of falling temperatures, which begins at the best routes and is twice as long as the one before. A
step is the forward pass of one bee.
"""

from __future__ import annotations

from copy import deepcopy
from typing import TYPE_CHECKING

import numpy as np
from numpy.random import Generator

from swarmkit import Problem, Solutions, StepResult
from swarmkit.search import RouteSearch
from swarmkit_bees.state import Colony, LargeNeighbourhood

if TYPE_CHECKING:
    from swarmkit_bees.large_neighbourhood import LargeNeighbourhoodSolver


class RouteBees:
    """The steps of bees on routes; it changes the colony, and keeps nothing.

    Args:
        solver: the solver.
        problem: the problem, with routes.
        colony: the state.
        search: the part of the state that is the search.
    """

    def __init__(
        self, solver: LargeNeighbourhoodSolver, problem: Problem, colony: Colony, search: LargeNeighbourhood
    ) -> None:
        self.solver, self.colony, self.search, self.routes = solver, colony, search, RouteSearch(problem)

    def begin(self, bees: int, rng: Generator) -> None:
        """Let some bees begin at the same routes."""
        first = self.routes.start(rng)
        self.search.bees = [first, *(self.routes.copy(first, rng) for _ in range(bees - 1))]

    def go_on_from(self, x: Solutions) -> None:
        """Let all bees go on from a solution."""
        for bee in self.search.bees:
            self.routes.go_on_from(bee, x)

    def steps(self, rng: Generator, count: int) -> StepResult:
        """Make the forward passes of some bees, in turn, and after the last one's a backward pass."""
        colony, search, iterations = self.colony, self.search, self.colony.iterations
        best, looks, made, done = None, 0, 0, False
        while made < count and not done:
            bee = search.bees[search.turn]
            looks += self.routes.ruin_and_recreate(bee, self.solver.rules.moves)
            x, score = self.routes.improvement(bee)
            if score is not None and score > colony.best:
                best, colony.best = x, score
            search.turn, made = search.turn + 1, made + 1
            if search.turn == len(search.bees):
                search.turn, done = 0, self._end_pass(rng)
        score = None if best is None else colony.best
        return StepResult(best, score, looks, colony.iterations - iterations, done, steps=made)

    def _end_pass(self, rng: Generator) -> bool:
        """Let the bees compare their routes, and tell each other of the best; return whether the search ends."""
        colony, search, rules = self.colony, self.search, self.solver.rules
        costs = np.array([self.routes.cost(bee) for bee in search.bees])
        colony.passes += 1
        leaders = self.solver.leaders(-costs, colony.passes, rng)
        moment = {int(leader): deepcopy(search.bees[leader]) for leader in np.unique(leaders)}
        for number, (bee, leader) in enumerate(zip(search.bees, leaders.tolist(), strict=True)):
            if leader != number:
                self.routes.take_current(bee, moment[leader])
        best = min(search.bees, key=self.routes.best_cost)
        for bee in search.bees:
            self.routes.take_best(bee, best)
        cycles = min(map(self.routes.cycles, search.bees))
        if cycles == colony.iterations:
            return False
        colony.iterations = cycles
        colony.passes = 0 if rules.reset_passes else colony.passes
        stagnates = colony.best - search.before <= rules.tolerance
        search.before = colony.best
        return stagnates or colony.iterations >= self.solver.params.iterations
