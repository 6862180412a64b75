"""Bee colony optimisation (Teodorović 2009): `bco`.

Teodorović, D. 2009. Bee colony optimization (BCO). In Innovations in Swarm Intelligence, Studies in Computational
Intelligence 248, Springer. The scheme is his; the values are ours. The passes are those of `swarmkit_bees.dbees`; bees
choose by a roulette wheel, and every loyal bee recruits.
"""

from __future__ import annotations

from typing import Annotated, get_args

import numpy as np
from numpy.random import Generator
from pydantic import Field

from swarmkit import Bools, Floats, Ints, Problem, Settings, Solutions, StepResult, Suitability
from swarmkit.search import roulette_wheel
from swarmkit_bees import dbees
from swarmkit_bees.colony import ColonySolver
from swarmkit_bees.rules import Normalise, Plan, Rules, cheapness
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

    def plan(self, problem: Problem, hive: int) -> Plan:
        """Return the way of the bees: all stages in order, every candidate drawn, every loyal bee a recruiter."""
        n, params = len(problem.sizes), self.params
        normalise = get_args(Normalise).index(params.normalise)
        moves = params.moves or max(1, n // 10)
        rules = Rules(moves, recruiters=0, normalise=normalise, sharpness=params.sharpness)
        return Plan(np.arange(n), np.full(params.bees, -1), rules)

    def iterate(self, problem: Problem, colony: Colony, rng: Generator) -> StepResult:
        """Make an iteration on any problem."""
        return dbees.iterate(problem, self.plan(problem, -1), colony, rng, draw_candidates)

    def inject(self, problem: Problem, state: Colony, X: Solutions, scores: Floats, rng: Generator) -> int:
        """Let the first bee follow the best of the given solutions if it is the best so far, then what betters it.

        The others compare their paths with its own, as with those of any bee.
        """
        best = int(np.argmax(scores))
        if scores[best] <= state.best:
            return 0
        state.best, state.guide[:] = float(scores[best]), X[best]
        return len(state.guide)


def draw_candidates(gains: Floats, allowed: Bools, _: Floats, rules: Rules, rng: Generator) -> tuple[Ints, int]:
    """Draw a candidate for every bee from a roulette wheel, any allowed one where all weights are 0; return the looks.

    θ, the third argument, is D-Bees'.
    """
    weights = wheel_weights(gains, allowed, rules.sharpness)
    weights = np.where(weights.sum(axis=1, keepdims=True) > 0, weights, allowed)
    return roulette_wheel(weights, rng.random(len(weights))), int(allowed.sum())


def wheel_weights(gains: Floats, allowed: Bools, sharpness: float) -> Floats:
    """Return the weight of each candidate on the roulette wheel, a row per bee: what it adds, 0 if it is not allowed.

    If some candidates cost something (add less than 0), all are raised by the same amount so that the costliest has 0.
    If all do, the weight is their `cheapness`: the transition weights of tours.

    >>> every = np.ones((1, 3), bool)
    >>> wheel_weights(np.array([[1.0, 0.0, 2.0]]), every, 2.0), wheel_weights(np.array([[-1.0, 0.0, 2.0]]), every, 2.0)
    (array([[1., 0., 2.]]), array([[0., 1., 3.]]))
    >>> wheel_weights(np.array([[-1.0, -2.0, -4.0]]), every, 2.0)
    array([[1.    , 0.25  , 0.0625]])
    """
    lowest = np.minimum(0.0, np.where(allowed, gains, 0.0).min(axis=1, keepdims=True))
    highest = np.where(allowed, gains, -np.inf).max(axis=1, keepdims=True)
    costly = np.isfinite(highest) & (highest < 0)
    # Above the cheapest are only candidates that are not allowed: cut off there, they cannot overflow.
    costs = np.where(costly, np.minimum(gains, highest), -1.0)
    sharp = cheapness(costs, np.where(costly, highest, -1.0), sharpness)
    return np.where(allowed, np.where(costly, sharp, gains - lowest), 0.0)
