"""A limit on the CPU time of the search: fair where a machine is shared."""

from swarmkit.stopping import Criterion


class CpuSeconds(Criterion):
    """Limit on CPU seconds, those of child processes included (while they run, on Linux only)."""

    number = float
    by_clock = True
    reserve = True
    rank = 2
    words = "its CPU seconds were spent"
