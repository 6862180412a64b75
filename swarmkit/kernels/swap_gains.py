"""The gain table of a quadratic assignment problem: the gain of any swap with four reads.

A swap changes the table by an outer product: O(1) for each of its n² entries.
"""

from __future__ import annotations

from typing import Any, NamedTuple
from weakref import WeakKeyDictionary

import numpy as np
from numba import types

from swarmkit.contract.arrays import Floats, Ints, RngState
from swarmkit.contract.assignment import Assignment
from swarmkit.contract.pairwise import Pairwise
from swarmkit.kernels.compiling import BOOL, FLOAT, FLOAT_ROWS, INT, INT_ROWS, INTS, RNG_STATE, kernel
from swarmkit.kernels.icm import BEGIN, LEAST, next_sweep
from swarmkit.kernels.rng import below


class Matrices(NamedTuple):
    """The arrays of an assignment: values of single choices, flow and table, and the transposes of both."""

    unary: Floats
    flow: Floats
    table: Floats
    flow_back: Floats
    table_back: Floats
    symmetric: bool


class SwapWorkspace(NamedTuple):
    """What a climb keeps between sweeps: the same as `swarmkit.kernels.icm.Workspace`, the gain table in two axes."""

    values: Floats
    holder: Ints
    order: Ints
    at: Ints


MATRICES = types.NamedTuple((*(FLOAT_ROWS,) * 5, BOOL), Matrices)
SWAP_WORKSPACE = types.NamedTuple((FLOAT_ROWS, INTS, INTS, INTS), SwapWorkspace)


_KNOWN: WeakKeyDictionary[Pairwise, Matrices] = WeakKeyDictionary()
"""Computed once for each form: a short step takes less time than the transposes."""


def matrices_of(form: Pairwise, assignment: Assignment) -> Matrices:
    """Return an assignment as kernels read it."""
    if form not in _KNOWN:
        unary = np.array(form.unary.reshape(len(form.sizes), -1))
        flow, table = assignment.flow, assignment.table
        transposed = np.ascontiguousarray(flow.T), np.ascontiguousarray(table.T)
        _KNOWN[form] = Matrices(unary, flow, table, *transposed, assignment.symmetric)
    return _KNOWN[form]


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


@kernel(types.Tuple((INT, FLOAT))(MATRICES, SWAP_WORKSPACE, INTS, INT, RNG_STATE))
def best_candidate(matrices: Any, workspace: Any, x: Ints, i: int, rng_state: RngState) -> Any:
    """Return the candidate of highest gain at stage i, ties at random, and its gain; (-1, 0) if none improves."""
    values, holder = workspace.values, workspace.holder
    best, most, ties, largest = 0, -np.inf, 0, 0.0
    for c in range(len(x)):
        gain = swap_gain(matrices, values, x, i, holder[c]) if c != x[i] else 0.0
        largest = max(largest, abs(gain))
        if gain > most:
            best, most, ties = c, gain, 1
        elif gain == most:
            ties += 1
            if below(rng_state, ties) == 0:
                best = c
    if most > LEAST * (1.0 + largest):
        return best, most
    return -1, 0.0


@kernel(INT(MATRICES, INT_ROWS, SWAP_WORKSPACE, RNG_STATE, INT))
def climb(matrices: Any, X: Ints, workspace: Any, rng_state: RngState, sweeps: int) -> int:
    """Let the rows of X take the best swap stage by stage, in place, for a number of sweeps; return the looks.

    The same as `swarmkit.kernels.icm.climb`, for this form.
    """
    looks, n = 0, X.shape[1]
    values, holder, order, at = workspace.values, workspace.holder, workspace.order, workspace.at
    while at[0] < len(X) and sweeps > 0:
        x = X[at[0]]
        if at[1] == BEGIN:
            fill(matrices, values, x)
            for i in range(n):
                order[i], holder[x[i]] = i, i
            next_sweep(at, order, rng_state)
        for k in range(n):
            i = order[k]
            c, _ = best_candidate(matrices, workspace, x, i, rng_state)
            looks += 2 * n
            if c >= 0:
                j = holder[c]
                holder[c], holder[x[i]] = i, j
                swap(matrices, values, x, i, j)
                at[2] = 1
        next_sweep(at, order, rng_state)
        looks += n if at[1] == BEGIN else 0
        at[3] += 1
        sweeps -= 1
    return looks
