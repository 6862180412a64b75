"""Rows of different lengths kept end to end in one array: their starts, and the positions of many rows at once."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np
from numpy.typing import NDArray


def starts_of(lengths: Iterable[int]) -> NDArray[np.int32]:
    """Return where each row starts, and at the end where the last one ends.

    >>> starts_of([2, 0, 3]).tolist()
    [0, 2, 2, 5]
    """
    return np.concatenate([[0], np.cumsum(np.fromiter(lengths, np.int64))]).astype(np.int32)


def gather(starts: NDArray[Any], rows: NDArray[Any]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return the positions of the items of some rows, and for each item the index of its row in `rows`.

    >>> [part.tolist() for part in gather(np.array([0, 2, 2, 5]), np.array([2, 0]))]
    [[2, 3, 4, 0, 1], [0, 0, 0, 1, 1]]
    """
    return spans(starts[rows].astype(np.int64), starts[np.asarray(rows) + 1].astype(np.int64))


def spans(begin: NDArray[np.int64], end: NDArray[np.int64]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return the positions begin[i], …, end[i] - 1 of every span i, one span after the other, and the span of each.

    >>> [part.tolist() for part in spans(np.array([7, 0]), np.array([9, 1]))]
    [[7, 8, 0], [0, 0, 1]]
    """
    lengths = end - begin
    owner = np.repeat(np.arange(len(lengths)), lengths)
    shift = begin - np.cumsum(lengths) + lengths
    return np.arange(len(owner)) + shift[owner], owner
