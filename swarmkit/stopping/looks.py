"""A limit on looks, the unit of work that is fair across solvers."""

from swarmkit.stopping import Criterion


class Looks(Criterion):
    """Limit on looks (candidate values read)."""

    reserve = True
