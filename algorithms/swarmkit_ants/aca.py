"""Ants that carry energy between nests: `aca`.

Schwab, D., Goulian, J. and Guillaume, N. 2011. Désambiguïsation lexicale par propagation de mesures sémantiques locales
par algorithmes à colonies de fourmis. TALN 2011.
Schwab, D., Goulian, J., Tchechmedjiev, A. and Blanchon, H. 2012. Ant colony algorithm for the unsupervised word sense
disambiguation of texts. COLING 2012.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray
from pydantic import Field

from swarmkit import GRAIN, Found, Problem, Settings, Solver, evaluate, judge
from swarmkit.compiled import Habits, World, found_world, kernel_words, live, prepare_kernels

MOST = 20
"""Cycles a step at most, so that small worlds are looked at in good time."""


@dataclass
class Colony:
    """A world, its age in cycles, and the generator's words."""

    world: World
    words: NDArray[np.uint64]
    age: int = 0


class Aca(Solver[Colony]):
    """Ants are born in nests, fetch energy and build bridges to nests that smell like home; the richest nest wins.

    The energy of a stage's nests is its answer. A nest is a candidate, its odour is itself, and how alike two nests
    smell is the problem's relatedness (its tables, where it gives none). When a world has lived its cycles the next
    one begins.
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
        """Energy of every node on the first day (E0)."""
        life: Annotated[int, Field(ge=1, le=1000)] = 25
        """Cycles that an ant lives."""
        odour_length: Annotated[int, Field(ge=1, le=10_000)] = 100
        """Length of a node's odour vector (LV)."""
        odour_left: Annotated[float, Field(ge=0, le=1)] = 0.9
        """Share of its nest's odour that an ant leaves on a plain node."""
        cycles: Annotated[int, Field(ge=1)] = 100
        """Cycles that a world lives; then the next one begins."""
        pheromone: Annotated[float, Field(ge=0)] = 1.0
        """Pheromone left on an edge with each crossing."""

    def prepare(self, problem: Problem) -> None:
        """Compile the cycle."""
        prepare_kernels(problem, "nests")

    def start(self, problem: Problem, rng: Generator) -> Colony:
        """Make a world on its first day."""
        p = self.params
        return Colony(found_world(problem, p.initial_energy, p.odour_length, p.life), kernel_words(rng))

    def step(self, problem: Problem, state: Colony, rng: Generator) -> Found:
        """Live through as many cycles as one grain is worth, and read the answer after each."""
        p = self.params
        habits = Habits(p.energy_taken, p.energy_carried, p.evaporation, p.life, p.odour_left, p.pheromone)
        looks, answers = 0, list[NDArray[np.int64]]()
        while looks < GRAIN and len(answers) < MOST:
            if state.age == p.cycles:
                state.world, state.age = found_world(problem, p.initial_energy, p.odour_length, p.life), 0
            looks += live(problem, state.world, habits, state.words) + len(problem.sizes)
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


def answer(problem: Problem, energy: NDArray[np.float64], rng: Generator) -> NDArray[np.int64]:
    """Give the nest with the most energy at each stage, ties at random; -1 where a dead end was met.

    Where not everything is allowed, the stages take their richest allowed nest in the order of their richest nests.
    """
    sizes = np.asarray(problem.sizes, np.int64)
    first = np.cumsum(sizes) - sizes
    drawn = np.lexsort((rng.random(len(energy)), energy, np.repeat(np.arange(len(sizes)), sizes)))
    richest = drawn[first + sizes - 1] - first
    if not (problem.distinct or problem.overrides("allowed") or problem.overrides("feasible")):
        return np.asarray(richest)
    x = np.full(len(sizes), -1, np.int64)
    for stage in np.argsort(-energy[first + richest], kind="stable").tolist():
        allowed = np.asarray(problem.allowed(x[None], stage), bool)[0]
        if not allowed.any():
            return x
        own = energy[first[stage] : first[stage] + sizes[stage]]
        x[stage] = int(np.where(allowed, own, -np.inf).argmax())
    return x
