"""The compiled product of sparse rows, for blocks with many products. Imported only when needed."""

from __future__ import annotations

from typing import Any

from numba import njit


@njit(cache=True)
def add_products(a: Any, b: Any, by_column: Any, out: Any) -> None:
    """Add the dot product of every row of `a` with every row of `b` to `out`, in the order of the entries of `a`.

    Args:
        a: the starts of the rows of one side, and the value of every entry.
        b: the row and the value of every entry of the other side, sorted by column.
        by_column: where the entries of `b` with the column of each entry of `a` begin and end.
        out: a row for each row of `a`, a column for each row of `b`.
    """
    starts, values = a
    rows, factors = b
    begin, end = by_column
    for i in range(len(starts) - 1):
        sums = out[i]
        for e in range(starts[i], starts[i + 1]):
            for k in range(begin[e], end[e]):
                sums[rows[k]] += values[e] * factors[k]
