"""Adaptive simulated annealing: `annealing`.

Cycles from hot to cold, each twice as long as the one before, at constant thermodynamic speed (Salamon et al. 1988, see
`adaptive_schedule`). Within a sweep every stage draws its candidate from the heat bath (Geman and Geman 1984, see
`kernels.gibbs`). The outcome of a cycle is crossed with the incumbent (partition crossover, Tinós et al. 2015, see
`kernels.partition_crossover`); then blocks of the incumbent are reheated, as long as that pays.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import Annotated, Any

import numpy as np
from numpy.random import Generator
from pydantic import Field

from swarmkit import WHOLE_STEP, Floats, Found, Left, Problem, Settings, Solutions, Solver, Suitability
from swarmkit.search import StepBudget
from swarmkit_annealing.adaptive_schedule import Cycle, first_cycle, next_cycle, temperatures, warm_cycle
from swarmkit_annealing.neighbourhoods.chains import SideBySide
from swarmkit_annealing.neighbourhoods.protocol import AdaptiveNeighbourhood
from swarmkit_annealing.schedule import cycling
from swarmkit_annealing.search_state import (
    SearchState,
    begin,
    begin_chains,
    compile_kernels,
    draw,
    neighbourhood_of,
    paused,
)

WARM_LOSSES = 0.5
"""The first temperature around a given solution, in mean smallest losses of its stages: many of them move, some far."""


@dataclass
class State:
    """What is annealed, and the current cycle with what the cycles before have taught."""

    search: SearchState
    cycle: Cycle | None
    """None for chains, whose cycles learn nothing."""


class Annealing(Solver[State]):
    """Adaptive simulated annealing: ever longer cycles, slow where it pays, with crossover and reheated blocks."""

    reference = (
        "Salamon, Nulton, Robinson, Pedersen, Ruppeiner & Liao 1988, Simulated annealing with constant thermodynamic "
        "speed, Computer Physics Communications 49"
    )

    unit = "one sweep of the heat bath, one crossover, or one proposal"

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
        """Solutions annealed side by side where the problem has no tables, or constraints."""

    params: Params

    def suits(self, problem: Problem) -> Suitability | None:
        """Suit tables, most of all where stages take any candidates."""
        structure = problem.structure
        if structure.tables is None:
            weight = 0.1 if structure.distinct else 0.4
            return Suitability(weight, "nothing but its score is known", nanoseconds=36.0, shares=False)
        if structure.symmetric_tour() is not None:
            return Suitability(0.5, "it is a symmetric tour", nanoseconds=12.0, shares=False)
        if structure.distinct:
            few = len(problem.sizes) <= 80  # more stages make its start long, and moves rare
            return Suitability(0.3 if few else 0.05, "it has tables", nanoseconds=80.0, shares=False)
        return Suitability(1.0, "it has tables, whose gains are kept up to date", nanoseconds=4.0, shares=False)

    def prepare(self, problem: Problem) -> None:
        """Compile the kernels."""
        compile_kernels(problem)

    def start(self, problem: Problem, rng: Generator) -> State:
        """Start from random solutions, with a cycle that spends the same time at all temperatures."""
        drawn = draw(problem, self.params.chains, rng)
        if problem.structure.tables is None:
            return State(begin_chains(drawn, 1, None), None)
        search = begin(problem, drawn[:1], drawn, self._factors, rng)
        return State(search, first_cycle(search.hot, search.cold, self.params.shortest, drawn[0]))

    def snapshot(self, state: State) -> dict[str, Any]:
        """Return the current solution or chains, the temperature, and the stages that are reheated."""
        shown = state.search.shown
        if state.cycle is not None:
            shown |= {"temperature": float(temperatures(state.cycle, 1)[0]), "reheated stages": len(state.cycle.block)}
        return shown

    def inject(self, problem: Problem, state: State, X: Solutions, scores: Floats, rng: Generator) -> int:
        """Go on from the best of the given solutions; before the first sweep, in a cycle of low temperatures.

        Later the cycle under way stays as it is.
        """
        search, cycle = state.search, state.cycle
        taken = search.take_up(problem, X, scores, self.params.chains, rng)
        if taken and cycle is not None and cycle.done == 0 and not cycle.observed.any():
            warm, best = search.warm_temperature(problem, WARM_LOSSES), np.array(X[int(np.argmax(scores))], np.int64)
            state.cycle = warm_cycle(cycle, warm, best, float(scores.max()))
        return len(problem.sizes)

    def step(self, problem: Problem, state: State, rng: Generator, left: Left = WHOLE_STEP) -> Found:
        """Anneal until the step pauses; a sweep is one iteration."""
        search = state.search
        if search.empty:
            return search.restart(self.start(problem, rng).search)
        budget = StepBudget(left)
        search.finish_start(problem, self._factors, rng, budget)
        neighbourhood = neighbourhood_of(problem, search, rng, self.params.block)
        if neighbourhood is None or not budget.open:
            return paused(neighbourhood, search, budget.looks)
        if isinstance(neighbourhood, SideBySide):
            found = self._anneal_chains(search, neighbourhood, budget.left)
        else:
            found = self._cool(state, neighbourhood, rng, budget.left)
        return found._replace(looks=budget.looks + found.looks)

    @property
    def _factors(self) -> tuple[float, float]:
        return self.params.hot, self.params.cold

    def _cool(self, state: State, neighbourhood: AdaptiveNeighbourhood, rng: Generator, left: Left) -> Found:
        """Cool all stages, then reheated blocks; when reheats no longer pay, begin the next cycle."""
        looks = sweeps = 0
        while looks < left.looks and sweeps < left.iterations:
            cycle, room = _cycle(state), left._replace(looks=left.looks - looks, iterations=left.iterations - sweeps)
            if cycle.done < cycle.length:
                cooled = neighbourhood.cool(cycle, state.search.progress, room)
                looks, sweeps = looks + cooled.looks, sweeps + cooled.sweeps
                continue
            finished = neighbourhood.finish(cycle, room)
            looks += finished.looks
            if finished.complete and not neighbourhood.choose_block(cycle, rng):
                state.cycle = next_cycle(cycle)
        return Found(*neighbourhood.found, looks, sweeps)

    def _anneal_chains(self, search: SearchState, chains: SideBySide, left: Left) -> Found:
        """Anneal chains side by side, in cycles of doubling length that cool geometrically."""
        shortest = max(2, self.params.shortest // 4)
        falls = partial(cycling, search.hot, search.cold, shortest, search.sweeps)
        sweeps = chains.anneal(falls, search.progress, left, until_frozen=False)
        search.sweeps += sweeps.sweeps
        return Found(*chains.found, sweeps.looks, sweeps.sweeps)


def _cycle(state: State) -> Cycle:
    assert state.cycle is not None  # noqa: S101  (chains have none, and are not cooled by it)
    return state.cycle
