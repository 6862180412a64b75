"""Matrices as 8-bit integers with a scale for each row."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray


def quantised(matrix: NDArray[Any]) -> tuple[NDArray[np.int8], NDArray[np.float32]]:
    """Return a matrix as integers and the scales of its rows: matrix ≈ integers · scales.

    >>> quantised(np.array([[1.0, -0.5], [0.0, 0.0]]))[0].tolist()
    [[127, -64], [0, 0]]
    """
    scale = np.abs(matrix).max(1).astype(np.float32) / 127
    rounded = np.rint(matrix / np.maximum(scale, 1e-30)[:, None])
    return rounded.astype(np.int8), scale


def unit_rows(vectors: NDArray[Any]) -> NDArray[np.float32]:
    """Return rows scaled to norm 1; rows of zeros stay so.

    >>> unit_rows(np.array([[3, 4], [0, 0]], np.int8)).round(2).tolist()
    [[0.6000000238418579, 0.800000011920929], [0.0, 0.0]]
    """
    rows = vectors.astype(np.float32)
    norm = np.sqrt(np.square(rows).sum(-1, keepdims=True))
    scaled: NDArray[np.float32] = rows / np.maximum(norm, 1e-12)
    return scaled
