"""What every way of building tours has in common."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import ClassVar, Generic, NamedTuple, TypeVar

from swarmkit import Floats, Ints, RngState
from swarmkit_ants.pheromone_table import PheromoneTable


@dataclass(kw_only=True)
class Iteration(ABC):
    """An iteration that may pause between two ants: plain data, part of the colony's state."""

    ants: int = 0
    """The ants that have built their tours."""

    @property
    @abstractmethod
    def shortest(self) -> float:
        """The length of the shortest tour so far, give or take a rounding error; inf if it need not be recorded."""


Underway = TypeVar("Underway", bound=Iteration)
"""The iteration of a construction."""


class BuiltTours(NamedTuple):
    """Tours (rows of cities) and their lengths; valid until the next ant overwrites them."""

    tours: Ints
    lengths: Floats

    @property
    def best(self) -> int:
        """The number of the shortest tour."""
        return int(self.lengths.argmin())


class Pause(NamedTuple):
    """Where ants pause: as soon as either is reached."""

    looks: int
    """Looks used."""
    length: float
    """A tour shorter than this: one to be recorded before other ants go on."""


class Construction(ABC, Generic[Underway]):
    """A way in which the ants of an iteration build tours, one after another."""

    rho: ClassVar[float] = 0.05
    """The share of pheromone that evaporates with each update, unless the user says otherwise; ours."""

    improves: bool = False
    """Whether the tours built are improved by 2-opt already."""

    ants: int
    """The ants of an iteration."""

    @abstractmethod
    def new_iteration(self) -> Underway:
        """Return the memory of an iteration, before its first ant; all iterations of a run use the same."""

    @abstractmethod
    def build(self, table: PheromoneTable, source: Ints, iteration: Underway, rng_state: RngState, pause: Pause) -> int:
        """Let the next ants build tours, one at least, and return the looks.

        Args:
            table: what the ants choose by; changed in place by ants that update it as they walk.
            source: the tour that ants change.
            iteration: what the ants before have built.
            rng_state: the state of the generator.
            pause: where the ants pause.
        """

    @abstractmethod
    def built(self, iteration: Underway) -> BuiltTours:
        """Return the tours to judge: that of each ant so far, or only the best.

        Call it when all ants are back, or when they have paused after a tour that is to be recorded.
        """

    def end(self, source: Ints, iteration: Underway, built: BuiltTours) -> None:
        """End an iteration.

        Args:
            source: the tour that ants changed; overwritten with the one that the next iteration's ants change.
            iteration: made ready for the next one.
            built: the tours of this one.
        """
        iteration.ants = 0
