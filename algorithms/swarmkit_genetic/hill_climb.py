"""Hill climbing by first improvement, in random order: Goldman and Punch 2014, Figure 2."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.random import Generator

from swarmkit import Bools, Ints, Solutions


@dataclass
class HillClimb:
    """Which changes of a solution have been tried since it was last improved; plain data."""

    order: Ints
    """The changes in random order, numbers of slots: a stage takes a candidate."""
    at: int
    """The changes of the order that have been passed."""
    tried: Bools
    """Whether each slot has been tried, or is the solution's own."""

    @classmethod
    def of(cls, x: Solutions, first: Ints, slots: int, rng: Generator) -> HillClimb:
        """Return a climb of which nothing has been tried.

        Args:
            x: the solution.
            first: the first slot of each stage.
            slots: the number of slots.
            rng: orders the changes.
        """
        tried = np.zeros(slots, bool)
        tried[first + x] = True
        return cls(rng.permutation(slots), 0, tried)

    def next_slot(self, rng: Generator) -> int | None:
        """Return the next change that has not been tried, or None at a local optimum."""
        tried, order = self.tried, self.order
        while True:
            for at in range(self.at, len(order)):
                slot = int(order[at])
                if not tried[slot]:
                    self.at = at + 1
                    return slot
            if tried.all():
                return None
            self.order, self.at = rng.permutation(len(order)), 0
            order = self.order

    def put_back(self) -> None:
        """Let the change that was returned last be the next one."""
        self.at -= 1

    def record(self, slot: int, left: int, x: Solutions, first: Ints, improved: bool) -> None:
        """Note that a change was tried.

        Args:
            slot: the change.
            left: the slot that it left.
            x: the solution after it, or after its return.
            first: the first slot of each stage.
            improved: whether the change was an improvement: then all others may be, except the way back.
        """
        if improved:
            self.tried[:] = False
            self.tried[first + x] = True
            self.tried[left] = True
        else:
            self.tried[slot] = True
