"""Simulated annealing as Cowie, Guthrie and Guthrie use it: `sa`.

Cowie, J., Guthrie, J. and Guthrie, L. 1992. Lexical disambiguation using simulated annealing. COLING 1992.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from types import MappingProxyType
from typing import Annotated, Any, ClassVar

import numpy as np
from numpy.random import Generator
from pydantic import Field

from swarmkit import (
    WHOLE_STEP,
    Floats,
    Found,
    Left,
    Problem,
    Settings,
    Solutions,
    Solver,
    Suitability,
    construct,
)
from swarmkit.search import StepBudget
from swarmkit_annealing.schedule import falling
from swarmkit_annealing.search_state import (
    SearchState,
    begin,
    begin_chains,
    compile_kernels,
    draw,
    neighbourhood_of,
    paused,
)

WARM_LOSSES = 0.15
"""The temperature around a given solution, in mean smallest losses of its stages: a few of them move."""


class Sa(Solver[SearchState]):
    """Simulated annealing: random moves, worse ones accepted with a probability that falls as the temperature does."""

    reference = "Cowie, Guthrie & Guthrie 1992, Lexical disambiguation using simulated annealing, COLING"

    unit = "one proposal"

    renamed: ClassVar[Mapping[str, str]] = MappingProxyType(
        {
            "preset=auto": "-a annealing (it is a solver of its own now)",
            "preset=cowie": "-a sa",
            "preset": "-a sa or -a annealing",
            "cold": "-a annealing -A cold=…",
            "shortest": "-a annealing -A shortest=…",
            "block": "-a annealing -A block=…",
        }
    )

    class Params(Settings):
        """The schedule. The start temperature is ours: the paper's belongs to its energy (problem `wsd-redundancy`)."""

        cooling: Annotated[float, Field(gt=0, lt=1)] = 0.9
        """The temperature is multiplied by this after each sweep."""
        hot: Annotated[float, Field(gt=0)] = 1.0
        """Start temperature, in multiples of the neighbourhood's own (two standard deviations of the gains of random
        moves; on tours half the mean cost of an edge to a near neighbour)."""
        temperature: Annotated[float, Field(gt=0)] | None = None
        """Start temperature in units of the score (Cowie et al.: 1, on their energy); by default `hot` sets it."""
        proposals: Annotated[int, Field(ge=1, le=1_000_000)] | None = None
        """Proposals at each temperature (Cowie et al.: 1,000); by default as many as there are moves."""
        chains: Annotated[int, Field(ge=1, le=100_000)] = 8
        """Solutions annealed side by side where the problem has no tables, or constraints."""

    params: Params

    def suits(self, problem: Problem) -> Suitability | None:
        """Suit any problem a little; `annealing` suits those with tables better."""
        return Suitability(0.1, "it takes any problem", nanoseconds=20.0)

    def prepare(self, problem: Problem) -> None:
        """Compile the kernels."""
        compile_kernels(problem)

    def start(self, problem: Problem, rng: Generator) -> SearchState:
        """Start from the first candidates, which are the most frequent senses; from random ones if infeasible."""
        drawn = draw(problem, self.params.chains, rng)
        first = construct(problem, 1, lambda _, __, allowed: np.asarray(allowed.argmax(axis=1)))
        if problem.structure.tables is not None:
            return begin(problem, first, drawn, self._factors, rng)
        return begin_chains(first, max(1, len(drawn)), drawn) if len(first) else begin_chains(drawn, 1, None)

    def snapshot(self, state: SearchState) -> dict[str, Any]:
        """Return the current solution or chains, and the temperature."""
        return {**state.shown, "temperature": state.hot * self.params.cooling**state.sweeps}

    def inject(self, problem: Problem, state: SearchState, X: Solutions, scores: Floats, rng: Generator) -> int:
        """Go on from the best of the given solutions; before the first sweep, at a low temperature."""
        begun = state.sweeps > 0 or state.progress.any()
        if state.take_up(problem, X, scores, self.params.chains, rng) and not begun:
            state.hot = state.warm_temperature(problem, WARM_LOSSES)
        return len(problem.sizes)

    def step(self, problem: Problem, state: SearchState, rng: Generator, left: Left = WHOLE_STEP) -> Found:
        """Anneal until the step pauses, colder from sweep to sweep; done when a sweep has changed nothing.

        A sweep is one iteration.
        """
        if state.empty:
            return state.restart(self.start(problem, rng))
        budget = StepBudget(left)
        state.finish_start(problem, self._factors, rng, budget)
        neighbourhood = neighbourhood_of(problem, state, rng)
        if neighbourhood is None or not budget.open:
            return paused(neighbourhood, state, budget.looks)
        if self.params.proposals is not None:
            neighbourhood.sweep = self.params.proposals
        temperatures = partial(falling, self.params.temperature or state.hot, self.params.cooling, state.sweeps)
        sweeps = neighbourhood.anneal(temperatures, state.progress, budget.left)
        state.sweeps += sweeps.sweeps
        return Found(*neighbourhood.found, budget.looks + sweeps.looks, sweeps.sweeps, done=sweeps.frozen > 0)

    @property
    def _factors(self) -> tuple[float, float]:
        return self.params.hot, 1.0
