"""Aligned order crossover of symmetric tours: the child differs from one parent in one segment.

Where a cycle begins and in which direction it is read means nothing, so the other parent is read from the city before
the segment on, in either direction. Operators take what was drawn as arguments. `marked` is scratch memory: -1 for
every city, before and after.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numba import types

from swarmkit import Floats, Ints
from swarmkit.kernels.compiling import BOOL, COST, FLOAT, GIVEN_INTS, INT, INTS, Index, kernel


class Segment(NamedTuple):
    """The part of a tour that crossover rearranges, and how the other parent is read."""

    start: Any
    """The position before the segment."""
    size: Any
    """The number of cities in the segment."""
    forward: Any
    """Whether the other parent is read forwards."""


class Workspace(NamedTuple):
    """Scratch memory of a crossover: marks of cities, the segment's cities in their new order, and one child."""

    marked: Ints
    segment: Ints
    child: Ints


SEGMENT = types.NamedTuple((INT, INT, BOOL), Segment)
WORKSPACE = types.NamedUniTuple(INTS, 3, Workspace)


@kernel(INT(GIVEN_INTS, INT), inline=True)
def position_of(tour: Ints, city: Index) -> Any:
    """Return the position of a city on a tour; there is no early exit, so that the loop is vectorised."""
    at = 0
    for i in range(len(tour)):
        at = max(at, i * (tour[i] == city))
    return at


@kernel(INT(GIVEN_INTS, INT, INT, INT, INT, INT, WORKSPACE))
def collect(b: Ints, first: int, step: int, count: int, found: Index, size: int, workspace: Any) -> Any:
    """Append the marked cities among `count` of tour b to the segment and remove their marks.

    Args:
        b: the tour that is read.
        first: the position of the first city read.
        step: 1 to read forwards, -1 to read backwards.
        count: the number of cities to read.
        found: the number of cities in the segment so far.
        size: the number at which it is complete.
        workspace: the marks and the segment.

    Returns:
        The number of cities in the segment now.
    """
    marked, segment = workspace.marked, workspace.segment
    # Unsigned: numba would test every signed index for being negative.
    at, so_far, whole = np.uint64(first), np.uint64(found), np.uint64(size)
    for _ in range(count):
        if so_far == whole:
            break
        city = np.uint64(b[at])
        segment[so_far] = b[at]  # overwritten unless marked: cheaper than a branch that is mispredicted half the time
        so_far += np.uint64(marked[city] + 1)
        marked[city] = -1
        at += np.uint64(step)
    return np.int64(so_far)


@kernel(types.void(GIVEN_INTS, GIVEN_INTS, SEGMENT, WORKSPACE, INTS))
def aligned_order_crossover(a: Ints, b: Ints, segment: Any, workspace: Any, child: Ints) -> None:
    """Copy tour a, with the cities of the segment in the order in which tour b visits them.

    Tour b is read from the city before the segment on.
    """
    n, start, size = len(child), segment.start, segment.size
    for i in range(n):
        child[i] = a[i]
    for i in range(start + 1, start + 1 + size):
        workspace.marked[a[i if i < n else i - n]] = 0
    at = position_of(b, a[start])
    if segment.forward:
        found = collect(b, at + 1, 1, n - 1 - at, 0, size, workspace)
        collect(b, 0, 1, at, found, size, workspace)
    else:
        found = collect(b, at - 1, -1, at, 0, size, workspace)
        collect(b, n - 1, -1, n - 1 - at, found, size, workspace)
    for i in range(size):
        to = start + 1 + i
        child[to if to < n else to - n] = workspace.segment[i]


@kernel(FLOAT(COST, GIVEN_INTS, GIVEN_INTS, SEGMENT))
def crossover_cost(cost: Floats, a: Ints, child: Ints, segment: Any) -> float:
    """Return by how much the child of a crossover is longer than its parent a: they differ in the segment only."""
    n, old, new = len(a), 0.0, 0.0
    was = here = np.uint64(a[segment.start])
    for i in range(segment.start + 1, segment.start + segment.size + 2):
        at = np.uint64(i if i < n else i - n)
        before, city = np.uint64(a[at]), np.uint64(child[at])
        old += cost[was, before]
        new += cost[here, city]
        was, here = before, city
    return new - old
