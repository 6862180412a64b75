"""Products of sparse rows in plain numpy: importing scipy.sparse takes longer than tagging a sentence."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from swarmkit_wsd.arrays import gather, spans

PRODUCTS_AT_ONCE = 1 << 21
"""Products of single entries in memory at once: about 64 MB beside the result."""


@dataclass(frozen=True)
class Rows:
    """Sparse rows: the columns and values of row i are at starts[i] to starts[i + 1]."""

    starts: NDArray[np.int64]
    columns: NDArray[np.int64]
    values: NDArray[np.float64]

    def take(self, rows: NDArray[Any]) -> Rows:
        """Return some of the rows, in the order of `rows`."""
        items, _ = gather(self.starts, rows)
        lengths = np.diff(self.starts)[rows]
        return Rows(np.concatenate([[0], np.cumsum(lengths)]), self.columns[items], self.values[items])


def counted(owners: NDArray[Any], columns: NDArray[Any], count: int) -> Rows:
    """Return `count` rows; the value in row i and column j is how often j occurs in `columns` with owner i."""
    width = int(columns.max(initial=0)) + 1
    keys, times = np.unique(owners.astype(np.int64) * width + columns, return_counts=True)
    starts = np.searchsorted(keys, np.arange(count + 1) * width)
    return Rows(starts, keys % width, times.astype(np.float64))


def product(a: Rows, b: Rows) -> NDArray[np.float64]:
    """Return the dot product of every row of `a` with every row of `b`.

    >>> rows = counted(np.array([0, 0, 1]), np.array([3, 5, 5]), 2)
    >>> product(rows, rows).tolist()
    [[2.0, 1.0], [1.0, 1.0]]
    """
    n_a, n_b = len(a.starts) - 1, len(b.starts) - 1
    out = np.zeros(n_a * n_b)
    order = np.argsort(b.columns, kind="stable")
    b_owner = np.repeat(np.arange(n_b), np.diff(b.starts))[order]
    b_values, b_columns = b.values[order], b.columns[order]
    begin, end = np.searchsorted(b_columns, a.columns), np.searchsorted(b_columns, a.columns, side="right")
    a_owner = np.repeat(np.arange(n_a), np.diff(a.starts))
    work = np.concatenate([[0], np.cumsum(end - begin)])[a.starts]
    for first, last in _pieces(work, a.starts):
        items, entry = spans(begin[first:last], end[first:last])
        cells = a_owner[first:last][entry] * n_b + b_owner[items]
        low = int(a_owner[first]) * n_b
        sums = np.bincount(cells - low, weights=a.values[first:last][entry] * b_values[items])
        out[low : low + len(sums)] = sums
    return out.reshape(n_a, n_b)


def _pieces(work: NDArray[Any], starts: NDArray[Any]) -> list[tuple[int, int]]:
    """Return where to split the entries into pieces of bounded work, between rows: split sums would round differently.

    `work` is the number of products before each row, and at the end the total.
    """
    cuts = np.searchsorted(work, np.arange(PRODUCTS_AT_ONCE, work[-1], PRODUCTS_AT_ONCE))
    edges = np.unique(starts[np.concatenate([[0], cuts, [len(work) - 1]])]).tolist()
    return list(pairwise(edges))
