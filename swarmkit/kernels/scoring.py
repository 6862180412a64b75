"""Scores of many solutions at once."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numba import types

from swarmkit.contract.arrays import Floats, Ints
from swarmkit.kernels.compiling import FLOAT, FLOATS, READONLY_FLOATS, READONLY_INT_ROWS, READONLY_INTS, kernel


class Tables(NamedTuple):
    """The arrays of a `Pairwise`."""

    sizes: Ints
    offsets: Ints
    unary: Floats
    edges: Ints
    starts: Ints
    weights: Floats
    flat: Floats


TABLES = types.NamedTuple(
    (READONLY_INTS, READONLY_INTS, READONLY_FLOATS, READONLY_INT_ROWS, READONLY_INTS, READONLY_FLOATS, READONLY_FLOATS),
    Tables,
)


@kernel(types.void(TABLES, READONLY_INT_ROWS, FLOATS))
def score(tables: Any, columns: Ints, totals: Floats) -> None:
    """Write the scores of the solutions that are the columns of a block to `totals`."""
    sizes, offsets, starts = tables.sizes, tables.offsets, tables.starts
    # Unsigned indices spare the check for negative ones, which keeps the loop from being vectorised.
    count = np.uint64(len(totals))
    for k in range(count):
        totals[k] = 0.0
    for i in range(len(sizes)):
        values, at = tables.unary[offsets[i] : offsets[i + 1]], columns[i]
        for k in range(count):
            totals[k] += values[np.uint64(at[k])]
    for e in range(len(tables.edges)):
        i, j = tables.edges[e, 0], tables.edges[e, 1]
        width, weight = np.uint64(sizes[j]), tables.weights[e]
        table = tables.flat[starts[e] : starts[e] + sizes[i] * sizes[j]]
        at, there = columns[i], columns[j]
        for k in range(count):
            totals[k] += weight * table[np.uint64(at[k]) * width + np.uint64(there[k])]


@kernel(FLOAT(READONLY_FLOATS, READONLY_INTS))
def length(cost: Floats, tour: Ints) -> float:
    """Return the length of a tour; four sums side by side, because each addition waits for the one before it."""
    n = len(tour)
    a, b, c, d = cost[tour[n - 1] * n + tour[0]], 0.0, 0.0, 0.0
    # The order of the additions is part of the result: scores have to be the same wherever they are computed.
    for i in range(0, n - 4, 4):
        a += cost[np.uint64(tour[i] * n + tour[i + 1])]
        b += cost[np.uint64(tour[i + 1] * n + tour[i + 2])]
        c += cost[np.uint64(tour[i + 2] * n + tour[i + 3])]
        d += cost[np.uint64(tour[i + 3] * n + tour[i + 4])]
    for i in range((n - 1) // 4 * 4, n - 1):
        a += cost[np.uint64(tour[i] * n + tour[i + 1])]
    return a + b + c + d


@kernel(types.void(READONLY_FLOATS, READONLY_INT_ROWS, FLOATS))
def lengths(cost: Floats, tours: Ints, totals: Floats) -> None:
    """Write the length of each tour to `totals`; `cost` is the table, flat."""
    for k in range(len(tours)):
        totals[k] = length(cost, tours[k])
