"""The formulas of annealing: which moves are accepted, the temperatures of sweeps, and the adaptive schedule.

Salamon, P., Nulton, J., Robinson, J., Pedersen, J., Ruppeiner, G. and Liao, L. 1988. Simulated annealing with constant
thermodynamic speed. Computer Physics Communications 49. Cooling through a range of temperatures deserves time in
proportion to √(heat capacity) · relaxation time. The heat capacity is the derivative of the mean score with respect to
the temperature; the relaxation time is about one over the fraction of moves that are accepted. So cycles lead from hot
to cold, each slow where the ones before found it worth while.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import numpy as np

from swarmkit import Floats, Ints

NEGLIGIBLE = 1e-9
"""A change of the score up to this many start temperatures is none: equal candidates may alternate for ever."""

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


def acceptance(delta: Any, temperature: float) -> Any:
    """Return the probability of accepting a move that changes the score by delta, min(1, exp(delta / T)) (Metropolis).

    >>> acceptance(np.array([1.0, 0.0, -1.0, -np.inf]), 1.0).round(4)
    array([1.    , 1.    , 0.3679, 0.    ])
    """
    return np.exp(np.minimum(delta, 0.0) / temperature)


def falling(hot: float, cooling: float, first: int, count: int) -> Floats:
    """Return the temperatures of sweeps `first` to `first + count - 1`, each `cooling` times the one before.

    >>> falling(1.0, 0.5, 1, 3)  # sweep 0 is at `hot`
    array([0.5  , 0.25 , 0.125])
    """
    # Kept above zero: at 1e-300 no worse move is accepted anyway.
    return np.maximum(hot * cooling ** np.arange(first, first + count, dtype=np.float64), 1e-300)


def cycling(hot: float, cold: float, shortest: int, first: int, count: int) -> Floats:
    """Return the temperatures of sweeps `first` to `first + count - 1` in cycles from hot to cold.

    A cycle cools geometrically and is twice as long as the one before; the first has `shortest` sweeps.

    >>> cycling(4.0, 1.0, 2, 0, 6)
    array([4.        , 1.        , 4.        , 2.5198421 , 1.58740105,
           1.        ])
    """
    place, length = cycle_places(shortest, np.arange(first, first + count))
    return np.asarray(hot * (cold / hot) ** (place / (length - 1)))


def cycle_places(shortest: int, sweep: Any) -> tuple[Any, Any]:
    """Return the place of sweeps in their cycles, from 0, and the lengths of these; the first has `shortest` sweeps.

    >>> cycle_places(2, np.arange(6))
    (array([0, 1, 0, 1, 2, 3]), array([2, 2, 4, 4, 4, 4]))
    """
    cycle = np.floor(np.log2(sweep / shortest + 1)).astype(np.int64)
    length = shortest << cycle
    return sweep - (length - shortest), length  # the cycles before took shortest · (2^cycle - 1) sweeps


class Schedule(NamedTuple):
    """The sweeps that an annealer is to make."""

    temperatures: Floats
    """The temperature of each of them."""
    sweep: int
    """Proposals in a sweep."""
    negligible: float = 0.0
    """Changes of the score up to this do not count as changes."""
    stop_early: bool = False
    """Whether to stop after a sweep that did not change the score."""


class Sweeps(NamedTuple):
    """The sweeps that an annealer has made: their cost and their course."""

    looks: int
    scores: Floats
    """The score at the end of each sweep that ended."""
    accepted: Floats
    """The fraction of each sweep's proposals (heat bath: of its stages) that changed the score."""
    done: bool = False
    """Whether the score changes no more."""


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
    sums: Floats
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
    even, sums = np.full(BINS, 1 / BINS), np.zeros((BINS, 3))
    return Cycle(hot, hot, cold, length, 0, even, sums, NO_BLOCK, np.array(x), np.inf, 0, 0, False, np.zeros(2))


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
    ends = np.cumsum(cycle.time_shares)  # the share that has passed at the cold end of each range
    depth = np.interp(place, np.append(0.0, ends) / ends[-1], DEPTHS)
    return np.asarray(cycle.hot * (cycle.cold / cycle.hot) ** depth)


def observe(cycle: Cycle, temperatures: Floats, sweeps: Sweeps) -> None:
    """Count sweeps made at these temperatures; those of all stages are recorded in their ranges."""
    cycle.done += len(sweeps.scores)
    if len(cycle.block):  # what a few stages do says nothing about the whole
        return
    depth = np.log(cycle.hot / temperatures) / np.log(cycle.hot / cycle.cold)
    where = np.clip((depth * BINS).astype(np.int64), 0, BINS - 1)
    np.add.at(cycle.sums, where, np.column_stack([np.ones(len(sweeps.scores)), sweeps.scores, sweeps.accepted]))


def record_gain(cycle: Cycle, best: Ints, score: float, negligible: float) -> None:
    """Record, at the end of a cooling, by how much it improved the best solution to `best` with its score."""
    gain = max(0.0, score - cycle.previous_score)  # none for the first cooling, whose previous score is infinite
    cycle.gains[1 if len(cycle.block) else 0] += gain
    cycle.fruitless = 0 if gain > negligible else cycle.fruitless + 1
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
    shares = time_shares(cycle)
    if cycle.time_shares.min() != cycle.time_shares.max():  # equal shares are no experience, but where a search begins
        shares = (cycle.time_shares + shares) / 2
    return replace(
        cycle,
        hot=min(2 * cycle.hot, cycle.hottest),
        length=2 * cycle.length,
        done=0,
        time_shares=shares,
        sums=np.zeros((BINS, 3)),
        block=NO_BLOCK,
        fruitless=0,
        reheat_looks=0,
        gains=cycle.gains / 2,
    )


def time_shares(cycle: Cycle) -> Floats:
    """Return the fraction of time that each range deserves: √(heat capacity) / acceptance, and a little everywhere."""
    ranges = np.flatnonzero(cycle.sums[:, 0])  # the cycle has passed the others without a sweep: interpolated
    means = cycle.sums[ranges, 1:] / cycle.sums[ranges, :1]
    scores, accepted = (np.interp(np.arange(BINS), ranges, column) for column in means.T)
    middle = cycle.hot * (cycle.cold / cycle.hot) ** ((np.arange(BINS) + 0.5) / BINS)
    heat_capacity = np.maximum(np.gradient(scores), 0) / middle
    raw = np.sqrt(heat_capacity) / (accepted + LEAST_ACCEPTANCE)
    smooth = np.convolve(np.pad(raw, 1, mode="edge"), np.ones(3) / 3, "valid")
    if not smooth.any():  # the score never changes
        return np.full(BINS, 1 / BINS)
    return np.asarray((1 - EVEN_SHARE) * smooth / smooth.sum() + EVEN_SHARE / BINS)
