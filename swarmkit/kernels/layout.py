"""Lay half-edges out for speed: what one candidate gives all neighbours lies in one piece, weights included.

Edges between the same two stages are added up, and neighbours that follow each other become one run, so that an update
is a few long loops instead of many short ones.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numba import types

from swarmkit.kernels.compiling import FLOATS, GIVEN_FLOATS, GIVEN_INTS, Floats, Ints, kernel

if TYPE_CHECKING:
    from swarmkit.pairwise import HalfEdges

Layout = tuple[Ints, Ints, Floats, Floats]
"""indptr, runs, weights, flat: `swarmkit.pairwise.Links` without its offsets."""


def lay_out(sizes: Ints, offsets: Ints, half: HalfEdges, flat: Floats) -> Layout:
    """Give the runs and their values."""
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
    _fill(sizes[stage], m, half.start, half.own, half.other, half.weight, flat, start, width[stage], data)
    where = np.flatnonzero(run)
    length = np.diff(np.append((ends - m)[where], ends[-1] if len(ends) else 0))
    indptr = np.concatenate([[0], np.cumsum(np.bincount(stage[where], minlength=len(sizes)))])
    ones = np.ones(len(where), np.int64)
    to = half.neighbour[where]
    runs = np.column_stack([offsets[to], length, start[where], width[stage[where]], ones, to])
    return indptr, np.ascontiguousarray(runs), ones.astype(np.float64), data


@kernel(
    types.void(*(GIVEN_INTS,) * 5, GIVEN_FLOATS, GIVEN_FLOATS, GIVEN_INTS, GIVEN_INTS, FLOATS),
)
def _fill(
    rows: Ints,
    columns: Ints,
    start: Ints,
    own: Ints,
    other: Ints,
    weight: Floats,
    flat: Floats,
    to: Ints,
    width: Ints,
    data: Floats,
) -> None:
    for h in range(len(start)):
        for c in range(rows[h]):
            for d in range(columns[h]):
                data[to[h] + c * width[h] + d] += weight[h] * flat[start[h] + c * own[h] + d * other[h]]
