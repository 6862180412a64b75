"""The formulas of annealing: which moves are accepted, and the temperatures of sweeps."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from swarmkit import Floats

NEGLIGIBLE = 1e-9
"""A change of the score up to this many start temperatures is none: equal candidates may alternate for ever."""


def acceptance(delta: Any, temperature: float) -> Any:
    """Return the probability of accepting a move that changes the score by delta, min(1, exp(delta / T)) (Metropolis).

    >>> acceptance(np.array([1.0, 0.0, -1.0, -np.inf]), 1.0).round(4)
    array([1.    , 1.    , 0.3679, 0.    ])
    """
    return np.exp(np.minimum(delta, 0.0) / temperature)


def falling(hot: float, cooling: float, first: int, count: int) -> Floats:
    """Return the temperatures of sweeps `first` to `first + count - 1`, each `cooling` times the one before.

    >>> falling(1.0, 0.5, 1, 3)  # sweep 0 is at `hot`
    array([0.5  , 0.25 , 0.125])
    """
    # Kept above zero: at 1e-300 no worse move is accepted anyway.
    return np.maximum(hot * cooling ** np.arange(first, first + count, dtype=np.float64), 1e-300)


def cycling(hot: float, cold: float, shortest: int, first: int, count: int) -> Floats:
    """Return the temperatures of sweeps `first` to `first + count - 1` in cycles from hot to cold.

    A cycle cools geometrically and is twice as long as the one before; the first has `shortest` sweeps.

    >>> cycling(4.0, 1.0, 2, 0, 6)
    array([4.        , 1.        , 4.        , 2.5198421 , 1.58740105,
           1.        ])
    """
    sweep = np.arange(first, first + count)
    cycle = np.floor(np.log2(sweep / shortest + 1)).astype(np.int64)
    length = shortest << cycle
    place = sweep - (length - shortest)  # the cycles before took shortest · (2^cycle - 1) sweeps
    return np.asarray(hot * (cold / hot) ** (place / (length - 1)))


class Schedule(NamedTuple):
    """The sweeps that an annealer is to make."""

    temperatures: Floats
    """The temperature of each of them."""
    sweep: int
    """Proposals in a sweep."""
    negligible: float = 0.0
    """Changes of the score up to this do not count as changes."""
    until_frozen: bool = False
    """Whether to stop after a sweep that did not change the score."""


class Sweeps(NamedTuple):
    """The sweeps that an annealer has made: their cost and their course."""

    looks: int
    scores: Floats
    """The score at the end of each sweep that ended."""
    accepted: Floats
    """The fraction of each sweep's proposals (heat bath: of its stages) that changed the score."""
    frozen: bool = False
    """Whether the score changes no more."""
