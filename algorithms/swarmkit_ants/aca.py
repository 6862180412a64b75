"""Ants that carry energy between nests: `aca`.

Schwab, D., Goulian, J. and Guillaume, N. 2011. Désambiguïsation lexicale par propagation de mesures sémantiques locales
par algorithmes à colonies de fourmis. TALN 2011.
Schwab, D., Goulian, J., Tchechmedjiev, A. and Blanchon, H. 2012. Ant colony algorithm for the unsupervised word sense
disambiguation of texts. COLING 2012.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated

import numpy as np
from numpy.random import Generator
from pydantic import Field

from swarmkit import GRAIN, Floats, Found, Problem, RngState, Settings, Solutions, Solver, evaluate, judge
from swarmkit.search import rng_state, warm_up
from swarmkit_ants.aca_world import World, new_world, run_cycle

if TYPE_CHECKING:
    from swarmkit_ants.kernels.aca_data import Behaviour

LONGEST = 20
"""Cycles of a step at most, so that small worlds are looked at in good time."""


@dataclass
class Colony:
    """A world, its age in cycles, and the state of the kernel's generator."""

    world: World
    rng_state: RngState
    age: int = 0


class Aca(Solver[Colony]):
    """Ants are born in nests, fetch energy and build bridges to nests that smell like home; the richest nest wins.

    A nest is a candidate; the richest nest of each stage is the answer. A nest's odour is the nest itself, and the
    similarity of two nests is the problem's relatedness (its tables, where it gives none). After `cycles` cycles a new
    world begins.
    """

    reference = "Schwab et al. 2012, Ant colony algorithm for the unsupervised WSD of texts, COLING"

    class Params(Settings):
        """The values of Schwab et al. 2012."""

        energy_taken: Annotated[float, Field(gt=0)] = 16.0
        """Energy an ant takes at a node (Ea)."""
        energy_carried: Annotated[float, Field(ge=1)] = 56.0
        """The most energy an ant carries (Emax)."""
        evaporation: Annotated[float, Field(gt=0, le=1)] = 0.9
        """Share of the pheromone that evaporates with each cycle."""
        initial_energy: Annotated[float, Field(ge=0)] = 30.0
        """Energy of every node at first (E0)."""
        life: Annotated[int, Field(ge=1, le=1000)] = 25
        """Cycles that an ant lives."""
        odour_length: Annotated[int, Field(ge=1, le=10_000)] = 100
        """Length of a node's odour vector (LV)."""
        odour_left: Annotated[float, Field(ge=0, le=1)] = 0.9
        """Share of its nest's odour that an ant leaves on a plain node."""
        cycles: Annotated[int, Field(ge=1)] = 100
        """Cycles that a world lives; then a new one begins."""
        pheromone: Annotated[float, Field(ge=0)] = 1.0
        """Pheromone left on an edge with each crossing."""

    params: Params

    def prepare(self, problem: Problem) -> None:
        """Compile the cycle."""
        from swarmkit_ants.kernels import aca

        warm_up(problem, aca)

    def start(self, problem: Problem, rng: Generator) -> Colony:
        """Return a world before its first cycle."""
        return Colony(self.new_world(problem), rng_state(rng))

    def step(self, problem: Problem, state: Colony, rng: Generator) -> Found:
        """Run as many cycles as one grain is worth, and read the answer after each."""
        looks, answers, behaviour = 0, list[Solutions](), self.behaviour()
        while looks < GRAIN and len(answers) < LONGEST:
            if state.age == self.params.cycles:
                state.world, state.age = self.new_world(problem), 0
            looks += run_cycle(problem, state.world, behaviour, state.rng_state) + len(problem.sizes)
            state.age += 1
            answers.append(answer(problem, state.world.nests, rng))
        X = np.array(answers)
        X = X[(X >= 0).all(axis=1)]
        X = X[judge(problem, X)]
        if len(X) == 0:
            return Found(None, None, looks, len(answers))
        scores = evaluate(problem, X)
        best = int(scores.argmax())
        return Found(X[best], float(scores[best]), looks, len(answers))

    def new_world(self, problem: Problem) -> World:
        """Return a world of this solver's parameters."""
        p = self.params
        return new_world(problem, p.initial_energy, p.odour_length, p.life)

    def behaviour(self) -> Behaviour:
        """Return the parameters of the ants, as the kernel reads them."""
        from swarmkit_ants.kernels.aca_data import Behaviour

        p = self.params
        return Behaviour(p.energy_taken, p.energy_carried, p.evaporation, p.life, p.odour_left, p.pheromone)


def answer(problem: Problem, energy: Floats, rng: Generator) -> Solutions:
    """Return the nest with the most energy at each stage, ties at random; -1 from where a dead end was met.

    Where not every combination is a solution, the stages take their richest allowed nest in the order of their richest
    nests.
    """
    sizes = np.asarray(problem.sizes, np.int64)
    first = np.cumsum(sizes) - sizes
    drawn = np.lexsort((rng.random(len(energy)), energy, np.repeat(np.arange(len(sizes)), sizes)))
    richest = drawn[first + sizes - 1] - first
    if not (problem.structure.distinct or problem.structure.constrained):
        return np.asarray(richest)
    x = np.full(len(sizes), -1, np.int64)
    for stage in np.argsort(-energy[first + richest], kind="stable").tolist():
        allowed = np.asarray(problem.allowed(x[None], stage), bool)[0]
        if not allowed.any():
            return x
        own = energy[first[stage] : first[stage] + sizes[stage]]
        x[stage] = int(np.where(allowed, own, -np.inf).argmax())
    return x
