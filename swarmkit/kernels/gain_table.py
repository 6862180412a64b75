"""The gain table: the value of every candidate at every stage beside the current solution, kept up to date on moves.

A proposal then costs two reads, and only an accepted move pays for the update of its neighbours. `links` is laid out in
contiguous rows or reads shared tables; the kernels are the same.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numba import types

from swarmkit.contract.arrays import Floats, Ints
from swarmkit.contract.pairwise import HalfEdges, Links
from swarmkit.kernels.compiling import (
    FLOAT,
    FLOATS,
    HALF_EDGES,
    INT,
    INTS,
    LINKS,
    READONLY_FLOATS,
    READONLY_INT_ROWS,
    READONLY_INTS,
    kernel,
    read_only,
)


class Current(NamedTuple):
    """The current solution with its gain table."""

    values: Floats
    """The value of every slot beside the rest of the solution."""
    x: Ints
    holder: Ints
    """The stage that holds each candidate, -1 for none, where stages must differ; empty elsewhere."""


CURRENT = types.NamedTuple((FLOATS, INTS, INTS), Current)


@kernel(types.void(LINKS, READONLY_FLOATS, READONLY_INTS, FLOATS))
def fill(links: Links, unary: Floats, x: Ints, values: Floats) -> None:
    """Compute the values of all slots beside solution x from scratch."""
    indptr, runs, weights, flat = links.indptr, links.runs, links.weights, links.flat
    for slot in range(len(unary)):
        values[slot] = unary[slot]
    for i in range(len(x)):
        for r in range(indptr[i], indptr[i + 1]):
            to, length, start, stride, far_stride = runs[r, 0], runs[r, 1], runs[r, 2], runs[r, 3], runs[r, 4]
            for d in range(length):
                values[to + d] += weights[r] * flat[start + x[i] * stride + d * far_stride]


@kernel(types.void(LINKS, FLOATS, INTS, INT, INT))
def change(links: Links, values: Floats, x: Ints, i: Any, c: Any) -> None:
    """Let stage i take candidate c and update the values of its neighbours' slots."""
    indptr, runs, weights, flat = links.indptr, links.runs, links.weights, links.flat
    for r in range(indptr[i], indptr[i + 1]):
        to, length, start, stride, far_stride = runs[r, 0], runs[r, 1], runs[r, 2], runs[r, 3], runs[r, 4]
        old, new, weight = start + x[i] * stride, start + c * stride, weights[r]
        if far_stride == 1:  # the same loop, but contiguous: vectorised
            # Slices are views here: nothing is allocated.
            there, new_row, old_row = values[to : to + length], flat[new : new + length], flat[old : old + length]
            for d in range(length):
                there[d] += weight * (new_row[d] - old_row[d])
        else:
            for d in range(length):
                values[to + d] += weight * (flat[new + d * far_stride] - flat[old + d * far_stride])
    x[i] = c


@kernel(FLOAT(LINKS, INT, INT, INT, INT, INT, INT))
def interaction(links: Links, i: Any, a: Any, to_a: Any, j: Any, b: Any, to_b: Any) -> float:
    """Return the correction to the gain of changing stage i from a to `to_a` and stage j from b to `to_b` together.

    The gain table values each change as if the other stage stayed.
    """
    runs, weights, flat = links.runs, links.weights, links.flat
    slot, low, end = links.offsets[j], links.indptr[i], links.indptr[i + 1]
    # Runs of a stage are sorted by slot.
    high = end
    while low < high:  # binary search for the first run that reaches the slot
        middle = (low + high) >> 1
        if runs[middle, 0] + runs[middle, 1] <= slot:
            low = middle + 1
        else:
            high = middle
    total = 0.0
    while low < end and runs[low, 0] <= slot:
        stride, far_stride = runs[low, 3], runs[low, 4]
        s = runs[low, 2] + (slot - runs[low, 0]) * far_stride
        together = flat[s + a * stride + b * far_stride] + flat[s + to_a * stride + to_b * far_stride]
        total += weights[low] * (
            together - flat[s + a * stride + to_b * far_stride] - flat[s + to_a * stride + b * far_stride]
        )
        low += 1
    return total


@kernel(FLOAT(LINKS, CURRENT, INT, INT), inline=True)
def gain(links: Links, current: Any, i: Any, c: Any) -> float:
    """Return the gain of stage i taking candidate c, by a swap with the stage that holds it if there is one."""
    values, x, holder, offsets = current.values, current.x, current.holder, links.offsets
    a = x[i]
    total = values[offsets[i] + c] - values[offsets[i] + a]
    if len(holder) and holder[c] >= 0 and c != a:
        j = holder[c]
        total += values[offsets[j] + a] - values[offsets[j] + c]
        total += interaction(links, i, a, c, j, c, a)
    return total


@kernel(types.void(LINKS, CURRENT, INT, INT), inline=True)
def move(links: Links, current: Any, i: Any, c: Any) -> None:
    """Let stage i take candidate c, by a swap with the stage that holds it if there is one."""
    values, x, holder = current.values, current.x, current.holder
    if len(holder):
        a, j = x[i], holder[c]
        # The stage that has candidate c takes this stage's in exchange.
        if j >= 0 and j != i:
            change(links, values, x, j, a)
        holder[a], holder[c] = j, i
    change(links, values, x, i, c)


@kernel(types.void(LINKS, CURRENT, READONLY_INTS))
def move_to(links: Links, current: Any, target: Ints) -> None:
    """Turn the current solution into another one, stage by stage."""
    for i in range(len(target)):
        if current.x[i] != target[i]:  # a swap may have brought it there already
            move(links, current, i, target[i])


def lay_out(sizes: Ints, offsets: Ints, half: HalfEdges, flat: Floats) -> Links:
    """Return half-edges laid out for speed: what one candidate adds to all neighbours is contiguous, weights included.

    Edges between the same two stages are added up, and consecutive neighbours become one run, so that an update is a
    few long loops instead of many short ones.
    """
    stage = np.repeat(np.arange(len(sizes)), np.diff(half.indptr))
    before = np.diff(half.neighbour, prepend=-2)
    begins = np.diff(stage, prepend=-1) != 0
    # Half-edges are sorted by neighbour: a jump in the numbers is the next neighbour, one above 1 a gap in the run.
    fresh = begins | (before != 0)  # not one more edge to the same neighbour
    run = begins | (before > 1)
    m = sizes[half.neighbour]
    ends = np.cumsum(np.where(fresh, m, 0))  # in one long row of all neighbours of all stages
    width = np.bincount(stage, np.where(fresh, m, 0), len(sizes)).astype(np.int64)
    first = np.cumsum(width) - width
    # A stage has a row of `width` values for each of its candidates; `base` is where its first row begins.
    base = np.cumsum(width * sizes) - width * sizes
    start = base[stage] + ends - m - first[stage]
    data = np.zeros(int(width @ sizes))
    _add_blocks(np.column_stack([sizes[stage], m, start, width[stage]]), read_only(half), flat, data)
    where = np.flatnonzero(run)
    length = np.diff(np.append((ends - m)[where], ends[-1] if len(ends) else 0))
    indptr = np.concatenate([[0], np.cumsum(np.bincount(stage[where], minlength=len(sizes)))])
    unit = np.ones(len(where), np.int64)
    to = half.neighbour[where]
    runs = np.column_stack([offsets[to], length, start[where], width[stage[where]], unit, to])
    return Links(offsets, indptr, np.ascontiguousarray(runs), unit.astype(np.float64), data)


@kernel(types.void(READONLY_INT_ROWS, HALF_EDGES, READONLY_FLOATS, FLOATS))
def _add_blocks(blocks: Ints, half: HalfEdges, flat: Floats, data: Floats) -> None:
    """Add every half-edge's table to `data`: its rows, columns, first entry and distance of rows are in `blocks`."""
    for h in range(len(blocks)):
        rows, columns, to, width = blocks[h, 0], blocks[h, 1], blocks[h, 2], blocks[h, 3]
        start, stride, far_stride, weight = half.start[h], half.stride[h], half.far_stride[h], half.weight[h]
        for c in range(rows):
            for d in range(columns):
                data[to + c * width + d] += weight * flat[start + c * stride + d * far_stride]
