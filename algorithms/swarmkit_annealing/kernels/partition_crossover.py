"""Partition crossover: the best child of two solutions, which takes either parent's candidate at every stage.

The stages at which the parents differ, with the links among them, fall into connected components, whose choices do not
affect each other (Tinós, R., Whitley, D. and Chicano, F. 2015. Partition crossover for pseudo-Boolean optimization.
FOGA XIII). Within a component the best of all children is found by dynamic programming over its stages in
breadth-first order: a stage is open from its turn until that of the last stage linked to it, and the best gain is kept
for every combination of choices at the open stages (as tours are merged by Cook, W. and Seymour, P. 2003. Tour merging
via branch-decomposition. INFORMS Journal on Computing 15). A combination is a number with one bit for each open stage:
0 for the current candidate, 1 for the other parent's. Stage i is linked to neighbour[indptr[i]:indptr[i+1]].
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numba import types
from numpy.typing import NDArray

from swarmkit import Floats, Ints, Links
from swarmkit.kernels.compiling import FLOAT, FLOATS, INT, INT_ROWS, INTS, LINKS, READONLY_INTS, kernel
from swarmkit.kernels.gain_table import CURRENT, gain, interaction, move

WIDTH = 12
"""The most stages that may be open at a time, 4,096 combinations; one beyond keeps its current candidate."""

NO_RANK, OUTSIDE = -1, -2
"""The rank of a stage that is in no component yet, and of one that is never in any."""

BYTES = types.uint8[::1]
Bytes = NDArray[np.uint8]


class Workspace(NamedTuple):
    """Scratch memory."""

    component: Ints
    """The stages of a component in breadth-first order."""
    rank: Ints
    """The position of each stage in its component; NO_RANK, or OUTSIDE where the parents do not differ."""
    last: Ints
    """The highest rank among each stage and those linked to it: its turn closes the stage."""
    child: Ints
    """The best child's choice at each stage of the component, at the end its candidate."""
    stage_of_bit: Ints
    """The open stage of each bit."""
    original: Ints
    """The solution before the crossover."""
    table: Floats
    """The best gain of every combination of choices at the open stages."""
    extension: Floats
    """What the other parent's candidate at the stage that is opened adds to each of them."""
    choices: Bytes
    """For each closed stage, one after the other, the better choice beside every combination that was left open."""
    steps: Ints
    """Rows (stage, bit, start): a stage was opened (start -1), or closed with its choices from choices[start] on."""


WORKSPACE = types.NamedTuple((*(INTS,) * 6, FLOATS, FLOATS, BYTES, INT_ROWS), Workspace)


def new_workspace(n: int, differing: int) -> Workspace:
    """Return scratch memory for solutions of n stages, `differing` of which differ."""
    component, rank, last, child, stage_of_bit, original = np.empty((6, max(n, WIDTH + 1)), np.int64)
    table, extension = np.empty((2, 1 << WIDTH + 1))
    choices, steps = np.empty(differing << WIDTH - 1, np.uint8), np.empty((2 * differing, 3), np.int64)
    return Workspace(component, rank, last, child, stage_of_bit, original, table, extension, choices, steps)


@kernel(INT(READONLY_INTS, READONLY_INTS, INTS, INTS, INT, INT))
def collect(indptr: Ints, neighbour: Ints, component: Ints, rank: Ints, first: int, limit: int) -> int:
    """Collect stages that are linked to `first`, directly or by others, in breadth-first order; return their number.

    Args:
        indptr: where the links of each stage begin.
        neighbour: the stages that they lead to.
        component: receives the stages.
        rank: NO_RANK for stages that may be collected; receives their positions.
        first: the stage to begin with.
        limit: the number of stages at which to stop.
    """
    component[0], rank[first], count, k = first, 0, 1, 0
    while k < count < limit:
        for h in range(indptr[component[k]], indptr[component[k] + 1]):
            j = neighbour[h]
            if rank[j] == NO_RANK and count < limit:
                component[count], rank[j] = j, count
                count += 1
        k += 1
    return count


@kernel(INT(READONLY_INTS, READONLY_INTS, INTS, INT))
def last_rank(indptr: Ints, neighbour: Ints, rank: Ints, i: int) -> int:
    """Return the highest rank among stage i and those linked to it."""
    last = rank[i]
    for h in range(indptr[i], indptr[i + 1]):
        last = max(last, rank[neighbour[h]])
    return last


@kernel(types.void(LINKS, CURRENT, READONLY_INTS, WORKSPACE, INT, INT))
def open_stage(links: Links, current: Any, partner: Ints, workspace: Any, width: int, i: int) -> None:
    """Open stage i as the highest bit: behind the gains with its current candidate put those with the other's."""
    values, x, stage_of_bit = current.values, current.x, workspace.stage_of_bit
    table, extension, slot = workspace.table, workspace.extension, links.offsets[i]
    extension[0] = values[slot + partner[i]] - values[slot + x[i]]
    for bit in range(width):
        j, size = stage_of_bit[bit], 1 << bit
        together = interaction(links, i, x[i], partner[i], j, x[j], partner[j])
        for choice in range(size):
            extension[size + choice] = extension[choice] + together
    for choice in range(1 << width):
        table[(1 << width) + choice] = table[choice] + extension[choice]


@kernel(types.void(FLOATS, BYTES, INT, INT))
def close_stage(table: Floats, choices: Bytes, width: int, bit: int) -> None:
    """Close the stage of a bit: for every combination of the others keep the better gain, and which choice it is."""
    low = (1 << bit) - 1
    for choice in range(1 << (width - 1)):
        first = ((choice & ~low) << 1) | (choice & low)  # the current solution's candidate, a 0 at the bit
        second = first | (1 << bit)
        choices[choice] = table[second] > table[first]
        table[choice] = max(table[first], table[second])


@kernel(types.void(WORKSPACE, INT))
def trace_back(workspace: Any, count: int) -> None:
    """Set `child` of each stage to its choice in the best child, from the steps in reverse."""
    steps, choices, child, choice = workspace.steps, workspace.choices, workspace.child, 0
    for step in range(count - 1, -1, -1):
        stage, bit, start = steps[step, 0], steps[step, 1], steps[step, 2]
        low = (1 << bit) - 1
        if start < 0:  # it was opened, as the highest bit
            choice &= low
        else:
            child[stage] = choices[start + choice]
            choice = ((choice & ~low) << 1) | (choice & low) | (child[stage] << bit)


@kernel(types.Tuple((FLOAT, INT, INT))(LINKS, READONLY_INTS, READONLY_INTS, CURRENT, READONLY_INTS, WORKSPACE, INT))
def best_child(
    links: Links, indptr: Ints, neighbour: Ints, current: Any, partner: Ints, workspace: Any, count: int
) -> tuple[float, int, int]:
    """Find the best child within a component of `count` stages; return its gain, the looks, and stages left out."""
    component, child, stage_of_bit = workspace.component, workspace.child, workspace.stage_of_bit
    last, table, steps = workspace.last, workspace.table, workspace.steps
    width, done, start, looks, left_out = 0, 0, 0, 0, 0
    table[0] = 0.0
    for k in range(count):
        i = component[k]
        child[i] = 0
        if width < WIDTH:
            open_stage(links, current, partner, workspace, width, i)
            looks += 1 << width
            steps[done, 0], steps[done, 1], steps[done, 2] = i, width, -1
            stage_of_bit[width], last[i] = i, last_rank(indptr, neighbour, workspace.rank, i)
            width, done = width + 1, done + 1
        else:  # the table is full: 2^WIDTH combinations
            left_out += 1
        for bit in range(width - 1, -1, -1):
            if last[stage_of_bit[bit]] > k:  # a later stage of the component is linked to it
                continue
            close_stage(table, workspace.choices[start:], width, bit)
            steps[done, 0], steps[done, 1], steps[done, 2] = stage_of_bit[bit], bit, start
            width, done, start = width - 1, done + 1, start + (1 << (width - 1))
            for b in range(bit, width):  # `close_stage` has taken the bit out of the combinations
                stage_of_bit[b] = stage_of_bit[b + 1]
    trace_back(workspace, done)  # table[0] is the gain of the best child, as no stage is open any more
    for k in range(count):
        i = component[k]
        child[i] = partner[i] if child[i] else current.x[i]
    return table[0], looks, left_out


@kernel(FLOAT(LINKS, CURRENT, READONLY_INTS, INTS, INT))
def adopt(links: Links, current: Any, target: Ints, component: Ints, count: int) -> float:
    """Let the stages of a component take the target's candidates; return the gain."""
    total = 0.0
    for k in range(count):
        i = component[k]
        if current.x[i] == target[i]:
            continue
        total += gain(links, current, i, target[i])
        move(links, current, i, target[i])
    return total


@kernel(types.Tuple((FLOAT, INT, INT))(LINKS, READONLY_INTS, READONLY_INTS, CURRENT, READONLY_INTS, WORKSPACE, FLOAT))
def cross_over(
    links: Links, indptr: Ints, neighbour: Ints, current: Any, partner: Ints, workspace: Any, negligible: float
) -> tuple[float, int, int]:
    """Make the current solution the best child, component by component where that gains more than `negligible`.

    Returns the gain, the looks, and the stages that were left out because too many were open.
    """
    x, rank, original, component = current.x, workspace.rank, workspace.original, workspace.component
    total, looks, left_out = 0.0, 0, 0
    for i in range(len(x)):
        rank[i], original[i] = NO_RANK if x[i] != partner[i] else OUTSIDE, x[i]
    for first in range(len(x)):
        if rank[first] != NO_RANK:
            continue
        count = collect(indptr, neighbour, component, rank, first, len(x))
        gain_of_child, cost, out = best_child(links, indptr, neighbour, current, partner, workspace, count)
        looks, left_out = looks + cost, left_out + out
        if out:  # not every child was examined: the other parent's whole component may be better than all that were
            looks += count
            whole = adopt(links, current, partner, component, count)
            if whole > max(gain_of_child, negligible):
                total += whole
                continue
            adopt(links, current, original, component, count)
        if gain_of_child > negligible:
            total += adopt(links, current, workspace.child, component, count)
    return total, looks, left_out
