"""The world of ACA's ants on any problem: a graph text - groups - stages - nests, with energy, pheromone and odours."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple
from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import NDArray

from swarmkit.pairwise import Floats, Ints, Pairwise
from swarmkit.problem import Problem

BRIDGES = 32
"""The most bridges a nest has; a new one takes the place of the weakest."""

LARGEST = 8192
"""Similarities of all pairs of slots are kept up to this many slots, and tables of all pairs of stages."""


@dataclass
class World:
    """Nodes are the text, the groups, the stages, and from `first` on the nests; each but the text has a parent."""

    first: int
    parent: Ints
    child_ptr: Ints
    child: Ints
    stage_of: Ints
    energy: Floats
    pheromone: Floats
    odour: NDArray[np.int32]
    bridges: Ints
    crossed: Floats
    ants: Ints
    carried: Floats
    living: int = 0

    @property
    def total_energy(self) -> float:
        """The energy of all nodes and ants: it never changes."""
        return float(self.energy.sum() + self.carried[: self.living].sum())

    @property
    def nests(self) -> Floats:
        """The energy of the nests, one a slot."""
        return self.energy[self.first :]


class Habits(NamedTuple):
    """How ants live: energy taken, most carried, evaporation, life in cycles, share of odour and pheromone left."""

    taken: float
    carried: float
    evaporation: float
    life: int
    odour: float
    pheromone: float


class Kinship(NamedTuple):
    """Where the similarity of two slots stands: in the table of their stages, or in the matrix of all slots."""

    table_of: Ints
    flat: Floats
    dense: Floats


_kinships: WeakKeyDictionary[Problem, Kinship] = WeakKeyDictionary()


def found_world(problem: Problem, energy: float, odour: int, life: int) -> World:
    """Make the world on its first day: the same energy in every node, no odour, no pheromone, no ant."""
    sizes = np.asarray(problem.sizes, np.int64)
    n, slots = len(sizes), int(sizes.sum())
    groups = np.zeros(n, np.int64) if problem.groups is None else np.unique(problem.groups, return_inverse=True)[1]
    many = int(groups.max()) + 1
    stage_of = np.repeat(np.arange(n), sizes)
    parent = np.concatenate([np.zeros(1 + many, np.int64), 1 + groups, 1 + many + stage_of])
    child = 1 + np.argsort(parent[1:], kind="stable")
    child_ptr = np.searchsorted(parent[child], np.arange(len(parent) + 1))
    return World(
        first=1 + many + n,
        parent=parent,
        child_ptr=child_ptr,
        child=child,
        stage_of=stage_of,
        energy=np.full(len(parent), float(energy)),
        pheromone=np.zeros(len(parent)),
        odour=np.full((1 + many + n, odour), -1, np.int32),
        bridges=np.full((slots, BRIDGES), -1),
        crossed=np.zeros((slots, BRIDGES)),
        ants=np.zeros((slots * (life + 1), 4), np.int64),
        carried=np.zeros(slots * (life + 1)),
    )


def live(problem: Problem, world: World, habits: Habits, words: NDArray[np.uint64]) -> int:
    """Let the world live through one cycle, in place; give the looks."""
    from swarmkit.kernels.nests import cycle

    sizes = np.asarray(problem.sizes, np.int64)
    looks = np.zeros(1, np.int64)
    world.living = cycle(
        world.parent,
        world.child_ptr,
        world.child,
        world.first,
        world.energy,
        world.pheromone,
        world.odour,
        world.bridges,
        world.crossed,
        world.ants,
        world.carried,
        world.living,
        np.array(habits, np.float64),
        words,
        world.stage_of,
        np.cumsum(sizes) - sizes,
        sizes,
        *kinship(problem),
        looks,
    )
    return int(looks[0])


def kinship(problem: Problem) -> Kinship:
    """Give the similarities: the problem's relatedness, or its tables scaled to [0, 1], or none (all slots alike)."""
    if problem not in _kinships:
        _kinships[problem] = _kinship(problem)
    return _kinships[problem]


def _kinship(problem: Problem) -> Kinship:
    slots, form = int(np.sum(problem.sizes)), problem.pairwise()
    no_tables, none = np.empty((0, 0), np.int64), np.empty((0, 0))
    if problem.overrides("relatedness") and slots <= LARGEST:
        every = np.arange(slots)
        dense = [np.asarray(problem.relatedness(np.full(slots, a), every), np.float64) for a in range(slots)]
        return Kinship(no_tables, np.empty(0), np.ascontiguousarray(dense))
    if form is None or len(form.edges) == 0 or len(form.sizes) > LARGEST:
        return Kinship(no_tables, np.empty(0), none)
    table_of = np.full((len(form.sizes), len(form.sizes)), -1, np.int64)
    table_of[form.edges[:, 0], form.edges[:, 1]] = form.starts
    return Kinship(table_of, _scaled(form), none)


def _scaled(form: Pairwise) -> Floats:
    """Scale the tables to [0, 1]; weights only say which end is good."""
    values = form.flat if form.weights.mean() >= 0 else -form.flat
    spread = np.ptp(values)
    return (values - values.min()) / spread if spread > 0 else np.ones(len(values))
