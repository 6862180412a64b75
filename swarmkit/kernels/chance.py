"""A small generator for kernels: xoshiro256++ (Blackman & Vigna 2021), four words kept in a solver's State.

Blackman, D. and Vigna, S. 2021. Scrambled linear pseudorandom number generators. ACM Trans. Math. Softw. 47(4).
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import njit
from numpy.random import Generator
from numpy.typing import NDArray

Words = NDArray[np.uint64]


def seeded(rng: Generator) -> Words:
    """Draw the four words from the run's generator; all zeros, the one forbidden state, has no chance to speak of."""
    return rng.integers(0, 2**64, size=4, dtype=np.uint64)


@njit("uint64(uint64[::1])", cache=True, inline="always")
def draw(words: Words) -> np.uint64:
    """Give the next 64 random bits and move the generator on."""
    total = words[0] + words[3]
    result = ((total << np.uint64(23)) | (total >> np.uint64(41))) + words[0]
    shifted = words[1] << np.uint64(17)
    words[2] ^= words[0]
    words[3] ^= words[1]
    words[1] ^= words[2]
    words[0] ^= words[3]
    words[2] ^= shifted
    words[3] = (words[3] << np.uint64(45)) | (words[3] >> np.uint64(19))
    return result


@njit("float64(uint64[::1])", cache=True, inline="always")
def uniform(words: Words) -> float:
    """Draw from [0, 1): the upper 53 bits, all equally spaced."""
    return (draw(words) >> np.uint64(11)) * (1.0 / 9007199254740992.0)


@njit("int64(uint64[::1], int64)", cache=True, inline="always")
def below(words: Words, bound: Any) -> Any:
    """Draw a whole number from 0 to bound - 1 (multiply and shift on 32 bits: bias below bound / 2**32)."""
    return np.int64(((draw(words) >> np.uint64(32)) * np.uint64(bound)) >> np.uint64(32))
