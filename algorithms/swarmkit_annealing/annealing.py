"""Adaptive simulated annealing: `annealing`.

Cycles from hot to cold, each twice as long as the one before, at constant thermodynamic speed (Salamon et al. 1988, see
`schedule`). Within a sweep every stage draws its candidate from the heat bath (Geman and Geman 1984, see
`kernels.table_annealing`). The outcome of a cycle is crossed with the incumbent (partition crossover, Tinós et al.
2015, see `kernels.partition_crossover`); then blocks of the incumbent are reheated, as long as that pays.
"""

from __future__ import annotations

from typing import Annotated, Any

import numpy as np
from numpy.random import Generator
from pydantic import Field

from swarmkit import Floats, Problem, Settings, Solutions, Solver, StepResult, Suitability
from swarmkit_annealing.linear_annealer import LinearAnnealer
from swarmkit_annealing.order_annealer import order_of
from swarmkit_annealing.schedule import (
    NEGLIGIBLE,
    Schedule,
    cycle_places,
    cycling,
    first_cycle,
    next_cycle,
    observe,
    temperatures,
    warm_cycle,
)
from swarmkit_annealing.search_state import Chains, SearchState, begin, compile_kernels

LONG = 0.5
"""A linear constraint is long if it names this many candidates for each stage of the problem."""

WARM_LOSSES = 0.5
"""The first temperature around a given solution, in mean smallest losses of its stages: many of them move, some far."""


class Annealing(Solver[SearchState]):
    """Adaptive simulated annealing: ever longer cycles, slow where it pays, with crossover and reheated blocks."""

    reference = (
        "Salamon, Nulton, Robinson, Pedersen, Ruppeiner & Liao 1988, Simulated annealing with constant thermodynamic "
        "speed, Computer Physics Communications 49"
    )

    class Params(Settings):
        """The schedule, and the size of reheated blocks."""

        hot: Annotated[float, Field(gt=0)] = 1.0
        """Start temperature of a cycle, in multiples of the neighbourhood's own (two standard deviations of the gains
        of random moves; on tours half the mean cost of an edge to a near neighbour)."""
        cold: Annotated[float, Field(gt=0)] = 1.0
        """End temperature of a cycle, in multiples of the neighbourhood's own (a thousandth of a standard deviation; on
        tours a hundredth of that mean cost); at most the start temperature."""
        shortest: Annotated[int, Field(ge=2, le=2**20)] = 32
        """Sweeps of the first cycle; of chains, a quarter of it, as each of their proposals is an evaluation."""
        block: Annotated[int, Field(ge=1)] | None = None
        """Stages that are reheated together, a quarter to twice as many (none: five times as many as a stage is linked
        to on average, at least 12)."""
        chains: Annotated[int, Field(ge=1, le=100_000)] = 16
        """Solutions annealed side by side where the problem has no tables, or constraints that are not linear."""

    params: Params

    def suits(self, problem: Problem) -> Suitability | None:
        """Suit tables, most of all where stages take any candidates."""
        structure, linear = problem.structure, problem.structure.linear
        if linear is not None and structure.pairwise is not None and not structure.opaque:
            long = np.diff(linear.indptr).max(initial=0) >= LONG * len(problem.sizes)
            return Suitability(1.0 if long else 0.25, "it has linear constraints", nanoseconds=250.0, shares=False)
        if structure.tables is None:
            weight = 0.4
            if structure.distinct or structure.pairwise is not None:
                weight = 0.6 if structure.distinct and structure.black_box else 0.1
            return Suitability(weight, "nothing but its score is known", nanoseconds=36.0, shares=False)
        if structure.symmetric_tour() is not None:
            return Suitability(0.5, "it is a symmetric tour", nanoseconds=12.0, shares=False)
        if order_of(structure) is not None:
            return Suitability(1.0, "it is a sequence in tables", nanoseconds=20.0, shares=False)
        if structure.distinct:
            small = len(problem.sizes) <= 80  # more stages make its start long, and moves rare
            return Suitability(0.3 if small else 0.05, "it has tables", nanoseconds=80.0, shares=False)
        return Suitability(1.0, "it has tables, whose gains are kept up to date", nanoseconds=4.0, shares=False)

    def prepare(self, problem: Problem) -> None:
        """Compile the kernels."""
        compile_kernels(problem)

    def start(self, problem: Problem, rng: Generator) -> SearchState:
        """Start from random solutions, with a cycle that spends the same time at all temperatures."""
        state = begin(problem, np.empty((0, len(problem.sizes)), np.int64), self.params.chains, self._factors, rng)
        if not isinstance(state.annealer, Chains | LinearAnnealer):
            x, _ = state.annealer.incumbent(problem)
            state.cycle = first_cycle(state.hot, state.cold, self.params.shortest, x)
        return state

    def steps(self, problem: Problem, state: SearchState, rng: Generator, count: int) -> StepResult:
        """Make sweeps, crossovers, or pieces of local search; chains make a piece of a sweep in a step.

        All stages cool, then reheated blocks; when reheats no longer pay, the next cycle begins. On tables and tours
        one call of a kernel makes all sweeps of a cooling.
        """
        annealer, cycle = state.annealer, state.cycle
        if isinstance(annealer, LinearAnnealer):
            return self._anneal_rows(problem, state, annealer, rng, count)
        if cycle is None or isinstance(annealer, Chains):
            return super().steps(problem, state, rng, count) if count > 1 else self._anneal_chains(problem, state, rng)
        looks = steps = 0
        sweeps_before, negligible = state.sweeps, NEGLIGIBLE * state.hot
        while steps < count:
            if cycle.done < cycle.length:
                falls = temperatures(cycle, min(count - steps, cycle.length - cycle.done))
                schedule = Schedule(falls, annealer.sweep(problem), negligible)
                sweeps = annealer.cool(problem, schedule, cycle.block, rng)
                observe(cycle, falls, sweeps)
                state.sweeps += len(falls)
                state.acceptance = float(sweeps.accepted[-1])
                looks, steps = looks + sweeps.looks, steps + len(falls)
                continue
            cost = annealer.finish(problem, cycle, negligible)
            looks, steps = looks + cost, steps + (cost > 0)  # where nothing differs there is nothing to cross
            if not cycle.finishing and not annealer.choose_block(problem, cycle, self.params.block, rng):
                state.cycle = cycle = next_cycle(cycle)
        return StepResult(*annealer.incumbent(problem), looks, state.sweeps - sweeps_before)

    def _anneal_rows(
        self, problem: Problem, state: SearchState, annealer: LinearAnnealer, rng: Generator, count: int
    ) -> StepResult:
        """Make sweeps under linear constraints, in cycles of doubling length that cool geometrically."""
        falls = cycling(state.hot, state.cold, 2 * self.params.shortest, state.sweeps, count)
        sweeps = annealer.anneal(problem, Schedule(falls, annealer.sweep(problem), NEGLIGIBLE * state.hot), rng)
        state.sweeps += count
        state.acceptance = float(sweeps.accepted[-1])
        return StepResult(*annealer.incumbent(problem), sweeps.looks, count)

    def _anneal_chains(self, problem: Problem, state: SearchState, rng: Generator) -> StepResult:
        """Anneal chains side by side, in cycles of doubling length that cool geometrically."""
        chains = state.annealer
        assert isinstance(chains, Chains)  # noqa: S101  (tables and tours have cycles that learn)
        if not state.hot:
            return state.score_start(problem, chains, self._factors, rng)
        # A quarter of the sweeps that tables have, because each proposal is an evaluation.
        shortest = max(2, self.params.shortest // 4)
        place, length = cycle_places(shortest, state.sweeps)
        hot = state.hot if length == shortest else max(state.cold, chains.REHEAT * state.hot)
        if length > shortest and place == 0 and not chains.proposals:
            chains.begin_cycle()
        falls = cycling(hot, state.cold, shortest, state.sweeps, 1)
        sweeps = chains.anneal(problem, Schedule(falls, chains.sweep(problem), NEGLIGIBLE * state.hot), rng)
        state.sweeps += len(sweeps.scores)
        state.acceptance = float(sweeps.accepted[-1]) if len(sweeps.accepted) else state.acceptance
        return StepResult(*chains.incumbent(problem), sweeps.looks, len(sweeps.scores))

    def snapshot(self, state: SearchState) -> dict[str, Any]:
        """Return the current solution or chains, the temperature, and the stages that are reheated."""
        if state.cycle is None:
            return state.snapshot()
        temperature, reheats = float(temperatures(state.cycle, 1)[0]), len(state.cycle.block)
        return state.snapshot() | {"temperature": temperature, "reheated stages": reheats}

    def inject(self, problem: Problem, state: SearchState, X: Solutions, scores: Floats, rng: Generator) -> int:
        """Go on from the best of the given solutions; before the first sweep, in a cycle of low temperatures.

        Later the cycle under way stays as it is.
        """
        cycle = state.cycle
        if state.warm_start(problem, X, scores, self.params.chains, rng) and cycle is not None and not state.sweeps:
            warm, best = state.warm_temperature(problem, WARM_LOSSES), np.array(X[int(np.argmax(scores))], np.int64)
            state.cycle = warm_cycle(cycle, warm, best, float(scores.max()))
        return len(problem.sizes)

    @property
    def _factors(self) -> tuple[float, float]:
        return self.params.hot, self.params.cold
