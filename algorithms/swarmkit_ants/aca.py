"""Ants that carry energy between nests: `aca`.

Schwab, D., Goulian, J. and Guillaume, N. 2011. Désambiguïsation lexicale par propagation de mesures sémantiques locales
par algorithmes à colonies de fourmis. TALN 2011.
Schwab, D., Goulian, J., Tchechmedjiev, A. and Blanchon, H. 2012. Ant colony algorithm for the unsupervised word sense
disambiguation of texts. COLING 2012.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any

import numpy as np
from numpy.random import Generator
from pydantic import Field

from swarmkit import (
    Floats,
    Problem,
    RngState,
    Settings,
    Solutions,
    Solver,
    StepResult,
    Suitability,
    descriptions_of,
    judge,
)
from swarmkit.search import batch_scores, rng_state, warm_up
from swarmkit_ants.world import Behaviour, Odour, World, terrain_of

BRIDGES = 32
"""The most bridges of a nest: rows of fixed length stay small, and the strongest are kept."""

COLLAPSE = 1e-3
"""A bridge with less pheromone collapses: evaporation alone never takes it to 0."""

WARM = 0.5
"""The share of a nest's energy that the nest of a solution that was handed in gets."""


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

    def steps(self, problem: Problem, state: Colony, rng: Generator, count: int) -> StepResult:
        """Run `count` cycles, and read the answer after each; the answers are scored together."""
        looks, answers, params = 0, list[Solutions](), self.params
        behaviour = Behaviour(*(getattr(params, name) for name in Behaviour._fields))
        for _ in range(count):
            if state.age == params.cycles:
                state.world, state.age = new_world(problem, params), 0
            looks += run_cycle(problem, state.world, behaviour, state.rng_state, params.odour)
            state.age += 1
            answers.append(answer(problem, state.world.nests, rng))
        return best_answer(problem, np.array(answers), looks + count * len(problem.sizes))

    def start(self, problem: Problem, rng: Generator) -> Colony:
        """Return a world before its first cycle."""
        return Colony(new_world(problem, self.params), rng_state(rng))

    def prepare(self, problem: Problem) -> None:
        """Compile the cycle, and find out how alike the nests are."""
        from swarmkit_ants.kernels import aca

        warm_up(problem, aca)
        terrain_of(problem, self.params.odour)

    def inject(self, problem: Problem, state: Colony, X: Solutions, scores: Floats, rng: Generator) -> int:
        """Move energy to the nests of the best of the given solutions, in the world that lives now.

        Each gets a share of the energy of every rival; the energy of all nests stays what it is.
        """
        sizes, nests = np.asarray(problem.sizes, np.int64), state.world.nests
        first = np.cumsum(sizes) - sizes
        before = np.add.reduceat(nests, first)
        nests *= 1.0 - WARM  # views of the world's energy: it changes in place
        nests[first + X[int(np.argmax(scores))]] += WARM * before
        return len(sizes)

    def snapshot(self, state: Colony) -> dict[str, Any]:
        """Return the energy of the nests, the richest of each stage, and the number of ants."""
        world = state.world
        order = np.lexsort((-np.arange(len(world.nests)), world.nests, world.stage_of))  # of equals the first
        first = np.searchsorted(world.stage_of, np.arange(world.stage_of[-1] + 2))
        return {"trail": world.nests, "current": order[first[1:] - 1] - first[:-1], "ants": int(world.living[0])}

    def suits(self, problem: Problem) -> Suitability | None:
        """Suit any problem a little: ants follow the relatedness of candidates, not the score."""
        return Suitability(0.02, "its candidates are related", nanoseconds=25.0)

    def refuses(self, problem: Problem) -> str | None:
        """Refuse words as odour where the problem has none."""
        if self.params.odour == "words" and descriptions_of(problem) is None:
            return "its candidates have no descriptions to smell of; odour=nests does any problem"
        return None


def new_world(problem: Problem, params: Aca.Params) -> World:
    """Return a world before its first cycle: no odour, no pheromone, no ant.

    Nodes have the same energy, but the nests of a stage divide theirs by what candidates are worth alone, which the
    papers' score has not: ants see nothing but relatedness.
    """
    terrain = terrain_of(problem, params.odour)
    nodes, slots = len(terrain.parent), len(terrain.stage_of)
    capacity = slots * (params.life + 1)  # ants: a nest makes at most one in a cycle
    energy = np.full(nodes, params.initial_energy)
    energy[terrain.first_nest :] *= relative_values(problem)
    return World(
        stage_of=np.array(terrain.stage_of),
        energy=energy,
        pheromone=np.zeros(nodes),
        odour=np.full((terrain.first_nest, params.odour_length), -1, np.int32),
        bridges=np.full((slots, BRIDGES), -1),
        bridge_pheromone=np.zeros((slots, BRIDGES)),
        traits=np.zeros((capacity, 4), np.int64),
        load=np.zeros(capacity),
        living=np.zeros(1, np.int64),
    )


def relative_values(problem: Problem) -> Floats:
    """Return the value of each candidate alone above its stage's least, divided by the stage's mean; 1 without values.

    The values of a stage's candidates have the mean 1, so that the energy of the world does not depend on them.
    """
    form, sizes = problem.structure.pairwise, np.asarray(problem.sizes, np.int64)
    relative = np.ones(int(sizes.sum()))
    if form is None:
        return relative
    starts = form.offsets[:-1]
    above = form.unary - np.repeat(np.minimum.reduceat(form.unary, starts), sizes)
    mean = np.repeat(np.add.reduceat(above, starts) / sizes, sizes)
    np.divide(above, mean, out=relative, where=mean > 0)
    return relative


def run_cycle(problem: Problem, world: World, behaviour: Behaviour, rng_state: RngState, odour: Odour = "nests") -> int:
    """Run one cycle of the world, in place, and return the looks: ants move, pheromone evaporates, old ants die."""
    from swarmkit_ants.kernels.aca import move_ants

    capacity = len(world.energy) + world.bridges.shape[1]
    options, terrain = (np.empty(capacity, np.int64), np.empty(capacity)), terrain_of(problem, odour)
    looks = move_ants(terrain, behaviour, world, *options, rng_state)
    evaporate(world, behaviour.evaporation)
    bury(world, behaviour.life)
    return int(looks)


def evaporate(world: World, share: float) -> None:
    """Let a share of all pheromone evaporate, and bridges with hardly any collapse."""
    for pheromone in (world.pheromone, world.bridge_pheromone):
        pheromone *= 1.0 - share
    # A bridge is a place in a row of fixed length: where it collapses, another may be built.
    weak = world.bridge_pheromone < COLLAPSE
    world.bridges[weak], world.bridge_pheromone[weak] = -1, 0.0


def bury(world: World, life: int) -> None:
    """Let old ants die, leaving what they carry where they are; those that live on stay in their order."""
    traits, load = world.traits[: world.living[0]], world.load[: world.living[0]]
    old = traits[:, 2] >= life
    np.add.at(world.energy, traits[old, 1], load[old])
    world.living[0] = alive = np.count_nonzero(~old)
    traits[:alive], load[:alive] = traits[~old], load[~old]


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
        nests = energy[first[stage] : first[stage] + sizes[stage]]
        x[stage] = int(np.where(allowed, nests, -np.inf).argmax())
    return x


def best_answer(problem: Problem, answers: Solutions, looks: int) -> StepResult:
    """Return the best of the answers that are solutions; there is one of each cycle."""
    X = answers[(answers >= 0).all(axis=1)]
    if problem.structure.constrained:
        X = X[judge(problem, X)]
    if len(X) == 0:
        return StepResult(None, None, looks, len(answers))
    scores = batch_scores(problem, X)
    best = int(scores.argmax())
    return StepResult(X[best], float(scores[best]), looks, len(answers))
