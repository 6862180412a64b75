"""Simulated annealing on the field of gains: many proposals in one call."""

from __future__ import annotations

import math

import numpy as np
from numba import types

from swarmkit.kernels.chance import Words, draw, uniform
from swarmkit.kernels.compiling import (
    BOOL,
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
from swarmkit.kernels.field import gain, take

HOPELESS = -40.0
"""No number drawn is below exp(-40): such a move needs no draw."""


@kernel(BOOL(FLOAT, FLOAT, FLOAT))
def accepts(delta: float, temperature: float, u: float) -> bool:
    """Tell whether u < exp(delta / temperature), mostly without the exponential."""
    if delta >= 0:
        return True
    z = -delta / temperature
    if u * (1 + z * (1 + z * (0.5 + z * (1 / 6)))) >= 1:  # all terms of the series of exp(z) are positive
        return False
    return u < math.exp(-z)


@kernel(
    types.Tuple((INT, INT, INT))(
        *(*LINKS, GIVEN_INTS, FLOATS, INTS, INTS, INTS, FLOATS, WORDS),
        *(GIVEN_FLOATS, INT, INTS, INT, BOOL, FLOAT, FLOATS, FLOATS),
    )
)
def anneal(
    offsets: Ints,
    indptr: Ints,
    runs: Ints,
    weights: Floats,
    flat: Floats,
    free: Ints,
    values: Floats,
    x: Ints,
    holder: Ints,
    best: Ints,
    scores: Floats,
    words: Words,
    temperatures: Floats,
    sweep: int,
    within: Ints,
    proposals: int,
    until_frozen: bool,
    slight: float,
    course: Floats,
    taken: Floats,
) -> tuple[int, int, int]:
    """Propose moves at the temperature of each sweep; give looks, sweeps ended, and sweeps that changed nothing.

    `scores` holds the score now and the best; `within` how far the sweep is and how often it changed the score by more
    than `slight`. The score at the end of each sweep goes to `course`, the share of its proposals that changed it to
    `taken`.
    """
    now, highest = scores[0], scores[1]
    done, changed = within[0], within[1]
    at_best = now >= highest
    looks, ended, idle = 0, 0, 0
    temperature = temperatures[0]
    for _ in range(proposals):
        bits = draw(words)  # enough for a stage and a candidate
        i = free[((bits >> np.uint64(32)) * np.uint64(len(free))) >> np.uint64(32)]
        others = np.uint64(offsets[i + 1] - offsets[i] - 1)
        c = np.int64(((bits & np.uint64(0xFFFFFFFF)) * others) >> np.uint64(32))
        c += c >= x[i]
        looks += 2 if len(holder) and holder[c] >= 0 else 1
        delta = gain(offsets, indptr, runs, weights, flat, values, x, holder, i, c)
        if delta >= 0 or (delta > HOPELESS * temperature and accepts(delta, temperature, uniform(words))):
            if at_best and delta < 0:  # the best is copied when it is left, not at every step towards it
                copy(x, best)
                at_best = False
            take(indptr, runs, weights, flat, values, x, holder, i, c)
            now += delta
            changed += abs(delta) > slight
            if now > highest:
                highest, at_best = now, True
        done += 1
        if done == sweep:
            course[ended], taken[ended] = now, changed / sweep
            ended += 1
            idle += changed == 0
            temperature = temperatures[ended]
            done, changed = 0, 0
            if until_frozen and idle:
                break
    if at_best:
        copy(x, best)
    scores[0], scores[1] = now, highest
    within[0], within[1] = done, changed
    return looks, ended, idle
