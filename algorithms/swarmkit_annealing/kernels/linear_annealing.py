"""Annealing under linear constraints: proposals are valued from the sums of their rows, without a table of gains.

A proposal changes one stage; if it is not accepted, it is often made on trial and a second stage changes too, out of a
row that the first one violates. Violations cost their weights, which grow while a row is violated and shrink while it
is met, so that about half of the visited solutions are feasible. Rows may be long: only the sums are kept up to date.
"""

from __future__ import annotations

from typing import Any

from numba import types

from swarmkit import Floats
from swarmkit.kernels.compiling import FLOAT, FLOATS, INT, INTS, READONLY_FLOATS, RNG_STATE, Index, copy, kernel
from swarmkit.kernels.linear import add_slot, broken_row, relief, towards_bounds
from swarmkit.kernels.rng import below, uniform
from swarmkit.kernels.weighting import MODEL
from swarmkit_annealing.kernels.table_annealing import SCHEDULE, TRACE, accepts
from swarmkit_annealing.linear_state import LOOKS, PROPOSALS, VIOLATED, Guide, LinearSearch

SECOND = 0.7
"""The probability with which a second change is tried."""

UP, DOWN, PERIOD = 1.1, 0.998, 20
"""Weights grow and shrink by these factors after this many proposals for each stage."""

REACH = 10.0
"""Slots are proposed whose excess is up to this many temperatures: those of more would hardly ever stay."""

LIGHTEST, HEAVIEST = 0.01, 1e4
"""The limits of weights, in multiples of the first ones."""

GUIDE = types.NamedTuple((INTS, INTS, FLOATS, FLOATS, FLOATS), Guide)
SEARCH = types.NamedTuple((INTS, *(FLOATS,) * 3, INTS, FLOATS, INTS, RNG_STATE), LinearSearch)


@kernel(types.void(MODEL, SEARCH, INT))
def put(model: Any, search: Any, slot: Index) -> None:
    """Let the stage of a slot choose it."""
    rows, links, values = model.rows, model.links, search.values
    i = rows.stage[slot]
    old = search.chosen[i]
    search.scores[0] += values[slot] - values[old]
    search.chosen[i] = slot
    search.counters[VIOLATED] += add_slot(rows, search.sums, old, -1.0) + add_slot(rows, search.sums, slot, 1.0)
    for k in range(links.indptr[i], links.indptr[i + 1]):
        to, begin = links.runs[k, 0], links.runs[k, 2] + (old - rows.offsets[i]) * links.runs[k, 3]
        onward = (slot - old) * links.runs[k, 3]
        for d in range(links.runs[k, 1]):
            at = begin + d * links.runs[k, 4]
            values[to + d] += links.weights[k] * (links.flat[at + onward] - links.flat[at])


@kernel(FLOAT(MODEL, SEARCH, INT), inline=True)
def gain(model: Any, search: Any, slot: Index) -> float:
    """Return what a slot's stage gains by choosing it: score, and weighted violation that goes away."""
    old = search.chosen[model.rows.stage[slot]]
    return search.values[slot] - search.values[old] + relief(model.rows, search.sums, search.weights, old, slot)


@kernel(INT(MODEL, SEARCH, GUIDE, INT, INT))
def second_change(model: Any, search: Any, guide: Any, count: Index, old: Index) -> int:
    """Return a second change beside one that was just made, or -1: out of a row that it violates, else any."""
    rows, rng_state = model.rows, search.rng_state
    i = rows.stage[old]
    r = broken_row(rows, search.sums, rng_state, old, search.chosen[i])
    if r < 0:
        slot = guide.slots[below(rng_state, count)]
        return -1 if rows.stage[slot] == i or search.chosen[rows.stage[slot]] == slot else slot
    first, length = rows.indptr[r], rows.indptr[r + 1] - rows.indptr[r]
    sign = 1 if search.sums[r] < rows.lower[r] else -1
    at = below(rng_state, length)
    for _ in range(length):
        slot = towards_bounds(rows, search.chosen, rng_state, first + at, sign, old - rows.offsets[i])
        at = at + 1 if at + 1 < length else 0
        if slot >= 0 and guide.rank[slot] < count and rows.stage[slot] != i:
            return slot
    return -1


@kernel(INT(SEARCH, GUIDE, FLOAT), inline=True)
def proposals(search: Any, guide: Any, temperature: Any) -> int:
    """Return how many slots are proposed at a temperature, at least two; none that lead to no better solution."""
    reach = REACH * temperature
    if search.best[0] >= 0:
        reach = min(reach, guide.bound[0] - search.scores[1] + 1e-9 * (1.0 + abs(guide.bound[0])))
    low, high = 0, len(guide.slots)
    while low < high:  # the first one beyond
        middle = (low + high) >> 1
        if guide.excess[middle] <= reach:
            low = middle + 1
        else:
            high = middle
    return max(low, min(2, len(guide.slots)))


@kernel(types.void(MODEL, SEARCH, READONLY_FLOATS))
def change_weights(model: Any, search: Any, first: Floats) -> None:
    """Let violated rows weigh more and the others less."""
    rows, weights = model.rows, search.weights
    for r in range(len(weights)):
        if search.sums[r] < rows.lower[r] or search.sums[r] > rows.upper[r]:
            weights[r] = min(weights[r] * UP, HEAVIEST * first[r])
        else:
            weights[r] = max(weights[r] * DOWN, LIGHTEST * first[r])


@kernel(INT(MODEL, SEARCH, GUIDE, SCHEDULE, TRACE))
def anneal(model: Any, search: Any, guide: Any, schedule: Any, trace: Floats) -> int:
    """Make sweeps of proposals; a worse solution is accepted with probability exp(Δ / T). Return the number of sweeps.

    Args:
        model: the problem.
        search: the state of the search; changed in place.
        guide: the slots that are proposed, and the first weights.
        schedule: the sweeps.
        trace: the score at the end of each sweep, and the fraction of its proposals that changed a stage.
    """
    chosen, scores, counters, rng_state = search.chosen, search.scores, search.counters, search.rng_state
    stage, n = model.rows.stage, len(search.chosen)
    for sweep in range(len(schedule.temperatures)):
        temperature, accepted = schedule.temperatures[sweep], 0
        count, changes = proposals(search, guide, temperature), 0
        for _ in range(schedule.sweep):
            slot = guide.slots[below(rng_state, count)]
            old = chosen[stage[slot]]
            counters[PROPOSALS] += 1
            counters[LOOKS] += 1
            if slot == old:
                continue
            delta = gain(model, search, slot)
            if delta >= 0.0 or accepts(delta, temperature, uniform(rng_state)):
                put(model, search, slot)
                accepted += 1
                changes += abs(delta) > schedule.negligible
            elif uniform(rng_state) < SECOND:
                put(model, search, slot)
                second = second_change(model, search, guide, count, old)
                counters[LOOKS] += 1
                better = False
                if second >= 0:
                    delta += gain(model, search, second)
                    better = delta >= 0.0 or accepts(delta, temperature, uniform(rng_state))
                if better:
                    put(model, search, second)
                    accepted += 2
                    changes += abs(delta) > schedule.negligible
                else:
                    put(model, search, old)
            if counters[VIOLATED] == 0 and (
                search.best[0] < 0 or scores[0] > scores[1] + 1e-9 * (1.0 + abs(scores[1]))
            ):
                scores[1] = scores[0]
                copy(chosen, search.best)
            if counters[PROPOSALS] >= PERIOD * n:
                counters[PROPOSALS] = 0
                change_weights(model, search, guide.weights)
        trace[0, sweep], trace[1, sweep] = scores[0], accepted / max(1, schedule.sweep)
        if schedule.stop_early and changes == 0:
            return sweep + 1
    return len(schedule.temperatures)
