"""A limit on evaluations, the fair unit where a problem has no tables."""

from __future__ import annotations

from typing import TYPE_CHECKING

from swarmkit.stopping import Criterion

if TYPE_CHECKING:
    from swarmkit.contract.progress import Progress


class Evaluations(Criterion):
    """Limit on evaluations (solutions passed to the score)."""

    reserve = True

    def used(self, progress: Progress) -> float:
        """Return the evaluations since the start."""
        return progress.evaluations
