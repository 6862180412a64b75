"""Cycles of annealing that learn from each other where to be slow.

Salamon, P., Nulton, J., Robinson, J., Pedersen, J., Ruppeiner, G. and Liao, L. 1988. Simulated annealing with constant
thermodynamic speed. Computer Physics Communications 49. Cooling through a range of temperatures deserves time in
proportion to √(heat capacity) · relaxation time: the heat capacity is how much the score changes there, the relaxation
time about one over the share of proposals that are taken.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

BINS = 48
"""Ranges of temperature, equally wide in their logarithms, that are told apart."""
FLOOR = 0.02
"""So much of a cycle is spread evenly, so that what was overlooked once is looked at again."""
RARE = 0.01
"""Fewer proposals than this are taken only where all is settled: waiting longer does not help."""


@dataclass
class Cycle:
    """One fall from hot to cold: how far it is, and what it met in each range of temperatures."""

    hot: float
    cold: float
    length: int
    """Sweeps of this cycle."""
    done: int
    slowness: Floats
    """The share of the sweeps that each range gets, from the cycles before."""
    met: Floats
    """For each range: sweeps, and the sums of their scores and of their shares of proposals taken."""
    idle: int
    """After the cycle: reheats since the last one that paid."""
    rested: int
    """After the cycle: looks spent on reheats."""
    begun: float
    """The best score when the cycle began."""
    credit: Floats
    """What cycles and reheats have gained of late."""


def first_cycle(hot: float, cold: float, length: int) -> Cycle:
    """Begin with a cycle of equal time everywhere."""
    return Cycle(hot, cold, length, 0, np.full(BINS, 1 / BINS), np.zeros((BINS, 3)), 0, 0, np.inf, np.zeros(2))


def temperatures(cycle: Cycle, count: int) -> Floats:
    """Give the temperatures of the next sweeps; past its end the cycle stays cold.

    >>> temperatures(first_cycle(8.0, 1.0, 4), 5)
    array([8., 4., 2., 1., 1.])
    """
    place = (cycle.done + np.arange(count)) / (cycle.length - 1)
    spent = np.concatenate([[0.0], np.cumsum(cycle.slowness)])
    depth = np.interp(place, spent / spent[-1], np.linspace(0, 1, BINS + 1))
    return np.asarray(cycle.hot * (cycle.cold / cycle.hot) ** depth)


def note(cycle: Cycle, temperatures: Floats, scores: Floats, taken: Floats) -> None:
    """Take down what sweeps at these temperatures met."""
    depth = np.log(cycle.hot / temperatures) / np.log(cycle.hot / cycle.cold)
    where = np.clip((depth * BINS).astype(np.int64), 0, BINS - 1)
    np.add.at(cycle.met, where, np.column_stack([np.ones(len(scores)), scores, taken]))
    cycle.done += len(scores)


def patience(cycle: Cycle) -> float:
    """Say how many reheats in a row may bring nothing, in stages: the more of late's gains were theirs, the more.

    >>> patience(first_cycle(8.0, 1.0, 4))
    1.0
    """
    total = cycle.credit.sum()
    return float(0.125 + 3.875 * cycle.credit[1] / total) if total > 0 else 1.0


def next_cycle(cycle: Cycle, best: float) -> Cycle:
    """Begin a cycle twice as long, slow where this one and those before found it worth while."""
    fresh = slowness(cycle)
    first = cycle.slowness.min() == cycle.slowness.max()
    blended = fresh if first else (cycle.slowness + fresh) / 2
    return Cycle(cycle.hot, cycle.cold, 2 * cycle.length, 0, blended, np.zeros((BINS, 3)), 0, 0, best, cycle.credit / 2)


def slowness(cycle: Cycle) -> Floats:
    """Share time out by what a cycle met: √(heat capacity) over the share of proposals taken, a little everywhere."""
    seen = np.flatnonzero(cycle.met[:, 0])
    scores, taken = (np.interp(np.arange(BINS), seen, cycle.met[seen, k] / cycle.met[seen, 0]) for k in (1, 2))
    middle = cycle.hot * (cycle.cold / cycle.hot) ** ((np.arange(BINS) + 0.5) / BINS)
    heat = np.maximum(np.gradient(scores), 0) / middle
    raw = np.sqrt(heat) / (taken + RARE)
    smooth = np.convolve(np.pad(raw, 1, mode="edge"), np.ones(3) / 3, "valid")
    if not smooth.any():  # the score never changes
        return np.full(BINS, 1 / BINS)
    return np.asarray((1 - FLOOR) * smooth / smooth.sum() + FLOOR / BINS)
