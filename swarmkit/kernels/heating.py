"""Annealing by heat baths: a stage takes a candidate with probability in proportion to exp(value / temperature).

Geman, S. and Geman, D. 1984. Stochastic relaxation, Gibbs distributions, and the Bayesian restoration of images. IEEE
Transactions on Pattern Analysis and Machine Intelligence 6. All candidates of a stage are weighed at once, without an
exponential: the one is taken whose value plus temperature times noise is highest, where the noise is Gumbel's.
"""

from __future__ import annotations

from functools import cache

import numpy as np
from numba import types

from swarmkit.kernels.chance import Words, draw
from swarmkit.kernels.compiling import (
    FLOAT,
    FLOATS,
    GIVEN_FLOATS,
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
from swarmkit.kernels.field import change

BITS = 16
"""So many random bits say where in the noise a stage reads: 65,536 places."""


@cache
def noise(longest: int) -> Floats:
    """Give Gumbel's quantiles in an order without order, always the same; a stage of the longest can read anywhere."""
    even = (np.arange(1 << BITS) + 0.5) / (1 << BITS)
    return np.resize(np.random.default_rng(0).permutation(-np.log(-np.log(even))), len(even) + longest)


@kernel(INT(GIVEN_INTS, GIVEN_INTS, GIVEN_INTS, INTS, INTS, INT))
def gather(offsets: Ints, around: Ints, neighbour: Ints, block: Ints, seen: Ints, size: int) -> int:
    """Collect stages around the block's first, the nearest before others; give their number (perhaps below `size`)."""
    seen[block[0]], count, k = 1, 1, 0
    while k < count < size:
        for h in range(around[block[k]], around[block[k] + 1]):
            j = neighbour[h]
            if not seen[j] and offsets[j + 1] - offsets[j] > 1 and count < size:
                seen[j] = 1
                block[count] = j
                count += 1
        k += 1
    return count


@kernel(INT(FLOATS, GIVEN_FLOATS, FLOAT, INT), inline=True)
def drawn(values: Floats, shakes: Floats, temperature: float, held: int) -> int:
    """Draw a candidate for a stage that holds one; mostly that again."""
    top = values[held] + temperature * shakes[held]
    higher = 0
    for c in range(len(values)):  # no branch that is hard to foresee
        higher += values[c] + temperature * shakes[c] > top
    if higher:
        for c in range(len(values)):
            shaken = values[c] + temperature * shakes[c]
            if shaken > top:
                top, held = shaken, c
    return held


@kernel(
    types.void(
        *(*LINKS, GIVEN_INTS, FLOATS, INTS, INTS, FLOATS, WORDS),
        *(GIVEN_FLOATS, GIVEN_FLOATS, FLOAT, FLOATS, FLOATS),
    )
)
def cool(
    offsets: Ints,
    indptr: Ints,
    runs: Ints,
    weights: Floats,
    flat: Floats,
    stages: Ints,
    values: Floats,
    x: Ints,
    best: Ints,
    scores: Floats,
    words: Words,
    shakes: Floats,
    temperatures: Floats,
    slight: float,
    course: Floats,
    taken: Floats,
) -> None:
    """Draw each of the stages once at each temperature.

    `scores` holds the score now and the best. The score after each sweep goes to `course`, the share of its stages that
    changed it by more than `slight` to `taken`.
    """
    now, highest = scores[0], scores[1]
    at_best = now >= highest
    for sweep in range(len(temperatures)):
        changed = 0
        for i in stages:
            slot, end, a = offsets[i], offsets[i + 1], x[i]
            place = np.int64(draw(words) >> np.uint64(64 - BITS))
            c = drawn(values[slot:end], shakes[place : place + end - slot], temperatures[sweep], a)
            if c == a:
                continue
            delta = values[slot + c] - values[slot + a]
            if at_best and delta < 0:  # the best is copied when it is left, not at every step towards it
                copy(x, best)
                at_best = False
            change(indptr, runs, weights, flat, values, x, i, c)
            now += delta
            changed += abs(delta) > slight
            if now > highest:
                highest, at_best = now, True
        course[sweep], taken[sweep] = now, changed / len(stages)
    if at_best:
        copy(x, best)
    scores[0], scores[1] = now, highest
