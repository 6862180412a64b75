"""Score many solutions at once: whole ones edge by edge, children by their difference from a parent."""

from __future__ import annotations

import numpy as np
from numba import types

from swarmkit.kernels.compiling import (
    FLOAT,
    FLOATS,
    GIVEN_FLOATS,
    GIVEN_INT_ROWS,
    GIVEN_INTS,
    INT,
    INT_ROWS,
    INTS,
    LINKS,
    Floats,
    Ints,
    kernel,
)


@kernel(
    types.void(
        *(GIVEN_INTS,) * 2, GIVEN_FLOATS, *(GIVEN_INT_ROWS, GIVEN_INTS), *(GIVEN_FLOATS,) * 2, GIVEN_INT_ROWS, FLOATS
    )
)
def score(
    sizes: Ints,
    offsets: Ints,
    unary: Floats,
    edges: Ints,
    starts: Ints,
    weights: Floats,
    flat: Floats,
    columns: Ints,
    totals: Floats,
) -> None:
    """Score the solutions that are the columns of a block."""
    count = np.uint64(len(totals))
    for k in range(count):
        totals[k] = 0.0
    for i in range(len(sizes)):
        values, at = unary[offsets[i] : offsets[i + 1]], columns[i]
        for k in range(count):
            totals[k] += values[np.uint64(at[k])]
    for e in range(len(edges)):
        i, j = edges[e, 0], edges[e, 1]
        width, weight = np.uint64(sizes[j]), weights[e]
        table = flat[starts[e] : starts[e] + sizes[i] * sizes[j]]
        at, there = columns[i], columns[j]
        for k in range(count):
            totals[k] += weight * table[np.uint64(at[k]) * width + np.uint64(there[k])]


@kernel(FLOAT(GIVEN_FLOATS, GIVEN_INTS))
def length(cost: Floats, tour: Ints) -> float:
    """Add up what a tour costs; four sums at a time, because each addition waits for the one before it."""
    n = len(tour)
    a, b, c, d = cost[tour[n - 1] * n + tour[0]], 0.0, 0.0, 0.0
    for i in range(0, n - 4, 4):
        a += cost[np.uint64(tour[i] * n + tour[i + 1])]
        b += cost[np.uint64(tour[i + 1] * n + tour[i + 2])]
        c += cost[np.uint64(tour[i + 2] * n + tour[i + 3])]
        d += cost[np.uint64(tour[i + 3] * n + tour[i + 4])]
    for i in range((n - 1) // 4 * 4, n - 1):
        a += cost[np.uint64(tour[i] * n + tour[i + 1])]
    return a + b + c + d


@kernel(types.void(GIVEN_FLOATS, GIVEN_INT_ROWS, FLOATS))
def lengths(cost: Floats, tours: Ints, totals: Floats) -> None:
    """Add up what each tour costs."""
    for k in range(len(tours)):
        totals[k] = length(cost, tours[k])


@kernel(FLOAT(*LINKS, GIVEN_FLOATS, INTS, GIVEN_INTS))
def difference(
    offsets: Ints, indptr: Ints, runs: Ints, weights: Floats, flat: Floats, unary: Floats, y: Ints, goal: Ints
) -> float:
    """Turn y into the goal, stage by stage, and give the change of score."""
    total = 0.0
    for i in range(len(y)):
        if y[i] == goal[i]:
            continue
        total += unary[offsets[i] + goal[i]] - unary[offsets[i] + y[i]]
        for r in range(indptr[i], indptr[i + 1]):
            to, start, own, other, j = runs[r, 0], runs[r, 2], runs[r, 3], runs[r, 4], runs[r, 5]
            old, new = start + y[i] * own, start + goal[i] * own
            part = 0.0
            while offsets[j] < to + runs[r, 1]:
                d = (offsets[j] - to + y[j]) * other
                part += flat[new + d] - flat[old + d]
                j += 1
                if j == len(y):
                    break
            total += weights[r] * part
        y[i] = goal[i]
    return total


@kernel(types.void(*LINKS, GIVEN_FLOATS, INT_ROWS, FLOATS, INT_ROWS, INT_ROWS, INT, INTS, FLOATS))
def score_children(
    offsets: Ints,
    indptr: Ints,
    runs: Ints,
    weights: Floats,
    flat: Floats,
    unary: Floats,
    X: Ints,
    scores: Floats,
    parents: Ints,
    children: Ints,
    limit: int,
    room: Ints,
    totals: Floats,
) -> None:
    """Score children from the nearer parent, NaN where both differ at more than `limit` stages."""
    for k in range(len(children)):
        nearest, least = 0, limit + 1
        for p in parents[k]:
            apart = 0
            for i in range(len(room)):
                apart += X[p, i] != children[k, i]
            if apart < least:
                nearest, least = p, apart
        totals[k] = np.nan
        if least <= limit:
            for i in range(len(room)):
                room[i] = X[nearest, i]
            change = difference(offsets, indptr, runs, weights, flat, unary, room, children[k])
            totals[k] = scores[nearest] + change
