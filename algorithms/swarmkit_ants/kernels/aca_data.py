"""What a cycle of ACA's world reads and changes, as named tuples.

Nodes are numbered text, groups, stages, nests. Every node but the text has one edge up, to its parent; the edge's
pheromone is kept with the lower node. A nest's bridges to other nests are a row of fixed length.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numba import types
from numpy.typing import NDArray

from swarmkit import Floats, Ints
from swarmkit.kernels.compiling import (
    FLOAT,
    FLOAT_ROWS,
    FLOATS,
    GIVEN_FLOAT_ROWS,
    GIVEN_FLOATS,
    GIVEN_INT_ROWS,
    GIVEN_INTS,
    INT,
    INT_ROWS,
    INTS,
)


class Graph(NamedTuple):
    """The nodes of the world."""

    parent: Ints
    child_ptr: Ints
    child: Ints
    """The children of node i are `child[child_ptr[i]:child_ptr[i + 1]]`."""
    first_nest: int
    stage_of: Ints
    """The stage of each nest."""


class World(NamedTuple):
    """What changes: what the ants find and leave on the graph, and the ants, living ones first."""

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
    carried: Floats
    """The energy each ant carries."""


class Similarities(NamedTuple):
    """The similarity of any two slots: in the table of their stages, or in the matrix of all slots."""

    stage_of: Ints
    offsets: Ints
    sizes: Ints
    table_of: Ints
    """For two stages, where their table begins in `flat`, -1 if they are not linked; empty if there are no tables."""
    flat: Floats
    dense: Floats
    """The similarities of all pairs of slots; empty if they are not kept."""
    has: NDArray[np.bool_]
    """Whether each slot's description has each word; empty where the odour of a nest is the nest itself."""
    word_ptr: Ints
    word: Ints
    """The words of slot i are `word[word_ptr[i]:word_ptr[i + 1]]`."""


class Behaviour(NamedTuple):
    """The parameters of the ants; energies, shares and pheromone as in `Aca.Params`."""

    energy_taken: float
    energy_carried: float
    evaporation: float
    life: int
    odour_left: float
    pheromone: float


class Options(NamedTuple):
    """Scratch memory: the nodes that an ant can go to, and the weight of each."""

    nodes: Ints
    weights: Floats


GRAPH = types.NamedTuple((GIVEN_INTS, GIVEN_INTS, GIVEN_INTS, INT, GIVEN_INTS), Graph)
ODOURS = types.int32[:, ::1]
WORLD = types.NamedTuple((FLOATS, FLOATS, ODOURS, INT_ROWS, FLOAT_ROWS, INT_ROWS, FLOATS), World)
SIMILARITIES = types.NamedTuple(
    (
        GIVEN_INTS,
        GIVEN_INTS,
        GIVEN_INTS,
        GIVEN_INT_ROWS,
        GIVEN_FLOATS,
        GIVEN_FLOAT_ROWS,
        types.Array(types.boolean, 2, "C", readonly=True),
        GIVEN_INTS,
        GIVEN_INTS,
    ),
    Similarities,
)
BEHAVIOUR = types.NamedTuple((FLOAT, FLOAT, FLOAT, INT, FLOAT, FLOAT), Behaviour)
OPTIONS = types.NamedTuple((INTS, FLOATS), Options)
