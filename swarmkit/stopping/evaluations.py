"""A limit on evaluations, the fair unit where a problem has no tables."""

from swarmkit.stopping import Criterion


class Evaluations(Criterion):
    """Limit on evaluations (solutions passed to the score)."""

    reserve = True
