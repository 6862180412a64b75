"""Dynamic programming along a chain, compiled."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numba import types

from swarmkit import Floats, Ints
from swarmkit.kernels.compiling import FLOATS, INT, INTS, READONLY_FLOATS, READONLY_INTS, kernel
from swarmkit.search import VisitingOrder


class Slots(NamedTuple):
    """What lies at each slot: sizes and offsets of the stages, unary values, the flat tables, and ranks of equals."""

    sizes: Ints
    offsets: Ints
    unary: Floats
    flat: Floats
    ranks: Ints
    """Of equally good candidates the one of lowest rank is taken."""


class Best(NamedTuple):
    """For each slot the best score of a path up to it, and the candidate before it; the best path by stage."""

    value: Floats
    before: Ints
    path: Ints


SLOTS = types.NamedTuple((READONLY_INTS, READONLY_INTS, READONLY_FLOATS, READONLY_FLOATS, READONLY_INTS), Slots)
ORDER = types.NamedTuple((*(READONLY_INTS,) * 6, READONLY_FLOATS, READONLY_INTS), VisitingOrder)
BEST = types.NamedTuple((FLOATS, INTS, INTS), Best)


@kernel(INT(SLOTS, ORDER, BEST))
def best_path(slots: Any, order: Any, best: Any) -> Any:
    """Fill `best` and return the looks; every half-edge of a step leads to the step before it."""
    sizes, offsets, unary, stages = slots.sizes, slots.offsets, slots.unary, order.order
    value, before, ranks = best.value, best.before, slots.ranks
    looks = sizes[stages[0]]
    for t in range(len(stages)):
        begin = offsets[stages[t]]
        for c in range(sizes[stages[t]]):
            value[begin + c] = unary[begin + c]
            if t == 0:  # nothing lies before the first stage
                continue
            # Bellman's equation: the best path to c is the best path to some candidate d before it, and the step to c.
            last, highest, choice = offsets[stages[t - 1]], -np.inf, 0
            for d in range(sizes[stages[t - 1]]):
                total = value[last + d]
                for h in range(order.indptr[t], order.indptr[t + 1]):
                    total += (
                        order.weight[h] * slots.flat[order.start[h] + c * order.stride[h] + d * order.far_stride[h]]
                    )
                if total > highest or (total == highest and ranks[last + d] < ranks[last + choice]):
                    highest, choice = total, d
            looks += sizes[stages[t - 1]]
            value[begin + c] += highest
            before[begin + c] = choice
    end, choice = offsets[stages[-1]], 0
    for c in range(sizes[stages[-1]]):
        ahead = value[end + c] - value[end + choice]
        if ahead > 0.0 or (ahead == 0.0 and ranks[end + c] < ranks[end + choice]):
            choice = c
    for t in range(len(stages) - 1, -1, -1):  # back along the choices
        best.path[stages[t]] = choice
        choice = before[offsets[stages[t]] + choice]
    return looks
