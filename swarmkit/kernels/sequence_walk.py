"""A walk of a sequence by swaps, insertions and reversals, where the score is a compiled function of the user.

It is compiled for each such function, in a solver's `prepare`, and makes the moves of `search.sequence_neighbourhood`
one at a time: without calls of Python there is nothing to be gained by batches.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np
from numba import njit

from swarmkit.contract.arrays import Floats, Ints, RngState, Solutions
from swarmkit.kernels.compiling import copy
from swarmkit.kernels.rng import below, uniform

SWAP, INSERTION = 0, 1

FAILURES, CHANGES = range(2)


class Walker(NamedTuple):
    """What a walk changes."""

    x: Solutions
    """The sequence."""
    y: Solutions
    """Room for a neighbour."""
    best: Solutions
    """The best row of the last call."""
    changed: Ints
    """Room for the stages that a move changes."""
    scores: Floats
    """The score of the sequence, to be maximised, that of `best`, and the best one of all calls."""
    counters: Ints
    """The moves since the last improvement, and the moves that have changed the score."""
    shares: Floats
    moves: Floats
    improvements: Floats
    """These three: the fields of `Credit`."""
    rng_state: RngState


class Rules(NamedTuple):
    """How a walk goes on."""

    sign: float
    """-1 where the function is a cost."""
    candidates: int
    temperature: float
    """0: no worse move is accepted."""
    patience: int
    """The walk ends after this many moves without an improvement."""
    negligible: float
    least: float
    """An improvement is at least this share of the score."""
    longer: float
    """The probability that a segment which moves is longer than one stage, and again than two."""
    target: float
    """The walk ends at a row of this score."""


@njit(inline="always")
def draw_kind(walker: Any) -> int:
    """Draw the kind of a move by the shares."""
    u, kind = uniform(walker.rng_state), 0
    while kind < len(walker.shares) - 1 and u >= walker.shares[kind]:
        u -= walker.shares[kind]
        kind += 1
    return kind


@njit
def draw_neighbour(walker: Any, kind: int, candidates: int, longer: float) -> None:
    """Write the sequence after a random move of a kind to `y`."""
    x, y, n = walker.x, walker.y, len(walker.x)
    i, j = below(walker.rng_state, n), below(walker.rng_state, max(1, n - 1))
    if j >= i:
        j = min(j + 1, n - 1)
    copy(x, y)
    if kind == SWAP:
        if candidates > n:  # a candidate, wherever it is
            candidate = below(walker.rng_state, candidates - 1)
            candidate += candidate >= x[i]
            for k in range(n):
                if x[k] == candidate:
                    y[k] = x[i]
            y[i] = candidate
        else:
            y[i], y[j] = x[j], x[i]
        return
    low, high = min(i, j), max(i, j)
    if kind == INSERTION:
        u = uniform(walker.rng_state)
        length = min(1 + (u < longer) + (u < longer * longer), high - low)
        shift = length if i < j else high - low + 1 - length
        for k in range(high - low + 1):
            y[low + k] = x[low + (k + shift) % (high - low + 1)]
    else:
        for k in range(low, high + 1):
            y[k] = x[low + high - k]


@njit(inline="always")
def mark_changed(walker: Any) -> int:
    """Write the stages at which the sequence and its neighbour differ to `changed`; return their number."""
    count = 0
    for k in range(len(walker.x)):
        if walker.x[k] != walker.y[k]:
            walker.changed[count] = k
            count += 1
    return count


@njit
def walk(score_one: Any, delta_one: Any, data: Any, walker: Any, rules: Any, values: Floats) -> int:
    """Make a move for each value, and return how many were made before the walk or the run ended.

    Args:
        score_one: the function of a solution and the data.
        delta_one: the function of two solutions, the stages at which they differ and the data, which returns the
            difference of their scores; None if there is none.
        data: the last argument of both.
        walker: the sequence, changed in place.
        rules: what is accepted, and when the walk ends.
        values: receives what the function returned; what is no NaN is known from an earlier attempt.
    """
    scores, counters = walker.scores, walker.counters
    scores[1] = -np.inf
    for row in range(len(values)):
        kind = draw_kind(walker)
        draw_neighbour(walker, kind, rules.candidates, rules.longer)
        if np.isnan(values[row]):
            if delta_one is None:
                values[row] = score_one(walker.y, data)
            else:
                stages = walker.changed[: mark_changed(walker)]
                values[row] = rules.sign * scores[0] + delta_one(walker.x, walker.y, stages, data)
                # What may be recorded is scored: sums of differences are rounded.
                if rules.sign * values[row] > scores[2]:
                    values[row] = score_one(walker.y, data)
        score = rules.sign * values[row]
        scores[2] = max(scores[2], score)
        if score > scores[1]:
            scores[1] = score
            walker.best[:] = walker.y
        gain = score - scores[0]
        better = gain > rules.least * (1.0 + abs(scores[0]))
        walker.moves[kind] += 1.0
        walker.improvements[kind] += better
        counters[FAILURES] = 0 if better else counters[FAILURES] + 1
        u = uniform(walker.rng_state)  # drawn for improvements as well: the draws do not depend on the gains
        if gain >= 0.0 or (rules.temperature > 0.0 and u < math.exp(gain / rules.temperature)):
            walker.x[:] = walker.y
            scores[0] = score
            counters[CHANGES] += abs(gain) > rules.negligible
        if score >= rules.target or counters[FAILURES] >= rules.patience:
            return row + 1
    return len(values)
