"""How many steps a run makes at once: those of its plan, as many as fit into a short time."""

from __future__ import annotations

from swarmkit.contract.solver import UNLIMITED

STEPS_SECONDS = 0.03
"""The time of the steps that are made at once: limits of seconds are kept, and Ctrl-C is heard in time."""

GROWTH = 8
"""At most this many times the steps of the last call: a step may take longer than the one before."""


class Pace:
    """The number of steps that fit into a short time, as measured in the last call."""

    def __init__(self) -> None:
        self.steps = 1

    def measure(self, steps: int, seconds: float) -> None:
        """Set the pace to that of some steps."""
        self.steps = max(1, min(int(steps * STEPS_SECONDS / max(seconds, 1e-7)), GROWTH * steps))


class Unpaced(Pace):
    """A pace that does not follow the clock: as many steps at once as the plan has."""

    def __init__(self) -> None:
        self.steps = UNLIMITED

    def measure(self, steps: int, seconds: float) -> None:
        """Leave the pace as it is."""
