"""What annealing asks of a neighbourhood, and the temperatures that suit it."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple, Protocol

import numpy as np
from numpy.random import Generator

from swarmkit import Floats, Ints, Solutions
from swarmkit_annealing.adaptive_schedule import Cycle
from swarmkit_annealing.schedule import Annealed

Temperatures = Callable[[int], Floats]
"""Returns the temperatures of the next sweeps, as many as it is asked for."""


class Scale(NamedTuple):
    """The neighbourhood's own start and end temperature on a problem, and the looks it took to measure them."""

    hot: float
    cold: float
    looks: int


class Neighbourhood(Protocol):
    """A solution, or several, changed by random moves."""

    @property
    def found(self) -> tuple[Solutions, float]:
        """The best solution met, and its score."""

    def anneal(self, temperatures: Temperatures, progress: Ints, until_frozen: bool = True) -> Annealed:
        """Propose moves for about one grain of looks and accept or reject them at the temperature of their sweep.

        Args:
            temperatures: the schedule, beginning with the sweep that is under way.
            progress: the proposals made in that sweep and how many changed the score; updated.
            until_frozen: whether to stop after a sweep that changed nothing.
        """


class AdaptiveNeighbourhood(Neighbourhood, Protocol):
    """A neighbourhood for the adaptive schedule: it makes whole sweeps of a cycle, and ends coolings."""

    @property
    def negligible(self) -> float:
        """The change of the score up to which nothing counts as changed."""

    def looks_per_sweep(self, cycle: Cycle) -> int:
        """Return the most looks that a sweep of the cycle costs: of its block if there is one, else of all stages."""

    def cool(self, cycle: Cycle, temperatures: Floats) -> Annealed:
        """Make whole sweeps of the cycle, one at each temperature."""

    def finish(self, cycle: Cycle) -> int:
        """End a cooling: improve the incumbent with what it has found, make it current, and return the looks."""

    def choose_block(self, cycle: Cycle, rng: Generator) -> bool:
        """Choose the block that the cycle reheats next; False if the next cycle should begin instead."""


def no_progress() -> Ints:
    """Return the progress of a sweep that has not begun."""
    return np.zeros(2, np.int64)
