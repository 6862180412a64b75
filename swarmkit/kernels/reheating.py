"""Annealing of some stages near each other, again and again: what was worse in the end is undone."""

from __future__ import annotations

from numba import types

from swarmkit.kernels.annealing import HOPELESS, accepts
from swarmkit.kernels.chance import Words, below, uniform
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
from swarmkit.kernels.iterating import climb_waiting, enqueue_around


@kernel(INT(GIVEN_INTS, GIVEN_INTS, GIVEN_INTS, GIVEN_INTS, INTS, INTS, WORDS, INT))
def gather(
    offsets: Ints, around: Ints, neighbour: Ints, free: Ints, block: Ints, inside: Ints, words: Words, size: int
) -> int:
    """Collect a random stage and others near it, mark them as inside, and give their number (perhaps below `size`)."""
    block[0] = free[below(words, len(free))]
    inside[block[0]] = 1
    count = 1
    for _ in range(4 * size):  # a small island of stages may not have as many
        if count == size:
            break
        i = block[below(words, count)]
        if around[i + 1] == around[i]:
            continue
        j = neighbour[around[i] + below(words, around[i + 1] - around[i])]
        if not inside[j] and offsets[j + 1] - offsets[j] > 1:
            inside[j] = 1
            block[count] = j
            count += 1
    return count


@kernel(INT(GIVEN_INTS, INTS, INTS, INTS, INTS, WORDS, INT, INT))
def another(offsets: Ints, x: Ints, holder: Ints, block: Ints, inside: Ints, words: Words, count: int, i: int) -> int:
    """Draw another candidate for stage i; where stages must differ, one that no stage outside the block holds."""
    c = below(words, offsets[i + 1] - offsets[i] - 1)
    c += c >= x[i]
    if len(holder) and holder[c] >= 0 and not inside[holder[c]]:
        c = x[block[below(words, count)]]
    return c


@kernel(
    types.Tuple((INT, INT, INT))(
        *(*LINKS, GIVEN_INTS, GIVEN_INTS, GIVEN_INTS, FLOATS, INTS, INTS, INTS, FLOATS, WORDS, INTS, INTS, INTS),
        *(INTS, INTS, INT_ROWS, FLOAT, FLOAT, FLOAT, INT, INT, INT, INT, INT),
    )
)
def reheat(
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
    block: Ints,
    saved: Ints,
    inside: Ints,
    queue: Ints,
    waiting: Ints,
    log: Ints,
    hot: float,
    cold: float,
    slight: float,
    smallest: int,
    sweeps: int,
    idle: int,
    patience: int,
    enough: int,
) -> tuple[int, int, int]:
    """Reheat blocks until `enough` looks are spent or `patience` of them in a row brought nothing.

    A block of `smallest` stages, or up to four times as many, is heated to a temperature anywhere between hot and cold
    and cooled to cold within a few sweeps; then it and what is around it climb. Gives looks, reheats, and how many
    reheats the last improvement (by more than `slight`) is ago; `idle` is that number before. Queue, waiting and log
    are room to climb in.
    """
    looks, rounds, each = 0, 0, 2 if len(holder) else 1
    ends = queue[len(x) :]  # two numbers behind the queue itself: where it begins and ends
    while looks < enough and idle < patience:
        size = min(len(free), smallest + below(words, 3 * smallest))
        count = gather(offsets, around, neighbour, free, block, inside, words, size)
        moves = 0
        for k in range(count):
            saved[k] = x[block[k]]
            moves += min(offsets[block[k] + 1] - offsets[block[k]] - 1, 2 * count if len(holder) else 1 << 62)
        now = scores[0]
        temperature = hot * (cold / hot) ** uniform(words)
        cooling = (cold / temperature) ** (1 / max(1, sweeps - 1))
        for _ in range(sweeps):
            for _ in range(moves):
                i = block[below(words, count)]
                c = another(offsets, x, holder, block, inside, words, count, i)
                delta = gain(offsets, indptr, runs, weights, flat, values, x, holder, i, c)
                if delta >= 0 or (delta > HOPELESS * temperature and accepts(delta, temperature, uniform(words))):
                    take(indptr, runs, weights, flat, values, x, holder, i, c)
                    now += delta
            temperature *= cooling
        ends[0] = ends[1] = 0
        for k in range(count):
            enqueue_around(block[k], around, neighbour, queue[: len(x)], waiting, ends)
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
            0,
        )
        now += gained
        looks += sweeps * moves * each + climbing
        rounds += 1
        idle = 0 if now > scores[0] + slight else idle + 1
        if now < scores[0]:
            for back in range(logged - 1, -1, -1):
                take(indptr, runs, weights, flat, values, x, holder, log[back, 0], log[back, 1])
            for k in range(count):
                if x[block[k]] != saved[k]:
                    take(indptr, runs, weights, flat, values, x, holder, block[k], saved[k])
        else:
            scores[0] = now
            if now > scores[1]:
                scores[1] = now
                copy(x, best)
        for k in range(count):
            inside[block[k]] = 0
    return looks, rounds, idle
