"""A limit on iterations without an improvement; of each part where a problem has parts."""

from __future__ import annotations

from typing import TYPE_CHECKING

from swarmkit.stopping import Criterion

if TYPE_CHECKING:
    from swarmkit.contract.progress import Progress


class Patience(Criterion):
    """Limit on iterations without improvement."""

    grows = False
    rank = 3
    words = "patience ran out"

    def used(self, progress: Progress) -> float:
        """Return the iterations since the last improvement."""
        return progress.iterations - progress.improved_at
