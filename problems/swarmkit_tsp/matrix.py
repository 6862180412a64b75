"""The formats in which TSPLIB writes a table of distances (EDGE_WEIGHT_FORMAT)."""

from __future__ import annotations

import numpy as np

from swarmkit import Floats, Ints

FORMATS = (
    "FULL_MATRIX",
    "UPPER_ROW",
    "LOWER_ROW",
    "UPPER_DIAG_ROW",
    "LOWER_DIAG_ROW",
    "UPPER_COL",
    "LOWER_COL",
    "UPPER_DIAG_COL",
    "LOWER_DIAG_COL",
)


def places(form: str, n: int) -> tuple[Ints, Ints]:
    """Return row and column of each number of a triangular format, in the order of the file.

    >>> [place.tolist() for place in places("LOWER_DIAG_ROW", 2)]
    [[0, 1, 1], [0, 0, 1]]
    >>> [place.tolist() for place in places("UPPER_COL", 3)]
    [[0, 0, 1], [1, 2, 2]]
    """
    side, order = form.replace("_DIAG", "").split("_")
    offset = 0 if "DIAG" in form else 1
    # A triangle by columns has the order of its transpose by rows.
    if (side == "UPPER") == (order == "ROW"):
        outer, inner = np.triu_indices(n, offset)
    else:
        outer, inner = np.tril_indices(n, -offset)
    return (outer, inner) if order == "ROW" else (inner, outer)


def count_of(form: str, n: int) -> int:
    """Return how many numbers a format has.

    >>> count_of("UPPER_ROW", 4), count_of("LOWER_DIAG_COL", 4), count_of("FULL_MATRIX", 4)
    (6, 10, 16)
    """
    return n * n if form == "FULL_MATRIX" else n * (n + 1) // 2 if "DIAG" in form else n * (n - 1) // 2


def unfold(form: str, n: int, numbers: Floats) -> Floats:
    """Return the full table; the diagonal is set to 0, because no tour uses it."""
    if form == "FULL_MATRIX":
        table = numbers.reshape(n, n).copy()
    else:
        table = np.zeros((n, n))
        i, j = places(form, n)
        table[i, j] = table[j, i] = numbers
    np.fill_diagonal(table, 0.0)
    return table
