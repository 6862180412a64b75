"""What every way of building tours has in common."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import ClassVar, NamedTuple

from swarmkit import Floats, Ints, RngState
from swarmkit_ants.pheromone_table import PheromoneTable


class BuiltTours(NamedTuple):
    """Tours (rows of cities), their lengths, and the looks; valid until the next iteration overwrites them."""

    tours: Ints
    lengths: Floats
    looks: int


class Construction(ABC):
    """A way in which the ants of an iteration build tours."""

    rho: ClassVar[float] = 0.05
    """The share of pheromone that evaporates with each update, unless the user says otherwise; ours."""

    improves: bool = False
    """Whether the tours built are improved by 2-opt already."""

    @abstractmethod
    def build(self, table: PheromoneTable, source: Ints, rng_state: RngState) -> BuiltTours:
        """Let the ants of one iteration build tours and return the tours to judge: of each ant, or only the best.

        Args:
            table: what the ants choose by; changed in place by ants that update it as they walk.
            source: the tour that ants change; overwritten with the one that the next iteration's ants change.
            rng_state: the state of the generator.
        """
