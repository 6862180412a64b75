"""Score many solutions at once, edge by edge: a table is read for all of them while it is near."""

from __future__ import annotations

import numpy as np
from numba import types

from swarmkit.kernels.compiling import FLOATS, GIVEN_FLOATS, GIVEN_INT_ROWS, GIVEN_INTS, Floats, Ints, kernel


@kernel(
    types.void(
        *(GIVEN_INTS,) * 2, GIVEN_FLOATS, *(GIVEN_INT_ROWS, GIVEN_INTS), *(GIVEN_FLOATS,) * 2, GIVEN_INT_ROWS, FLOATS
    )
)
def score(
    sizes: Ints,
    offsets: Ints,
    unary: Floats,
    edges: Ints,
    starts: Ints,
    weights: Floats,
    flat: Floats,
    columns: Ints,
    totals: Floats,
) -> None:
    """Score the solutions that are the columns of a block."""
    count = np.uint64(len(totals))
    for k in range(count):
        totals[k] = 0.0
    for i in range(len(sizes)):
        values, at = unary[offsets[i] : offsets[i + 1]], columns[i]
        for k in range(count):
            totals[k] += values[np.uint64(at[k])]
    for e in range(len(edges)):
        i, j = edges[e, 0], edges[e, 1]
        width, weight = np.uint64(sizes[j]), weights[e]
        table = flat[starts[e] : starts[e] + sizes[i] * sizes[j]]
        at, there = columns[i], columns[j]
        for k in range(count):
            totals[k] += weight * table[np.uint64(at[k]) * width + np.uint64(there[k])]
