"""Solutions built stage by stage by appeal and trail on the pairwise form, and trails laid on tours."""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import njit, types

from swarmkit.kernels import Index
from swarmkit.kernels.chance import Words, below, uniform
from swarmkit.kernels.compiling import (
    BOOL,
    FLOAT,
    FLOATS,
    GIVEN_FLOATS,
    GIVEN_INTS,
    INT,
    INT_ROWS,
    INTS,
    WORDS,
)
from swarmkit.pairwise import Floats, Ints
from swarmkit.tour import Near


@njit("void(float64[:, ::1], int32[:, ::1], int64[::1], float64, float64, boolean)", cache=True)
def lay(trail: Floats, near: Near, tour: Ints, keep: float, amount: float, both: bool) -> None:
    """Lay trail on a tour's edges, as far as they lead to one of the nearest; in both directions if it says so."""
    n, k = near.shape
    for at in range(n):
        a, b = tour[at], tour[at + 1 - n]
        for _ in range(2 if both else 1):
            for j in range(k):
                if near[a, j] == b:
                    trail[a, j] = keep * trail[a, j] + amount
                    break
            a, b = b, a


@njit("void(float64[:, ::1], float64[:, ::1], float32[:, ::1], float64, float64, float64)", cache=True)
def weigh(trail: Floats, charm: Floats, weights: Any, alpha: float, low: float, high: float) -> None:
    """Keep trail within its limits, and give every way its weight τ^alpha·η^β."""
    for i in range(trail.shape[0]):
        for j in range(trail.shape[1]):
            trail[i, j] = min(max(trail[i, j], low), high)
            weights[i, j] = (trail[i, j] if alpha == 1.0 else trail[i, j] ** alpha) * charm[i, j]


@njit(
    "void(int32[:, ::1], float64[:, ::1], float64[:, ::1], float32[:, ::1], int64[::1], float64, float64, boolean, "
    "float64, float64, float64)",
    cache=True,
)
def teach(
    near: Near,
    trail: Floats,
    charm: Floats,
    weights: Any,
    tour: Ints,
    keep: float,
    amount: float,
    both: bool,
    alpha: float,
    low: float,
    high: float,
) -> None:
    """Keep a share of all trail, lay more on a tour's edges, and weigh the ways anew."""
    for i in range(trail.shape[0]):
        for j in range(trail.shape[1]):
            trail[i, j] *= keep
    lay(trail, near, tour, 1.0, amount, both)
    weigh(trail, charm, weights, alpha, low, high)


@njit("void(float64[::1], float64, float64)", cache=True, inline="always")
def raise_to_visibility(values: Floats, faint: float, beta: float) -> None:
    """Turn marginal scores into η^β, in place: the best is 1, the worst `faint`, however near they are."""
    lowest = values.min()
    spread = values.max() - lowest
    for c in range(len(values)):
        eta = max((values[c] - lowest) / spread, faint) if spread > 0.0 else 1.0
        values[c] = eta if beta == 1.0 else (eta * eta if beta == 2.0 else eta**beta)


@njit(types.void(FLOATS, INTS, INT, *(GIVEN_INTS,) * 5, GIVEN_FLOATS, GIVEN_FLOATS), cache=True)
def marginals(
    values: Floats,
    x: Ints,
    stage: Index,
    indptr: Ints,
    neighbour: Ints,
    start: Ints,
    own: Ints,
    other: Ints,
    weight: Floats,
    flat: Floats,
) -> None:
    """Add to each candidate's value what it gains beside the neighbours that have been chosen."""
    for h in range(indptr[stage], indptr[stage + 1]):
        chosen = x[neighbour[h]]
        if chosen < 0:
            continue
        first, w = start[h] + chosen * other[h], weight[h]
        if own[h] == 1:  # a contiguous row can be added four numbers at a time
            row = flat[first : first + len(values)]
            for c in range(len(values)):
                values[c] += w * row[c]
        else:
            for c in range(len(values)):
                values[c] += w * flat[first + c * own[h]]


@njit("int64(float64[::1], float64)", cache=True)
def spin(shares: Floats, chance: float) -> Any:
    """Choose by roulette: each in proportion to its share; at least one is more than 0."""
    aim = chance * shares.sum()
    chosen = 0
    for c in range(len(shares)):
        if shares[c] > 0.0:
            chosen = c
            aim -= shares[c]
            if aim < 0.0:
                break
    return chosen


@njit(
    INT(
        *(GIVEN_INTS, GIVEN_FLOATS, *(GIVEN_INTS,) * 5, GIVEN_FLOATS, GIVEN_FLOATS),
        *(BOOL, FLOATS, FLOAT, FLOAT, WORDS, INT_ROWS, FLOATS),
    ),
    cache=True,
)
def build(
    offsets: Ints,
    unary: Floats,
    indptr: Ints,
    neighbour: Ints,
    start: Ints,
    own: Ints,
    other: Ints,
    weight: Floats,
    flat: Floats,
    distinct: bool,
    strength: Floats,
    beta: float,
    faint: float,
    words: Words,
    X: Ints,
    scores: Floats,
) -> Any:
    """Build solutions from a random stage round to it, each candidate in proportion to strength · η^β; give the looks.

    `strength` is τ^alpha, one per slot. What a walk's candidates add beside what is chosen sums up to its score. The
    ants go side by side, stage by stage: so each part of the tables is fetched once for all of them.
    """
    (k, n), looks = X.shape, 0
    taken = np.zeros((k, offsets[1]), np.bool_)
    X[:] = -1
    scores[:] = 0.0
    first = below(words, n)
    for step in range(n):
        stage = first + step if first + step < n else first + step - n
        slots = slice(offsets[stage], offsets[stage + 1])
        for row in range(k):
            values = unary[slots].copy()
            marginals(values, X[row], stage, indptr, neighbour, start, own, other, weight, flat)
            shares = values.copy()
            raise_to_visibility(shares, faint, beta)
            shares *= strength[slots]
            if distinct:
                shares[taken[row]] = 0.0
            chosen = spin(shares, uniform(words))
            X[row, stage] = chosen
            scores[row] += values[chosen]
            looks += len(values)
            if distinct:
                taken[row, chosen] = True
    return looks
