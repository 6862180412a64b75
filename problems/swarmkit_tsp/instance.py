"""Cities and the distances between them."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

LARGEST = 10_000
"""So many cities at most: the table of distances is then 800 MB, and solvers need about as much again."""


class Instance(NamedTuple):
    """What is known of the cities: what it costs from each to each, and where they are drawn."""

    name: str
    kind: str
    """The EDGE_WEIGHT_TYPE."""
    table: Floats
    points: Floats | None = None
    labels: tuple[str, ...] = ()
    """Names of the cities; without them they are numbered from 1."""
    optimum: float | None = None
