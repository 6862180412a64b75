"""The moves of a tabu search on tables: their gains, which of them are admissible, and the maxima of blocks of them.

A move is an *entry* of the gain table. On binary tables there is one a stage, its flip; on others one a slot, the
change of its stage to its candidate. `gains` holds the gain of each; `open` holds the same numbers, and -inf where a
move is not admissible: it is tabu, or leads nowhere. What a move changes is added to both, since -inf stays what it is.
The maxima of blocks of `open` are computed again only where something changed: on a sparse graph a few blocks.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numba import types

from swarmkit import Floats, Ints, Links
from swarmkit.kernels.compiling import (
    BOOL,
    FLOAT,
    FLOATS,
    INT,
    INT_ROWS,
    INTS,
    LINKS,
    READONLY_FLOATS,
    READONLY_INTS,
    RNG_STATE,
    Index,
    kernel,
)
from swarmkit.kernels.gain_table import fill as fill_values
from swarmkit.kernels.rng import below
from swarmkit_local.tabu_state import BLOCK, TabuState

NEVER = -1
"""The time for moves that must leave the rule about optimal stages alone: kicks, and steps of a path."""


class Tables(NamedTuple):
    """The problem as a tabu search reads it: binary tables as a field and couplings (CSR), empty for other tables."""

    field: Floats
    """The gain of each stage going from candidate 0 to 1 where all other stages have candidate 0."""
    indptr: Ints
    neighbour: Ints
    coupling: Floats
    """By how much the gain of the neighbour going from 0 to 1 grows if the stage goes from 0 to 1."""
    links: Links
    """The half-edges of tables that are not binary."""
    unary: Floats
    stage: Ints
    """The stage of each entry."""
    free: Ints
    """The stages that have a choice."""
    ceiling: Floats
    """A bound on the value of each stage's candidates beside any others; empty on binary tables."""


TABLES = types.NamedTuple(
    (
        *(READONLY_FLOATS, READONLY_INTS, READONLY_INTS, READONLY_FLOATS),  # field to coupling
        *(LINKS, READONLY_FLOATS, READONLY_INTS, READONLY_INTS, READONLY_FLOATS),
    ),
    Tables,
)
SEARCH = types.NamedTuple(
    (
        *(INTS, FLOATS, FLOATS, FLOATS, INTS, INTS, FLOATS, INTS),  # x to optimal
        *(INT_ROWS, FLOATS, INTS, INTS, RNG_STATE),  # solutions to rng_state
        *(INT_ROWS, FLOATS, INT_ROWS, INTS),  # the elite
    ),
    TabuState,
)


@kernel(FLOAT(FLOATS, INT, INT), inline=True)
def largest(row: Any, begin: Index, end: Index) -> float:
    """Return the largest of some entries; eight at a time, which a processor compares at once."""
    a = b = c = d = e = f = g = h = -np.inf
    last = end - (end - begin) % 8
    for k in range(begin, last, 8):
        a, b, c, d = max(a, row[k]), max(b, row[k + 1]), max(c, row[k + 2]), max(d, row[k + 3])
        e, f, g, h = max(e, row[k + 4]), max(f, row[k + 5]), max(g, row[k + 6]), max(h, row[k + 7])
    for k in range(last, end):
        a = max(a, row[k])
    return max(max(max(a, b), max(c, d)), max(max(e, f), max(g, h)))


@kernel(types.UniTuple(INT, 2)(SEARCH))
def best_open(search: Any) -> Any:
    """Return an admissible entry of the largest gain, or -1, and the number of entries and maxima read.

    The maxima of stale blocks are computed again. Among equals it is the first after a random place, in the first block
    after a random one.
    """
    row, maxima, stale, rng_state = search.open, search.maxima, search.stale, search.rng_state
    blocks = looks = len(maxima)
    for b in range(blocks):
        if stale[b]:
            begin, end = b * BLOCK, min(len(row), (b + 1) * BLOCK)
            maxima[b] = largest(row, begin, end)
            stale[b] = 0
            looks += end - begin
    highest = largest(maxima, 0, blocks)
    if highest == -np.inf:
        return -1, looks
    b = below(rng_state, blocks)
    while maxima[b] != highest:
        b = b + 1 if b + 1 < blocks else 0
    begin, end = b * BLOCK, min(len(row), (b + 1) * BLOCK)
    e = begin + below(rng_state, end - begin)
    while row[e] != highest:
        e = e + 1 if e + 1 < end else begin
    return e, looks


@kernel(types.void(SEARCH, INT, FLOAT), inline=True)
def put(search: Any, e: Index, value: float) -> None:
    """Set an entry of `open`."""
    search.open[e] = value
    search.stale[e // BLOCK] = 1


@kernel(BOOL(TABLES), inline=True)
def binary(tables: Any) -> bool:
    """Whether the tables are binary: an entry is a flip."""
    return len(tables.field) > 0


@kernel(INT(TABLES, INT, INT), inline=True)
def move_to(tables: Any, i: Index, c: Index) -> int:
    """Return the entry of the move by which a stage takes another candidate."""
    return i if binary(tables) else tables.links.offsets[i] + c


@kernel(INT(TABLES, SEARCH))
def random_move(tables: Any, search: Any) -> int:
    """Draw the entry of a move: a stage that has a choice, and another candidate."""
    x, rng_state, offsets = search.x, search.rng_state, tables.links.offsets
    i = tables.free[below(rng_state, len(tables.free))]
    if binary(tables):
        return i
    c = below(rng_state, offsets[i + 1] - offsets[i] - 1)
    return offsets[i] + c + (c >= x[i])


@kernel(BOOL(TABLES, SEARCH, INT), inline=True)
def at_ceiling(tables: Any, search: Any, i: Index) -> bool:
    """Whether a stage is optimal: the value of its candidate is the highest that any of its candidates can have."""
    return search.present[i] >= tables.ceiling[i] - 1e-9 * (1.0 + abs(tables.ceiling[i]))


@kernel(types.void(TABLES, SEARCH, INT))
def flip(tables: Any, search: Any, i: Index) -> None:
    """Flip a binary stage and update the gains of its neighbours."""
    x, gains, row, stale = search.x, search.gains, search.open, search.stale
    old = x[i]
    x[i] = 1 - old
    gains[i] = -gains[i]
    if row[i] != -np.inf:
        put(search, i, gains[i])
    for h in range(tables.indptr[i], tables.indptr[i + 1]):
        j, change = tables.neighbour[h], tables.coupling[h]
        if x[j] != old:
            change = -change
        gains[j] += change
        row[j] += change  # -inf, where the move is not admissible, stays -inf
        stale[j // BLOCK] = 1


@kernel(types.void(TABLES, SEARCH, INT, INT))
def settle(tables: Any, search: Any, i: Index, now: Index) -> None:
    """Close the moves of a stage that has become optimal, and open those of one that is so no longer.

    Not at the time NEVER: a path has other moves open, and a kick is followed by `fill`.
    """
    offsets, is_now = tables.links.offsets, at_ceiling(tables, search, i)
    if now == NEVER or is_now == search.optimal[i]:
        return
    search.optimal[i] = is_now
    for e in range(offsets[i], offsets[i + 1]):
        closed = is_now or e == offsets[i] + search.x[i] or search.until[e] >= now
        put(search, e, -np.inf if closed else search.gains[e])


@kernel(types.void(TABLES, SEARCH, INT, INT))
def take(tables: Any, search: Any, e: Index, now: Index) -> None:
    """Make a move: let its stage take its candidate, and update the score and the gains of its slots and neighbours.

    Args:
        tables: the problem.
        search: the state of the search; changed in place.
        e: the entry of the move.
        now: the number of the move, or NEVER.
    """
    search.scores[0] += search.gains[e]
    if binary(tables):
        flip(tables, search, e)
        return
    links, x, gains, row = tables.links, search.x, search.gains, search.open
    offsets, flat, i = links.offsets, links.flat, tables.stage[e]
    a, c, gain = x[i], e - offsets[i], gains[e]
    x[i] = c
    search.present[i] += gain
    for slot in range(offsets[i], offsets[i + 1]):
        gains[slot] -= gain
        row[slot] -= gain
        search.stale[slot // BLOCK] = 1
    gains[e] = 0.0
    put(search, e, -np.inf)
    settle(tables, search, i, now)
    for r in range(links.indptr[i], links.indptr[i + 1]):
        to, end, far_stride, weight, j = (
            links.runs[r, 0],
            links.runs[r, 1],
            links.runs[r, 4],
            links.weights[r],
            links.runs[r, 5],
        )
        old, new = links.runs[r, 2] + a * links.runs[r, 3], links.runs[r, 2] + c * links.runs[r, 3]
        end += to
        while to < end:  # stage after stage of the run
            m = offsets[j + 1] - to
            # What the neighbour's present candidate gains: the gains of its moves are relative to that.
            base = weight * (flat[new + x[j] * far_stride] - flat[old + x[j] * far_stride])
            for d in range(m):
                by = weight * (flat[new + d * far_stride] - flat[old + d * far_stride]) - base
                if by != 0.0:
                    gains[to + d] += by
                    row[to + d] += by
                    search.stale[(to + d) // BLOCK] = 1
            if base != 0.0:
                search.present[j] += base
                settle(tables, search, j, now)
            old, new, to, j = old + m * far_stride, new + m * far_stride, to + m, j + 1


@kernel(types.void(TABLES, SEARCH))
def fill(tables: Any, search: Any) -> None:
    """Compute all gains beside x from scratch; nothing is tabu, and what leads to another solution is open."""
    links, x, gains = tables.links, search.x, search.gains
    search.stale[:] = 1
    if binary(tables):
        for i in range(len(x)):
            total = tables.field[i]
            for h in range(tables.indptr[i], tables.indptr[i + 1]):
                if x[tables.neighbour[h]]:
                    total += tables.coupling[h]
            search.open[i] = gains[i] = -total if x[i] else total
        return
    fill_values(links, tables.unary, x, gains)
    for i in range(len(x)):
        begin = links.offsets[i]
        search.present[i] = gains[begin + x[i]]
        search.optimal[i] = at_ceiling(tables, search, i)
        for e in range(begin, links.offsets[i + 1]):
            gains[e] -= search.present[i]
            search.open[e] = -np.inf if search.optimal[i] else gains[e]
        search.open[begin + x[i]] = -np.inf
