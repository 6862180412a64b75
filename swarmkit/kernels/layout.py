"""Half-edges laid out for speed: what one candidate adds to all neighbours is contiguous, weights included.

Edges between the same two stages are added up, and consecutive neighbours become one run, so that an update is a few
long loops instead of many short ones.
"""

from __future__ import annotations

import numpy as np
from numba import types

from swarmkit.contract.arrays import Floats, Ints
from swarmkit.contract.pairwise import HalfEdges, Links
from swarmkit.kernels.compiling import FLOATS, GIVEN_FLOATS, GIVEN_INT_ROWS, HALF_EDGES, kernel, read_only


def lay_out(sizes: Ints, offsets: Ints, half: HalfEdges, flat: Floats) -> Links:
    """Return the half-edges of tables as runs of contiguous values."""
    stage = np.repeat(np.arange(len(sizes)), np.diff(half.indptr))
    before = np.diff(half.neighbour, prepend=-2)
    begins = np.diff(stage, prepend=-1) != 0
    fresh = begins | (before != 0)  # not one more edge to the same neighbour
    run = begins | (before > 1)
    m = sizes[half.neighbour]
    ends = np.cumsum(np.where(fresh, m, 0))  # in one long row of all neighbours of all stages
    width = np.bincount(stage, np.where(fresh, m, 0), len(sizes)).astype(np.int64)
    first = np.cumsum(width) - width
    base = np.cumsum(width * sizes) - width * sizes
    start = base[stage] + ends - m - first[stage]
    data = np.zeros(int(width @ sizes))
    _fill(np.column_stack([sizes[stage], m, start, width[stage]]), read_only(half), flat, data)
    where = np.flatnonzero(run)
    length = np.diff(np.append((ends - m)[where], ends[-1] if len(ends) else 0))
    indptr = np.concatenate([[0], np.cumsum(np.bincount(stage[where], minlength=len(sizes)))])
    ones = np.ones(len(where), np.int64)
    to = half.neighbour[where]
    runs = np.column_stack([offsets[to], length, start[where], width[stage[where]], ones, to])
    return Links(offsets, indptr, np.ascontiguousarray(runs), ones.astype(np.float64), data)


@kernel(types.void(GIVEN_INT_ROWS, HALF_EDGES, GIVEN_FLOATS, FLOATS))
def _fill(blocks: Ints, half: HalfEdges, flat: Floats, data: Floats) -> None:
    """Add every half-edge's table to `data`: its rows, columns, first entry and distance of rows are in `blocks`."""
    for h in range(len(blocks)):
        rows, columns, to, width = blocks[h, 0], blocks[h, 1], blocks[h, 2], blocks[h, 3]
        start, own, other, weight = half.start[h], half.own[h], half.other[h], half.weight[h]
        for c in range(rows):
            for d in range(columns):
                data[to + c * width + d] += weight * flat[start + c * own + d * other]
