"""Measures on sparse rows, and the products of these."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from swarmkit_lexicon.arrays import gather, spans
from swarmkit_wsd.measures.measure import Block, Synsets, places, set_identical

MOST_AT_ONCE = 1 << 21
"""Products of single entries that numpy computes at once, with about 64 MB of memory; more are scipy's, which adds them
in the same order."""


class Rows(NamedTuple):
    """Sparse rows: the columns and values of row i are at starts[i] to starts[i + 1]."""

    starts: NDArray[np.int64]
    columns: NDArray[np.int64]
    values: NDArray[np.float64]

    def take(self, rows: NDArray[Any]) -> Rows:
        """Return some of the rows, in the order of `rows`."""
        items, _ = gather(self.starts, rows)
        lengths = np.diff(self.starts)[rows]
        return Rows(np.concatenate([[0], np.cumsum(lengths)]), self.columns[items], self.values[items])


def count_rows(owners: NDArray[Any], columns: NDArray[Any], count: int) -> Rows:
    """Return `count` rows; the value in row i and column j is how often j occurs in `columns` with owner i."""
    width = int(columns.max(initial=0)) + 1
    keys, times = np.unique(owners.astype(np.int64) * width + columns, return_counts=True)
    starts = np.searchsorted(keys, np.arange(count + 1) * width)
    return Rows(starts, keys % width, times.astype(np.float64))


def product(a: Rows, b: Rows) -> NDArray[np.float64]:
    """Return the dot product of every row of `a` with every row of `b`.

    >>> rows = count_rows(np.array([0, 0, 1]), np.array([3, 5, 5]), 2)
    >>> product(rows, rows).tolist()
    [[2.0, 1.0], [1.0, 1.0]]
    """
    n_a, n_b = len(a.starts) - 1, len(b.starts) - 1
    order = np.argsort(b.columns, kind="stable")
    b_owner = np.repeat(np.arange(n_b), np.diff(b.starts))[order]
    b_values = b.values[order]
    width = max(int(a.columns.max(initial=0)), int(b.columns.max(initial=0))) + 1
    by_column = np.concatenate([[0], np.cumsum(np.bincount(b.columns, minlength=width))])
    # For each entry of `a` the run of entries of `b` in the same column: only these products are not 0.
    begin, end = by_column[a.columns], by_column[a.columns + 1]
    if int((end - begin).sum()) > MOST_AT_ONCE:
        from scipy.sparse import csr_array  # takes longer to load than a tag

        left = csr_array((a.values, a.columns, a.starts), shape=(n_a, width))
        right = csr_array((b.values, b.columns, b.starts), shape=(n_b, width))
        return np.asarray((left @ right.T).toarray())
    items, entry = spans(begin, end)
    cells = np.repeat(np.arange(n_a), np.diff(a.starts))[entry] * n_b + b_owner[items]
    sums = np.bincount(cells, weights=a.values[entry] * b_values[items], minlength=n_a * n_b)
    return sums.astype(np.float64, copy=False).reshape(n_a, n_b)  # of nothing, bincount returns integers


@dataclass(frozen=True)
class PreparedRows:
    """A prepared measure whose values are a function of the dot products of sparse rows."""

    synsets: Synsets
    """The prepared synsets, sorted."""
    rows: Rows
    """The row of each."""
    value: Callable[[Block, Rows, Rows], Block]
    """Returns the values, given the products of two groups of rows, and these rows."""

    def products(self, a: Synsets, b: Synsets) -> tuple[Block, Rows, Rows]:
        """Return the product of the row of each synset of `a` with that of each of `b`, and these rows."""
        rows_a, rows_b = (self.rows.take(places(self.synsets, part)) for part in (a, b))
        return product(rows_a, rows_b), rows_a, rows_b

    def block(self, a: Synsets, b: Synsets) -> Block:
        """Return the value of each synset of `a` with each of `b`; 1 of a synset with itself."""
        return set_identical(self.value(*self.products(a, b)), a, b)
