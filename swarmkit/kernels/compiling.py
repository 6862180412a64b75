"""How kernels of this package are compiled, and the types they take."""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import njit, types
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

BOOL, FLOAT, INT = types.boolean, types.float64, types.int64
FLOATS, INTS, WORDS = FLOAT[::1], INT[::1], types.uint64[::1]
INT_ROWS = INT[:, ::1]
# Read-only, because that is what arrays are that come to another process as a memory map; writable ones are taken too.
GIVEN_FLOATS = types.Array(FLOAT, 1, "C", readonly=True)
GIVEN_INTS = types.Array(INT, 1, "C", readonly=True)
GIVEN_INT_ROWS = types.Array(INT, 2, "C", readonly=True)
GIVEN_FLOAT_ROWS = COST = types.Array(FLOAT, 2, "C", readonly=True)
"""What ways cost, a row for each city."""
NEAR = types.int32[:, ::1]
"""The nearest of each city."""
LINKS = (GIVEN_INTS, GIVEN_INTS, GIVEN_INT_ROWS, GIVEN_FLOATS, GIVEN_FLOATS)
"""The five arrays of `swarmkit.pairwise.Links`."""


def kernel(signature: Any, inline: bool = False) -> Any:
    """Compile for one signature, cached on disk; such a function cannot make arrays.

    Without `_nrt=False` numba counts references whenever one kernel hands an array to another: ten times the work of a
    rejected move.
    """
    options: dict[str, Any] = {"cache": True, "error_model": "numpy", "forceinline": inline, "_nrt": False}
    return njit(signature, **options)


@kernel(types.void(INTS, INTS))
def copy(source: Ints, target: Ints) -> None:
    """Copy a row (an assignment of slices would make a temporary array)."""
    for i in range(len(source)):
        target[i] = source[i]
