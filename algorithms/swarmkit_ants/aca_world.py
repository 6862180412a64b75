"""The world of ACA's ants on any problem: a graph text - groups - stages - nests, with energy, pheromone and odours."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal
from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import NDArray

from swarmkit import Floats, Ints, Pairwise, Problem, RngState

if TYPE_CHECKING:
    from swarmkit_ants.kernels.aca_data import Ants, Behaviour, Environment, Graph, Similarities

Odour = Literal["nests", "words"]
"""What a nest smells of: the nest itself, or the words of its description."""

BRIDGES = 32
"""The most bridges of a nest: rows of fixed length stay small, and the strongest are kept."""

CHUNK = 64
"""Slots whose similarities to all others are asked for together."""

LARGEST = 8192
"""Similarities of all pairs of slots, or tables of all pairs of stages, are kept up to this many (512 MiB)."""


@dataclass
class World:
    """Nodes are the text, the groups, the stages and the nests (slots), numbered in this order.

    `swarmkit_ants.kernels.aca_data` documents the arrays that have no docstring here.
    """

    first_nest: int
    parent: Ints
    """The parent of each node; the text is its own."""
    child_ptr: Ints
    child: Ints
    stage_of: Ints
    energy: Floats
    pheromone: Floats
    odour: NDArray[np.int32]
    bridges: Ints
    bridge_pheromone: Floats
    traits: Ints
    carried: Floats
    living: int = 0
    """The number of living ants."""

    @property
    def total_energy(self) -> float:
        """The energy of all nodes and ants: it never changes."""
        return float(self.energy.sum() + self.carried[: self.living].sum())

    @property
    def nests(self) -> Floats:
        """The energy of the nests, one for each slot."""
        return self.energy[self.first_nest :]

    @property
    def graph(self) -> Graph:
        """The nodes, as the kernel reads them."""
        from swarmkit.kernels.compiling import read_only
        from swarmkit_ants.kernels.aca_data import Graph

        return read_only(Graph(self.parent, self.child_ptr, self.child, self.first_nest, self.stage_of))

    @property
    def environment(self) -> Environment:
        """What the ants find and leave on the graph, as the kernel changes it."""
        from swarmkit_ants.kernels.aca_data import Environment

        return Environment(self.energy, self.pheromone, self.odour, self.bridges, self.bridge_pheromone)

    @property
    def ants(self) -> Ants:
        """The ants, as the kernel changes them."""
        from swarmkit_ants.kernels.aca_data import Ants

        return Ants(self.traits, self.carried)


def new_world(problem: Problem, energy: float, odour_length: int, life: int) -> World:
    """Return a world before its first cycle: the same energy in every node, no odour, no pheromone, no ant.

    Args:
        problem: any problem; its groups become nodes between the text and the stages.
        energy: the energy of every node.
        odour_length: the length of a node's odour vector.
        life: the cycles that an ant lives: a nest makes at most one ant per cycle, so this bounds their number.
    """
    sizes = np.asarray(problem.sizes, np.int64)
    n, slots = len(sizes), int(sizes.sum())
    group_of = np.zeros(n, np.int64) if problem.groups is None else np.unique(problem.groups, return_inverse=True)[1]
    groups = int(group_of.max()) + 1
    stage_of = np.repeat(np.arange(n), sizes)
    parent = np.concatenate([np.zeros(1 + groups, np.int64), 1 + group_of, 1 + groups + stage_of])
    child = 1 + np.argsort(parent[1:], kind="stable")
    return World(
        first_nest=1 + groups + n,
        parent=parent,
        child_ptr=np.searchsorted(parent[child], np.arange(len(parent) + 1)),
        child=child,
        stage_of=stage_of,
        energy=np.full(len(parent), float(energy)),
        pheromone=np.zeros(len(parent)),
        odour=np.full((1 + groups + n, odour_length), -1, np.int32),
        bridges=np.full((slots, BRIDGES), -1),
        bridge_pheromone=np.zeros((slots, BRIDGES)),
        traits=np.zeros((slots * (life + 1), 4), np.int64),
        carried=np.zeros(slots * (life + 1)),
    )


def run_cycle(problem: Problem, world: World, behaviour: Behaviour, rng_state: RngState, odour: Odour = "nests") -> int:
    """Run one cycle of the world, in place, and return the looks."""
    from swarmkit_ants.kernels.aca import cycle
    from swarmkit_ants.kernels.aca_data import Options

    most = len(world.energy) + world.bridges.shape[1]
    options = Options(np.empty(most, np.int64), np.empty(most))
    alike = similarities(problem, odour)
    world.living, looks = cycle(
        world.graph, world.environment, world.ants, world.living, alike, behaviour, rng_state, options
    )
    return int(looks)


_SIMILARITIES: WeakKeyDictionary[Problem, dict[Odour, Similarities]] = WeakKeyDictionary()


def similarities(problem: Problem, odour: Odour = "nests") -> Similarities:
    """Return the similarities of slots: the problem's relatedness, or its tables scaled to [0, 1], or all alike.

    Args:
        problem: any problem.
        odour: `words` for the share of a slot's words that the other slot's description has too.
    """
    known = _SIMILARITIES.setdefault(problem, {})
    if odour not in known:
        known[odour] = _similarities(problem) if odour == "nests" else _shared_words(problem)
    return known[odour]


def _shared_words(problem: Problem) -> Similarities:
    """Return the similarities of slots by the words that describe them."""
    from swarmkit.kernels.compiling import read_only
    from swarmkit_ants.kernels.aca_data import Similarities

    described = problem.descriptions()
    assert described is not None  # noqa: S101  (refused otherwise)
    starts, words = (np.asarray(part, np.int64) for part in described)
    sizes, slots = np.asarray(problem.sizes, np.int64), len(starts) - 1
    has = np.zeros((slots, int(words.max(initial=0)) + 1), np.bool_)
    has[np.repeat(np.arange(slots), np.diff(starts)), words] = True
    counts = has.astype(np.float32)
    dense = np.asarray(counts @ counts.T / np.maximum(1.0, counts.sum(axis=1))[:, None], np.float64)
    stages = np.repeat(np.arange(len(sizes)), sizes), np.cumsum(sizes) - sizes, sizes
    return read_only(Similarities(*stages, np.empty((0, 0), np.int64), np.empty(0), dense, has, starts, words))


def _similarities(problem: Problem) -> Similarities:
    from swarmkit.kernels.compiling import read_only
    from swarmkit_ants.kernels.aca_data import Similarities

    sizes, form = np.asarray(problem.sizes, np.int64), problem.structure.pairwise
    slots = np.arange(int(sizes.sum()))
    stages = np.repeat(np.arange(len(sizes)), sizes), np.cumsum(sizes) - sizes, sizes
    table_of, flat, dense = np.empty((0, 0), np.int64), np.empty(0), np.empty((0, 0))
    if problem.overrides("relatedness") and len(slots) <= LARGEST:
        rows = (problem.relatedness(*map(np.ravel, np.meshgrid(part, slots, indexing="ij"))) for part in chunks(slots))
        dense = np.concatenate([np.asarray(part, np.float64).reshape(-1, len(slots)) for part in rows])
    elif form is not None and len(form.edges) and len(sizes) <= LARGEST:
        table_of, flat = np.full((len(sizes), len(sizes)), -1, np.int64), scaled(form)
        table_of[form.edges[:, 0], form.edges[:, 1]] = form.starts
    no_words = np.empty((0, 0), np.bool_), np.empty(0, np.int64), np.empty(0, np.int64)
    return read_only(Similarities(*stages, table_of, flat, dense, *no_words))


def chunks(slots: Ints) -> list[Ints]:
    """Split slots into pieces of CHUNK."""
    return np.split(slots, range(CHUNK, len(slots), CHUNK))


def scaled(form: Pairwise) -> Floats:
    """Return the tables scaled to [0, 1]; of the weights only the sign of their mean counts.

    >>> scaled(Pairwise.of([2, 2], [(0, 1, [[1.0, 3.0], [2.0, 3.0]], -2.0)])).tolist()
    [1.0, 0.0, 0.5, 0.0]
    """
    values = form.flat if form.weights.mean() >= 0 else -form.flat
    extent = np.ptp(values)
    return (values - values.min()) / extent if extent > 0 else np.ones(len(values))
