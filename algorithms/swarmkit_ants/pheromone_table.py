"""What ants on a tour choose by: the pheromone and the heuristic values of the edges to each city's nearest."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from swarmkit import Floats, Near

Weights = NDArray[np.float32]
"""Weights of edges: single precision halves the memory that the hottest loop of the walks reads."""


class PheromoneTable(NamedTuple):
    """A row for each city, a column for each of its nearest neighbours."""

    near: Near
    """The nearest neighbours of each city."""
    pheromone: Floats
    """τ of the edge to each of them."""
    heuristic: Floats
    """η^β of the edge to each of them."""
    weights: Weights
    """τ^alpha·η^β, to which an ant's probabilities are proportional."""

    @classmethod
    def of(cls, near: Near, pheromone: Floats, heuristic: Floats) -> PheromoneTable:
        """Return a table on the given arrays whose weights are still to be computed."""
        return cls(near, pheromone, heuristic, np.empty(pheromone.shape, np.float32))
