"""The best child of two solutions, which has one or the other's candidate wherever the two differ.

Where they differ, stages that are linked over others that do make a part; parts do not care for each other's choice
(Tinós, R., Whitley, D. and Chicano, F. 2015. Partition crossover for pseudo-Boolean optimization. FOGA XIII). Within a
part the best of all children is found by dynamic programming over the stages in turn: a stage is open from when it is
reached until the last one linked to it is, and the best gain is kept for every choice at the open ones (as tours are
merged by Cook, W. and Seymour, P. 2003. Tour merging via branch-decomposition. INFORMS Journal on Computing 15).
"""

from __future__ import annotations

import numpy as np
from numba import types
from numpy.typing import NDArray

from swarmkit.kernels.compiling import (
    FLOAT,
    FLOATS,
    GIVEN_INTS,
    INT,
    INT_ROWS,
    INTS,
    LINKS,
    Floats,
    Ints,
    kernel,
)
from swarmkit.kernels.field import between, gain, take

WIDTH = 12
"""At most so many stages are open at a time; one that would be too many keeps the candidate it has."""

BYTES = types.uint8[::1]
Bytes = NDArray[np.uint8]


@kernel(INT(GIVEN_INTS, GIVEN_INTS, INTS, GIVEN_INTS, INTS, INTS, INT))
def part_of(around: Ints, neighbour: Ints, x: Ints, other: Ints, part: Ints, rank: Ints, first: int) -> int:
    """Collect the stages that differ and are linked to the first over such, and rank them; give their number."""
    part[0], rank[first], count, k = first, 0, 1, 0
    while k < count:
        for h in range(around[part[k]], around[part[k] + 1]):
            j = neighbour[h]
            if rank[j] < 0 and x[j] != other[j]:
                part[count], rank[j] = j, count
                count += 1
        k += 1
    return count


@kernel(INT(GIVEN_INTS, GIVEN_INTS, INTS, INT))
def last_linked(around: Ints, neighbour: Ints, rank: Ints, i: int) -> int:
    """Give the highest rank of a stage and those linked to it."""
    last = rank[i]
    for h in range(around[i], around[i + 1]):
        last = max(last, rank[neighbour[h]])
    return last


@kernel(types.void(*LINKS, FLOATS, INTS, GIVEN_INTS, INTS, INT, INT, FLOATS, FLOATS))
def reach(
    offsets: Ints,
    indptr: Ints,
    runs: Ints,
    weights: Floats,
    flat: Floats,
    values: Floats,
    x: Ints,
    other: Ints,
    opened: Ints,
    width: int,
    i: int,
    table: Floats,
    more: Floats,
) -> None:
    """Open stage i: behind the gains with its own candidate put those with the other's."""
    more[0] = values[offsets[i] + other[i]] - values[offsets[i] + x[i]]
    for bit in range(width):
        j, size = opened[bit], 1 << bit
        mended = between(offsets, indptr, runs, weights, flat, i, x[i], other[i], j, x[j], other[j])
        for choice in range(size):
            more[size + choice] = more[choice] + mended
    for choice in range(1 << width):
        table[(1 << width) + choice] = table[choice] + more[choice]


@kernel(types.void(FLOATS, BYTES, INT, INT))
def close(table: Floats, chosen: Bytes, width: int, bit: int) -> None:
    """Close the stage of a bit: for every choice at the others keep the better gain, and which of the two it is."""
    low = (1 << bit) - 1
    for choice in range(1 << (width - 1)):
        mine = ((choice & ~low) << 1) | (choice & low)
        theirs = mine | (1 << bit)
        chosen[choice] = table[theirs] > table[mine]
        table[choice] = max(table[mine], table[theirs])


@kernel(types.void(INT_ROWS, INT, BYTES, INTS))
def trace_back(steps: Ints, count: int, chosen: Bytes, child: Ints) -> None:
    """Mark in `child` the stages that have the other's candidate in the best of all children."""
    choice = 0
    for step in range(count - 1, -1, -1):
        stage, bit, start = steps[step, 0], steps[step, 1], steps[step, 2]
        low = (1 << bit) - 1
        if start < 0:  # it was opened, as the highest bit
            choice &= low
        else:
            child[stage] = chosen[start + choice]
            choice = ((choice & ~low) << 1) | (choice & low) | (child[stage] << bit)


@kernel(
    types.Tuple((FLOAT, INT, INT))(
        *(*LINKS, GIVEN_INTS, GIVEN_INTS, FLOATS, INTS, GIVEN_INTS, INTS, INT, INTS, INTS, INTS, INTS),
        *(FLOATS, FLOATS, BYTES, INT_ROWS),
    )
)
def best_child(
    offsets: Ints,
    indptr: Ints,
    runs: Ints,
    weights: Floats,
    flat: Floats,
    around: Ints,
    neighbour: Ints,
    values: Floats,
    x: Ints,
    other: Ints,
    part: Ints,
    count: int,
    rank: Ints,
    last: Ints,
    opened: Ints,
    child: Ints,
    table: Floats,
    more: Floats,
    chosen: Bytes,
    steps: Ints,
) -> tuple[float, int, int]:
    """Find the best child within a part; give its gain, the looks, and how many stages were left out."""
    width, done, start, looks, left = 0, 0, 0, 0, 0
    table[0] = 0.0
    for k in range(count):
        i = part[k]
        child[i] = 0
        if width < WIDTH:
            reach(offsets, indptr, runs, weights, flat, values, x, other, opened, width, i, table, more)
            looks += 1 << width
            steps[done, 0], steps[done, 1], steps[done, 2] = i, width, -1
            opened[width], last[i] = i, last_linked(around, neighbour, rank, i)
            width, done = width + 1, done + 1
        else:
            left += 1
        for bit in range(width - 1, -1, -1):
            if last[opened[bit]] > k:
                continue
            close(table, chosen[start:], width, bit)
            steps[done, 0], steps[done, 1], steps[done, 2] = opened[bit], bit, start
            width, done, start = width - 1, done + 1, start + (1 << (width - 1))
            for b in range(bit, width):
                opened[b] = opened[b + 1]
    trace_back(steps, done, chosen, child)
    for k in range(count):
        child[part[k]] = other[part[k]] if child[part[k]] else x[part[k]]
    return table[0], looks, left


@kernel(FLOAT(*LINKS, FLOATS, INTS, INTS, GIVEN_INTS, INTS, INT))
def give(
    offsets: Ints,
    indptr: Ints,
    runs: Ints,
    weights: Floats,
    flat: Floats,
    values: Floats,
    x: Ints,
    holder: Ints,
    target: Ints,
    part: Ints,
    count: int,
) -> float:
    """Let the stages of a part have the target's candidates; give the gain."""
    gained = 0.0
    for k in range(count):
        i = part[k]
        if x[i] == target[i]:
            continue
        gained += gain(offsets, indptr, runs, weights, flat, values, x, holder, i, target[i])
        take(indptr, runs, weights, flat, values, x, holder, i, target[i])
    return gained


@kernel(
    types.Tuple((FLOAT, INT, INT))(
        *(*LINKS, GIVEN_INTS, GIVEN_INTS, FLOATS, INTS, INTS, GIVEN_INTS, INT_ROWS, FLOATS, FLOATS, BYTES, INT_ROWS),
        FLOAT,
    )
)
def merge(
    offsets: Ints,
    indptr: Ints,
    runs: Ints,
    weights: Floats,
    flat: Floats,
    around: Ints,
    neighbour: Ints,
    values: Floats,
    x: Ints,
    holder: Ints,
    other: Ints,
    room: Ints,
    table: Floats,
    more: Floats,
    chosen: Bytes,
    steps: Ints,
    slight: float,
) -> tuple[float, int, int]:
    """Make x the best child, where that gains more than `slight`; give the gain, the looks, and stages left out."""
    part, rank, last, child, opened, mine = room[0], room[1], room[2], room[3], room[4], room[5]
    total, looks, left = 0.0, 0, 0
    for i in range(len(x)):
        rank[i], mine[i] = -1, x[i]
    for first in range(len(x)):
        if rank[first] >= 0 or x[first] == other[first]:
            continue
        count = part_of(around, neighbour, x, other, part, rank, first)
        gained, seen, out = best_child(
            offsets,
            indptr,
            runs,
            weights,
            flat,
            around,
            neighbour,
            values,
            x,
            other,
            part,
            count,
            rank,
            last,
            opened,
            child,
            table,
            more,
            chosen,
            steps,
        )
        looks, left = looks + seen, left + out
        if out:  # too wide to see every child: the other's part as it is may be better than all that were seen
            looks += count
            whole = give(offsets, indptr, runs, weights, flat, values, x, holder, other, part, count)
            if whole > max(gained, slight):
                total += whole
                continue
            give(offsets, indptr, runs, weights, flat, values, x, holder, mine, part, count)
        if gained > slight:
            total += give(offsets, indptr, runs, weights, flat, values, x, holder, child, part, count)
    return total, looks, left
