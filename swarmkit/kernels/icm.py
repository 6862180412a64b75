"""Iterated conditional modes on the gain table: the best candidate stage by stage, until nothing improves."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numba import types

from swarmkit.contract.arrays import Floats, Ints, RngState
from swarmkit.contract.pairwise import Links
from swarmkit.kernels.compiling import FLOAT, FLOATS, GIVEN_FLOATS, INT, INT_ROWS, INTS, LINKS, RNG_STATE, kernel
from swarmkit.kernels.gain_table import CURRENT, Current, fill, gain, move
from swarmkit.kernels.rng import below, shuffle
from swarmkit.kernels.rounding import LEAST as LEAST


class Workspace(NamedTuple):
    """What a climb keeps between sweeps."""

    values: Floats
    """The gain table of the row that climbs."""
    holder: Ints
    """The stage that holds each candidate; empty unless stages must differ."""
    order: Ints
    """The stages in the order of the next sweep."""
    at: Ints
    """The row that climbs, BEGIN before its first sweep and 0 later, whether a stage moved, and the sweeps so far."""


BEGIN = -1
"""Marks a row that has no gain table yet."""

WORKSPACE = types.NamedTuple((FLOATS, INTS, INTS, INTS), Workspace)


@kernel(types.Tuple((INT, FLOAT))(LINKS, CURRENT, INT, RNG_STATE))
def best_candidate(links: Links, current: Any, i: Any, rng_state: RngState) -> Any:
    """Return the candidate of highest gain at stage i, ties at random, and its gain; (-1, 0) if none improves."""
    best, most, ties, largest = -1, -np.inf, 0, 0.0
    for c in range(links.offsets[i + 1] - links.offsets[i]):
        g = gain(links, current, i, c)
        largest = max(largest, abs(g))
        if g > most:
            best, most, ties = c, g, 1
        elif g == most:
            ties += 1
            if below(rng_state, ties) == 0:
                best = c
    if most > LEAST * (1.0 + largest):
        return best, most
    return -1, 0.0


@kernel(types.void(LINKS, GIVEN_FLOATS, INTS, WORKSPACE))
def begin_row(links: Links, unary: Floats, x: Ints, workspace: Any) -> None:
    """Compute the gain table and the holders of a solution."""
    holder, order = workspace.holder, workspace.order
    fill(links, unary, x, workspace.values)
    for c in range(len(holder)):
        holder[c] = -1
    for i in range(len(x)):
        order[i] = i
        if len(holder):
            holder[x[i]] = i


@kernel(types.void(INTS, INTS, RNG_STATE), inline=True)
def next_sweep(at: Ints, order: Ints, rng_state: RngState) -> None:
    """Begin another sweep, in random order, if the row has just begun or the last sweep moved a stage; else end it."""
    if at[1] == BEGIN or at[2]:
        shuffle(order, rng_state)
        at[1], at[2] = 0, 0
    else:
        at[0], at[1] = at[0] + 1, BEGIN


@kernel(INT(LINKS, GIVEN_FLOATS, INT_ROWS, WORKSPACE, RNG_STATE, INT))
def climb(links: Links, unary: Floats, X: Ints, workspace: Any, rng_state: RngState, sweeps: int) -> int:
    """Climb from the rows of X, in place, one after another, for a number of sweeps; return the looks.

    A row that is through is scored by the caller: n looks, which are counted here.
    """
    looks, offsets, n = 0, links.offsets, X.shape[1]
    order, at, each = workspace.order, workspace.at, 2 if len(workspace.holder) else 1
    while at[0] < len(X) and sweeps > 0:
        x = X[at[0]]
        current = Current(workspace.values, x, workspace.holder)
        if at[1] == BEGIN:
            begin_row(links, unary, x, workspace)
            next_sweep(at, order, rng_state)
        for k in range(n):
            i = order[k]
            c, _ = best_candidate(links, current, i, rng_state)
            looks += (offsets[i + 1] - offsets[i]) * each
            if c >= 0:
                move(links, current, i, c)
                at[2] = 1
        next_sweep(at, order, rng_state)
        looks += n if at[1] == BEGIN else 0
        at[3] += 1
        sweeps -= 1
    return looks
