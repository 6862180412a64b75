"""A limit on the time of the search."""

from __future__ import annotations

from typing import TYPE_CHECKING

from swarmkit.stopping import Criterion

if TYPE_CHECKING:
    from swarmkit.contract.progress import Progress


class Seconds(Criterion):
    """Limit on seconds, by the clock on the wall, from the start of the search."""

    number = float
    by_clock = True
    reserve = True
    rank = 2

    def used(self, progress: Progress) -> float:
        """Return the seconds since the start."""
        return progress.seconds
