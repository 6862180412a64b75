"""Annealing on the gain table: Metropolis sampling, the heat bath, and the loop of sweeps that tours share.

Metropolis, N., Rosenbluth, A., Rosenbluth, M., Teller, A. and Teller, E. 1953. Equation of state calculations by fast
computing machines. Journal of Chemical Physics 21.

Geman, S. and Geman, D. 1984. Stochastic relaxation, Gibbs distributions, and the Bayesian restoration of images. IEEE
Transactions on Pattern Analysis and Machine Intelligence 6: the heat bath (Gibbs sampling), in which a stage takes a
candidate with probability proportional to exp(value / temperature). All candidates of a stage are weighed at once,
without an exponential: the candidate of highest value + temperature · Gumbel noise has that distribution (the
Gumbel-max trick).
"""

from __future__ import annotations

from functools import cache
from typing import Any, NamedTuple

import numpy as np
from numba import types

from swarmkit import Floats, Ints, Links, RngState
from swarmkit.kernels.compiling import (
    BOOL,
    FLOAT,
    FLOAT_ROWS,
    FLOATS,
    INT,
    INTS,
    LINKS,
    READONLY_FLOATS,
    RNG_STATE,
    inlined,
    kernel,
)
from swarmkit.kernels.gain_table import CURRENT, Current, gain, move
from swarmkit.kernels.rng import random_bits, uniform
from swarmkit_annealing.schedule import Schedule, acceptance

HOPELESS = -40.0
"""No number drawn is below exp(-40): a move that loses 40 times the temperature needs no draw."""

BITS = 16
"""Random bits that choose where in the table of noise a stage reads: 65,536 places, half a megabyte, fit the cache."""


class Incumbent(NamedTuple):
    """The best solution (or tour) met, and two scores: of the current solution and of the best."""

    best: Ints
    scores: Floats


class TableSearch(NamedTuple):
    """The gain table of the current solution, and the move that is considered."""

    links: Links
    stages: Ints
    """The stages that move, each with more than one candidate."""
    current: Current
    move: Ints
    """The stage, the candidate that it would take, and the looks so far."""
    noise: Floats
    """What the heat bath draws candidates with (see `gumbel_noise`); Metropolis sampling does without."""


INCUMBENT = types.NamedTuple((INTS, FLOATS), Incumbent)
TABLE_SEARCH = types.NamedTuple((LINKS, INTS, CURRENT, INTS, FLOATS), TableSearch)
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


@kernel(FLOAT(FLOAT, FLOAT, RNG_STATE), inline=True)
def accepted_gain(delta: float, temperature: float, rng_state: RngState) -> float:
    """Return the gain of a proposed move if it is accepted, -inf otherwise."""
    if delta >= 0 or (delta > HOPELESS * temperature and accepts(delta, temperature, uniform(rng_state))):
        return delta
    return -np.inf


@kernel(types.void(INTS, INTS))
def keep(x: Ints, best: Ints) -> None:
    """Copy the current solution to the incumbent."""
    for i in range(len(x)):
        best[i] = x[i]


@inlined
def sample(
    choose: Any, make: Any, search: Any, x: Ints, incumbent: Any, rng_state: RngState, schedule: Any, trace: Any
) -> Any:
    """Make sweeps of moves, each at its temperature, and return their number: all, or those until one changed nothing.

    Args:
        choose: the kernel (search, number of the move in its sweep, temperature, rng_state) that writes a move to the
            search and returns its gain; -inf where nothing moves.
        make: the kernel (search) that makes this move.
        search: what both work on.
        x: the current solution or tour of the search.
        incumbent: the best one met, and the scores.
        rng_state: the kernels' random numbers.
        schedule: the sweeps.
        trace: receives the course of the sweeps.
    """
    now, highest = incumbent.scores[0], incumbent.scores[1]
    at_best = False  # whether the best is to be copied from the current solution
    sweeps = 0
    for temperature in schedule.temperatures:
        changes = 0
        for k in range(schedule.sweep):
            delta = choose(search, k, temperature, rng_state)
            if delta == -np.inf:  # rejected
                continue
            if at_best and delta <= 0:  # the best is copied when it is left, not at every step towards it
                keep(x, incumbent.best)
                at_best = False
            make(search)
            now += delta  # rounding errors add up; the harness scores what is reported again
            changes += abs(delta) > schedule.negligible
            if now > highest:
                highest, at_best = now, True
        trace[0, sweeps], trace[1, sweeps] = now, changes / schedule.sweep
        sweeps += 1
        if schedule.stop_early and changes == 0:
            break
    if at_best:
        keep(x, incumbent.best)
    incumbent.scores[0], incumbent.scores[1] = now, highest
    return sweeps


@kernel(FLOAT(TABLE_SEARCH, INT, FLOAT, RNG_STATE), inline=True)
def propose(search: Any, k: int, temperature: float, rng_state: RngState) -> float:  # noqa: ARG001  (as `sample` calls it)
    """Propose a random candidate at a random stage, and return its gain if it is accepted, -inf otherwise."""
    stages, offsets, x, holder = search.stages, search.links.offsets, search.current.x, search.current.holder
    bits = random_bits(rng_state)  # enough for a stage and a candidate
    i = stages[((bits >> np.uint64(32)) * np.uint64(len(stages))) >> np.uint64(32)]
    alternatives = np.uint64(offsets[i + 1] - offsets[i] - 1)
    c = np.int64(((bits & np.uint64(0xFFFFFFFF)) * alternatives) >> np.uint64(32))
    c += c >= x[i]  # any candidate but the one that the stage has
    search.move[0], search.move[1] = i, c
    search.move[2] += 2 if len(holder) and holder[c] >= 0 else 1
    return accepted_gain(gain(search.links, search.current, i, c), temperature, rng_state)


@kernel(types.void(TABLE_SEARCH), inline=True)
def make_move(search: Any) -> None:
    """Let the stage of the move take its candidate."""
    move(search.links, search.current, search.move[0], search.move[1])


@kernel(INT(TABLE_SEARCH, INCUMBENT, RNG_STATE, SCHEDULE, TRACE))
def anneal(search: Any, incumbent: Any, rng_state: RngState, schedule: Any, trace: Floats) -> Any:
    """Propose random candidates at random stages, and return the sweeps made."""
    return sample(propose, make_move, search, search.current.x, incumbent, rng_state, schedule, trace)


@cache
def gumbel_noise(longest: int) -> Floats:
    """Return the 65,536 quantiles of the Gumbel distribution in a fixed random order.

    Its first `longest` entries are repeated at the end, so that a stage of that many candidates can read anywhere.
    """
    # -log(-log(p)) is the quantile function; the midpoints of 65,536 equal parts leave out 0 and 1.
    even = (np.arange(1 << BITS) + 0.5) / (1 << BITS)
    return np.resize(np.random.default_rng(0).permutation(-np.log(-np.log(even))), len(even) + longest)


@kernel(INT(FLOATS, READONLY_FLOATS, FLOAT, INT), inline=True)
def draw(values: Floats, noise: Floats, temperature: float, candidate: int) -> int:
    """Draw a candidate for a stage, the one of highest noisy value; mostly it is again the `candidate` that it has."""
    top = values[candidate] + temperature * noise[candidate]
    higher = 0
    for c in range(len(values)):  # counted without a branch that is hard to predict
        higher += values[c] + temperature * noise[c] > top
    if higher:
        for c in range(len(values)):
            noisy = values[c] + temperature * noise[c]
            if noisy > top:
                top, candidate = noisy, c
    return candidate


@kernel(FLOAT(TABLE_SEARCH, INT, FLOAT, RNG_STATE), inline=True)
def draw_next(search: Any, k: int, temperature: float, rng_state: RngState) -> float:
    """Draw a candidate for the k-th of the stages, and return its gain; -inf if the stage keeps its candidate."""
    i, values = search.stages[k], search.current.values
    slot, end, present = search.links.offsets[i], search.links.offsets[i + 1], search.current.x[i]
    # One draw a stage: all its candidates read the table of noise from there on.
    place = np.int64(random_bits(rng_state) >> np.uint64(64 - BITS))
    c = draw(values[slot:end], search.noise[place : place + end - slot], temperature, present)
    search.move[0], search.move[1] = i, c
    return values[slot + c] - values[slot + present] if c != present else -np.inf


@kernel(INT(TABLE_SEARCH, INCUMBENT, RNG_STATE, SCHEDULE, TRACE))
def cool(search: Any, incumbent: Any, rng_state: RngState, schedule: Any, trace: Floats) -> Any:
    """Draw a candidate for each of the stages in turn, once at each temperature, and return the sweeps made."""
    return sample(draw_next, make_move, search, search.current.x, incumbent, rng_state, schedule, trace)
