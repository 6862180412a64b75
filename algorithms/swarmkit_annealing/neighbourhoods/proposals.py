"""The adaptive schedule on neighbourhoods of single proposals, whose sweeps may be interrupted anywhere."""

from __future__ import annotations

from functools import partial
from typing import Protocol

from swarmkit import Ints, Left
from swarmkit_annealing.adaptive_schedule import Cycle, observe, temperatures
from swarmkit_annealing.neighbourhoods.protocol import Neighbourhood
from swarmkit_annealing.schedule import Annealed


class Proposing(Neighbourhood, Protocol):
    """A neighbourhood with a fixed number of proposals in a sweep."""

    @property
    def sweep(self) -> int:
        """The proposals in a sweep."""


def cool_by_proposals(neighbourhood: Proposing, cycle: Cycle, progress: Ints, left: Left) -> Annealed:
    """Propose moves at the temperatures of a cycle until it ends or the step pauses; the cycle observes whole sweeps.

    Args:
        neighbourhood: what is annealed.
        cycle: the cycle.
        progress: the proposals made in the sweep under way and how many changed the score; updated.
        left: where to pause.
    """
    room = left._replace(iterations=min(left.iterations, cycle.length - cycle.done))
    sweeps = neighbourhood.anneal(partial(temperatures, cycle), progress, room, until_frozen=False)
    if sweeps.sweeps:
        observe(cycle, temperatures(cycle, sweeps.sweeps), sweeps)
    return sweeps
