"""Cycles of annealing that learn from each other where to be slow.

Salamon, P., Nulton, J., Robinson, J., Pedersen, J., Ruppeiner, G. and Liao, L. 1988. Simulated annealing with constant
thermodynamic speed. Computer Physics Communications 49. Cooling through a range of temperatures deserves time in
proportion to √(heat capacity) · relaxation time: the heat capacity is how much the score changes there, the relaxation
time about one over the share of moves that are taken.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

NONE = np.empty(0, np.int64)

BINS = 48
"""Ranges of temperature, equally wide in their logarithms, that are told apart."""
DEPTHS = np.linspace(0, 1, BINS + 1)
FLOOR = 0.02
"""So much of a cycle is spread evenly, so that what was overlooked once is looked at again."""
RARE = 0.05
"""A smaller share of moves is taken only where all is settled: waiting longer does not help."""


@dataclass
class Cycle:
    """A fall of all stages from hot to cold, then falls of blocks of them: how far it is, and what it met."""

    hot: float
    cold: float
    length: int
    """Sweeps of a fall from hot to cold."""
    done: int
    slowness: Floats
    """The share of the sweeps that each range gets, from the cycles before."""
    met: Floats
    """For each range: sweeps of all stages, and the sums of their scores and of their shares of moves taken."""
    stages: Ints
    """The block that is reheated; none: all stages."""
    kept: Ints
    """The best solution when the fall under way began, and its score."""
    begun: float
    idle: int
    """Reheats since the last one that paid."""
    rested: int
    """Looks spent on reheats."""
    credit: Floats
    """What cycles and reheats have gained of late."""


def first_cycle(hot: float, cold: float, length: int, x: Ints) -> Cycle:
    """Begin at a solution, with a cycle of equal time everywhere."""
    even, met = np.full(BINS, 1 / BINS), np.zeros((BINS, 3))
    return Cycle(hot, cold, length, 0, even, met, NONE, np.array(x), np.inf, 0, 0, np.zeros(2))


def temperatures(cycle: Cycle, count: int) -> Floats:
    """Give the temperatures of the next sweeps; past its end the cycle stays cold.

    >>> temperatures(first_cycle(8.0, 1.0, 4, np.zeros(3, int)), 5)
    array([8., 4., 2., 1., 1.])
    """
    place = (cycle.done + np.arange(count)) / (cycle.length - 1)
    spent = np.cumsum(cycle.slowness)
    depth = np.interp(place, np.append(0.0, spent) / spent[-1], DEPTHS)
    return np.asarray(cycle.hot * (cycle.cold / cycle.hot) ** depth)


def note(cycle: Cycle, temperatures: Floats, scores: Floats, taken: Floats) -> None:
    """Take down what sweeps of all stages at these temperatures met."""
    cycle.done += len(scores)
    if len(cycle.stages):
        return
    depth = np.log(cycle.hot / temperatures) / np.log(cycle.hot / cycle.cold)
    where = np.clip((depth * BINS).astype(np.int64), 0, BINS - 1)
    np.add.at(cycle.met, where, np.column_stack([np.ones(len(scores)), scores, taken]))


def settle(cycle: Cycle, best: Ints, score: float, slight: float) -> None:
    """At the end of a fall, take down what it gained."""
    gained = max(0.0, score - cycle.begun)
    cycle.credit[1 if len(cycle.stages) else 0] += gained
    cycle.idle = 0 if gained > slight else cycle.idle + 1
    cycle.kept, cycle.begun = best.copy(), score


def patience(cycle: Cycle) -> float:
    """Say how many reheats in a row may bring nothing, in stages: the more of late's gains were theirs, the more.

    >>> patience(first_cycle(8.0, 1.0, 4, np.zeros(3, int)))
    1.0
    """
    total = cycle.credit.sum()
    return float(0.125 + 3.875 * cycle.credit[1] / total) if total > 0 else 1.0


def next_cycle(cycle: Cycle) -> Cycle:
    """Begin a cycle twice as long, slow where this one and those before found it worth while."""
    fresh = slowness(cycle)
    first = cycle.slowness.min() == cycle.slowness.max()
    blended = fresh if first else (cycle.slowness + fresh) / 2
    return replace(
        cycle,
        length=2 * cycle.length,
        done=0,
        slowness=blended,
        met=np.zeros((BINS, 3)),
        stages=NONE,
        idle=0,
        rested=0,
        credit=cycle.credit / 2,
    )


def slowness(cycle: Cycle) -> Floats:
    """Share time out by what a cycle met: √(heat capacity) over the share of moves taken, a little everywhere."""
    seen = np.flatnonzero(cycle.met[:, 0])
    scores, taken = (np.interp(np.arange(BINS), seen, cycle.met[seen, k] / cycle.met[seen, 0]) for k in (1, 2))
    middle = cycle.hot * (cycle.cold / cycle.hot) ** ((np.arange(BINS) + 0.5) / BINS)
    heat = np.maximum(np.gradient(scores), 0) / middle
    raw = np.sqrt(heat) / (taken + RARE)
    smooth = np.convolve(np.pad(raw, 1, mode="edge"), np.ones(3) / 3, "valid")
    if not smooth.any():  # the score never changes
        return np.full(BINS, 1 / BINS)
    return np.asarray((1 - FLOOR) * smooth / smooth.sum() + FLOOR / BINS)
