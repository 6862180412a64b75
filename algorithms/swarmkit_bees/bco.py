"""Bee colony optimisation (Teodorović 2009): `bco`.

Teodorović, D. 2009. Bee colony optimization (BCO). In Innovations in Swarm Intelligence, Studies in Computational
Intelligence 248, Springer. The scheme is his; the values are ours.
"""

from __future__ import annotations

from typing import Annotated

import numpy as np
from numpy.random import Generator
from pydantic import Field

from swarmkit import Floats, Problem, Settings, Solutions, Suitability
from swarmkit_bees.colony import ColonySolver
from swarmkit_bees.rules import Normalise, Plan, Rules
from swarmkit_bees.state import Colony


class Bco(ColonySolver):
    """Bees build solutions stage by stage, drawing candidates by what they add; loyal bees recruit the others."""

    reference = "Teodorović 2009, Bee colony optimization (BCO), Studies in Computational Intelligence 248"

    class Params(Settings):
        """Values of ours."""

        iterations: Annotated[int, Field(ge=1)] = 50
        """Number of iterations; in each the bees visit the stages from the first to the last."""
        bees: Annotated[int, Field(ge=1)] = 10
        """B: number of bees."""
        moves: Annotated[int | None, Field(ge=1)] = None
        """NC: moves per forward pass; by default a tenth of the stages."""
        sharpness: Annotated[float, Field(ge=0)] = 8.0
        """Where every candidate costs something (edges of a tour), its weight is 1 / cost to this power."""
        normalise: Normalise = "min-max"
        """How qualities are normalised: divided by the largest (max), scaled to [0, 1] (min-max), or left raw."""

    params: Params

    def suits(self, problem: Problem) -> Suitability | None:
        """Suit any problem a little: it constructs solutions and improves none."""
        return Suitability(0.02, "it is built stage by stage", nanoseconds=20.0)

    def inject(self, problem: Problem, state: Colony, X: Solutions, scores: Floats, rng: Generator) -> int:
        """Let the first bee follow the best of the given solutions if it is the best known, then what betters it.

        The others compare their paths with its own, as with those of any bee.
        """
        best = int(np.argmax(scores))
        if scores[best] <= state.best:
            return 0
        state.best = float(scores[best])
        if problem.structure.free_tables is None:
            state.bees.guide = np.array(X[best], np.int64)
        else:
            from swarmkit_bees.kernel import GUIDED

            state.workspace["best"][:] = X[best]
            state.workspace["position"][GUIDED] = 1
        return len(problem.sizes)

    def plan(self, problem: Problem, hive: int) -> Plan:
        """Return the way of the bees: all stages in order, every candidate drawn, every loyal bee a recruiter."""
        n, given = len(problem.sizes), self.params
        moves = given.moves or max(1, n // 10)
        rules = Rules(moves, recruiters=0, normalise=given.normalise, sharpness=given.sharpness)
        return Plan(np.arange(n), np.full(given.bees, -1), rules)
