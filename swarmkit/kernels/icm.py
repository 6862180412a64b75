"""Iterated conditional modes on a gain table: the best candidate stage by stage, until nothing improves.

`choose` and `sweep_rows` are compiled into the kernels of every form of gain table, whose functions they are given:
here that of any tables, in `swap_gains.py` that of a quadratic assignment.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numba import types

from swarmkit.contract.arrays import Floats, Ints, RngState
from swarmkit.contract.pairwise import Links
from swarmkit.kernels.compiling import (
    FLOAT,
    FLOATS,
    INT,
    INT_ROWS,
    INTS,
    LINKS,
    READONLY_FLOATS,
    RNG_STATE,
    Index,
    inlined,
    kernel,
)
from swarmkit.kernels.constants import BEGIN as BEGIN
from swarmkit.kernels.constants import LEAST as LEAST
from swarmkit.kernels.gain_table import CURRENT, Current, fill, gain, move
from swarmkit.kernels.rng import below, shuffle


class Workspace(NamedTuple):
    """What a climb keeps between sweeps."""

    values: Floats
    """The gain table of the row that climbs."""
    holder: Ints
    """The stage that holds each candidate; empty unless stages must differ."""
    order: Ints
    """The stages in the order of the next sweep."""
    at: Ints
    """The row that climbs, BEGIN before its first sweep, whether a stage moved in this one, and the sweeps so far."""


WORKSPACE = types.NamedTuple((FLOATS, INTS, INTS, INTS), Workspace)


@inlined
def choose(gain_of: Any, tables: Any, current: Any, i: Index, count: Index, rng_state: RngState) -> Any:
    """Return the candidate of highest gain at stage i, ties at random, and its gain; (-1, 0) if none improves.

    Args:
        gain_of: the kernel that returns the gain of a candidate.
        tables: its tables.
        current: the solution with its gain table.
        i: the stage.
        count: the number of its candidates.
        rng_state: the state of the kernels' generator.
    """
    best, highest, ties, largest = -1, -np.inf, 0, 0.0
    for c in range(count):
        g = gain_of(tables, current, i, c)
        largest = max(largest, abs(g))
        if g > highest:
            best, highest, ties = c, g, 1
        elif g == highest:
            # Reservoir sampling: of k equal candidates each is kept with probability 1/k.
            ties += 1
            if below(rng_state, ties) == 0:
                best = c
    # A gain below rounding would let two equal candidates alternate for ever.
    if highest > LEAST * (1.0 + largest):
        return best, highest
    return -1, 0.0


@kernel(types.Tuple((INT, FLOAT))(LINKS, CURRENT, INT, RNG_STATE))
def best_candidate(links: Links, current: Any, i: Index, rng_state: RngState) -> Any:
    """Return the candidate of highest gain at stage i, ties at random, and its gain; (-1, 0) if none improves."""
    return choose(gain, links, current, i, links.offsets[i + 1] - links.offsets[i], rng_state)


@kernel(types.void(INTS, INTS, RNG_STATE), inline=True)
def next_sweep(at: Ints, order: Ints, rng_state: RngState) -> None:
    """Begin another sweep, in random order, if the row has just begun or the last sweep moved a stage; else end it."""
    if at[1] == BEGIN or at[2]:
        shuffle(order, rng_state)
        at[1], at[2] = 0, 0
    else:
        at[0], at[1] = at[0] + 1, BEGIN


@kernel(types.void(INTS, INTS, INTS))
def begin_row(x: Ints, holder: Ints, order: Ints) -> None:
    """Note which stage holds each candidate of a solution, and put the stages into their order."""
    for c in range(len(holder)):
        holder[c] = -1
    for i in range(len(x)):
        # The order of the stages, not of the last row: rows climb independently of each other.
        order[i] = i
        if len(holder):
            holder[x[i]] = i


@inlined
def sweep_rows(best: Any, move_to: Any, tables: Any, current: Any, workspace: Any, rng_state: RngState) -> Any:
    """Sweep once over the stages of the row that climbs, and return the looks.

    A row that is through is scored by the caller: n looks, which are counted here.

    Args:
        best: the kernel that returns the best candidate of a stage.
        move_to: the kernel that lets a stage take a candidate.
        tables: their tables.
        current: the row with its gain table.
        workspace: what the climb keeps.
        rng_state: the state of the kernels' generator.
    """
    order, at = workspace.order, workspace.at
    if at[1] == BEGIN:
        begin_row(current.x, current.holder, order)
        next_sweep(at, order, rng_state)
    for k in range(len(order)):
        c, _ = best(tables, current, order[k], rng_state)
        if c >= 0:
            move_to(tables, current, order[k], c)
            at[2] = 1
    next_sweep(at, order, rng_state)
    at[3] += 1
    # Every candidate of every stage was read, at both stages of a swap where stages must differ.
    looks = current.values.size * (2 if len(current.holder) else 1)
    return looks + len(order) if at[1] == BEGIN else looks


@kernel(INT(LINKS, READONLY_FLOATS, INT_ROWS, WORKSPACE, RNG_STATE, INT))
def climb(links: Links, unary: Floats, X: Ints, workspace: Any, rng_state: RngState, sweeps: int) -> int:
    """Climb from the rows of X, in place, one after another, for a number of sweeps; return the looks."""
    looks, at = 0, workspace.at
    while at[0] < len(X) and sweeps > 0:
        current = Current(workspace.values, X[at[0]], workspace.holder)
        if at[1] == BEGIN:
            fill(links, unary, current.x, current.values)
        looks += sweep_rows(best_candidate, move, links, current, workspace, rng_state)
        sweeps -= 1
    return looks
