"""A limit on the time of the search."""

from swarmkit.stopping import Criterion


class Seconds(Criterion):
    """Limit on seconds, by the clock on the wall, from the start of the search."""

    number = float
    by_clock = True
    reserve = True
    rank = 2
