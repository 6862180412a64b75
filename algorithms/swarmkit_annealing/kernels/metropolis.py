"""Metropolis sampling on the gain table: many proposals in one call.

Metropolis, N., Rosenbluth, A., Rosenbluth, M., Teller, A. and Teller, E. 1953. Equation of state calculations by fast
computing machines. Journal of Chemical Physics 21.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numba import types

from swarmkit import Ints, Links, RngState
from swarmkit.kernels.compiling import BOOL, FLOAT, GIVEN_INTS, INT, LINKS, RNG_STATE, copy, kernel
from swarmkit.kernels.gain_table import CURRENT, gain, move
from swarmkit.kernels.rng import random_bits, uniform
from swarmkit_annealing.kernels.arguments import INCUMBENT, SCHEDULE, TRACE

HOPELESS = -40.0
"""No number drawn is below exp(-40): a move that loses 40 times the temperature needs no draw."""


@kernel(BOOL(FLOAT, FLOAT, FLOAT))
def accepts(delta: float, temperature: float, u: float) -> bool:
    """Return whether u < exp(delta / temperature), mostly without computing the exponential."""
    if delta >= 0:
        return True
    z = -delta / temperature
    if u * (1 + z * (1 + z * (0.5 + z * (1 / 6)))) >= 1:  # all terms of the series of exp(z) are positive
        return False
    return u < math.exp(-z)


@kernel(types.Tuple((INT, INT, INT))(LINKS, GIVEN_INTS, CURRENT, INCUMBENT, RNG_STATE, SCHEDULE, TRACE))
def anneal(
    links: Links, free: Ints, current: Any, incumbent: Any, rng_state: RngState, schedule: Any, trace: Any
) -> tuple[int, int, int]:
    """Propose random candidates at random stages and accept or reject them at the temperature of the sweep.

    `free` are the stages with more than one candidate. Returns the looks, the sweeps that ended, and the sweeps that
    changed nothing.
    """
    offsets, x, holder = links.offsets, current.x, current.holder
    best, progress, temperatures = incumbent.best, trace.progress, schedule.temperatures
    sweep, until_frozen, negligible = schedule.sweep, schedule.until_frozen, schedule.negligible
    now, highest = incumbent.scores[0], incumbent.scores[1]
    done, changed = progress[0], progress[1]
    at_best = False  # whether `best` is to be copied from the current solution
    looks, ended, frozen = 0, 0, 0
    temperature = temperatures[0]
    for _ in range(schedule.proposals):
        bits = random_bits(rng_state)  # enough for a stage and a candidate
        i = free[((bits >> np.uint64(32)) * np.uint64(len(free))) >> np.uint64(32)]
        others = np.uint64(offsets[i + 1] - offsets[i] - 1)
        c = np.int64(((bits & np.uint64(0xFFFFFFFF)) * others) >> np.uint64(32))
        c += c >= x[i]
        looks += 2 if len(holder) and holder[c] >= 0 else 1
        delta = gain(links, current, i, c)
        if delta >= 0 or (delta > HOPELESS * temperature and accepts(delta, temperature, uniform(rng_state))):
            if at_best and delta <= 0:  # the best is copied when it is left, not at every step towards it
                copy(x, best)
                at_best = False
            move(links, current, i, c)
            now += delta
            changed += abs(delta) > negligible
            if now > highest:
                highest, at_best = now, True
        done += 1
        if done == sweep:
            trace.scores[ended], trace.accepted[ended] = now, changed / sweep
            ended += 1
            frozen += changed == 0
            temperature = temperatures[ended]
            done, changed = 0, 0
            if until_frozen and frozen:
                break
    if at_best:
        copy(x, best)
    incumbent.scores[0], incumbent.scores[1] = now, highest
    progress[0], progress[1] = done, changed
    return looks, ended, frozen
