"""Partition crossover: of two solutions, take part by part the better one.

Tinós, R., Whitley, D. and Chicano, F. 2015. Partition crossover for pseudo-Boolean optimization. FOGA XIII. Where two
solutions differ, stages that are not linked, over others that differ, do not care for each other's choice: of each
connected part the better half is taken, the best of all 2^parts children.
"""

from __future__ import annotations

from numba import types

from swarmkit.kernels.compiling import FLOAT, FLOATS, GIVEN_INTS, INT, INTS, LINKS, Floats, Ints, kernel
from swarmkit.kernels.field import gain, take


@kernel(INT(GIVEN_INTS, GIVEN_INTS, INTS, GIVEN_INTS, INTS, INTS, INT))
def part_of(around: Ints, neighbour: Ints, x: Ints, other: Ints, part: Ints, seen: Ints, first: int) -> int:
    """Collect the stages that differ and are linked to the first over such; give their number."""
    part[0], seen[first], count, k = first, 1, 1, 0
    while k < count:
        for h in range(around[part[k]], around[part[k] + 1]):
            j = neighbour[h]
            if not seen[j] and x[j] != other[j]:
                seen[j] = 1
                part[count] = j
                count += 1
        k += 1
    return count


@kernel(
    types.Tuple((FLOAT, INT))(
        *(*LINKS, GIVEN_INTS, GIVEN_INTS, FLOATS, INTS, INTS, GIVEN_INTS, INTS, INTS, INTS, FLOAT),
    )
)
def recombine(
    offsets: Ints,
    indptr: Ints,
    runs: Ints,
    weights: Floats,
    flat: Floats,
    around: Ints,
    neighbour: Ints,
    values: Floats,
    x: Ints,
    holder: Ints,
    other: Ints,
    part: Ints,
    mine: Ints,
    seen: Ints,
    slight: float,
) -> tuple[float, int]:
    """Take over what is better by more than `slight` in the other solution, part by part; give the gain and looks."""
    total, looks = 0.0, 0
    for i in range(len(x)):
        seen[i] = 0
    for first in range(len(x)):
        if seen[first] or x[first] == other[first]:
            continue
        count = part_of(around, neighbour, x, other, part, seen, first)
        gained = 0.0
        for k in range(count):
            i = part[k]
            mine[k] = x[i]
            gained += gain(offsets, indptr, runs, weights, flat, values, x, holder, i, other[i])
            take(indptr, runs, weights, flat, values, x, holder, i, other[i])
        looks += count
        if gained > slight:
            total += gained
        else:
            for k in range(count):
                take(indptr, runs, weights, flat, values, x, holder, part[k], mine[k])
    return total, looks
