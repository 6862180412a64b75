"""D-Bees (Abualhaija & Zimmermann 2014): `dbees`.

Abualhaija, S. and Zimmermann, K.-H. 2014. D-Bees: a novel method inspired by bee colony optimization for solving word
sense disambiguation. The default is the reading of the paper's text; `literal=true` follows the pseudo-code of its
appendix where the two differ. What the paper leaves open is a parameter, with our reading as its default. The search
itself, line by line, is in `swarmkit_bees.reference`; `swarmkit_bees.kernel` is the same, compiled.
"""

from __future__ import annotations

from typing import Annotated, Literal

import numpy as np
from numpy.random import Generator
from pydantic import Field

from swarmkit import Ints, Problem, Settings
from swarmkit_bees.colony import ColonySolver
from swarmkit_bees.rules import Normalise, Plan, Rules


class DBees(ColonySolver):
    """Bees leave a random stage, one per candidate of it, build paths, compare them and follow the best."""

    reference = "Abualhaija & Zimmermann 2014, D-Bees: a novel method inspired by bee colony optimization"

    class Params(Settings):
        """The paper's values."""

        iterations: Annotated[int, Field(ge=1)] = 10
        """Number of iterations; in each the bees visit every stage once."""
        moves: Annotated[int, Field(ge=1)] = 3
        """NC: moves per forward pass."""
        recruiters: Annotated[int, Field(ge=1)] = 3
        """R: number of best bees that advertise their path."""
        theta: float = 0.5
        """θ: a bee stops trying candidates at one of this similarity (mean over the assigned neighbours)."""
        tries: Annotated[int, Field(ge=1)] = 5
        """Most candidates tried per move."""
        beta: float = 0.8
        """β: only literal=true, which ends at a best quality of at most this (appendix; the text gives β no use)."""
        bees: Annotated[int | None, Field(ge=1)] = None
        """Number of bees; by default, as in the paper, one per candidate of the hive."""
        walk: Literal["ends", "wrap"] = "ends"
        """After the last stage go on from the hive back to the first (ends), or from the first to the hive (wrap)."""
        normalise: Normalise = "max"
        """How qualities are normalised: divided by the largest (max), scaled to [0, 1] (min-max), or left raw."""
        reset_passes: bool = True
        """Count the forward passes u from 0 in each iteration, as bee colony optimisation does."""
        ties: Literal["random", "first"] = "random"
        """Which of equally similar candidates is taken: any, or the first (of senses the most frequent)."""
        tolerance: Annotated[float | None, Field(ge=0)] = None
        """End after an iteration that improves the best score by no more than this; the paper gives no value."""
        literal: bool = False
        """Follow the appendix: one move per pass, u never reset, paths taken over without quality, end by β."""

    params: Params

    def draw_hive(self, problem: Problem, rng: Generator) -> int:
        """Draw the hive among the stages with more than one candidate."""
        ambiguous = np.flatnonzero(np.asarray(problem.sizes) > 1)
        return int(ambiguous[rng.integers(len(ambiguous))])

    def plan(self, problem: Problem, hive: int) -> Plan:
        """Return the way of the bees: they leave the hive from all of its candidates in turn."""
        candidates = int(problem.sizes[hive])
        bees = np.arange(self.params.bees or candidates) % candidates
        return Plan(stage_order(hive, len(problem.sizes), self.params.walk), bees, self.rules())

    def rules(self) -> Rules:
        """Return the rules of the colony; with `literal` the appendix's where it differs from the text."""
        given = self.params
        rules = Rules(
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


def stage_order(hive: int, n: int, walk: Literal["ends", "wrap"]) -> Ints:
    """Return the n stages in the order in which the bees visit them.

    >>> stage_order(2, 5, "ends").tolist(), stage_order(2, 5, "wrap").tolist()
    ([2, 3, 4, 1, 0], [2, 3, 4, 0, 1])
    """
    before = np.arange(hive)
    return np.concatenate([np.arange(hive, n), before[::-1] if walk == "ends" else before])
