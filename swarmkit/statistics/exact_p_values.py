"""Exact p-values of rank tests with ties, by enumerating the distribution of the rank sum."""

from __future__ import annotations

import numpy as np

from swarmkit.contract.arrays import Floats


def exact_signed_ranks(d: Floats) -> float:
    """Return the exact two-sided p-value of Wilcoxon's signed-rank test, which may have ties.

    It is the share of all assignments of signs to the ranks whose positive ranks have a sum at least as extreme.

    >>> exact_signed_ranks(np.array([1.0, 1.0, 2.0, 2.0, 3.0, 3.0])) == 2 / 64
    True
    """
    from scipy.stats import rankdata

    twice_ranks = (2 * rankdata(np.abs(d))).round().astype(int)  # shared ranks may be halves
    ways = np.zeros(twice_ranks.sum() + 1)
    ways[0] = 1.0
    # Dynamic programming over the ranks, each of which is in the sum or not: O(n²) sums instead of 2^n signs.
    for rank in twice_ranks:
        ways[rank:] += ways[:-rank].copy()
    return _two_sided(ways, int(twice_ranks[d > 0].sum()))


def exact_rank_sum(first: Floats, second: Floats) -> float:
    """Return the exact two-sided p-value of the rank-sum test for the ranks of two samples, which may have ties.

    It is the share of all assignments of the ranks to the samples with a rank sum at least as extreme.

    >>> exact_rank_sum(np.array([1.5, 1.5, 3.5, 3.5]), np.array([5.5, 5.5, 7.5, 7.5])) == 2 / 70
    True
    """
    twice_ranks = (2 * np.concatenate([first, second])).round().astype(int)  # shared ranks may be halves
    ways = np.zeros((first.size + 1, twice_ranks.sum() + 1))
    ways[0, 0] = 1.0
    # ways[k, s]: the number of ways in which k of the ranks so far have the sum s.
    for rank in twice_ranks:
        ways[1:, rank:] += ways[:-1, :-rank].copy()
    return _two_sided(ways[first.size], int(twice_ranks[: first.size].sum()))


def _two_sided(ways: Floats, total: int) -> float:
    """Return twice the probability of a sum at least as extreme as `total`; ways[s] counts the ways to the sum s."""
    return float(min(1.0, 2 * min(ways[: total + 1].sum(), ways[total:].sum()) / ways.sum()))
