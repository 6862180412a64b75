"""Bee colony optimisation (Teodorović 2009): `bco`.

Teodorović, D. 2009. Bee colony optimization (BCO). In Innovations in Swarm Intelligence, Studies in Computational
Intelligence 248, Springer. The scheme is his; the values are ours.
"""

from __future__ import annotations

from typing import Annotated

import numpy as np
from pydantic import Field

from swarmkit import Problem, Settings
from swarmkit.compiled import ColonyRules, Normalise
from swarmkit_bees.colony import Colony, ColonySolver, Plan


class Bco(ColonySolver):
    """Bees build solutions stage by stage, drawing candidates by their appeal; loyal bees recruit the others."""

    reference = "Teodorović 2009, Bee colony optimization (BCO), Studies in Computational Intelligence 248"

    class Params(Settings):
        """Values of ours."""

        iterations: Annotated[int, Field(ge=1)] = 50
        """Iterations, each a walk from the first stage to the last."""
        bees: Annotated[int, Field(ge=1)] = 10
        """B: number of bees."""
        moves: Annotated[int | None, Field(ge=1)] = None
        """NC: moves per forward pass; by default a tenth of the stages."""
        sharpness: Annotated[float, Field(ge=0)] = 8.0
        """Where every candidate costs something (ways of a tour), one is drawn by 1 / cost to this power."""
        normalise: Normalise = "min-max"
        """How qualities are normalised: min-max, divided by the largest (max), or left raw."""

    params: Params

    def plan(self, problem: Problem, state: Colony) -> Plan:
        """Walk from the first stage to the last; every loyal bee recruits."""
        n = len(problem.sizes)
        moves = self.params.moves or max(1, n // 10)
        params = self.params
        rules = ColonyRules(moves, recruiters=0, normalise=params.normalise, sharpness=params.sharpness)
        return Plan(np.arange(n), np.full(self.params.bees, -1), rules)
