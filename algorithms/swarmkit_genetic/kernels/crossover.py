"""Crossover of two parents, for free stages and for permutations (stages that must differ).

Davis, L. 1985. Applying adaptive algorithms to epistatic domains. IJCAI: order crossover.
Goldberg, D. and Lingle, R. 1985. Alleles, loci, and the traveling salesman problem. ICGA: partially mapped crossover.

Except for `uniform`, operators take what was drawn as arguments. `position` is scratch memory: -1 for every candidate,
before and after.
"""

from __future__ import annotations

import numpy as np
from numba import types

from swarmkit import Ints, RngState
from swarmkit.kernels.compiling import GIVEN_INTS, INT, INTS, RNG_STATE, kernel
from swarmkit.kernels.rng import random_bits


@kernel(types.void(GIVEN_INTS, GIVEN_INTS, INT, INTS))
def one_point(a: Ints, b: Ints, cut: int, child: Ints) -> None:
    """Take parent a's stages before the cut and parent b's from there on."""
    for i in range(len(child)):
        child[i] = a[i] if i < cut else b[i]


@kernel(types.void(GIVEN_INTS, GIVEN_INTS, RNG_STATE, INTS))
def uniform(a: Ints, b: Ints, rng_state: RngState, child: Ints) -> None:
    """Take each stage from either parent by a random bit; one draw serves 64 stages."""
    bits = np.uint64(0)
    for i in range(len(child)):
        if i & 63 == 0:
            bits = random_bits(rng_state)
        child[i] = a[i] if bits & np.uint64(1) else b[i]
        bits >>= np.uint64(1)


@kernel(types.void(GIVEN_INTS, GIVEN_INTS, INT, INT, INTS, INTS))
def order(a: Ints, b: Ints, low: int, high: int, position: Ints, child: Ints) -> None:
    """Keep parent a's segment low..high-1 and fill the rest with parent b's other candidates in order (Davis 1985).

    Both are gone through from `high` on, around the end.
    """
    n = len(child)
    for i in range(low, high):
        child[i] = a[i]
        position[a[i]] = i
    to = high if high < n else 0
    left, at = n - (high - low), to
    for _ in range(n):
        if left and position[b[at]] < 0:
            child[to] = b[at]
            to = to + 1 if to + 1 < n else 0
            left -= 1
        at = at + 1 if at + 1 < n else 0
    for i in range(low, high):
        position[a[i]] = -1


@kernel(types.void(GIVEN_INTS, GIVEN_INTS, INT, INT, INTS, INTS))
def partially_mapped(a: Ints, b: Ints, low: int, high: int, position: Ints, child: Ints) -> None:
    """Keep parent a's segment low..high-1 and parent b elsewhere (Goldberg & Lingle 1985).

    A candidate of b that the segment holds already is replaced by the one that it displaced there.
    """
    for i in range(low, high):
        child[i] = a[i]
        position[a[i]] = i
    for i in range(len(child)):
        if i < low or i >= high:
            c = b[i]
            while position[c] >= 0:
                c = b[position[c]]
            child[i] = c
    for i in range(low, high):
        position[a[i]] = -1
