"""The gain table of a quadratic assignment problem: the gain of any swap with four reads.

A swap changes the table by an outer product: O(1) for each of its n² entries.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numba import types

from swarmkit.contract.arrays import Floats, Ints, RngState
from swarmkit.contract.assignment import Assignment
from swarmkit.contract.pairwise import Pairwise
from swarmkit.kernels.compiling import BOOL, FLOAT, FLOAT_ROWS, INT, INT_ROWS, INTS, RNG_STATE, kernel
from swarmkit.kernels.icm import LEAST
from swarmkit.kernels.rng import below, shuffle


class Matrices(NamedTuple):
    """The arrays of an assignment: values of single choices, flow and table, and the transposes of both."""

    unary: Floats
    flow: Floats
    table: Floats
    flow_back: Floats
    table_back: Floats
    symmetric: bool


class SwapWorkspace(NamedTuple):
    """Scratch memory of a climb: the gain table, the holder of each candidate, an order of the stages."""

    values: Floats
    holder: Ints
    order: Ints


MATRICES = types.NamedTuple((*(FLOAT_ROWS,) * 5, BOOL), Matrices)
SWAP_WORKSPACE = types.NamedTuple((FLOAT_ROWS, INTS, INTS), SwapWorkspace)


def matrices_of(form: Pairwise, assignment: Assignment) -> Matrices:
    """Return an assignment as kernels read it."""
    unary = np.array(form.unary.reshape(len(form.sizes), -1))
    flow, table = assignment.flow, assignment.table
    transposed = np.ascontiguousarray(flow.T), np.ascontiguousarray(table.T)
    return Matrices(unary, flow, table, *transposed, assignment.symmetric)


@kernel(FLOAT(MATRICES, FLOAT_ROWS, INTS, INT, INT), inline=True)
def swap_gain(matrices: Any, values: Floats, x: Ints, i: int, j: int) -> float:
    """Return the gain of stages i and j swapping their candidates."""
    a, b, table = x[i], x[j], matrices.table
    flow = matrices.flow[i, j] if matrices.symmetric else matrices.flow[i, j] + matrices.flow[j, i]
    # Each stage is valued as if the other stayed; this corrects what lies between them.
    common = flow * (table[a, b] + table[b, a] - table[a, a] - table[b, b])
    return values[i, b] - values[i, a] + values[j, a] - values[j, b] + common


@kernel(types.void(FLOAT_ROWS, FLOAT_ROWS, FLOAT_ROWS, INT, INT, INT, INT))
def shift(flow: Floats, table: Floats, values: Floats, i: int, j: int, a: int, b: int) -> None:
    """Update the values of all stages after stage i went from a to b and stage j from b to a."""
    gained, lost = table[b], table[a]
    for k in range(len(values)):
        weight = flow[i, k] - flow[j, k]
        if weight != 0.0:
            row = values[k]
            for c in range(len(row)):
                row[c] += weight * (gained[c] - lost[c])


@kernel(types.void(MATRICES, FLOAT_ROWS, INTS, INT, INT))
def swap(matrices: Any, values: Floats, x: Ints, i: int, j: int) -> None:
    """Let stages i and j swap their candidates and keep the gain table up to date."""
    a, b = x[i], x[j]
    shift(matrices.flow, matrices.table, values, i, j, a, b)
    if not matrices.symmetric:
        shift(matrices.flow_back, matrices.table_back, values, i, j, a, b)
    x[i], x[j] = b, a


@kernel(types.void(MATRICES, FLOAT_ROWS, INTS))
def fill(matrices: Any, values: Floats, x: Ints) -> None:
    """Compute the gain table of solution x from scratch."""
    n = len(x)
    for i in range(n):
        for c in range(n):
            values[i, c] = matrices.unary[i, c]
        for k in range(n):
            row, weight = matrices.table[x[k]], matrices.flow[k, i]
            for c in range(n):
                values[i, c] += weight * row[c]
            if not matrices.symmetric:
                row, weight = matrices.table_back[x[k]], matrices.flow_back[k, i]
                for c in range(n):
                    values[i, c] += weight * row[c]


@kernel(INT(MATRICES, INT_ROWS, SWAP_WORKSPACE, RNG_STATE))
def climb(matrices: Any, X: Ints, workspace: Any, rng_state: RngState) -> int:
    """Let every row of X take the best swap stage by stage until nothing improves, in place; return the looks.

    The same as `swarmkit.kernels.icm.climb`, for this form.
    """
    looks, n = 0, X.shape[1]
    values, holder, order = workspace.values, workspace.holder, workspace.order
    for r in range(len(X)):
        x = X[r]
        fill(matrices, values, x)
        for i in range(n):
            order[i], holder[x[i]] = i, i
        moved = True
        while moved:
            moved = False
            shuffle(order, rng_state)
            for i in order:
                best, most, ties, largest = 0, -np.inf, 0, 0.0
                for c in range(n):
                    gain = swap_gain(matrices, values, x, i, holder[c]) if c != x[i] else 0.0
                    largest = max(largest, abs(gain))
                    if gain > most:
                        best, most, ties = c, gain, 1
                    elif gain == most:
                        ties += 1
                        if below(rng_state, ties) == 0:
                            best = c
                looks += 2 * n
                if most > LEAST * (1.0 + largest):
                    j = holder[best]
                    holder[best], holder[x[i]] = i, j
                    swap(matrices, values, x, i, j)
                    moved = True
    return looks
