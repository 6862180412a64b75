"""Simulated annealing as Cowie, Guthrie and Guthrie use it: `sa`.

Cowie, J., Guthrie, J. and Guthrie, L. 1992. Lexical disambiguation using simulated annealing. COLING 1992.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from types import MappingProxyType
from typing import Annotated, ClassVar

import numpy as np
from numpy.random import Generator
from pydantic import Field

from swarmkit import Found, Problem, Settings, Solver, construct
from swarmkit_annealing.schedule import falling
from swarmkit_annealing.search_state import SearchState, begin, compile_kernels, draw, neighbourhood_of


class Sa(Solver[SearchState]):
    """Simulated annealing: random moves, worse ones accepted with a probability that falls as the temperature does."""

    reference = "Cowie, Guthrie & Guthrie 1992, Lexical disambiguation using simulated annealing, COLING"

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
        """The schedule. The start temperature is ours: the paper's belongs to its scores."""

        cooling: Annotated[float, Field(gt=0, lt=1)] = 0.9
        """The temperature is multiplied by this after each sweep."""
        hot: Annotated[float, Field(gt=0)] = 1.0
        """Start temperature, in multiples of the neighbourhood's own (two standard deviations of the gains of random
        moves; on tours half the mean cost of an edge to a near neighbour)."""
        chains: Annotated[int, Field(ge=1, le=100_000)] = 64
        """Solutions annealed side by side where the problem has no tables, or constraints."""

    params: Params

    def prepare(self, problem: Problem) -> None:
        """Compile the kernels."""
        compile_kernels(problem)

    def start(self, problem: Problem, rng: Generator) -> SearchState:
        """Start from the first candidates, which are the most frequent senses; from random ones if infeasible."""
        drawn = draw(problem, self.params.chains, rng)
        first = construct(problem, 1, lambda _, __, allowed: np.asarray(allowed.argmax(axis=1)))
        X = np.repeat(first, self.params.chains, axis=0) if len(first) else drawn[: self.params.chains]
        return begin(problem, X, drawn, (self.params.hot, 1.0), rng)

    def step(self, problem: Problem, state: SearchState, rng: Generator) -> Found:
        """Anneal for one grain, colder from sweep to sweep; done when a sweep has changed nothing.

        A sweep is one iteration.
        """
        neighbourhood = neighbourhood_of(problem, state, rng)
        if neighbourhood is None:
            return state.restart(self.start(problem, rng))
        temperatures = partial(falling, state.hot, self.params.cooling, state.sweeps)
        sweeps = neighbourhood.anneal(temperatures, state.progress)
        state.sweeps += sweeps.sweeps
        found = Found(*neighbourhood.found, sweeps.looks, sweeps.sweeps, done=sweeps.frozen > 0)
        return state.with_start_looks(found)
