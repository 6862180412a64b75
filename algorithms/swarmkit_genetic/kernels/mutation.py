"""Mutation: each stage with the same probability takes another candidate, swaps it in, or ends an inversion."""

from __future__ import annotations

import math

from numba import types

from swarmkit import Ints, RngState
from swarmkit.kernels.compiling import FLOAT, GIVEN_INTS, INT, INTS, RNG_STATE, kernel
from swarmkit.kernels.rng import below, uniform
from swarmkit_genetic.operators import INVERSION, SWAP

NEVER = 1e15
"""More stages than any problem has, and still an exact integer."""


@kernel(INT(FLOAT, FLOAT), inline=True)
def stages_skipped(rate: float, chance: float) -> int:
    """Return how many stages come before the next one that mutates, each mutating with probability `rate`.

    A geometric variate by inversion of `chance`, drawn from [0, 1): one draw a mutation instead of one a stage.
    """
    if rate >= 1.0:
        return 0
    return int(min(math.log(1.0 - chance) / math.log1p(-rate), NEVER)) if rate > 0.0 else int(NEVER)


@kernel(types.void(INTS, INT, INT))
def invert(child: Ints, low: int, high: int) -> None:
    """Reverse the segment low..high-1."""
    high -= 1
    while low < high:
        child[low], child[high] = child[high], child[low]
        low, high = low + 1, high - 1


@kernel(types.void(INTS, GIVEN_INTS, INT, INT, RNG_STATE))
def mutate_stage(child: Ints, sizes: Ints, i: int, kind: int, rng_state: RngState) -> None:
    """Let stage i mutate: invert up to a random stage, or take another candidate, by a swap if the kind is SWAP."""
    n = len(child)
    if kind == INVERSION:
        other = below(rng_state, n)
        low, high = (i, other) if i < other else (other, i)
        invert(child, low, high + 1)
        return
    c = below(rng_state, sizes[i] - 1)
    c += c >= child[i]
    if kind == SWAP:
        for j in range(n):
            if child[j] == c:
                child[j] = child[i]
    child[i] = c


@kernel(types.void(INTS, GIVEN_INTS, FLOAT, INT, RNG_STATE))
def mutate(child: Ints, sizes: Ints, rate: float, kind: int, rng_state: RngState) -> None:
    """Let each stage that has a choice mutate with probability `rate`."""
    n, i = len(child), 0
    while True:
        i += stages_skipped(rate, uniform(rng_state))
        if i >= n:
            break
        if sizes[i] > 1:
            mutate_stage(child, sizes, i, kind, rng_state)
        i += 1
