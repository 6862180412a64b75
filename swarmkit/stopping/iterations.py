"""A limit on iterations, as papers give them; of each part where a problem has parts."""

from __future__ import annotations

from typing import TYPE_CHECKING

from swarmkit.stopping import Criterion

if TYPE_CHECKING:
    from swarmkit.contract.progress import Progress


class Iterations(Criterion):
    """Limit on iterations of the solver."""

    def used(self, progress: Progress) -> float:
        """Return the iterations so far."""
        return progress.iterations
