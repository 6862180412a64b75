"""Random numbers: the state of the generator that kernels draw from, and the roulette wheel on arrays."""

from __future__ import annotations

import numpy as np
from numpy.random import Generator

from swarmkit.contract.arrays import Floats, Ints, RngState


def rng_state(rng: Generator) -> RngState:
    """Return a fresh state for the generator that kernels draw from (`swarmkit.kernels.rng`); it belongs in State.

    All zeros, the one forbidden state, is as likely as any other: once in 2**256.

    Args:
        rng: the run's generator, from which the four words are drawn.
    """
    return rng.integers(0, 2**64, size=4, dtype=np.uint64)


def roulette_wheel(weights: Floats, chances: Floats) -> Ints:
    """Return, for each chance, the index at which the sum of the weights passes that share of their total.

    `swarmkit.kernels.roulette.spin` is the same for kernels.

    >>> roulette_wheel(np.array([[1.0, 0.0, 3.0], [1.0, 0.0, 3.0]]), np.array([0.2, 0.25]))
    array([0, 2])
    >>> roulette_wheel(np.array([1.0, 0.0, 3.0]), np.array([[0.2, 0.25]]))
    array([[0, 2]])

    Args:
        weights: weights >= 0: one wheel for all chances, or a row for each; the sum of a wheel is more than 0.
        chances: numbers drawn from [0, 1).
    """
    heights = np.cumsum(weights, axis=-1)
    if weights.ndim == 1:
        drawn = np.searchsorted(heights, chances * heights[-1], side="right")
        return np.asarray(np.minimum(drawn, len(weights) - 1))
    passed = heights > chances[:, None] * heights[:, -1:]
    last = weights.shape[1] - 1 - (weights[:, ::-1] > 0).argmax(axis=1)  # rounding may lead beyond it
    return np.asarray(np.where(passed.any(axis=1), passed.argmax(axis=1), last))
