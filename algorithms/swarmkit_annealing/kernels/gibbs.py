"""The heat bath (Gibbs sampling): a stage takes a candidate with probability proportional to exp(value / temperature).

Geman, S. and Geman, D. 1984. Stochastic relaxation, Gibbs distributions, and the Bayesian restoration of images. IEEE
Transactions on Pattern Analysis and Machine Intelligence 6. All candidates of a stage are weighed at once, without an
exponential: the candidate of highest value + temperature · Gumbel noise has that distribution (the Gumbel-max trick).
"""

from __future__ import annotations

from functools import cache
from typing import Any, NamedTuple

import numpy as np
from numba import types

from swarmkit import Floats, Ints, Links, RngState
from swarmkit.kernels.compiling import FLOAT, FLOATS, GIVEN_FLOATS, GIVEN_INTS, INT, INTS, LINKS, RNG_STATE, kernel
from swarmkit.kernels.gain_table import CURRENT, change
from swarmkit.kernels.rng import random_bits
from swarmkit_annealing.kernels.metropolis import INCUMBENT, TRACE, keep

BITS = 16
"""Random bits that choose where in the table of noise a stage reads: 65,536 places, half a megabyte, fit the cache."""


class HeatBath(NamedTuple):
    """The noise, the temperature of each sweep, and the change of the score up to which a draw is no change."""

    noise: Floats
    temperatures: Floats
    negligible: float


HEAT_BATH = types.NamedTuple((FLOATS, FLOATS, FLOAT), HeatBath)


@cache
def gumbel_noise(longest: int) -> Floats:
    """Return the 65,536 quantiles of the Gumbel distribution in a fixed random order.

    Its first `longest` entries are repeated at the end, so that a stage of that many candidates can read anywhere.
    """
    even = (np.arange(1 << BITS) + 0.5) / (1 << BITS)
    return np.resize(np.random.default_rng(0).permutation(-np.log(-np.log(even))), len(even) + longest)


@kernel(INT(GIVEN_INTS, GIVEN_INTS, GIVEN_INTS, INTS, INTS, INT))
def gather(offsets: Ints, indptr: Ints, neighbour: Ints, block: Ints, seen: Ints, size: int) -> int:
    """Collect stages around the block's first in breadth-first order; return their number, at most `size`.

    Stage i is linked to neighbour[indptr[i]:indptr[i+1]]. Stages with one candidate are left out. `seen` must be zero.
    """
    seen[block[0]], count, k = 1, 1, 0
    while k < count < size:
        for h in range(indptr[block[k]], indptr[block[k] + 1]):
            j = neighbour[h]
            if not seen[j] and offsets[j + 1] - offsets[j] > 1 and count < size:
                seen[j] = 1
                block[count] = j
                count += 1
        k += 1
    return count


@kernel(INT(FLOATS, GIVEN_FLOATS, FLOAT, INT), inline=True)
def draw(values: Floats, noise: Floats, temperature: float, held: int) -> int:
    """Draw a candidate for a stage that holds one: the one of highest noisy value; mostly it is that one again."""
    top = values[held] + temperature * noise[held]
    higher = 0
    for c in range(len(values)):  # counted without a branch that is hard to predict
        higher += values[c] + temperature * noise[c] > top
    if higher:
        for c in range(len(values)):
            noisy = values[c] + temperature * noise[c]
            if noisy > top:
                top, held = noisy, c
    return held


@kernel(types.void(LINKS, GIVEN_INTS, CURRENT, INCUMBENT, RNG_STATE, HEAT_BATH, TRACE))
def cool(
    links: Links, stages: Ints, current: Any, incumbent: Any, rng_state: RngState, bath: Any, trace: Floats
) -> None:
    """Draw a candidate for each of the stages in turn, once at each temperature."""
    offsets, values, x = links.offsets, current.values, current.x
    best, noise, negligible = incumbent.best, bath.noise, bath.negligible
    now, highest = incumbent.scores[0], incumbent.scores[1]
    at_best = False  # whether `best` is to be copied from the current solution
    for sweep in range(len(bath.temperatures)):
        changed = 0
        temperature = bath.temperatures[sweep]
        for i in stages:
            slot, end, a = offsets[i], offsets[i + 1], x[i]
            place = np.int64(random_bits(rng_state) >> np.uint64(64 - BITS))
            c = draw(values[slot:end], noise[place : place + end - slot], temperature, a)
            if c == a:
                continue
            delta = values[slot + c] - values[slot + a]
            if at_best and delta <= 0:  # the best is copied when it is left, not at every step towards it
                keep(x, best)
                at_best = False
            change(links, values, x, i, c)
            now += delta
            changed += abs(delta) > negligible
            if now > highest:
                highest, at_best = now, True
        trace[0, sweep], trace[1, sweep] = now, changed / len(stages)
    if at_best:
        keep(x, best)
    incumbent.scores[0], incumbent.scores[1] = now, highest
