"""Linear constraints in kernels: sums of rows, what they miss their bounds by, and what a change of one stage gains.

A *slot* is a candidate of a stage. `chosen` has the slot of each stage, `sums` the sum of each row over these. A row is
violated by the amount by which its sum misses its bounds; a gain is the weighted violation that a change takes away.
"""

from __future__ import annotations

from typing import Any

from numba import types

from swarmkit.contract.arrays import Floats, Ints, RngState
from swarmkit.kernels.compiling import (
    BOOL,
    FLOAT,
    FLOATS,
    INT,
    INT_ROWS,
    INTS,
    READONLY_FLOATS,
    READONLY_INTS,
    RNG_STATE,
    Index,
    kernel,
)
from swarmkit.kernels.linear_state import Rows
from swarmkit.kernels.rng import below

ROWS = types.NamedTuple(
    (
        *(READONLY_INTS,) * 5,
        READONLY_FLOATS,
        *(READONLY_INTS,) * 2,
        READONLY_FLOATS,
        READONLY_INTS,
        *(READONLY_FLOATS,) * 4,
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


@kernel(INT(ROWS, READONLY_INTS, RNG_STATE, INT, INT, INT), inline=True)
def towards_bounds(rows: Any, chosen: Ints, rng_state: RngState, e: Index, sign: Index, partner: Index) -> int:
    """Return a slot by which the stage of an entry moves a row's sum up (sign 1) or down (-1), or -1.

    The entry's own slot, if its coefficient has that sign; another one, if it is chosen and has the opposite sign.

    Args:
        rows: the constraints.
        chosen: the slot of each stage.
        rng_state: draws the other one.
        e: the entry.
        sign: which way the sum is to move.
        partner: a candidate that is the other one half of the time, -1 for none: another stage has given it up.
    """
    slot, i = rows.slots[e], rows.stages[e]
    if slot != chosen[i]:
        return slot if rows.coefficients[e] * sign > 0.0 else -1
    count = rows.offsets[i + 1] - rows.offsets[i]
    if count < 2 or rows.coefficients[e] * sign > 0.0:
        return -1
    if 0 <= partner < count and rows.offsets[i] + partner != slot and below(rng_state, 2) == 0:
        return rows.offsets[i] + partner
    other = rows.offsets[i] + below(rng_state, count - 1)
    return other + (other >= slot)


@kernel(INT(ROWS, READONLY_FLOATS, RNG_STATE, INT, INT))
def broken_row(rows: Any, sums: Floats, rng_state: RngState, old: Index, new: Index) -> int:
    """Return a random violated row among those of two slots, or -1."""
    row, count = -1, 0
    for k in range(2):
        slot = new if k else old
        for e in range(rows.slot_indptr[slot], rows.slot_indptr[slot + 1]):
            r = rows.slot_rows[e]
            if violation(sums[r], rows.lower[r], rows.upper[r]) > 0.0:
                count += 1
                if below(rng_state, count) == 0:
                    row = r
    return row


FIRST, SECOND = 10, 30
"""A random move is drawn up to this many times, each with this many second changes."""


@kernel(BOOL(ROWS, INTS, FLOATS, RNG_STATE))
def random_move(rows: Any, chosen: Ints, sums: Floats, rng_state: RngState) -> bool:
    """Change a random stage of a feasible solution, and another one where that alone violates a row.

    Returns:
        whether the solution is feasible; it is another one then, and unchanged otherwise.
    """
    for _ in range(FIRST):
        slot = below(rng_state, rows.offsets[-1])
        i = rows.stage[slot]
        old = chosen[i]
        if slot == old:
            continue
        broken = change(rows, chosen, sums, slot)
        if broken == 0:
            return True
        r = broken_row(rows, sums, rng_state, old, slot)
        first, length = rows.indptr[r], rows.indptr[r + 1] - rows.indptr[r]
        sign = 1 if sums[r] < rows.lower[r] else -1
        at, tries = below(rng_state, length), 0
        for _ in range(length):
            second = towards_bounds(rows, chosen, rng_state, first + at, sign, old - rows.offsets[i])
            at = at + 1 if at + 1 < length else 0
            if second < 0 or rows.stage[second] == i:
                continue
            present = chosen[rows.stage[second]]
            if broken + change(rows, chosen, sums, second) == 0:
                return True
            change(rows, chosen, sums, present)
            tries += 1
            if tries >= SECOND:
                break
        change(rows, chosen, sums, old)
    return False


@kernel(types.void(ROWS, INT_ROWS, FLOATS, RNG_STATE, INTS))
def random_moves(rows: Any, chosen: Ints, sums: Floats, rng_state: RngState, good: Ints) -> None:
    """Make a random move of each of some feasible solutions, and note for which there was one.

    Args:
        rows: the constraints.
        chosen: the slots of each solution, one a row; changed in place.
        sums: room for the sums of a solution.
        rng_state: the state of the generator.
        good: 1 for each solution that has moved, else 0.
    """
    for k in range(len(chosen)):
        fill_sums(rows, chosen[k], sums)
        good[k] = random_move(rows, chosen[k], sums, rng_state)
