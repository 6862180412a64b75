"""A limit on iterations, as papers give them; of each part where a problem has parts."""

from swarmkit.stopping import Criterion


class Iterations(Criterion):
    """Limit on iterations of the solver."""
