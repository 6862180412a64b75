"""D-Bees (Abualhaija & Zimmermann 2014): `dbees`.

Abualhaija, S. and Zimmermann, K.-H. 2014. D-Bees: a novel method inspired by bee colony optimization for solving word
sense disambiguation. The default is the reading of the paper's text; `literal=true` follows the pseudo-code of its
appendix where the two differ. What the paper leaves open is a parameter, with our reading as its default.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Literal

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray
from pydantic import Field

from swarmkit import (
    GRAIN,
    ColonyRules,
    Flight,
    Found,
    Normalise,
    Pairwise,
    Problem,
    Settings,
    Solver,
    fly,
    free_form,
    kernel_seed,
    load_colony,
)
from swarmkit_bees.flight import iterate


@dataclass
class Colony:
    """What a colony carries from iteration to iteration."""

    hive: int
    iterations: int
    passes: int
    best: float
    words: NDArray[np.uint64]
    """The kernel's generator; empty where there is no kernel."""


class DBees(Solver[Colony]):
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

    def prepare(self, problem: Problem) -> None:
        """Compile the iterations where the problem is tables."""
        if free_form(problem) is not None:
            load_colony()

    def start(self, problem: Problem, rng: Generator) -> Colony:
        """Draw the hive among the stages that leave a choice."""
        hive = int(rng.choice(np.flatnonzero(np.asarray(problem.sizes) > 1)))
        words = kernel_seed(rng) if free_form(problem) is not None else np.empty(0, np.uint64)
        return Colony(hive, iterations=0, passes=0, best=-np.inf, words=words)

    def step(self, problem: Problem, state: Colony, rng: Generator) -> Found:
        """Make the iterations that one grain is worth, but not more than are left."""
        hive = self.bees(problem, state)
        order = walk(state.hive, len(problem.sizes), self.params.walk)
        form = free_form(problem)
        if form is not None:
            flight = self.fast(form, order, hive, state)
        else:
            flight = self.plain(problem, order, hive, state, rng)
        state.iterations += flight.iterations
        state.passes, state.best = flight.passes, max(state.best, flight.score)
        done = flight.ended or state.iterations >= self.params.iterations
        score = None if flight.solution is None else flight.score
        return Found(flight.solution, score, flight.looks, flight.iterations, done)

    def bees(self, problem: Problem, state: Colony) -> NDArray[np.int64]:
        """Give each bee its candidate of the hive."""
        candidates = int(problem.sizes[state.hive])
        return np.arange(self.params.bees or candidates) % candidates

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

    def fast(self, form: Pairwise, order: NDArray[np.int64], hive: NDArray[np.int64], state: Colony) -> Flight:
        """Make iterations in the kernel."""
        per_iteration = len(hive) * int(np.minimum(form.sizes, self.params.tries).sum())
        count = min(max(1, GRAIN // per_iteration), self.params.iterations - state.iterations)
        return fly(form, order, hive, self.rules(), count, state.words, passes=state.passes, record=state.best)

    def plain(
        self, problem: Problem, order: NDArray[np.int64], hive: NDArray[np.int64], state: Colony, rng: Generator
    ) -> Flight:
        """Make one iteration, whatever the problem."""
        rules = self.rules()
        made = iterate(problem, order, hive, rules, state.passes, rng)
        ended = made.quality <= rules.beta or made.score - state.best <= rules.tolerance
        return Flight(made.solution, made.score, made.looks, 1, made.passes, ended)


def walk(hive: int, n: int, kind: Literal["ends", "wrap"]) -> NDArray[np.int64]:
    """Order the stages as the bees visit them.

    >>> walk(2, 5, "ends").tolist(), walk(2, 5, "wrap").tolist()
    ([2, 3, 4, 1, 0], [2, 3, 4, 0, 1])
    """
    before = np.arange(hive)
    return np.concatenate([np.arange(hive, n), before[::-1] if kind == "ends" else before])
