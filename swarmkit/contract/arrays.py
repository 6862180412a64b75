"""The array types of the contract, and numbers within bounds: what is read from a file is checked by these types."""

from __future__ import annotations

from typing import Annotated

import numpy as np
from annotated_types import Interval
from numpy.typing import NDArray

Count = Annotated[int, Interval(ge=0, lt=2**63)]
"""A number of looks, rows, steps or the like: compiled code counts with 64 bits."""

Duration = Annotated[float, Interval(ge=0.0, lt=2.0**63)]
"""Seconds."""

Finite = Annotated[float, Interval(gt=-np.inf, lt=np.inf)]
"""A score; neither infinite nor NaN."""

UpperBound = Annotated[float, Interval(ge=-np.inf)]
"""An upper bound on scores, infinite where nothing is proved; not NaN."""

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
