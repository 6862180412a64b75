"""A score that is good enough."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from swarmkit.stopping import Criterion

if TYPE_CHECKING:
    from swarmkit.contract.progress import Progress


class Target(Criterion):
    """Stop at this score (of a problem with costs: at this cost)."""

    number = float
    positive = False
    certain = False
    grows = False
    rank = 0
    words = "the target was reached"

    def used(self, progress: Progress) -> float:
        """Return the best score."""
        return -math.inf if progress.score is None else progress.score
