"""Ants that carry energy between nests: `aca`.

Schwab, D., Goulian, J. and Guillaume, N. 2011. Désambiguïsation lexicale par propagation de mesures sémantiques locales
par algorithmes à colonies de fourmis. TALN 2011.
Schwab, D., Goulian, J., Tchechmedjiev, A. and Blanchon, H. 2012. Ant colony algorithm for the unsupervised word sense
disambiguation of texts. COLING 2012.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any

import numpy as np
from numpy.random import Generator
from pydantic import Field

from swarmkit import (
    GRAIN,
    WHOLE_STEP,
    Floats,
    Found,
    Left,
    Problem,
    RngState,
    Settings,
    Solutions,
    Solver,
    Suitability,
    judge,
)
from swarmkit.search import batch_scores, rng_state, warm_up
from swarmkit_ants.aca_world import Odour, World, new_world, run_cycle, similarities

if TYPE_CHECKING:
    from swarmkit_ants.kernels.aca_data import Behaviour

WARM = 0.5
"""The share of a nest's energy that the nest of a given solution gets."""


@dataclass
class Colony:
    """A world, its age in cycles, and the state of the kernel's generator."""

    world: World
    rng_state: RngState
    age: int = 0


class Aca(Solver[Colony]):
    """Ants are born in nests, fetch energy and build bridges to nests that smell like home; the richest nest wins.

    A nest is a candidate; the richest nest of each stage is the answer. A nest's odour is the nest itself, and the
    similarity of two nests is the problem's relatedness (its tables, where it gives none); with odour=words, as in the
    papers, it is the words of a definition, and similarity the share of them that is met again. After `cycles` cycles a
    new world begins.
    """

    reference = "Schwab et al. 2012, Ant colony algorithm for the unsupervised WSD of texts, COLING"

    unit = "one cycle"

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
        odour: Odour = "nests"
        """What a nest smells of: itself, or the words that describe it (the papers'; for senses those of the gloss)."""
        odour_length: Annotated[int, Field(ge=1, le=10_000)] = 100
        """Length of a node's odour vector (LV)."""
        odour_left: Annotated[float, Field(ge=0, le=1)] = 0.9
        """Share of its nest's odour that an ant leaves on a plain node."""
        cycles: Annotated[int, Field(ge=1)] = 100
        """Cycles that a world lives; then a new one begins."""
        pheromone: Annotated[float, Field(ge=0)] = 1.0
        """Pheromone left on an edge with each crossing."""

    params: Params

    def suits(self, problem: Problem) -> Suitability | None:
        """Suit any problem a little: ants follow the relatedness of candidates, not the score."""
        return Suitability(0.02, "its candidates are related", nanoseconds=25.0)

    def refuses(self, problem: Problem) -> str | None:
        """Refuse words as odour where the problem has none."""
        if self.params.odour == "words" and problem.descriptions() is None:
            return "its candidates have no descriptions to smell of; odour=nests does any problem"
        return None

    def prepare(self, problem: Problem) -> None:
        """Compile the cycle, and find out how alike the nests are."""
        from swarmkit_ants.kernels import aca

        warm_up(problem, aca)
        similarities(problem, self.params.odour)

    def start(self, problem: Problem, rng: Generator) -> Colony:
        """Return a world before its first cycle."""
        return Colony(self.new_world(problem), rng_state(rng))

    def snapshot(self, state: Colony) -> dict[str, Any]:
        """Return the energy of the nests, the richest of each stage, and the number of ants."""
        world = state.world
        order = np.lexsort((-np.arange(len(world.nests)), world.nests, world.stage_of))  # of equals the first
        first = np.searchsorted(world.stage_of, np.arange(world.stage_of[-1] + 2))
        return {"trail": world.nests, "current": order[first[1:] - 1] - first[:-1], "ants": world.living}

    def inject(self, problem: Problem, state: Colony, X: Solutions, scores: Floats, rng: Generator) -> int:
        """Move energy to the nests of the best of the given solutions, in the world that lives now.

        Each gets a share of the energy of every rival; the energy of all nests stays what it is.
        """
        sizes, nests = np.asarray(problem.sizes, np.int64), state.world.nests
        first = np.cumsum(sizes) - sizes
        before = np.add.reduceat(nests, first)
        nests *= 1.0 - WARM
        nests[first + X[int(np.argmax(scores))]] += WARM * before
        return len(sizes)

    def step(self, problem: Problem, state: Colony, rng: Generator, left: Left = WHOLE_STEP) -> Found:
        """Run cycles, one at least, until a limit is reached, and read the answer after each."""
        looks, answers, behaviour = 0, list[Solutions](), self.behaviour()
        enough, most = min(left.looks, GRAIN), min(left.evaluations, left.iterations)
        while not answers or (looks < enough and len(answers) < most):
            if state.age == self.params.cycles:
                state.world, state.age = self.new_world(problem), 0
            cycle = run_cycle(problem, state.world, behaviour, state.rng_state, self.params.odour)
            looks += cycle + len(problem.sizes)
            state.age += 1
            answers.append(answer(problem, state.world.nests, rng))
        return found(problem, np.array(answers), looks)

    def new_world(self, problem: Problem) -> World:
        """Return a world of this solver's parameters."""
        p = self.params
        return new_world(problem, p.initial_energy, p.odour_length, p.life)

    def behaviour(self) -> Behaviour:
        """Return the parameters of the ants, as the kernel reads them."""
        from swarmkit_ants.kernels.aca_data import Behaviour

        p = self.params
        return Behaviour(p.energy_taken, p.energy_carried, p.evaporation, p.life, p.odour_left, p.pheromone)


def found(problem: Problem, answers: Solutions, looks: int) -> Found:
    """Return the best of the answers that are solutions: there is one of each cycle, and they are scored together."""
    X = answers[(answers >= 0).all(axis=1)]
    X = X[judge(problem, X)]
    if len(X) == 0:
        return Found(None, None, looks, len(answers))
    scores = batch_scores(problem, X)
    best = int(scores.argmax())
    return Found(X[best], float(scores[best]), looks, len(answers))


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
