"""Annealing of sequences on tables: swaps, insertions and reversals, valued at the stages that they change.

The moves are those of sequences that are nothing but a score (`swarmkit.kernels.sequence_walk`). Where each stage is
linked to few others, as in a path or a directed tour, reading these is much less work than keeping a table of gains.
"""

from __future__ import annotations

from typing import Any

from numba import types

from swarmkit import Floats
from swarmkit.kernels import sequence_walk
from swarmkit.kernels.compiling import FLOAT, FLOATS, INT, INTS, LINKS, READONLY_FLOATS, RNG_STATE, copy, kernel
from swarmkit.kernels.rng import uniform
from swarmkit_annealing.kernels.table_annealing import SCHEDULE, TRACE, accepts
from swarmkit_annealing.order_state import LOOKS, OrderSearch

LONGER = 0.4
"""The probability that a segment which moves elsewhere is longer than one stage, and again than two."""

SEARCH = types.NamedTuple((*(INTS,) * 6, *(FLOATS,) * 4, INTS, RNG_STATE), OrderSearch)


@kernel(FLOAT(LINKS, READONLY_FLOATS, SEARCH, INT), inline=True)
def difference(links: Any, unary: Floats, search: Any, count: int) -> float:
    """Return the score of the neighbour minus that of the sequence.

    Args:
        links: the tables.
        unary: the value of each slot.
        search: the sequence and its neighbour.
        count: the number of places at which they differ, which are at the front of `changed`.
    """
    x, y, total = search.x, search.y, 0.0
    for c in range(count):
        k = search.changed[c]
        i = search.order[k]
        total += unary[links.offsets[i] + y[k]] - unary[links.offsets[i] + x[k]]
        for r in range(links.indptr[i], links.indptr[i + 1]):
            start, stride, far_stride = links.runs[r, 2], links.runs[r, 3], links.runs[r, 4]
            p = search.place[links.runs[r, 5]]
            before = links.flat[start + x[k] * stride + x[p] * far_stride]
            after = links.flat[start + y[k] * stride + y[p] * far_stride]
            # An edge between two changed stages is met from both.
            total += links.weights[r] * (after - before) * (0.5 if x[p] != y[p] else 1.0)
    return total


@kernel(INT(LINKS, READONLY_FLOATS, SEARCH, SCHEDULE, TRACE))
def anneal(links: Any, unary: Floats, search: Any, schedule: Any, trace: Floats) -> int:
    """Make sweeps of random moves; a worse one is accepted with probability exp(Δ / T). Return the number of sweeps.

    Args:
        links: the tables.
        unary: the value of each slot.
        search: the state of the search; changed in place.
        schedule: the sweeps.
        trace: the score at the end of each sweep, and the fraction of its moves that changed the score.
    """
    scores, candidates = search.scores, links.offsets[1] - links.offsets[0]
    for sweep in range(len(schedule.temperatures)):
        changes = 0
        for _ in range(schedule.sweep):
            kind = sequence_walk.draw_kind(search)
            sequence_walk.draw_neighbour(search, kind, candidates, LONGER)
            count = sequence_walk.mark_changed(search)
            delta = difference(links, unary, search, count)
            search.counters[LOOKS] += count
            search.moves[kind] += 1.0
            if delta >= 0.0 or accepts(delta, schedule.temperatures[sweep], uniform(search.rng_state)):
                copy(search.y, search.x)
                scores[0] += delta
                changes += abs(delta) > schedule.negligible
                search.improvements[kind] += delta > schedule.negligible
                if scores[0] > scores[1] + 1e-9 * (1.0 + abs(scores[1])):
                    scores[1] = scores[0]
                    copy(search.x, search.best)
        trace[0, sweep], trace[1, sweep] = scores[0], changes / schedule.sweep
        if schedule.stop_early and changes == 0:
            return sweep + 1
    return len(schedule.temperatures)
