"""A limit on the CPU time of the search: fair where a machine is shared."""

from __future__ import annotations

from typing import TYPE_CHECKING

from swarmkit.stopping import Criterion

if TYPE_CHECKING:
    from swarmkit.contract.progress import Progress


class CpuSeconds(Criterion):
    """Limit on CPU seconds, those of child processes included (while they run, on Linux only)."""

    number = float
    by_clock = True
    reserve = True
    rank = 2
    words = "its CPU seconds were spent"

    def used(self, progress: Progress) -> float:
        """Return the CPU seconds since the start, of this process and of those that it has started."""
        return progress.cpu_seconds
