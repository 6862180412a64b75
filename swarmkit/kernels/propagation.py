"""Construction of solutions under linear constraints: stages are filled one by one, and rows are propagated.

Each row has the least and the largest sum that its stages can still give it. A candidate that would lead beyond the
bounds is excluded; a stage whose candidates are all excluded is a dead end, and the last choice is taken back (depth
first, up to a number of dead ends). The next stage is one with the fewest candidates.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numba import types

from swarmkit.contract.arrays import Floats, Ints, RngState
from swarmkit.kernels.compiling import BOOL, FLOATS, INT, INTS, READONLY_INTS, RNG_STATE, Index, kernel
from swarmkit.kernels.linear import ROWS
from swarmkit.kernels.rng import below

ROUNDING = 1e-9
"""Sums of fractions are compared with bounds up to this share of what a stage adds: they are sums of differences."""

EXCLUDED, LEVELS, QUEUED = range(3)
"""Counters: candidates excluded so far, choices made, rows to propagate."""


class Domains(NamedTuple):
    """The candidates that are left, and what follows from them; arrays are made for one construction."""

    open: Ints
    """Whether each slot is left."""
    counts: Ints
    """How many candidates each stage has left."""
    least: Floats
    """The least that a stage adds to a row, at the first entry of the stage in it."""
    most: Floats
    low: Floats
    """The least sum that each row can have."""
    high: Floats
    trail: Ints
    """The slots that were excluded, in this order."""
    level: Ints
    """How many had been excluded at each choice."""
    choice: Ints
    """The slot of each choice."""
    queue: Ints
    """The rows to propagate."""
    queued: Ints
    """Whether each row is among them."""
    counters: Ints
    rng_state: RngState


DOMAINS = types.NamedTuple((INTS, INTS, *(FLOATS,) * 4, *(INTS,) * 6, RNG_STATE), Domains)


@kernel(types.void(ROWS, DOMAINS, INT))
def refresh(rows: Any, domains: Any, i: Index) -> None:
    """Compute what a stage adds to its rows from the candidates that are left; rows that change are queued."""
    counters = domains.counters
    for slot in range(rows.offsets[i], rows.offsets[i + 1]):
        for k in range(rows.slot_indptr[slot], rows.slot_indptr[slot + 1]):
            r, first = rows.slot_rows[k], rows.slot_entries[k]
            if first > rows.indptr[r] and rows.stages[first - 1] == i:
                continue  # the row was done at the first entry of the stage
            least, most, named, e = np.inf, -np.inf, 0, first
            while e < rows.indptr[r + 1] and rows.stages[e] == i:
                if domains.open[rows.slots[e]]:
                    least, most = min(least, rows.coefficients[e]), max(most, rows.coefficients[e])
                    named += 1
                e += 1
            if named < domains.counts[i]:
                least, most = min(least, 0.0), max(most, 0.0)
            if named == 0 and domains.counts[i] == 0:
                continue
            if least != domains.least[first] or most != domains.most[first]:
                domains.low[r] += least - domains.least[first]
                domains.high[r] += most - domains.most[first]
                domains.least[first], domains.most[first] = least, most
                if not domains.queued[r]:
                    domains.queued[r] = 1
                    domains.queue[counters[QUEUED]] = r
                    counters[QUEUED] += 1


@kernel(types.void(ROWS, DOMAINS, INT), inline=True)
def exclude(rows: Any, domains: Any, slot: Index) -> None:
    """Exclude a candidate; its stage has to be refreshed."""
    domains.open[slot] = 0
    domains.counts[rows.stage[slot]] -= 1
    domains.trail[domains.counters[EXCLUDED]] = slot
    domains.counters[EXCLUDED] += 1


@kernel(BOOL(ROWS, DOMAINS, INT))
def propagate_row(rows: Any, domains: Any, r: Index) -> bool:
    """Exclude the candidates that lead a row beyond its bounds; return whether every stage has one left."""
    slack = ROUNDING * (1.0 + rows.swing[r])
    upper, lower = rows.upper[r] + slack, rows.lower[r] - slack
    if domains.low[r] > upper or domains.high[r] < lower:
        return False
    if domains.low[r] + rows.swing[r] <= upper and domains.high[r] - rows.swing[r] >= lower:
        return True
    first, end = rows.indptr[r], rows.indptr[r + 1]
    while first < end:
        i, e = rows.stages[first], first
        # What the other stages can add; it stays the same while this one loses candidates.
        low, high = domains.low[r] - domains.least[first], domains.high[r] - domains.most[first]
        before = domains.counts[i]
        if before > 1:
            while e < end and rows.stages[e] == i:
                slot, coefficient = rows.slots[e], rows.coefficients[e]
                if domains.open[slot] and (low + coefficient > upper or high + coefficient < lower):
                    exclude(rows, domains, slot)
                e += 1
            if low > upper or high < lower:  # so much for the candidates that the row does not name
                e = first
                for slot in range(rows.offsets[i], rows.offsets[i + 1]):
                    while e < end and rows.stages[e] == i and rows.slots[e] < slot:
                        e += 1
                    named = e < end and rows.slots[e] == slot
                    if domains.open[slot] and not named:
                        exclude(rows, domains, slot)
            if domains.counts[i] == 0:
                return False
            if domains.counts[i] < before:
                refresh(rows, domains, i)
        while first < end and rows.stages[first] == i:
            first += 1
    return True


@kernel(BOOL(ROWS, DOMAINS))
def propagate(rows: Any, domains: Any) -> bool:
    """Propagate the queued rows until nothing changes; return whether every stage has a candidate left."""
    counters, good = domains.counters, True
    while counters[QUEUED] > 0:
        counters[QUEUED] -= 1
        r = domains.queue[counters[QUEUED]]
        domains.queued[r] = 0
        good = good and propagate_row(rows, domains, r)
    return good


@kernel(types.void(ROWS, DOMAINS, INT))
def take_back(rows: Any, domains: Any, count: Index) -> None:
    """Let candidates be open again until only the first `count` of the excluded ones are left."""
    counters = domains.counters
    for k in range(count, counters[EXCLUDED]):
        slot = domains.trail[k]
        domains.open[slot] = 1
        domains.counts[rows.stage[slot]] += 1
    for k in range(count, counters[EXCLUDED]):
        refresh(rows, domains, rows.stage[domains.trail[k]])
    counters[EXCLUDED] = count
    for k in range(counters[QUEUED]):
        domains.queued[domains.queue[k]] = 0
    counters[QUEUED] = 0


@kernel(types.void(ROWS, DOMAINS))
def open_all(rows: Any, domains: Any) -> None:
    """Let all candidates be open, and queue all rows."""
    n, m = len(domains.counts), len(domains.low)
    domains.open[:] = 1
    domains.low[:] = 0.0
    domains.high[:] = 0.0
    domains.least[:] = 0.0
    domains.most[:] = 0.0
    domains.queued[:] = 0
    domains.counters[:] = 0
    for i in range(n):
        domains.counts[i] = rows.offsets[i + 1] - rows.offsets[i]
    for i in range(n):
        refresh(rows, domains, i)
    for r in range(m):
        domains.queued[r] = 1
        domains.queue[r] = r
    domains.counters[QUEUED] = m


@kernel(INT(DOMAINS), inline=True)
def next_stage(domains: Any) -> int:
    """Return a stage with the fewest candidates among those with more than one, or -1; the search begins anywhere."""
    n = len(domains.counts)
    best, fewest = -1, 1 << 40
    i = below(domains.rng_state, n)
    for _ in range(n):
        if 1 < domains.counts[i] < fewest:
            fewest, best = domains.counts[i], i
            if fewest == 2:
                break
        i = i + 1 if i + 1 < n else 0
    return best


@kernel(INT(ROWS, DOMAINS, READONLY_INTS, INT), inline=True)
def next_slot(rows: Any, domains: Any, preferred: Any, i: Index) -> int:
    """Return the preferred slot of a stage if it is open, else a random open one."""
    if domains.open[preferred[i]]:
        return preferred[i]
    rank = below(domains.rng_state, domains.counts[i])
    slot = rows.offsets[i]
    while rank > 0 or not domains.open[slot]:
        rank -= domains.open[slot]
        slot += 1
    return slot


@kernel(INT(ROWS, DOMAINS, READONLY_INTS, INT))
def construct(rows: Any, domains: Any, preferred: Ints, limit: Index) -> int:
    """Fill all stages, and return 1, or 0 after `limit` dead ends, or -1 if there is no solution.

    Args:
        rows: the constraints.
        domains: changed in place; where the stages are filled each has one candidate left.
        preferred: the slot that each stage takes if it can.
        limit: the most dead ends.
    """
    counters, ends = domains.counters, 0
    open_all(rows, domains)
    good = propagate(rows, domains)
    while True:
        if good:
            i = next_stage(domains)
            if i < 0:
                return 1
            chosen = next_slot(rows, domains, preferred, i)
            domains.level[counters[LEVELS]] = counters[EXCLUDED]
            domains.choice[counters[LEVELS]] = chosen
            counters[LEVELS] += 1
            for slot in range(rows.offsets[i], rows.offsets[i + 1]):
                if domains.open[slot] and slot != chosen:
                    exclude(rows, domains, slot)
        else:
            ends += 1
            if counters[LEVELS] == 0:
                return -1
            if ends > limit:
                return 0
            # The last choice leads nowhere beside those before it: it is excluded there.
            counters[LEVELS] -= 1
            chosen = domains.choice[counters[LEVELS]]
            take_back(rows, domains, domains.level[counters[LEVELS]])
            i = rows.stage[chosen]
            exclude(rows, domains, chosen)
        refresh(rows, domains, i)
        good = propagate(rows, domains)


@kernel(INT(ROWS, DOMAINS, READONLY_INTS, INT, INT, INTS))
def fill(rows: Any, domains: Any, preferred: Ints, limit: Index, attempts: Index, chosen: Ints) -> int:
    """Construct a solution in some attempts, each with its order of stages; return as `construct` does."""
    state = 0
    for _ in range(attempts):
        state = construct(rows, domains, preferred, limit)
        if state != 0:
            break
    if state == 1:
        for i in range(len(chosen)):
            slot = rows.offsets[i]
            while not domains.open[slot]:
                slot += 1
            chosen[i] = slot
    return state
