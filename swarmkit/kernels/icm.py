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

LEAST = 1e-9
"""A gain counts as an improvement from this share of the largest gain around: anything below may be rounding."""


class Workspace(NamedTuple):
    """Scratch memory of a climb: the gain table, holders (empty unless stages must differ), an order of the stages."""

    values: Floats
    holder: Ints
    order: Ints


WORKSPACE = types.NamedTuple((FLOATS, INTS, INTS), Workspace)


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


@kernel(INT(LINKS, GIVEN_FLOATS, INT_ROWS, WORKSPACE, RNG_STATE))
def climb(links: Links, unary: Floats, X: Ints, workspace: Any, rng_state: RngState) -> int:
    """Climb from every row of X, in place, and return the looks."""
    looks, offsets = 0, links.offsets
    values, holder, order = workspace.values, workspace.holder, workspace.order
    for k in range(len(X)):
        x = X[k]
        current = Current(values, x, holder)
        fill(links, unary, x, values)
        for c in range(len(holder)):
            holder[c] = -1
        for i in range(len(x)):
            order[i] = i
            if len(holder):
                holder[x[i]] = i
        moved = True
        while moved:
            moved = False
            shuffle(order, rng_state)
            for i in order:
                c, _ = best_candidate(links, current, i, rng_state)
                looks += (offsets[i + 1] - offsets[i]) * (2 if len(holder) else 1)
                if c >= 0:
                    move(links, current, i, c)
                    moved = True
    return looks
