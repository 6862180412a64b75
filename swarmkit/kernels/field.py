"""The field of gains: the value of every candidate at every stage beside the solution, kept up to date on moves.

A proposal then costs two reads, and only an accepted move pays for the update of its neighbours. The five arrays of
`form.links` come first, laid out in rows or as shared tables alike. `holder` names the stage that holds each candidate
(-1: none) where stages must differ; elsewhere it is empty, and a move changes one stage.
"""

from __future__ import annotations

from numba import types

from swarmkit.kernels.compiling import FLOAT, FLOATS, GIVEN_FLOATS, GIVEN_INTS, INT, INTS, LINKS, Floats, Ints, kernel


@kernel(types.void(*LINKS[1:], GIVEN_FLOATS, GIVEN_INTS, FLOATS))
def fill(indptr: Ints, runs: Ints, weights: Floats, flat: Floats, unary: Floats, x: Ints, values: Floats) -> None:
    """Compute the field of a solution from nothing."""
    for slot in range(len(unary)):
        values[slot] = unary[slot]
    for i in range(len(x)):
        for r in range(indptr[i], indptr[i + 1]):
            to, length, start, own, other = runs[r, 0], runs[r, 1], runs[r, 2], runs[r, 3], runs[r, 4]
            for d in range(length):
                values[to + d] += weights[r] * flat[start + x[i] * own + d * other]


@kernel(types.void(*LINKS[1:], FLOATS, INTS, INT, INT))
def change(indptr: Ints, runs: Ints, weights: Floats, flat: Floats, values: Floats, x: Ints, i: int, c: int) -> None:
    """Let stage i take candidate c, and tell its neighbours."""
    for r in range(indptr[i], indptr[i + 1]):
        to, length, start, own, other = runs[r, 0], runs[r, 1], runs[r, 2], runs[r, 3], runs[r, 4]
        old, new, weight = start + x[i] * own, start + c * own, weights[r]
        if other == 1:  # the same loop, but contiguous: several slots at once
            there, gained, lost = values[to : to + length], flat[new : new + length], flat[old : old + length]
            for d in range(length):
                there[d] += weight * (gained[d] - lost[d])
        else:
            for d in range(length):
                values[to + d] += weight * (flat[new + d * other] - flat[old + d * other])
    x[i] = c


@kernel(FLOAT(*LINKS, INT, INT, INT, INT, INT, INT))
def between(
    offsets: Ints,
    indptr: Ints,
    runs: Ints,
    weights: Floats,
    flat: Floats,
    i: int,
    a: int,
    to_a: int,
    j: int,
    b: int,
    to_b: int,
) -> float:
    """Mend the gain of stages i and j leaving a and b together: each was valued as if the other stayed."""
    slot, low, end = offsets[j], indptr[i], indptr[i + 1]
    high = end
    while low < high:  # the first run that reaches the slot
        middle = (low + high) >> 1
        if runs[middle, 0] + runs[middle, 1] <= slot:
            low = middle + 1
        else:
            high = middle
    total = 0.0
    while low < end and runs[low, 0] <= slot:
        own, other = runs[low, 3], runs[low, 4]
        s = runs[low, 2] + (slot - runs[low, 0]) * other
        together = flat[s + a * own + b * other] + flat[s + to_a * own + to_b * other]
        total += weights[low] * (together - flat[s + a * own + to_b * other] - flat[s + to_a * own + b * other])
        low += 1
    return total


@kernel(FLOAT(*LINKS, FLOATS, INTS, INTS, INT, INT), inline=True)
def gain(
    offsets: Ints,
    indptr: Ints,
    runs: Ints,
    weights: Floats,
    flat: Floats,
    values: Floats,
    x: Ints,
    holder: Ints,
    i: int,
    c: int,
) -> float:
    """Read what stage i would gain by candidate c, swapped with its holder if there is one."""
    a = x[i]
    total = values[offsets[i] + c] - values[offsets[i] + a]
    if len(holder) and holder[c] >= 0 and c != a:
        j = holder[c]
        total += values[offsets[j] + a] - values[offsets[j] + c]
        total += between(offsets, indptr, runs, weights, flat, i, a, c, j, c, a)
    return total


@kernel(types.void(*LINKS[1:], FLOATS, INTS, INTS, INT, INT), inline=True)
def take(
    indptr: Ints,
    runs: Ints,
    weights: Floats,
    flat: Floats,
    values: Floats,
    x: Ints,
    holder: Ints,
    i: int,
    c: int,
) -> None:
    """Let stage i take candidate c, swapped with its holder if there is one."""
    if len(holder):
        a, j = x[i], holder[c]
        if j >= 0 and j != i:
            change(indptr, runs, weights, flat, values, x, j, a)
        holder[a], holder[c] = j, i
    change(indptr, runs, weights, flat, values, x, i, c)
