"""The types of arrays that the contract speaks of."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Bools = NDArray[np.bool_]

Solutions = NDArray[np.int64]
"""One candidate per stage: a row of n numbers, or a batch of k such rows."""

Near = NDArray[np.int32]
"""The nearest neighbours of each city, a row per city, nearest first."""

RngState = NDArray[np.uint64]
"""The state of the generator that compiled kernels draw from: four words, kept in a solver's State."""
