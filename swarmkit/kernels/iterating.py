"""Iterated local search on the field: kick a few stages, climb from what that changed, go back if it did not pay."""

from __future__ import annotations

from numba import types

from swarmkit.kernels.chance import Words, below
from swarmkit.kernels.compiling import (
    FLOAT,
    FLOATS,
    GIVEN_INTS,
    INT,
    INT_ROWS,
    INTS,
    LINKS,
    WORDS,
    Floats,
    Ints,
    copy,
    kernel,
)
from swarmkit.kernels.field import gain, take
from swarmkit.kernels.icm import best_candidate


@kernel(types.void(INT, INTS, INTS, INTS))
def enqueue(i: int, queue: Ints, waiting: Ints, ends: Ints) -> None:
    """Let a stage wait for its turn, once."""
    if not waiting[i]:
        waiting[i] = 1
        queue[ends[1] % len(queue)] = i
        ends[1] += 1


@kernel(types.void(INT, GIVEN_INTS, GIVEN_INTS, INTS, INTS, INTS))
def enqueue_around(i: int, around: Ints, neighbour: Ints, queue: Ints, waiting: Ints, ends: Ints) -> None:
    """Let a stage and its neighbours wait for their turns."""
    enqueue(i, queue, waiting, ends)
    for h in range(around[i], around[i + 1]):
        enqueue(neighbour[h], queue, waiting, ends)


@kernel(
    types.Tuple((FLOAT, INT, INT))(
        *(*LINKS, GIVEN_INTS, GIVEN_INTS, FLOATS, INTS, INTS, WORDS, INTS, INTS, INT_ROWS, INT),
    )
)
def climb_waiting(
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
    words: Words,
    queue: Ints,
    waiting: Ints,
    log: Ints,
    logged: int,
) -> tuple[float, int, int]:
    """Let each waiting stage take its best candidate, and those around it wait in turn, until nobody waits.

    Changes are logged, to be taken back; a log that is full ends the climb. Gives gain, looks and the log's length.
    """
    total, looks, each = 0.0, 0, 2 if len(holder) else 1
    ends = queue[len(x) :]
    while ends[0] < ends[1]:
        i = queue[ends[0] % len(x)]
        ends[0] += 1
        waiting[i] = 0
        if logged == len(log):
            continue
        c, g = best_candidate(offsets, indptr, runs, weights, flat, values, x, holder, i, words)
        looks += each * (offsets[i + 1] - offsets[i])
        if c >= 0:
            log[logged, 0], log[logged, 1] = i, x[i]
            logged += 1
            j = holder[c] if len(holder) else -1
            take(indptr, runs, weights, flat, values, x, holder, i, c)
            total += g
            enqueue_around(i, around, neighbour, queue[: len(x)], waiting, ends)
            if j >= 0:
                enqueue_around(j, around, neighbour, queue[: len(x)], waiting, ends)
    return total, looks, logged


@kernel(
    types.Tuple((INT, INT))(
        *LINKS, *(GIVEN_INTS,) * 3, FLOATS, INTS, INTS, INTS, FLOATS, WORDS, INTS, INTS, INT_ROWS, INT, INT
    )
)
def iterate(
    offsets: Ints,
    indptr: Ints,
    runs: Ints,
    weights: Floats,
    flat: Floats,
    around: Ints,
    neighbour: Ints,
    free: Ints,
    values: Floats,
    x: Ints,
    holder: Ints,
    best: Ints,
    scores: Floats,
    words: Words,
    queue: Ints,
    waiting: Ints,
    log: Ints,
    strength: int,
    enough: int,
) -> tuple[int, int]:
    """Kick and climb until `enough` looks are spent; give looks and rounds. Queue, waiting and log are room to work in.

    `around` and `neighbour` list each stage's neighbours; a log that is full ends a climb.
    """
    looks, rounds, each = 0, 0, 2 if len(holder) else 1
    ends = queue[len(x) :]  # two numbers behind the queue itself: where it begins and ends
    while looks < enough:
        rounds += 1
        before, now, logged = scores[0], scores[0], 0
        ends[0] = ends[1] = 0
        i = free[below(words, len(free))]
        for _ in range(1 + below(words, strength)):
            c = below(words, offsets[i + 1] - offsets[i] - 1)
            c += c >= x[i]
            now += gain(offsets, indptr, runs, weights, flat, values, x, holder, i, c)
            looks += each
            log[logged, 0], log[logged, 1] = i, x[i]
            logged += 1
            if len(holder) and holder[c] >= 0:
                enqueue_around(holder[c], around, neighbour, queue[: len(x)], waiting, ends)
            take(indptr, runs, weights, flat, values, x, holder, i, c)
            enqueue_around(i, around, neighbour, queue[: len(x)], waiting, ends)
            # The next kick lands near by, where it can add to this one; anywhere if that has no choice.
            if around[i + 1] > around[i]:
                i = neighbour[around[i] + below(words, around[i + 1] - around[i])]
            if offsets[i + 1] - offsets[i] == 1:
                i = free[below(words, len(free))]
        gained, climbing, logged = climb_waiting(
            offsets,
            indptr,
            runs,
            weights,
            flat,
            around,
            neighbour,
            values,
            x,
            holder,
            words,
            queue,
            waiting,
            log,
            logged,
        )
        now += gained
        looks += climbing
        if now >= before:
            scores[0] = now
            if now > scores[1]:
                scores[1] = now
                copy(x, best)
        else:
            for back in range(logged - 1, -1, -1):
                take(indptr, runs, weights, flat, values, x, holder, log[back, 0], log[back, 1])
    return looks, rounds
