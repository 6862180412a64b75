"""The gain table of a quadratic assignment problem: the gain of any swap with four reads.

A swap changes the table by an outer product: O(1) for each of its n² entries.
"""

from __future__ import annotations

from typing import Any, NamedTuple
from weakref import WeakKeyDictionary

import numpy as np
from numba import types

from swarmkit.contract.arrays import Floats, Ints, RngState
from swarmkit.contract.pairwise import Pairwise
from swarmkit.contract.structure import Assignment
from swarmkit.kernels.compiling import BOOL, FLOAT, FLOAT_ROWS, INT, INT_ROWS, INTS, RNG_STATE, kernel
from swarmkit.kernels.constants import BEGIN
from swarmkit.kernels.gain_table import Current
from swarmkit.kernels.icm import Workspace, choose, sweep_rows


class Matrices(NamedTuple):
    """The arrays of an assignment: values of single choices, flow and table, and the transposes of both."""

    unary: Floats
    flow: Floats
    table: Floats
    flow_back: Floats
    table_back: Floats
    symmetric: bool


MATRICES = types.NamedTuple((*(FLOAT_ROWS,) * 5, BOOL), Matrices)
SWAP_CURRENT = types.NamedTuple((FLOAT_ROWS, INTS, INTS), Current)
SWAP_WORKSPACE = types.NamedTuple((FLOAT_ROWS, INTS, INTS, INTS), Workspace)


_MATRICES: WeakKeyDictionary[Pairwise, Matrices] = WeakKeyDictionary()
"""Computed once for each form: a short step takes less time than the transposes."""


def matrices_of(form: Pairwise, assignment: Assignment) -> Matrices:
    """Return an assignment as kernels read it."""
    if form not in _MATRICES:
        # A copy, because kernels declare writable arrays.
        unary = np.array(form.unary.reshape(len(form.sizes), -1))
        flow, table = assignment.flow, assignment.table
        transposes = np.ascontiguousarray(flow.T), np.ascontiguousarray(table.T)
        _MATRICES[form] = Matrices(unary, flow, table, *transposes, assignment.symmetric)
    return _MATRICES[form]


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
    new_row, old_row = table[b], table[a]
    for k in range(len(values)):
        weight = flow[i, k] - flow[j, k]
        # Flows are sparse in many instances: most rows do not change.
        if weight != 0.0:
            row = values[k]
            for c in range(len(row)):
                row[c] += weight * (new_row[c] - old_row[c])


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


@kernel(FLOAT(MATRICES, SWAP_CURRENT, INT, INT), inline=True)
def gain(matrices: Any, current: Any, i: int, c: int) -> float:
    """Return the gain of stage i taking candidate c by a swap with the stage that holds it."""
    return swap_gain(matrices, current.values, current.x, i, current.holder[c]) if c != current.x[i] else 0.0


@kernel(types.void(MATRICES, SWAP_CURRENT, INT, INT), inline=True)
def move(matrices: Any, current: Any, i: int, c: int) -> None:
    """Let stage i take candidate c by a swap with the stage that holds it."""
    x, holder = current.x, current.holder
    j = holder[c]
    holder[c], holder[x[i]] = i, j
    swap(matrices, current.values, x, i, j)


@kernel(types.Tuple((INT, FLOAT))(MATRICES, SWAP_CURRENT, INT, RNG_STATE))
def best_candidate(matrices: Any, current: Any, i: int, rng_state: RngState) -> Any:
    """Return the candidate of highest gain at stage i, ties at random, and its gain; (-1, 0) if none improves."""
    return choose(gain, matrices, current, i, len(current.x), rng_state)


@kernel(INT(MATRICES, INT_ROWS, SWAP_WORKSPACE, RNG_STATE, INT))
def climb(matrices: Any, X: Ints, workspace: Any, rng_state: RngState, sweeps: int) -> int:
    """Climb from the rows of X, in place, one after another, for a number of sweeps; return the looks."""
    looks, at = 0, workspace.at
    while at[0] < len(X) and sweeps > 0:
        current = Current(workspace.values, X[at[0]], workspace.holder)
        if at[1] == BEGIN:
            fill(matrices, current.values, current.x)
        looks += sweep_rows(best_candidate, move, matrices, current, workspace, rng_state)
        sweeps -= 1
    return looks
