"""Adaptive simulated annealing: `annealing`.

Cycles from hot to cold, each twice as long as the one before, at constant thermodynamic speed (Salamon et al. 1988, see
`adaptive_schedule`). Within a sweep every stage draws its candidate from the heat bath (Geman and Geman 1984, see
`kernels.gibbs`). The outcome of a cycle is crossed with the incumbent (partition crossover, Tinós et al. 2015, see
`kernels.partition_crossover`); then blocks of the incumbent are reheated, as long as that pays.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import Annotated

from numpy.random import Generator
from pydantic import Field

from swarmkit import GRAIN, Found, Problem, Settings, Solver
from swarmkit_annealing.adaptive_schedule import Cycle, first_cycle, next_cycle, observe, temperatures
from swarmkit_annealing.neighbourhoods.chains import SideBySide
from swarmkit_annealing.neighbourhoods.protocol import AdaptiveNeighbourhood
from swarmkit_annealing.schedule import cycling
from swarmkit_annealing.search_state import SearchState, begin, compile_kernels, draw, neighbourhood_of


@dataclass
class State:
    """What is annealed, and the current cycle with what the cycles before have taught."""

    search: SearchState
    cycle: Cycle


class Annealing(Solver[State]):
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
        """Sweeps of the first cycle."""
        block: Annotated[int, Field(ge=1)] | None = None
        """Stages that are reheated together, a quarter to twice as many (none: five times as many as a stage is linked
        to on average, at least 12)."""
        chains: Annotated[int, Field(ge=1, le=100_000)] = 64
        """Solutions annealed side by side where the problem has no tables, or constraints."""

    params: Params

    def prepare(self, problem: Problem) -> None:
        """Compile the kernels."""
        compile_kernels(problem)

    def start(self, problem: Problem, rng: Generator) -> State:
        """Start from random solutions, with a cycle that spends the same time at all temperatures."""
        drawn = draw(problem, self.params.chains, rng)
        X = drawn[: self.params.chains]
        search = begin(problem, X, drawn, (self.params.hot, self.params.cold), rng)
        return State(search, first_cycle(search.hot, search.cold, self.params.shortest, X[:1].ravel()))

    def step(self, problem: Problem, state: State, rng: Generator) -> Found:
        """Anneal for one grain; a sweep is one iteration."""
        neighbourhood = neighbourhood_of(problem, state.search, rng, self.params.block)
        if neighbourhood is None:
            return state.search.restart(self.start(problem, rng).search)
        if isinstance(neighbourhood, SideBySide):
            found = self._anneal_chains(state.search, neighbourhood)
        else:
            found = self._cool(state, neighbourhood, rng)
        return state.search.with_start_looks(found)

    def _cool(self, state: State, neighbourhood: AdaptiveNeighbourhood, rng: Generator) -> Found:
        """Cool all stages, then reheated blocks, in whole sweeps; when reheats no longer pay, begin the next cycle."""
        cycle = state.cycle
        count = min(max(1, GRAIN // neighbourhood.looks_per_sweep(cycle)), cycle.length - cycle.done)
        falls = temperatures(cycle, count)
        sweeps = neighbourhood.cool(cycle, falls)
        observe(cycle, falls, sweeps)
        looks = sweeps.looks
        if cycle.done == cycle.length:
            looks += neighbourhood.finish(cycle)
            if not neighbourhood.choose_block(cycle, rng):
                state.cycle = next_cycle(cycle)
        return Found(*neighbourhood.found, looks, sweeps.sweeps)

    def _anneal_chains(self, search: SearchState, chains: SideBySide) -> Found:
        """Anneal chains side by side, in cycles of doubling length that cool geometrically."""
        falls = partial(cycling, search.hot, search.cold, self.params.shortest, search.sweeps)
        sweeps = chains.anneal(falls, search.progress, until_frozen=False)
        search.sweeps += sweeps.sweeps
        return Found(*chains.found, sweeps.looks, sweeps.sweeps)
