"""The array types of the contract."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
"""Scores, values, gains."""

Ints = NDArray[np.int64]
"""Indices, sizes, candidate numbers."""

Bools = NDArray[np.bool_]
"""Marks."""

Solutions = NDArray[np.int64]
"""One candidate per stage: a row of n numbers, or a batch of k such rows."""

Near = NDArray[np.int32]
"""The nearest neighbours of each city, a row per city, nearest first."""

RngState = NDArray[np.uint64]
"""The state of the random generator of compiled kernels: four 64-bit integers, kept in a solver's state."""
