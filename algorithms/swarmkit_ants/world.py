"""The world of ACA and how its ants behave: named tuples that the kernel takes as they are."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from swarmkit import Floats, Ints


class World(NamedTuple):
    """What the ants find and leave on the nodes of a `Graph`, and the ants, living ones first; as the kernel takes it.

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
    carried: Floats
    """The energy each ant carries."""
    living: Ints
    """The number of living ants."""

    @property
    def total_energy(self) -> float:
        """The energy of all nodes and ants: it never changes."""
        return float(self.energy.sum() + self.carried[: self.living[0]].sum())

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
