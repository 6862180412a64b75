"""D-Bees (Abualhaija & Zimmermann 2014): `dbees`.

Abualhaija, S. and Zimmermann, K.-H. 2014. D-Bees: a novel method inspired by bee colony optimization for solving word
sense disambiguation. The default is the reading of the paper's text; `literal=true` follows the pseudo-code of its
appendix where the two differ. What the paper leaves open is a parameter, with our reading as its default.
"""

from __future__ import annotations

from typing import Annotated, Literal

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray
from pydantic import Field

from swarmkit import Problem, Settings
from swarmkit.compiled import ColonyRules, Normalise
from swarmkit_bees.colony import Colony, ColonySolver, Plan


class DBees(ColonySolver):
    """Bees leave a random stage, one per candidate of it, build paths, compare them and follow the best."""

    reference = "Abualhaija & Zimmermann 2014, D-Bees: a novel method inspired by bee colony optimization"

    class Params(Settings):
        """The paper's values."""

        iterations: Annotated[int, Field(ge=1)] = 10
        """Iterations, each a walk through all stages."""
        moves: Annotated[int, Field(ge=1)] = 3
        """NC: moves per forward pass."""
        recruiters: Annotated[int, Field(ge=1)] = 3
        """R: so many of the best bees advertise their path."""
        theta: float = 0.5
        """θ: a candidate of this similarity ends the trying (their mean, where several neighbours are assigned)."""
        tries: Annotated[int, Field(ge=1)] = 5
        """Most candidates tried per move."""
        beta: float = 0.8
        """β: literal=true ends at a best quality of at most this, as the appendix says; the text gives it no use."""
        bees: Annotated[int | None, Field(ge=1)] = None
        """Number of bees; by default (the paper) as many as the hive has candidates."""
        walk: Literal["ends", "wrap"] = "ends"
        """To the last stage, then from the hive to the first (ends), or from the first to the hive (wrap)."""
        normalise: Normalise = "max"
        """How qualities are normalised: divided by the largest, min-max, or left raw."""
        reset_passes: bool = True
        """Count the forward passes u from 0 in each iteration, as bee colony optimisation does."""
        ties: Literal["random", "first"] = "random"
        """Among equally similar candidates take any, or the first: of senses, the most frequent."""
        tolerance: Annotated[float | None, Field(ge=0)] = None
        """Also end after an iteration that betters the best by no more than this; the paper gives no value."""
        literal: bool = False
        """Follow the appendix: one move per pass, u never reset, paths taken over without quality, β as the end."""

    params: Params

    def draw_hive(self, problem: Problem, rng: Generator) -> int:
        """Draw the hive among the stages that leave a choice."""
        return int(rng.choice(np.flatnonzero(np.asarray(problem.sizes) > 1)))

    def plan(self, problem: Problem, state: Colony) -> Plan:
        """Leave the hive with one bee per candidate of it."""
        candidates = int(problem.sizes[state.hive])
        bees = np.arange(self.params.bees or candidates) % candidates
        return Plan(walk(state.hive, len(problem.sizes), self.params.walk), bees, self.rules())

    def rules(self) -> ColonyRules:
        """Say how the colony forages; `literal` overrides what the appendix has otherwise."""
        given = self.params
        rules = ColonyRules(
            moves=given.moves,
            recruiters=given.recruiters,
            theta=given.theta,
            tries=given.tries,
            normalise=given.normalise,
            first_on_ties=given.ties == "first",
            reset_passes=given.reset_passes,
            tolerance=-np.inf if given.tolerance is None else given.tolerance,
        )
        if given.literal:
            return rules._replace(moves=1, take_quality=False, reset_passes=False, beta=given.beta)
        return rules


def walk(hive: int, n: int, kind: Literal["ends", "wrap"]) -> NDArray[np.int64]:
    """Order the stages as the bees visit them.

    >>> walk(2, 5, "ends").tolist(), walk(2, 5, "wrap").tolist()
    ([2, 3, 4, 1, 0], [2, 3, 4, 0, 1])
    """
    before = np.arange(hive)
    return np.concatenate([np.arange(hive, n), before[::-1] if kind == "ends" else before])
