"""The random numbers of compiled kernels."""

from __future__ import annotations

import numpy as np
from numpy.random import Generator

from swarmkit.contract.arrays import RngState


def rng_state(rng: Generator) -> RngState:
    """Return a fresh state for the generator that kernels draw from (`swarmkit.kernels.rng`); it belongs in State.

    All zeros, the one forbidden state, is as likely as any other: once in 2**256.

    Args:
        rng: the run's generator, from which the four words are drawn.
    """
    return rng.integers(0, 2**64, size=4, dtype=np.uint64)
