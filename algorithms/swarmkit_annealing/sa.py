"""Simulated annealing as Cowie, Guthrie and Guthrie use it: `sa`.

Cowie, J., Guthrie, J. and Guthrie, L. 1992. Lexical disambiguation using simulated annealing. COLING 1992.

    begin with the most frequent sense of every word, and a temperature T
    repeat
        repeat for the proposals of a sweep
            let a random word take a random other sense; Δ is the change of the score
            keep it if Δ >= 0, else with probability exp(Δ / T)      `schedule.acceptance`, `kernels.table_annealing`
        T = 0.9 T                                                    `schedule.falling`
    until a sweep has changed nothing; ours then begins again at the first T, `restarts` times
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Annotated, Any, ClassVar, Literal

import numpy as np
from numpy.random import Generator
from pydantic import Field

from swarmkit import Floats, Problem, Settings, Solutions, Solver, StepResult, Suitability, construct, repair
from swarmkit_annealing.schedule import NEGLIGIBLE, Schedule, falling
from swarmkit_annealing.search_state import Chains, SearchState, begin, compile_kernels

WARM_LOSSES = 0.15
"""The temperature around a given solution, in mean smallest losses of its stages: a few of them move."""


class Sa(Solver[SearchState]):
    """Simulated annealing: random moves, worse ones accepted with a probability that falls as the temperature does."""

    reference = "Cowie, Guthrie & Guthrie 1992, Lexical disambiguation using simulated annealing, COLING"

    class Params(Settings):
        """The schedule. The start temperature is ours: the paper's belongs to its energy (problem `wsd-redundancy`)."""

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

        initial: Literal["first", "random"] = "first"
        """Where it starts: at the first candidates (of senses the most frequent), or at random ones."""
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
        """Solutions annealed side by side where the problem has no tables, or constraints that are not linear."""
        restarts: Annotated[int, Field(ge=0)] | None = None
        """How often it begins again at the start temperature when a sweep has changed nothing, from where it is; none:
        as long as the budget lasts (Cowie et al.: 0)."""

    params: Params

    def suits(self, problem: Problem) -> Suitability | None:
        """Suit any problem a little; `annealing` suits those with tables better."""
        return Suitability(0.1, "it takes any problem", nanoseconds=20.0)

    def prepare(self, problem: Problem) -> None:
        """Compile the kernels."""
        compile_kernels(problem)

    def start(self, problem: Problem, rng: Generator) -> SearchState:
        """Start from the first candidates, which are the most frequent senses; from random ones if infeasible."""
        X = np.empty((0, len(problem.sizes)), np.int64)
        if self.params.initial == "first" and problem.structure.linear is None:
            X = construct(problem, 1, lambda _, __, allowed: np.asarray(allowed.argmax(axis=1)))
        elif self.params.initial == "first":
            X = np.zeros((1, len(problem.sizes)), np.int64)
            X = X[repair(problem, X, rng)]
        return begin(problem, X, self.params.chains, self._factors, rng)

    def steps(self, problem: Problem, state: SearchState, rng: Generator, count: int) -> StepResult:
        """Make sweeps, each colder than the one before; done when one has changed nothing after the last restart.

        On tables and tours one call of a kernel makes those of a cooling. Chains make a sweep in several steps, after
        one that calibrates the start temperature.
        """
        annealer = state.annealer
        if isinstance(annealer, Chains) and count > 1:
            return super().steps(problem, state, rng, count)
        if isinstance(annealer, Chains) and not state.hot:
            return state.score_start(problem, annealer, self._factors, rng)
        # The harness decides how many sweeps are made at once; each has the temperature of its number.
        proposals = self.params.proposals or annealer.sweep(problem)
        looks, before, done = 0, state.sweeps, False
        while not done and state.sweeps - before < count:
            temperatures = self._temperatures(state, count - (state.sweeps - before))
            schedule = Schedule(temperatures, proposals, NEGLIGIBLE * state.hot, stop_early=True)
            sweeps = annealer.anneal(problem, schedule, rng)
            looks, state.sweeps = looks + sweeps.looks, state.sweeps + len(sweeps.scores)
            state.acceptance = float(sweeps.accepted[-1]) if len(sweeps.accepted) else state.acceptance
            done = sweeps.done and not self._restart(state)
            if isinstance(annealer, Chains):  # this was a piece of a sweep
                break
        length = state.sweeps - before
        return StepResult(*annealer.incumbent(problem), looks, length, done, steps=length)

    def _restart(self, state: SearchState) -> bool:
        """Begin again at the start temperature, unless that has been done as often as it may; return whether it is."""
        if self.params.restarts is not None and state.restarts >= self.params.restarts:
            return False
        state.restarts, state.first_sweep = state.restarts + 1, state.sweeps
        if isinstance(state.annealer, Chains):
            state.annealer.begin_cycle()
        return True

    def _temperatures(self, state: SearchState, count: int) -> Floats:
        """Return the temperatures of the next sweeps."""
        hot, annealer = self.params.temperature or state.hot, state.annealer
        if state.restarts and isinstance(annealer, Chains):
            hot *= annealer.REHEAT
        return falling(hot, self.params.cooling, state.sweeps - state.first_sweep, count)

    def snapshot(self, state: SearchState) -> dict[str, Any]:
        """Return the current solution or chains, and the temperature."""
        return {**state.snapshot(), "temperature": float(self._temperatures(state, 1)[0])}

    def inject(self, problem: Problem, state: SearchState, X: Solutions, scores: Floats, rng: Generator) -> int:
        """Go on from the best of the given solutions; before the first sweep, at a low temperature."""
        if state.warm_start(problem, X, scores, self.params.chains, rng) and not state.sweeps:
            state.hot = state.warm_temperature(problem, WARM_LOSSES)
        return len(problem.sizes)

    @property
    def _factors(self) -> tuple[float, float]:
        return self.params.hot, 1.0
