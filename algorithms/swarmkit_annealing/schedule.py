"""The formulas of annealing: acceptance and temperatures."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]


def acceptance(delta: Floats, temperature: float) -> Floats:
    """Give the probability of taking a move that changes the score by delta (Metropolis).

    >>> acceptance(np.array([1.0, 0.0, -1.0, -np.inf]), 1.0).round(4)
    array([1.    , 1.    , 0.3679, 0.    ])
    """
    return np.exp(np.minimum(delta, 0.0) / temperature)


def falling(hot: float, cooling: float, first: int, count: int) -> Floats:
    """Give the temperatures of `count` sweeps, each `cooling` times the one before; sweep 0 is at `hot`.

    >>> falling(1.0, 0.5, 1, 3)
    array([0.5  , 0.25 , 0.125])
    """
    # Kept above zero: colder than this nothing is taken anyway.
    return np.maximum(hot * cooling ** np.arange(first, first + count, dtype=np.float64), 1e-300)


def cycling(hot: float, cold: float, first: int, count: int, shortest: int) -> Floats:
    """Give the temperatures of `count` sweeps of cycles that fall from hot to cold, each twice as long as the last.

    >>> cycling(4.0, 1.0, 0, 6, shortest=2)
    array([4.        , 1.        , 4.        , 2.5198421 , 1.58740105,
           1.        ])
    """
    sweep = np.arange(first, first + count)
    cycle = np.floor(np.log2(sweep / shortest + 1)).astype(np.int64)
    length = shortest << cycle
    place = sweep - (length - shortest)  # the cycles before took shortest · (2^cycle - 1) sweeps
    return np.asarray(hot * (cold / hot) ** (place / (length - 1)))
