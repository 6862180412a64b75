"""What ants on stages work on."""

from __future__ import annotations

from typing import NamedTuple

from numpy.random import Generator

from swarmkit import Floats, Ints, Problem, RngState

FAINTEST = 0.05
"""The least η as a share of the best candidate's: what is never chosen could never be reinforced."""


class Task(NamedTuple):
    """What stays the same in all iterations of a step."""

    problem: Problem
    offsets: Ints
    """The first slot of each stage, and after the last their number."""
    beta: float
    """The exponent of η, the candidate's appeal beside what is chosen."""
    scoring: bool
    """Whether solutions are scored; if not, the local search that follows does it."""
    rng: Generator
    """The run's generator, used where the problem is asked."""
    rng_state: RngState
    """The state of the kernel's generator, used elsewhere."""

    def slots_of(self, values: Floats, stage: int) -> Floats:
        """Return the values of a stage's candidates out of those of all slots."""
        return values[self.offsets[stage] : self.offsets[stage + 1]]
