"""Dynamic programming along a chain, compiled."""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import njit

from swarmkit.kernels.compiling import FLOATS, GIVEN_FLOATS, GIVEN_INTS, INT, INTS
from swarmkit.pairwise import Floats, Ints


@njit(
    INT(*(GIVEN_INTS,) * 2, *(GIVEN_FLOATS,) * 2, *(GIVEN_INTS,) * 5, GIVEN_FLOATS, FLOATS, INTS, INTS),
    cache=True,
)
def best_path(
    sizes: Ints,
    offsets: Ints,
    unary: Floats,
    flat: Floats,
    order: Ints,
    indptr: Ints,
    start: Ints,
    own: Ints,
    other: Ints,
    weight: Floats,
    value: Floats,
    before: Ints,
    path: Ints,
) -> Any:
    """Fill `value` and `before` (per slot: the best score up to it, and the candidate before it) and the best path.

    Every half-edge of a step leads to the step before it. Gives the looks.
    """
    looks = sizes[order[0]]
    for t in range(len(order)):
        mine = offsets[order[t]]
        for c in range(sizes[order[t]]):
            value[mine + c] = unary[mine + c]
            if t == 0:
                continue
            last, best, choice = offsets[order[t - 1]], -np.inf, 0
            for d in range(sizes[order[t - 1]]):
                candidate = value[last + d]
                for h in range(indptr[t], indptr[t + 1]):
                    candidate += weight[h] * flat[start[h] + c * own[h] + d * other[h]]
                if candidate > best:
                    best, choice = candidate, d
            looks += sizes[order[t - 1]]
            value[mine + c] += best
            before[mine + c] = choice
    end = order[-1]
    choice = 0
    for c in range(sizes[end]):
        if value[offsets[end] + c] > value[offsets[end] + choice]:
            choice = c
    for t in range(len(order) - 1, -1, -1):
        path[order[t]] = choice
        choice = before[offsets[order[t]] + choice]
    return looks
