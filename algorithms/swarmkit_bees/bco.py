"""Bee colony optimisation (Teodorović 2009): `bco`.

Teodorović, D. 2009. Bee colony optimization (BCO). In Innovations in Swarm Intelligence, Studies in Computational
Intelligence 248, Springer. The scheme is his; the values are ours.
"""

from __future__ import annotations

from typing import Annotated

import numpy as np
from pydantic import Field

from swarmkit import Problem, Settings, Suitability
from swarmkit_bees.colony import ColonySolver
from swarmkit_bees.rules import Normalise, Plan, Rules


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

    def plan(self, problem: Problem, hive: int) -> Plan:
        """Return the way of the bees: all stages in order, every candidate drawn, every loyal bee a recruiter."""
        n, given = len(problem.sizes), self.params
        moves = given.moves or max(1, n // 10)
        rules = Rules(moves, recruiters=0, normalise=given.normalise, sharpness=given.sharpness)
        return Plan(np.arange(n), np.full(given.bees, -1), rules)
