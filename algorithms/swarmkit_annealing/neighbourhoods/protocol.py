"""What annealing asks of a neighbourhood, and the temperatures that suit it."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple, Protocol

import numpy as np
from numpy.random import Generator

from swarmkit import GRAIN, Floats, Ints, Left, Solutions
from swarmkit_annealing.adaptive_schedule import Cycle
from swarmkit_annealing.schedule import Annealed

Temperatures = Callable[[int], Floats]
"""Returns the temperatures of the next sweeps, as many as it is asked for."""


class Scale(NamedTuple):
    """The neighbourhood's own start and end temperature on a problem, and the looks it took to measure them."""

    hot: float
    cold: float
    looks: int


class Finished(NamedTuple):
    """The work at the end of a cooling, or a part of it."""

    looks: int
    complete: bool
    """Whether nothing is left to do before the next cooling."""


class Neighbourhood(Protocol):
    """A solution, or several, changed by random moves."""

    @property
    def found(self) -> tuple[Solutions, float]:
        """The best solution met, and its score."""

    def anneal(self, temperatures: Temperatures, progress: Ints, left: Left, until_frozen: bool = True) -> Annealed:
        """Propose moves until the step pauses and accept or reject them at the temperature of their sweep.

        Args:
            temperatures: the schedule, beginning with the sweep that is under way.
            progress: the proposals made in that sweep and how many changed the score; updated.
            left: where to pause.
            until_frozen: whether to stop after a sweep that changed nothing.
        """


class AdaptiveNeighbourhood(Neighbourhood, Protocol):
    """A neighbourhood for the adaptive schedule: it makes the sweeps of a cycle, and ends coolings."""

    @property
    def negligible(self) -> float:
        """The change of the score up to which nothing counts as changed."""

    def cool(self, cycle: Cycle, progress: Ints, left: Left) -> Annealed:
        """Go on with the cooling of the cycle until it ends or the step pauses.

        Args:
            cycle: the cycle, which observes the sweeps.
            progress: the proposals made in the sweep under way and how many changed the score; updated.
            left: where to pause.
        """

    def finish(self, cycle: Cycle, left: Left) -> Finished:
        """End a cooling, or go on with that: improve the incumbent with what was found, and make it current."""

    def choose_block(self, cycle: Cycle, rng: Generator) -> bool:
        """Choose the block that the cycle reheats next; False if the next cycle should begin instead."""


def no_progress() -> Ints:
    """Return the progress of a sweep that has not begun."""
    return np.zeros(2, np.int64)


def proposals_within(left: Left, looks: int, sweep: int, progress: Ints) -> int:
    """Return the number of proposals to make before the step pauses, at least 1.

    Args:
        left: where to pause.
        looks: the most looks of a proposal.
        sweep: the proposals in a sweep, which is one iteration.
        progress: the proposals made in the sweep under way, first of all.

    >>> proposals_within(Left(looks=100), 2, 30, no_progress())
    50
    >>> proposals_within(Left(looks=100, iterations=1), 2, 30, np.array([12, 0]))
    18
    """
    return max(1, min(min(left.looks, GRAIN) // looks, left.iterations * sweep - int(progress[0])))
