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

from swarmkit import Floats, RngState
from swarmkit.kernels.compiling import FLOAT, FLOATS, INT, READONLY_FLOATS, RNG_STATE, kernel
from swarmkit.kernels.rng import random_bits
from swarmkit_annealing.kernels.metropolis import (
    INCUMBENT,
    SCHEDULE,
    TABLE_SEARCH,
    TRACE,
    TableSearch,
    make_move,
    sample,
)

BITS = 16
"""Random bits that choose where in the table of noise a stage reads: 65,536 places, half a megabyte, fit the cache."""


class HeatBath(NamedTuple):
    """A search whose stages draw their candidates, and the noise that they are drawn with."""

    tables: TableSearch
    noise: Floats


HEAT_BATH = types.NamedTuple((TABLE_SEARCH, FLOATS), HeatBath)


@cache
def gumbel_noise(longest: int) -> Floats:
    """Return the 65,536 quantiles of the Gumbel distribution in a fixed random order.

    Its first `longest` entries are repeated at the end, so that a stage of that many candidates can read anywhere.
    """
    even = (np.arange(1 << BITS) + 0.5) / (1 << BITS)
    return np.resize(np.random.default_rng(0).permutation(-np.log(-np.log(even))), len(even) + longest)


@kernel(INT(FLOATS, READONLY_FLOATS, FLOAT, INT), inline=True)
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


@kernel(FLOAT(HEAT_BATH, INT, FLOAT, RNG_STATE), inline=True)
def draw_next(bath: Any, k: int, temperature: float, rng_state: RngState) -> float:
    """Draw a candidate for the k-th of the stages, and return its gain; -inf if the stage keeps the one that it has."""
    tables, values = bath.tables, bath.tables.current.values
    i = tables.stages[k]
    slot, end, held = tables.links.offsets[i], tables.links.offsets[i + 1], tables.current.x[i]
    place = np.int64(random_bits(rng_state) >> np.uint64(64 - BITS))
    c = draw(values[slot:end], bath.noise[place : place + end - slot], temperature, held)
    tables.move[0], tables.move[1] = i, c
    return values[slot + c] - values[slot + held] if c != held else -np.inf


@kernel(types.void(HEAT_BATH), inline=True)
def take(bath: Any) -> None:
    """Let the stage take the candidate that was drawn."""
    make_move(bath.tables)


@kernel(INT(HEAT_BATH, INCUMBENT, RNG_STATE, SCHEDULE, TRACE))
def cool(bath: Any, incumbent: Any, rng_state: RngState, schedule: Any, trace: Floats) -> Any:
    """Draw a candidate for each of the stages in turn, once at each temperature, and return the sweeps made."""
    return sample(draw_next, take, bath, bath.tables.current.x, incumbent, rng_state, schedule, trace)
