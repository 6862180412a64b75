"""Swaps on a quadratic assignment problem: all differences at hand, and robust tabu search among them.

Taillard, É. 1991. Robust taboo search for the quadratic assignment problem. Parallel Computing 17(4-5).

The field `values` (the value of every stage's candidates beside the rest of the solution, a row a stage) gives the
difference of any swap with four reads. A swap changes it by an outer product: O(1) for each entry.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numba import types

from swarmkit.assignment import Assignment
from swarmkit.kernels.chance import Words, below, uniform
from swarmkit.kernels.compiling import BOOL, FLOAT, FLOATS, INT, INT_ROWS, INTS, WORDS, Floats, Ints, copy, kernel
from swarmkit.kernels.icm import LEAST, shuffle

LONGEST = 8
"""A candidate may be forbidden for up to so many times n swaps, as a cube of a random number: mostly for a few."""

LATEST = 5
"""A swap that has been free for so many times n² swaps and was never the best is made at once."""


class Plan(NamedTuple):
    """What kernels read of a `swarmkit.assignment.Assignment`: flow and table, and both turned."""

    flow: Floats
    table: Floats
    flow_back: Floats
    table_back: Floats
    symmetric: bool


def plan_of(assignment: Assignment) -> Plan:
    """Lay an assignment out for kernels."""
    flow, table = assignment.flow, assignment.table
    return Plan(flow, table, np.ascontiguousarray(flow.T), np.ascontiguousarray(table.T), assignment.symmetric)


ROWS = FLOAT[:, ::1]
PLAN = types.NamedTuple((ROWS, ROWS, ROWS, ROWS, BOOL), Plan)


@kernel(FLOAT(PLAN, ROWS, INTS, INT, INT), inline=True)
def swap_gain(plan: Any, values: Floats, x: Ints, i: int, j: int) -> float:
    """Give what stages i and j gain by swapping their candidates."""
    a, b, table = x[i], x[j], plan.table
    flow = plan.flow[i, j] if plan.symmetric else plan.flow[i, j] + plan.flow[j, i]
    # Each is valued as if the other stayed, so the common part is mended.
    common = flow * (table[a, b] + table[b, a] - table[a, a] - table[b, b])
    return values[i, b] - values[i, a] + values[j, a] - values[j, b] + common


@kernel(types.void(ROWS, ROWS, ROWS, INT, INT, INT, INT))
def shift(flow: Floats, table: Floats, values: Floats, i: int, j: int, a: int, b: int) -> None:
    """Tell all stages that i went from a to b and j from b to a."""
    gained, lost = table[b], table[a]
    for k in range(len(values)):
        weight = flow[i, k] - flow[j, k]
        if weight != 0.0:
            row = values[k]
            for c in range(len(row)):
                row[c] += weight * (gained[c] - lost[c])


@kernel(types.void(PLAN, ROWS, INTS, INT, INT))
def swap(plan: Any, values: Floats, x: Ints, i: int, j: int) -> None:
    """Let stages i and j swap their candidates, and keep the field up to date."""
    a, b = x[i], x[j]
    shift(plan.flow, plan.table, values, i, j, a, b)
    if not plan.symmetric:
        shift(plan.flow_back, plan.table_back, values, i, j, a, b)
    x[i], x[j] = b, a


@kernel(types.void(PLAN, ROWS, ROWS, INTS))
def fill(plan: Any, unary: Floats, values: Floats, x: Ints) -> None:
    """Compute the field of a solution from nothing."""
    n = len(x)
    for i in range(n):
        for c in range(n):
            values[i, c] = unary[i, c]
        for k in range(n):
            row, weight = plan.table[x[k]], plan.flow[k, i]
            for c in range(n):
                values[i, c] += weight * row[c]
            if not plan.symmetric:
                row, weight = plan.table_back[x[k]], plan.flow_back[k, i]
                for c in range(n):
                    values[i, c] += weight * row[c]


@kernel(INT(PLAN, ROWS, INT_ROWS, ROWS, INTS, INTS, WORDS))
def climb(plan: Any, unary: Floats, X: Ints, values: Floats, holder: Ints, order: Ints, words: Words) -> int:
    """Let every row of X take the best swap stage by stage until nothing improves; give the looks.

    The same as `swarmkit.kernels.icm.climb`, for this form. `values`, `holder` and `order` are room to work in.
    """
    looks, n = 0, X.shape[1]
    for r in range(len(X)):
        x = X[r]
        fill(plan, unary, values, x)
        for i in range(n):
            order[i], holder[x[i]] = i, i
        moved = True
        while moved:
            moved = False
            shuffle(order, words)
            for i in order:
                best, most, ties, largest = 0, -np.inf, 0, 0.0
                for c in range(n):
                    gain = swap_gain(plan, values, x, i, holder[c]) if c != x[i] else 0.0
                    largest = max(largest, abs(gain))
                    if gain > most:
                        best, most, ties = c, gain, 1
                    elif gain == most:
                        ties += 1
                        if below(words, ties) == 0:
                            best = c
                looks += 2 * n
                if most > LEAST * (1.0 + largest):
                    j = holder[best]
                    holder[best], holder[x[i]] = i, j
                    swap(plan, values, x, i, j)
                    moved = True
    return looks


@kernel(types.Tuple((INT, INT, FLOAT))(PLAN, ROWS, INTS, INT_ROWS, INT, FLOAT))
def best_swap(plan: Any, values: Floats, x: Ints, until: Ints, now: int, wanted: float) -> Any:
    """Give the best swap that is not forbidden or that gains more than is wanted, and what it gains.

    `until[i, c]` says how long stage i must not take candidate c; a swap is forbidden where neither may. One that has
    been free for very long comes before all others.
    """
    n, old = len(x), now - LATEST * len(x) ** 2
    first, second, most, forced = 0, 1, -np.inf, False
    for i in range(n):
        for j in range(i + 1, n):
            one, other = until[i, x[j]], until[j, x[i]]
            overdue = one < old and other < old
            if forced and not overdue:
                continue
            gain = swap_gain(plan, values, x, i, j)
            allowed = one < now or other < now or gain > wanted
            if (overdue and not forced) or (allowed and gain > most):
                first, second, most, forced = i, j, gain, overdue
    if most == -np.inf:  # all are forbidden, which only a few stages can be
        most = swap_gain(plan, values, x, 0, 1)
    return first, second, most


@kernel(types.void(PLAN, ROWS, INTS, FLOATS, WORDS, INT))
def kick(plan: Any, values: Floats, x: Ints, scores: Floats, words: Words, swaps: int) -> None:
    """Swap stages at random, so many times."""
    for _ in range(swaps):
        i, j = below(words, len(x)), below(words, len(x) - 1)
        j += j >= i
        scores[0] += swap_gain(plan, values, x, i, j)
        swap(plan, values, x, i, j)


@kernel(INT(PLAN, ROWS, ROWS, INTS, INTS, INTS, INTS, FLOATS, INT_ROWS, INTS, WORDS, INT, INT, INT))
def search(
    plan: Any,
    unary: Floats,
    values: Floats,
    x: Ints,
    peak: Ints,
    home: Ints,
    best: Ints,
    scores: Floats,
    until: Ints,
    clock: Ints,
    words: Words,
    patience: int,
    strength: int,
    swaps: int,
) -> int:
    """Make the best swap that is not forbidden, so many times; give the looks.

    A round ends `patience` swaps after its peak. Its peak becomes home if it is no worse, and the next round starts
    from home, kicked. `scores` are those of x, the peak, home and the best; `clock` counts the swaps, and how many of
    them led to the peak.
    """
    n, looks = len(x), 0
    for _ in range(swaps):
        clock[0] += 1
        now = clock[0]
        i, j, gain = best_swap(plan, values, x, until, now, scores[1] - scores[0])
        looks += n * (n - 1)
        until[i, x[i]] = now + 2 + int(LONGEST * n * uniform(words) ** 3)
        until[j, x[j]] = now + 2 + int(LONGEST * n * uniform(words) ** 3)
        swap(plan, values, x, i, j)
        scores[0] += gain
        if scores[0] > scores[1] + LEAST * (1.0 + abs(scores[1])):
            scores[1], clock[1] = scores[0], now
            copy(x, peak)
        if scores[1] > scores[3]:
            scores[3] = scores[1]
            copy(peak, best)
        if now - clock[1] >= patience:
            if scores[1] >= scores[2]:
                scores[2] = scores[1]
                copy(peak, home)
            copy(home, x)
            scores[0] = scores[2]
            fill(plan, unary, values, x)
            kicks = 2 + below(words, strength)
            kick(plan, values, x, scores, words, kicks)
            looks += 2 * kicks
            scores[1], clock[1] = scores[0], now
            copy(x, peak)
    return looks
