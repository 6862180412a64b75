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
    INTS,
    LINKS,
    WORDS,
    Floats,
    Ints,
    copy,
    kernel,
)
from swarmkit.kernels.field import gain, take


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


@kernel(types.Tuple((FLOAT, INT))(*LINKS, FLOATS, INTS, INTS, INTS, INTS, INT, FLOAT))
def settle(
    offsets: Ints,
    indptr: Ints,
    runs: Ints,
    weights: Floats,
    flat: Floats,
    values: Floats,
    x: Ints,
    holder: Ints,
    block: Ints,
    inside: Ints,
    count: int,
    slight: float,
) -> tuple[float, int]:
    """Let each stage of a block take its best candidate until none gains more than `slight`; give gain and looks."""
    total, looks, moved = 0.0, 0, True
    while moved:
        moved = False
        for k in range(count):
            i, best, most = block[k], -1, slight
            for c in range(offsets[i + 1] - offsets[i]):
                if c == x[i] or (len(holder) and holder[c] >= 0 and not inside[holder[c]]):
                    continue
                looks += 2 if len(holder) else 1
                g = gain(offsets, indptr, runs, weights, flat, values, x, holder, i, c)
                if g > most:
                    best, most = c, g
            if best >= 0:
                take(indptr, runs, weights, flat, values, x, holder, i, best)
                total += most
                moved = True
    return total, looks


@kernel(
    types.Tuple((INT, INT, INT))(
        *(*LINKS, GIVEN_INTS, GIVEN_INTS, GIVEN_INTS, FLOATS, INTS, INTS, INTS, FLOATS, WORDS, INTS, INTS, INTS),
        *(FLOAT, FLOAT, FLOAT, INT, INT, INT, INT),
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
    hot: float,
    cold: float,
    slight: float,
    smallest: int,
    sweeps: int,
    idle: int,
    enough: int,
) -> tuple[int, int, int]:
    """Reheat blocks until `enough` looks are spent or as many in a row as there are stages brought nothing.

    A block is heated to a temperature anywhere between hot and cold, cooled to cold within a few sweeps, and settled;
    its size is `smallest` divided by a random number, so that every order of magnitude gets the same time. Gives looks,
    reheats, and how many reheats the last improvement (by more than `slight`) is ago; `idle` is that number before.
    """
    looks, rounds, each = 0, 0, 2 if len(holder) else 1
    while looks < enough and idle < len(x):
        size = int(min(float(len(free)), smallest / (1 - uniform(words))))
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
        gained, settling = settle(offsets, indptr, runs, weights, flat, values, x, holder, block, inside, count, slight)
        now += gained
        looks += sweeps * moves * each + settling
        rounds += 1
        idle = 0 if now > scores[0] + slight else idle + 1
        if now < scores[0]:
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
