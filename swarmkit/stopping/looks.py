"""A limit on looks, the unit of work that is fair across solvers."""

from __future__ import annotations

from typing import TYPE_CHECKING

from swarmkit.stopping import Criterion

if TYPE_CHECKING:
    from swarmkit.contract.progress import Progress


class Looks(Criterion):
    """Limit on looks (candidate values read)."""

    reserve = True

    def used(self, progress: Progress) -> float:
        """Return the looks so far."""
        return progress.looks
