"""Iterated conditional maximisation on the field: the best candidate stage by stage, until nothing improves."""

from __future__ import annotations

import numpy as np
from numba import types

from swarmkit.kernels.chance import Words, below
from swarmkit.kernels.compiling import (
    FLOATS,
    GIVEN_FLOATS,
    INT,
    INT_ROWS,
    INTS,
    LINKS,
    WORDS,
    Floats,
    Ints,
    kernel,
)
from swarmkit.kernels.field import fill, gain, take

LEAST = 1e-9
"""A gain counts from here, relative to the largest around: rounding must not look like an improvement."""


@kernel(types.Tuple((INT, types.float64))(*LINKS, FLOATS, INTS, INTS, INT, WORDS))
def best_candidate(
    offsets: Ints,
    indptr: Ints,
    runs: Ints,
    weights: Floats,
    flat: Floats,
    values: Floats,
    x: Ints,
    holder: Ints,
    i: int,
    words: Words,
) -> tuple[int, float]:
    """Give the candidate that gains most at stage i, ties at random, and its gain; (-1, 0) if none gains anything."""
    best, most, ties, largest = -1, -np.inf, 0, 0.0
    for c in range(offsets[i + 1] - offsets[i]):
        g = gain(offsets, indptr, runs, weights, flat, values, x, holder, i, c)
        largest = max(largest, abs(g))
        if g > most:
            best, most, ties = c, g, 1
        elif g == most:
            ties += 1
            if below(words, ties) == 0:
                best = c
    if most > LEAST * (1.0 + largest):
        return best, most
    return -1, 0.0


@kernel(types.void(INTS, WORDS))
def shuffle(row: Ints, words: Words) -> None:
    """Put a row into random order (Fisher and Yates)."""
    for last in range(len(row) - 1, 0, -1):
        k = below(words, last + 1)
        row[last], row[k] = row[k], row[last]


@kernel(INT(*LINKS, GIVEN_FLOATS, INT_ROWS, FLOATS, INTS, INTS, WORDS))
def climb(
    offsets: Ints,
    indptr: Ints,
    runs: Ints,
    weights: Floats,
    flat: Floats,
    unary: Floats,
    X: Ints,
    values: Floats,
    holder: Ints,
    order: Ints,
    words: Words,
) -> int:
    """Climb with every row of X, in place; give the looks. `values`, `holder` and `order` are room to work in."""
    looks = 0
    for k in range(len(X)):
        x = X[k]
        fill(indptr, runs, weights, flat, unary, x, values)
        for c in range(len(holder)):
            holder[c] = -1
        for i in range(len(x)):
            order[i] = i
            if len(holder):
                holder[x[i]] = i
        moved = True
        while moved:
            moved = False
            shuffle(order, words)
            for i in order:
                c, _ = best_candidate(offsets, indptr, runs, weights, flat, values, x, holder, i, words)
                looks += (offsets[i + 1] - offsets[i]) * (2 if len(holder) else 1)
                if c >= 0:
                    take(indptr, runs, weights, flat, values, x, holder, i, c)
                    moved = True
    return looks
