"""Selection: the probability of each solution of a generation to become a parent, and pairs drawn by it."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.random import Generator

from swarmkit import Floats, Ints, Solutions
from swarmkit.search import roulette_wheel


class Parents(NamedTuple):
    """A population with its scores, and the two parents of each child (rows of X)."""

    X: Solutions
    scores: Floats
    pairs: Ints


def roulette(scores: Floats) -> Floats:
    """Return probabilities in proportion to the score above the worst; equal ones if all scores are.

    >>> roulette(np.array([1.0, 2.0, 4.0]))
    array([0.  , 0.25, 0.75])
    """
    # Ours: raw scores may be negative, and on long texts hardly differ from each other in proportion.
    above = scores - scores.min()
    total = above.sum()
    return above / total if total > 0 else np.full(len(scores), 1 / len(scores))


def tournament(scores: Floats, size: int) -> Floats:
    """Return the probabilities of winning a tournament among `size` solutions drawn with replacement.

    >>> tournament(np.array([1.0, 3.0]), 2)
    array([0.25, 0.75])
    """
    k = len(scores)
    worse = np.empty(k)
    worse[np.argsort(scores, kind="stable")] = np.arange(k)
    # Nobody drawn is better than this one, but not all are worse.
    return np.asarray(((worse + 1) / k) ** size - (worse / k) ** size)


def roulette_pairs(scores: Floats, count: int, rng: Generator) -> Ints:
    """Draw `count` pairs of parents with the probabilities of `roulette`."""
    return roulette_wheel(roulette(scores), rng.random((count, 2)))


def tournament_pairs(scores: Floats, size: int, count: int, rng: Generator) -> Ints:
    """Draw `count` pairs of parents with the probabilities of `tournament`, without adding these up.

    The best of `size` ranks drawn from k is ⌊k·u^(1/size)⌋, u uniform: it is below r with probability (r/k)^size.
    """
    k = len(scores)
    ranks = (k * rng.random((count, 2)) ** (1.0 / size)).astype(np.int64)
    return np.asarray(np.argsort(scores, kind="stable")[np.minimum(ranks, k - 1)])


def random_partners(k: int, rng: Generator) -> Ints:
    """Pair each of k solutions, as first parent, with a random one."""
    return np.column_stack([np.arange(k), rng.integers(k, size=k)])
