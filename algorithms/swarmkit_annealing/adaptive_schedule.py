"""The adaptive schedule: cycles from hot to cold, each slow where the ones before found it worth while.

Salamon, P., Nulton, J., Robinson, J., Pedersen, J., Ruppeiner, G. and Liao, L. 1988. Simulated annealing with constant
thermodynamic speed. Computer Physics Communications 49. Cooling through a range of temperatures deserves time in
proportion to √(heat capacity) · relaxation time. The heat capacity is the derivative of the mean score with respect to
the temperature; the relaxation time is about one over the fraction of moves that are accepted.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from swarmkit import Floats, Ints
from swarmkit_annealing.schedule import Sweeps

NO_BLOCK = np.empty(0, np.int64)

BINS = 48
"""Ranges of temperature, equally wide in their logarithms, in which scores and acceptance are averaged: enough to
resolve a phase transition, few enough that the first cycle of 32 sweeps fills most of them."""
DEPTHS = np.linspace(0, 1, BINS + 1)
"""The limits of the ranges: 0 is hot, 1 is cold."""
EVEN_SHARE = 0.02
"""The fraction of a cycle that is spread evenly over all ranges, so that a range once overlooked is sampled again."""
WARM_RANGE = 10.0
"""The first cycle around a given solution spends its time at temperatures down to a tenth of its first one."""
LEAST_ACCEPTANCE = 0.05
"""Added to the fraction of accepted moves: where it is smaller all is frozen, and waiting longer does not help."""


@dataclass
class Cycle:
    """A cycle: all stages cool from hot to cold, then blocks of them are reheated and cool again."""

    hot: float
    hottest: float
    """The start temperature of cycles that start anywhere; around a given solution they start lower, and rise to it."""
    cold: float
    length: int
    """Sweeps from hot to cold."""
    done: int
    """The sweep that the current cooling has reached."""
    time_shares: Floats
    """The fraction of the sweeps that each range of temperature gets, from the cycles before."""
    observed: Floats
    """For each range: sweeps of all stages, and the sums of their scores and of their fractions of accepted moves."""
    block: Ints
    """The stages that are reheated; none: all stages cool."""
    previous_best: Ints
    """The best solution when the current cooling began."""
    previous_score: float
    """Its score."""
    fruitless: int
    """Reheats since the last one that improved the incumbent."""
    reheat_looks: int
    """Looks spent on reheats in this cycle."""
    finishing: bool
    """Whether the work at the end of the current cooling has begun (crossover, or on tours local search)."""
    gains: Floats
    """What full coolings and what reheats have recently added to the best score; halved with each cycle."""


def first_cycle(hot: float, cold: float, length: int, x: Ints) -> Cycle:
    """Return a cycle that starts from solution x and gives every range of temperature the same time."""
    even, observed = np.full(BINS, 1 / BINS), np.zeros((BINS, 3))
    return Cycle(hot, hot, cold, length, 0, even, observed, NO_BLOCK, np.array(x), np.inf, 0, 0, False, np.zeros(2))


def warm_cycle(cycle: Cycle, hot: float, x: Ints, score: float) -> Cycle:
    """Return the first cycle around a given solution, from a low temperature on.

    Args:
        cycle: the first cycle of a search that starts anywhere.
        hot: the temperature to begin with, at most that of the cycle.
        x: the solution.
        score: its score.
    """
    near = np.clip(np.log(WARM_RANGE) / max(np.log(hot / cycle.cold), 1e-9), 1 / BINS, 1.0)
    shares = np.where(DEPTHS[:-1] < near, 1.0, EVEN_SHARE)
    return replace(cycle, hot=hot, time_shares=shares / shares.sum(), previous_best=np.array(x), previous_score=score)


def temperatures(cycle: Cycle, count: int) -> Floats:
    """Return the temperatures of the next sweeps; past the end of the cycle they stay cold.

    >>> temperatures(first_cycle(8.0, 1.0, 4, np.zeros(3, int)), 5)
    array([8., 4., 2., 1., 1.])
    """
    place = (cycle.done + np.arange(count)) / (cycle.length - 1)
    spent = np.cumsum(cycle.time_shares)
    depth = np.interp(place, np.append(0.0, spent) / spent[-1], DEPTHS)
    return np.asarray(cycle.hot * (cycle.cold / cycle.hot) ** depth)


def observe(cycle: Cycle, temperatures: Floats, sweeps: Sweeps) -> None:
    """Count sweeps made at these temperatures; those of all stages are recorded in their ranges."""
    cycle.done += len(sweeps.scores)
    if len(cycle.block):
        return
    depth = np.log(cycle.hot / temperatures) / np.log(cycle.hot / cycle.cold)
    where = np.clip((depth * BINS).astype(np.int64), 0, BINS - 1)
    np.add.at(cycle.observed, where, np.column_stack([np.ones(len(sweeps.scores)), sweeps.scores, sweeps.accepted]))


def record_gain(cycle: Cycle, best: Ints, score: float, negligible: float) -> None:
    """Record, at the end of a cooling, by how much it improved the best solution to `best` with its score."""
    gained = max(0.0, score - cycle.previous_score)
    cycle.gains[1 if len(cycle.block) else 0] += gained
    cycle.fruitless = 0 if gained > negligible else cycle.fruitless + 1
    cycle.previous_best, cycle.previous_score = best.copy(), score


def patience(cycle: Cycle) -> float:
    """Return a factor for the reheats that may fail in a row: 1/8 to 4 with the share of gains that came from reheats.

    >>> patience(first_cycle(8.0, 1.0, 4, np.zeros(3, int)))  # nothing gained yet
    1.0
    """
    total = cycle.gains.sum()
    return float(0.125 + 3.875 * cycle.gains[1] / total) if total > 0 else 1.0


def next_cycle(cycle: Cycle) -> Cycle:
    """Return a cycle twice as long; its time shares are the mean of this cycle's and of what this cycle observed.

    One that starts below the hottest temperature is followed by one that starts twice as hot.
    """
    fresh = time_shares(cycle)
    first = cycle.time_shares.min() == cycle.time_shares.max()
    blended = fresh if first else (cycle.time_shares + fresh) / 2
    return replace(
        cycle,
        hot=min(2 * cycle.hot, cycle.hottest),
        length=2 * cycle.length,
        done=0,
        time_shares=blended,
        observed=np.zeros((BINS, 3)),
        block=NO_BLOCK,
        fruitless=0,
        reheat_looks=0,
        gains=cycle.gains / 2,
    )


def time_shares(cycle: Cycle) -> Floats:
    """Return the fraction of time that each range deserves: √(heat capacity) / acceptance, and a little everywhere."""
    seen = np.flatnonzero(cycle.observed[:, 0])
    scores, accepted = (
        np.interp(np.arange(BINS), seen, cycle.observed[seen, k] / cycle.observed[seen, 0]) for k in (1, 2)
    )
    middle = cycle.hot * (cycle.cold / cycle.hot) ** ((np.arange(BINS) + 0.5) / BINS)
    heat_capacity = np.maximum(np.gradient(scores), 0) / middle
    raw = np.sqrt(heat_capacity) / (accepted + LEAST_ACCEPTANCE)
    smooth = np.convolve(np.pad(raw, 1, mode="edge"), np.ones(3) / 3, "valid")
    if not smooth.any():  # the score never changes
        return np.full(BINS, 1 / BINS)
    return np.asarray((1 - EVEN_SHARE) * smooth / smooth.sum() + EVEN_SHARE / BINS)
