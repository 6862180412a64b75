"""ACA's world: what its ants see of a problem, what they leave there, and how they behave.

Named tuples, which the kernel takes as they are.
"""

from __future__ import annotations

from typing import Any, Literal, NamedTuple
from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import NDArray

from swarmkit import Floats, Ints, Pairwise, Problem, descriptions_of

Odour = Literal["nests", "words"]
"""What a nest smells of: the nest itself, or the words of its description."""

CHUNK = 64
"""Slots whose similarities to all others are asked for together."""

LARGEST = 8192
"""Similarities of all pairs of slots, or tables of all pairs of stages, are kept up to this many (512 MiB)."""


class Terrain(NamedTuple):
    """What ants see of a problem: the graph text - groups - stages - nests, and the similarity of any two nests.

    Nodes are numbered text, groups, stages, nests; every one but the text has one edge up, to its parent. A nest is a
    slot: similarities are in the table of their stages, or in the matrix of all slots.
    """

    parent: Ints
    child_ptr: Ints
    child: Ints
    """The children of node i are `child[child_ptr[i]:child_ptr[i + 1]]`."""
    first_nest: int
    stage_of: Ints
    """The stage of each nest."""
    offsets: Ints
    sizes: Ints
    table_of: Ints = np.empty((0, 0), np.int64)
    """For two stages, where their table begins in `flat`, -1 if they are not linked; empty if there are no tables."""
    flat: Floats = np.empty(0)
    dense: Floats = np.empty((0, 0))
    """The similarities of all pairs of slots; empty if they are not kept."""
    has: NDArray[np.bool_] = np.empty((0, 0), np.bool_)
    """Whether each slot's description has each word; empty where the odour of a nest is the nest itself."""
    word_ptr: Ints = np.empty(0, np.int64)
    word: Ints = np.empty(0, np.int64)
    """The words of slot i are `word[word_ptr[i]:word_ptr[i + 1]]`."""


class World(NamedTuple):
    """What the ants find and leave on the nodes of a `Terrain`, and the ants, living ones first.

    The pheromone of an edge is kept with the lower node. A nest's bridges to other nests are a row of fixed length.
    """

    stage_of: Ints
    """The stage of each nest."""
    energy: Floats
    """Of each node."""
    pheromone: Floats
    """Of each node's edge up."""
    odour: NDArray[np.int32]
    """For each node that is no nest, a vector of nests, or of words where these are the odour; -1 for none."""
    bridges: Ints
    """For each nest, the nests its bridges lead to, -1 for none."""
    bridge_pheromone: Floats
    traits: Ints
    """A row for each ant: its nest, the node where it is, its age, and whether it is returning."""
    load: Floats
    """The energy each ant carries."""
    living: Ints
    """The number of living ants."""

    @property
    def nests(self) -> Floats:
        """The energy of the nests, one for each slot: of all nodes but those that have an odour vector."""
        return self.energy[len(self.odour) :]


class Behaviour(NamedTuple):
    """The parameters of the ants; energies, shares and pheromone as in `Aca.Params`."""

    energy_taken: float
    energy_carried: float
    evaporation: float
    life: int
    odour_left: float
    pheromone: float


_TERRAINS: WeakKeyDictionary[Problem, dict[Odour, Terrain]] = WeakKeyDictionary()


def terrain_of(problem: Problem, odour: Odour = "nests") -> Terrain:
    """Return the graph of a problem, and similarities: its relatedness, its tables scaled to [0, 1], or all alike.

    Args:
        problem: any problem; its groups lie between the text and the stages.
        odour: `words` for the share of a slot's words that the other slot's description has too.
    """
    from swarmkit.kernels.compiling import read_only

    terrains = _TERRAINS.setdefault(problem, {})
    if odour not in terrains:
        similarities = relatedness(problem) if odour == "nests" else shared_words(problem)
        terrains[odour] = read_only(graph_of(problem)._replace(**similarities))
    return terrains[odour]


def graph_of(problem: Problem) -> Terrain:
    """Return the graph of a problem, without similarities."""
    sizes, groups = np.asarray(problem.sizes, np.int64), problem.groups
    n = len(sizes)
    group_of = np.zeros(n, np.int64) if groups is None else np.unique(groups, return_inverse=True)[1]
    first_stage, stage_of = 2 + int(group_of.max()), np.repeat(np.arange(n), sizes)
    parent = np.concatenate([np.zeros(first_stage, np.int64), 1 + group_of, first_stage + stage_of])
    child = 1 + np.argsort(parent[1:], kind="stable")  # node 0, the text, has no parent
    child_ptr = np.searchsorted(parent[child], np.arange(len(parent) + 1))
    return Terrain(parent, child_ptr, child, first_stage + n, stage_of, np.cumsum(sizes) - sizes, sizes)


def shared_words(problem: Problem) -> dict[str, Any]:
    """Return the fields of a terrain that are the similarities of slots by the words that describe them."""
    descriptions = descriptions_of(problem)
    assert descriptions is not None  # noqa: S101  (refused otherwise)
    starts, words = (np.asarray(part, np.int64) for part in descriptions)
    slots = len(starts) - 1
    has = np.zeros((slots, int(words.max(initial=0)) + 1), np.bool_)
    has[np.repeat(np.arange(slots), np.diff(starts)), words] = True
    counts = has.astype(np.float32)
    dense = np.asarray(counts @ counts.T / np.maximum(1.0, counts.sum(axis=1))[:, None], np.float64)
    return {"dense": dense, "has": has, "word_ptr": starts, "word": words}


def relatedness(problem: Problem) -> dict[str, Any]:
    """Return the fields of a terrain that are the similarities of slots by the problem's relatedness or its tables."""
    n, form, slots = len(problem.sizes), problem.structure.pairwise, np.arange(int(np.sum(problem.sizes)))
    if problem.overrides("relatedness") and len(slots) <= LARGEST:
        parts = np.split(slots, range(CHUNK, len(slots), CHUNK))
        rows = (problem.relatedness(*map(np.ravel, np.meshgrid(part, slots, indexing="ij"))) for part in parts)
        return {"dense": np.concatenate([np.asarray(part, np.float64).reshape(-1, len(slots)) for part in rows])}
    if form is None or len(form.edges) == 0 or n > LARGEST:
        return {}
    table_of = np.full((n, n), -1, np.int64)
    table_of[form.edges[:, 0], form.edges[:, 1]] = form.starts
    return {"table_of": table_of, "flat": scale_tables(form)}


def scale_tables(form: Pairwise) -> Floats:
    """Return the tables scaled to [0, 1]; of the weights only the sign of their mean counts.

    >>> scale_tables(Pairwise.of([2, 2], [(0, 1, [[1.0, 3.0], [2.0, 3.0]], -2.0)])).tolist()
    [1.0, 0.0, 0.5, 0.0]
    """
    values = form.flat if form.weights.mean() >= 0 else -form.flat
    extent = np.ptp(values)
    return (values - values.min()) / extent if extent > 0 else np.ones(len(values))
