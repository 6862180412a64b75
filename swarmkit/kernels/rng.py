"""A small random number generator for kernels: xoshiro256++, its state of four words kept in a solver's State.

Blackman, D. and Vigna, S. 2021. Scrambled linear pseudorandom number generators. ACM Trans. Math. Softw. 47(4).
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import njit, types

from swarmkit.contract.arrays import Ints, RngState
from swarmkit.kernels.compiling import INTS, RNG_STATE, kernel


@njit("uint64(uint64[::1])", cache=True, inline="always")
def random_bits(rng_state: RngState) -> np.uint64:
    """Return the next 64 random bits and advance the state."""
    total = rng_state[0] + rng_state[3]
    # The shifts 23, 17 and 45 are those of the reference implementation.
    result = ((total << np.uint64(23)) | (total >> np.uint64(41))) + rng_state[0]
    shift = rng_state[1] << np.uint64(17)
    rng_state[2] ^= rng_state[0]
    rng_state[3] ^= rng_state[1]
    rng_state[1] ^= rng_state[2]
    rng_state[0] ^= rng_state[3]
    rng_state[2] ^= shift
    rng_state[3] = (rng_state[3] << np.uint64(45)) | (rng_state[3] >> np.uint64(19))
    return result


@njit("float64(uint64[::1])", cache=True, inline="always")
def uniform(rng_state: RngState) -> float:
    """Draw from [0, 1): the upper 53 bits, equally spaced."""
    return (random_bits(rng_state) >> np.uint64(11)) * (1.0 / 9007199254740992.0)


@njit("int64(uint64[::1], int64)", cache=True, inline="always")
def below(rng_state: RngState, bound: Any) -> Any:
    """Draw an integer from 0 to bound - 1 (multiply and shift on 32 bits: bias below bound / 2**32)."""
    return np.int64(((random_bits(rng_state) >> np.uint64(32)) * np.uint64(bound)) >> np.uint64(32))


@kernel(types.void(INTS, RNG_STATE))
def shuffle(row: Ints, rng_state: RngState) -> None:
    """Put a row into random order (Fisher and Yates)."""
    for last in range(len(row) - 1, 0, -1):
        k = below(rng_state, last + 1)
        row[last], row[k] = row[k], row[last]
