"""Iterated local search on the gain table: kick a few stages, climb from what that changed, undo if it did not pay.

The climb examines queued stages only: what the kick touched, and the neighbours of what has changed since. Moves are
logged, and an unsuccessful round is undone. So a round costs what it changes, not the size of the problem.
"""

from __future__ import annotations

from collections import namedtuple
from typing import Any

from numba import types

from swarmkit import Ints, Links
from swarmkit.kernels.compiling import (
    FLOATS,
    HALF_EDGES,
    INT,
    INT_ROWS,
    INTS,
    LINKS,
    READONLY_INTS,
    RNG_STATE,
    Index,
    copy,
    kernel,
)
from swarmkit.kernels.gain_table import CURRENT, gain, move
from swarmkit.kernels.icm import best_candidate
from swarmkit.kernels.rng import below

Round = namedtuple("Round", "queue in_queue counters log sums best scores rng_state")
"""The round in progress: arrays of `swarmkit_local.rounds.TableRounds` and of its gain table, which document them."""

ROUND = types.NamedTuple((INTS, INTS, INTS, INT_ROWS, FLOATS, INTS, FLOATS, RNG_STATE), Round)


@kernel(types.void(ROUND, INT), inline=True)
def enqueue(progress: Any, i: Index) -> None:
    """Queue a stage, once."""
    if not progress.in_queue[i]:
        progress.in_queue[i] = 1
        progress.queue[progress.counters[1] % len(progress.queue)] = i
        progress.counters[1] += 1


@kernel(types.void(HALF_EDGES, ROUND, INT))
def enqueue_around(half: Any, progress: Any, i: Index) -> None:
    """Queue a stage and its neighbours."""
    enqueue(progress, i)
    for h in range(half.indptr[i], half.indptr[i + 1]):
        enqueue(progress, half.neighbour[h])


@kernel(INT(LINKS, HALF_EDGES, READONLY_INTS, CURRENT, ROUND, INT))
def kick(links: Links, half: Any, free: Ints, current: Any, progress: Any, strength: int) -> int:
    """Let 1 to `strength` stages take random other candidates, each a neighbour of the one before.

    Changes near each other can add up to what no single move reaches. A stage without a choice is replaced by any
    other that has one. The moves are logged; what changed, and what is around it, is queued.

    Returns:
        The number of moves.
    """
    offsets, indptr, x, holder = links.offsets, half.indptr, current.x, current.holder
    counters, rng_state, score = progress.counters, progress.rng_state, progress.scores[0]
    counters[0] = counters[1] = 0  # the queue is empty: its ring begins anew
    i = free[below(rng_state, len(free))]
    changes = 1 + below(rng_state, strength)
    for entry in range(changes):
        c = below(rng_state, offsets[i + 1] - offsets[i] - 1)
        c += c >= x[i]
        score += gain(links, current, i, c)
        progress.log[entry, 0], progress.log[entry, 1] = i, x[i]
        if len(holder) and holder[c] >= 0:
            enqueue_around(half, progress, holder[c])
        move(links, current, i, c)
        enqueue_around(half, progress, i)
        if indptr[i + 1] > indptr[i]:
            i = half.neighbour[indptr[i] + below(rng_state, indptr[i + 1] - indptr[i])]
        if offsets[i + 1] - offsets[i] == 1:
            i = free[below(rng_state, len(free))]
    counters[2], progress.sums[0], progress.sums[1] = changes, score, 0.0
    return changes


@kernel(INT(LINKS, HALF_EDGES, CURRENT, ROUND))
def climb(links: Links, half: Any, current: Any, progress: Any) -> int:
    """Let queued stages take their best candidates, and queue what is around those that move; return the candidates.

    At most as many stages are examined as the problem has. A full log empties the queue.
    """
    queue, counters, log, x, holder = progress.queue, progress.counters, progress.log, current.x, current.holder
    candidates = visits = 0
    while counters[0] < counters[1] and (visits < len(x) or counters[2] == len(log)):
        i = queue[counters[0] % len(queue)]
        counters[0] += 1
        progress.in_queue[i] = 0
        if counters[2] == len(log):  # a move more could not be undone
            continue
        visits += 1
        c, g = best_candidate(links, current, i, progress.rng_state)
        candidates += links.offsets[i + 1] - links.offsets[i]
        if c >= 0:
            log[counters[2], 0], log[counters[2], 1] = i, x[i]
            counters[2] += 1
            j = holder[c] if len(holder) else -1
            move(links, current, i, c)
            progress.sums[1] += g
            enqueue_around(half, progress, i)
            if j >= 0:
                enqueue_around(half, progress, j)
    return candidates


@kernel(types.Tuple((INT, INT))(LINKS, HALF_EDGES, READONLY_INTS, CURRENT, ROUND, INT, INT))
def iterate(
    links: Links, half: Any, free: Ints, current: Any, progress: Any, strength: int, count: int
) -> tuple[int, int]:
    """Make some steps: kick and climb, and undo what ends in a worse score; a long climb takes several steps.

    Args:
        links: the half-edges of the tables, as the gain table reads them.
        half: the same, of which the neighbours of each stage are read.
        free: the stages that have a choice.
        current: the current solution with its gain table.
        progress: the round in progress, its log with room for at least `strength` moves, and the incumbent.
        strength: the most stages that a kick changes.
        count: the number of steps.

    Returns:
        The looks, and the number of rounds that have ended.
    """
    candidates = rounds = 0
    counters, log, sums, scores = progress.counters, progress.log, progress.sums, progress.scores
    for _ in range(count):
        if counters[0] == counters[1]:
            candidates += kick(links, half, free, current, progress, strength)
        candidates += climb(links, half, current, progress)
        score = sums[0] + sums[1]
        if score > scores[1]:  # also on the way up: the first climb of a large problem takes many steps
            scores[1] = score
            copy(current.x, progress.best)
        if counters[0] < counters[1]:
            continue
        rounds += 1
        if score >= scores[0]:
            scores[0] = score
        else:
            # In reverse order, so that swaps are undone as well.
            for back in range(counters[2] - 1, -1, -1):
                move(links, current, log[back, 0], log[back, 1])
    return candidates * (2 if len(current.holder) else 1), rounds  # a swap looks at two
