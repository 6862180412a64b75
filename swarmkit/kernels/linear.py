"""Linear constraints in kernels: sums of rows, what they miss their bounds by, and what a change of one stage gains.

A *slot* is a candidate of a stage. `chosen` has the slot of each stage, `sums` the sum of each row over these. A row is
violated by the amount by which its sum misses its bounds; a gain is the weighted violation that a change takes away.
"""

from __future__ import annotations

from typing import Any

from numba import types

from swarmkit.contract.arrays import Floats, Ints
from swarmkit.kernels.compiling import FLOAT, FLOATS, INT, INTS, READONLY_FLOATS, READONLY_INTS, Index, kernel
from swarmkit.kernels.linear_state import Rows

ROWS = types.NamedTuple(
    (
        *(READONLY_INTS,) * 5,
        READONLY_FLOATS,
        *(READONLY_INTS,) * 2,
        *(READONLY_FLOATS,) * 5,
    ),
    Rows,
)


@kernel(FLOAT(FLOAT, FLOAT, FLOAT), inline=True)
def violation(total: Any, lower: Any, upper: Any) -> float:
    """Return by how much a sum misses its bounds."""
    return lower - total if total < lower else (total - upper if total > upper else 0.0)


@kernel(types.void(ROWS, READONLY_INTS, FLOATS))
def fill_sums(rows: Any, chosen: Ints, sums: Floats) -> None:
    """Compute the sums of all rows from scratch."""
    sums[:] = 0.0
    for i in range(len(chosen)):
        for e in range(rows.slot_indptr[chosen[i]], rows.slot_indptr[chosen[i] + 1]):
            sums[rows.slot_rows[e]] += rows.slot_coefficients[e]


@kernel(types.UniTuple(INT, 3)(ROWS, INT, INT, INT, INT), inline=True)
def next_row(rows: Any, e: Index, last: Index, f: Index, end: Index) -> Any:
    """Return the next row of two lists of entries in the order of rows, and the places after it in both."""
    if e < last and (f >= end or rows.slot_rows[e] <= rows.slot_rows[f]):
        r = rows.slot_rows[e]
        return r, e + 1, f + (f < end and rows.slot_rows[f] == r)
    return rows.slot_rows[f], e, f + 1


@kernel(FLOAT(ROWS, READONLY_FLOATS, READONLY_FLOATS, INT, INT))
def relief(rows: Any, sums: Floats, weights: Floats, old: Index, new: Index) -> float:
    """Return the weighted violation that goes away if a stage changes from one slot to another, from the sums."""
    total, e, f = 0.0, rows.slot_indptr[old], rows.slot_indptr[new]
    last, end = rows.slot_indptr[old + 1], rows.slot_indptr[new + 1]
    while e < last or f < end:
        r, next_e, next_f = next_row(rows, e, last, f, end)
        change = 0.0
        if next_e > e:
            change -= rows.slot_coefficients[e]
        if next_f > f:
            change += rows.slot_coefficients[f]
        before, lower, upper = sums[r], rows.lower[r], rows.upper[r]
        total += weights[r] * (violation(before, lower, upper) - violation(before + change, lower, upper))
        e, f = next_e, next_f
    return total


@kernel(INT(ROWS, FLOATS, INT, FLOAT), inline=True)
def add_slot(rows: Any, sums: Floats, slot: Index, sign: Any) -> int:
    """Add a slot to the sums (sign 1), or take it out (-1); return by how much the number of violated rows grows."""
    growth = 0
    for e in range(rows.slot_indptr[slot], rows.slot_indptr[slot + 1]):
        r = rows.slot_rows[e]
        before = sums[r]
        sums[r] = after = before + sign * rows.slot_coefficients[e]
        lower, upper = rows.lower[r], rows.upper[r]
        growth += (after < lower or after > upper) - (before < lower or before > upper)
    return growth


@kernel(INT(ROWS, INTS, FLOATS, INT))
def change(rows: Any, chosen: Ints, sums: Floats, slot: Index) -> int:
    """Let the stage of a slot choose it; return by how much the number of violated rows grows."""
    i = rows.stage[slot]
    old = chosen[i]
    chosen[i] = slot
    return add_slot(rows, sums, old, -1.0) + add_slot(rows, sums, slot, 1.0)
