"""The formulas of selection: how likely each solution of a generation is to become a parent."""

from __future__ import annotations

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

Floats = NDArray[np.float64]


def roulette(scores: Floats) -> Floats:
    """Give chances in proportion to the score, measured from the worst; all equal if there is no difference.

    >>> roulette(np.array([1.0, 2.0, 4.0]))
    array([0.  , 0.25, 0.75])
    """
    # Ours: raw scores may be negative, and on long texts hardly differ from each other in proportion.
    above = scores - scores.min()
    total = above.sum()
    return above / total if total > 0 else np.full(len(scores), 1 / len(scores))


def tournament(scores: Floats, size: int) -> Floats:
    """Give the chances of winning against size - 1 others drawn at random, the same one twice allowed.

    >>> tournament(np.array([1.0, 3.0]), 2)
    array([0.25, 0.75])
    """
    k = len(scores)
    worse = np.empty(k)
    worse[np.argsort(scores, kind="stable")] = np.arange(k)
    # All entrants are no better than this one, but not all of them worse.
    return np.asarray(((worse + 1) / k) ** size - (worse / k) ** size)


def winners(scores: Floats, size: int, count: int, rng: Generator) -> NDArray[np.int64]:
    """Draw pairs of winners with the chances of `tournament`, without adding these up.

    The best of `size` ranks drawn from k is ⌊k·u^(1/size)⌋, u uniform: it is below r with probability (r/k)^size.
    """
    k = len(scores)
    ranks = (k * rng.random((count, 2)) ** (1.0 / size)).astype(np.int64)
    return np.asarray(np.argsort(scores, kind="stable")[np.minimum(ranks, k - 1)])


def pairs(chances: Floats, count: int, rng: Generator) -> NDArray[np.int64]:
    """Draw pairs of parents by their chances."""
    ends = np.cumsum(chances)
    drawn = np.searchsorted(ends, rng.random((count, 2)) * ends[-1], side="right")
    return np.asarray(np.minimum(drawn, len(chances) - 1))


def partners(k: int, rng: Generator) -> NDArray[np.int64]:
    """Pair everybody with anybody: selection is then in who gives way to a child."""
    return np.column_stack([np.arange(k), rng.integers(k, size=k)])
