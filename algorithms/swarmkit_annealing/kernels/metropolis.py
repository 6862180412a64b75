"""Metropolis sampling on the gain table: many sweeps in one call.

Metropolis, N., Rosenbluth, A., Rosenbluth, M., Teller, A. and Teller, E. 1953. Equation of state calculations by fast
computing machines. Journal of Chemical Physics 21.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numba import types

from swarmkit import Floats, Ints, Links, RngState
from swarmkit.kernels.compiling import (
    BOOL,
    FLOAT,
    FLOAT_ROWS,
    FLOATS,
    GIVEN_INTS,
    INT,
    INTS,
    LINKS,
    RNG_STATE,
    inlined,
    kernel,
)
from swarmkit.kernels.gain_table import CURRENT, gain, move
from swarmkit.kernels.rng import random_bits, uniform
from swarmkit_annealing.schedule import Schedule, acceptance

HOPELESS = -40.0
"""No number drawn is below exp(-40): a move that loses 40 times the temperature needs no draw."""


class Incumbent(NamedTuple):
    """The best solution (or tour) met, and two scores: of the current solution and of the best."""

    best: Ints
    scores: Floats


INCUMBENT = types.NamedTuple((INTS, FLOATS), Incumbent)
SCHEDULE = types.NamedTuple((FLOATS, INT, FLOAT, BOOL), Schedule)
TRACE = FLOAT_ROWS
"""Two rows, with room for every sweep: the score at its end, and the fraction of its moves that changed the score."""

probability = inlined(acceptance)


@kernel(BOOL(FLOAT, FLOAT, FLOAT))
def accepts(delta: float, temperature: float, u: float) -> bool:
    """Return whether u is below the probability of accepting a move, mostly without computing the exponential."""
    if delta >= 0:
        return True
    z = -delta / temperature
    if u * (1 + z * (1 + z * (0.5 + z * (1 / 6)))) >= 1:  # all terms of the series of exp(z) are positive
        return False
    return bool(u < probability(delta, temperature))


@kernel(types.void(INTS, INTS))
def keep(x: Ints, best: Ints) -> None:
    """Copy the current solution to the incumbent."""
    for i in range(len(x)):
        best[i] = x[i]


@kernel(types.UniTuple(INT, 2)(LINKS, GIVEN_INTS, CURRENT, INCUMBENT, RNG_STATE, SCHEDULE, TRACE))
def anneal(
    links: Links, free: Ints, current: Any, incumbent: Any, rng_state: RngState, schedule: Any, trace: Floats
) -> tuple[int, int]:
    """Propose random candidates at random stages and accept or reject them at the temperature of the sweep.

    `free` are the stages with more than one candidate. Returns the looks, and the sweeps made: all, or those until one
    changed nothing.
    """
    offsets, x, holder, best = links.offsets, current.x, current.holder, incumbent.best
    sweep, negligible = schedule.sweep, schedule.negligible
    now, highest = incumbent.scores[0], incumbent.scores[1]
    at_best = False  # whether `best` is to be copied from the current solution
    looks, sweeps = 0, 0
    for temperature in schedule.temperatures:
        changed = 0
        for _ in range(sweep):
            bits = random_bits(rng_state)  # enough for a stage and a candidate
            i = free[((bits >> np.uint64(32)) * np.uint64(len(free))) >> np.uint64(32)]
            others = np.uint64(offsets[i + 1] - offsets[i] - 1)
            c = np.int64(((bits & np.uint64(0xFFFFFFFF)) * others) >> np.uint64(32))
            c += c >= x[i]
            looks += 2 if len(holder) and holder[c] >= 0 else 1
            delta = gain(links, current, i, c)
            if delta >= 0 or (delta > HOPELESS * temperature and accepts(delta, temperature, uniform(rng_state))):
                if at_best and delta <= 0:  # the best is copied when it is left, not at every step towards it
                    keep(x, best)
                    at_best = False
                move(links, current, i, c)
                now += delta
                changed += abs(delta) > negligible
                if now > highest:
                    highest, at_best = now, True
        trace[0, sweeps], trace[1, sweeps] = now, changed / sweep
        sweeps += 1
        if schedule.until_frozen and changed == 0:
            break
    if at_best:
        keep(x, best)
    incumbent.scores[0], incumbent.scores[1] = now, highest
    return looks, sweeps
