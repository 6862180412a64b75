"""Local search under linear constraints whose violations are weighted, and weigh more the longer they last.

Umetani, S. 2017. Exploiting variable associations to configure efficient local search algorithms in large-scale binary
integer programs. European Journal of Operational Research 263(1): weights, and compensating pairs of changes.
Luteberget, B. and Sartor, G. 2022. Feasibility Jump: an LP-free Lagrangian MIP heuristic. Mathematical Programming
Computation 15: the best of a sample of the improving changes.

The *worth* of a slot is its objective value times the objective's weight, minus the weighted violation that it would
add beside the other stages. A change of a stage gains the difference of two worths; a move changes the worths of other
stages alone, in the rows whose sums it changes. Rows too far from their bounds for a stage to matter are passed over.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import types

from swarmkit.contract.arrays import Ints
from swarmkit.kernels.compiling import (
    FLOAT,
    FLOATS,
    INT,
    INTS,
    LINKS,
    READONLY_FLOATS,
    RNG_STATE,
    Index,
    copy,
    kernel,
)
from swarmkit.kernels.linear import ROWS, add_slot, broken_row, fill_sums, next_row, relief, towards_bounds, violation
from swarmkit.kernels.linear_state import (
    BEST,
    CURRENT,
    IMPROVING,
    INCREMENT,
    NOW,
    OBJECTIVE,
    PROGRESS,
    ROUNDS,
    TOUCHED,
    VIOLATED,
    Model,
    Rules,
    WeightingState,
)
from swarmkit.kernels.rng import below

LEAST = 1e-7
"""Gains up to this are none: rows and objective are scaled to typical changes of 1, and sums of weights are rounded."""

SAMPLE = 50
"""The best of this many improving changes is made."""

PAIRS, FIRST, SECOND = 20, 8, 30
"""At a local optimum this many pairs are tried: the best of some first changes, the best of some second ones."""

LARGEST_INCREMENT = 1e4
"""Weights are divided by the increment when it has grown to this."""

MODEL = types.NamedTuple((ROWS, LINKS, READONLY_FLOATS, READONLY_FLOATS), Model)
RULES = types.NamedTuple((INT, INT, FLOAT), Rules)
SEARCH = types.NamedTuple(
    (INTS, *(FLOATS,) * 4, *(INTS,) * 6, FLOATS, INTS, RNG_STATE, INTS, INTS, INTS),
    WeightingState,
)


@kernel(FLOAT(MODEL, SEARCH, INT), inline=True)
def gain(model: Any, search: Any, slot: Index) -> float:
    """Return the weighted gain of a slot's stage choosing it."""
    old = search.chosen[model.rows.stage[slot]]
    objective = search.numbers[OBJECTIVE] * (search.values[slot] - search.values[old])
    return objective + search.penalty[old] - search.penalty[slot]


@kernel(types.void(INTS, INTS, INTS, INT, INT, types.boolean), inline=True)
def include(members: Ints, place: Ints, counters: Ints, counter: Index, k: Index, belongs: Any) -> None:
    """Let a number be, or not be, among the members at the front of an array."""
    if belongs and place[k] < 0:
        place[k] = counters[counter]
        members[counters[counter]] = k
        counters[counter] += 1
    elif not belongs and place[k] >= 0:
        counters[counter] -= 1
        last = members[counters[counter]]
        members[place[k]] = last
        place[last] = place[k]
        place[k] = -1


@kernel(types.void(MODEL, SEARCH, INT), inline=True)
def check_slot(model: Any, search: Any, slot: Index) -> None:
    """Note whether a slot is improving."""
    better = gain(model, search, slot) > LEAST
    include(search.improving, search.improving_place, search.counters, IMPROVING, slot, better)


@kernel(types.void(MODEL, SEARCH, INT), inline=True)
def check_row(model: Any, search: Any, r: Index) -> None:
    """Note whether a row is violated."""
    violated = violation(search.sums[r], model.rows.lower[r], model.rows.upper[r]) > 0.0
    include(search.violated, search.violated_place, search.counters, VIOLATED, r, violated)


@kernel(types.void(SEARCH, INT), inline=True)
def touch(search: Any, slot: Index) -> None:
    """Mark a slot whose worth has changed."""
    if search.marks[slot] == 0:
        search.marks[slot] = 1
        search.touched[search.counters[TOUCHED]] = slot
        search.counters[TOUCHED] += 1


@kernel(types.void(MODEL, SEARCH))
def check_touched(model: Any, search: Any) -> None:
    """Note which of the touched slots are improving; if a stage's present slot was touched, which of all its slots."""
    rows, counters = model.rows, search.counters
    for k in range(counters[TOUCHED]):
        slot = search.touched[k]
        search.marks[slot] = 0
        i = rows.stage[slot]
        if slot == search.chosen[i]:
            for other in range(rows.offsets[i], rows.offsets[i + 1]):
                check_slot(model, search, other)
        else:
            check_slot(model, search, slot)
    counters[TOUCHED] = 0


@kernel(types.void(MODEL, SEARCH, INT, FLOAT, FLOAT, FLOAT, INT))
def reprice(model: Any, search: Any, r: Index, before: Any, after: Any, amount: Any, stage: Index) -> None:
    """Update the penalties of a row's slots, as its sum changes; those of the stage that changes it stay as they are.

    Args:
        model: the problem.
        search: the state of the search; changed in place.
        r: the row.
        before: its sum before.
        after: its sum now.
        amount: the weight that is added, where nothing but the weight changes.
        stage: the stage that changes the sum, -1 if only the weight does.
    """
    rows, chosen = model.rows, search.chosen
    lower, upper, weight = rows.lower[r], rows.upper[r], search.weights[r]
    low, high = min(before, after) - rows.swing[r], max(before, after) + rows.swing[r]
    # Within the bounds no stage matters, and beyond them all matter as much as before.
    if (low >= lower and high <= upper) or (stage >= 0 and (high <= lower or low >= upper)):
        return
    e, end = rows.indptr[r], rows.indptr[r + 1]
    while e < end:
        i, f, own = rows.stages[e], e, 0.0
        present = chosen[i]
        while f < end and rows.stages[f] == i:
            if rows.slots[f] == present:
                own = rows.coefficients[f]
            f += 1
        if i != stage:
            rest = after - own
            base = violation(rest, lower, upper)
            rest_before = before - own
            base_before = violation(rest_before, lower, upper)
            for k in range(e, f):
                added = violation(rest + rows.coefficients[k], lower, upper) - base
                if stage >= 0:
                    by = weight * (added - (violation(rest_before + rows.coefficients[k], lower, upper) - base_before))
                else:
                    by = amount * added
                if by != 0.0:
                    search.penalty[rows.slots[k]] += by
                    touch(search, rows.slots[k])
        e = f


@kernel(types.void(MODEL, SEARCH, INT))
def move(model: Any, search: Any, slot: Index) -> None:
    """Let the stage of a slot choose it, and keep everything up to date."""
    rows, links, values, chosen = model.rows, model.links, search.values, search.chosen
    i = rows.stage[slot]
    old = chosen[i]
    search.numbers[CURRENT] += values[slot] - values[old]
    chosen[i] = slot
    e, f = rows.slot_indptr[old], rows.slot_indptr[slot]
    last, end = rows.slot_indptr[old + 1], rows.slot_indptr[slot + 1]
    while e < last or f < end:
        r, next_e, next_f = next_row(rows, e, last, f, end)
        before = after = search.sums[r]
        if next_e > e:
            after -= rows.slot_coefficients[e]
        if next_f > f:
            after += rows.slot_coefficients[f]
        e, f = next_e, next_f
        if after != before:
            search.sums[r] = after
            reprice(model, search, r, before, after, 0.0, i)
            check_row(model, search, r)
    for k in range(links.indptr[i], links.indptr[i + 1]):
        to, length, start = links.runs[k, 0], links.runs[k, 1], links.runs[k, 2]
        stride, far_stride = links.runs[k, 3], links.runs[k, 4]
        begin = start + (old - rows.offsets[i]) * stride
        onward = (slot - old) * stride
        for d in range(length):
            at = begin + d * far_stride
            by = links.weights[k] * (links.flat[at + onward] - links.flat[at])
            if by != 0.0:
                values[to + d] += by
                touch(search, to + d)
    touch(search, slot)
    check_touched(model, search)


@kernel(types.void(MODEL, SEARCH))
def check_all(model: Any, search: Any) -> None:
    """Note which slots are improving."""
    for k in range(search.counters[TOUCHED]):
        search.marks[search.touched[k]] = 0
    search.counters[TOUCHED] = 0
    for slot in range(len(search.values)):
        check_slot(model, search, slot)


@kernel(types.void(SEARCH))
def remember(search: Any) -> None:
    """Keep the current solution if it is feasible and the best so far."""
    numbers, counters = search.numbers, search.counters
    if counters[VIOLATED] == 0 and (
        search.best[0] < 0 or numbers[CURRENT] > numbers[BEST] + 1e-9 * (1.0 + abs(numbers[BEST]))
    ):
        numbers[BEST], counters[PROGRESS] = numbers[CURRENT], counters[NOW]
        copy(search.chosen, search.best)


@kernel(types.void(MODEL, SEARCH))
def rebuild(model: Any, search: Any) -> None:
    """Compute everything from the chosen slots and the weights."""
    rows, links, chosen, values, counters = model.rows, model.links, search.chosen, search.values, search.counters
    fill_sums(rows, chosen, search.sums)
    for slot in range(len(values)):
        values[slot] = model.unary[slot]
    total = 0.0
    for i in range(len(chosen)):
        total += model.unary[chosen[i]]
        c = chosen[i] - rows.offsets[i]
        for k in range(links.indptr[i], links.indptr[i + 1]):
            to, begin = links.runs[k, 0], links.runs[k, 2] + c * links.runs[k, 3]
            for d in range(links.runs[k, 1]):
                values[to + d] += links.weights[k] * links.flat[begin + d * links.runs[k, 4]]
    for i in range(len(chosen)):
        total += values[chosen[i]]
    # Every pair of stages is in the values of both, and a stage's own value once among them.
    search.numbers[CURRENT] = total / 2
    search.penalty[:] = 0.0
    counters[VIOLATED] = counters[IMPROVING] = counters[TOUCHED] = 0
    search.violated_place[:] = -1
    search.improving_place[:] = -1
    for r in range(len(search.sums)):
        check_row(model, search, r)
        reprice(model, search, r, search.sums[r], search.sums[r], search.weights[r], -1)
    check_all(model, search)


@kernel(types.void(MODEL, SEARCH, FLOAT))
def begin(model: Any, search: Any, weight: Any) -> None:
    """Begin with the chosen slots, and a weight for the violation of every row."""
    for r in range(len(search.weights)):
        search.weights[r] = weight * model.rows.scale[r]
    search.numbers[OBJECTIVE], search.numbers[INCREMENT] = model.unit[0], 0.1
    rebuild(model, search)
    remember(search)


@kernel(types.void(MODEL, SEARCH, RULES, INT))
def take(model: Any, search: Any, rules: Any, slot: Index) -> None:
    """Make a move, after which its stage stays as it is for a while."""
    move(model, search, slot)
    tenure = rules.tenure + below(search.rng_state, rules.tenure + 1)
    search.until[model.rows.stage[slot]] = search.counters[NOW] + tenure
    remember(search)


@kernel(INT(MODEL, SEARCH), inline=True)
def best_improving(model: Any, search: Any) -> int:
    """Return the best of a sample of the improving slots, of equals that of the stage that has rested longest, or -1.

    A stage that has changed lately may change if no other can.
    """
    count, stage, now = search.counters[IMPROVING], model.rows.stage, search.counters[NOW]
    best = fallback = -1
    highest = resort = -np.inf
    for k in range(min(count, SAMPLE)):
        slot = search.improving[k if count <= SAMPLE else below(search.rng_state, count)]
        value, i = gain(model, search, slot), stage[slot]
        if search.until[i] > now:
            if value > resort:
                resort, fallback = value, slot
        elif value > highest + 1e-9 or (
            value > highest - 1e-9 and best >= 0 and search.until[i] < search.until[stage[best]]
        ):
            highest, best = value, slot
    return best if best >= 0 else fallback


@kernel(INT(MODEL, SEARCH, INT), inline=True)
def best_of_sample(model: Any, search: Any, count: Index) -> int:
    """Return the best of some random changes of stages that may change, or -1."""
    best, highest = -1, -np.inf
    for _ in range(count):
        slot = below(search.rng_state, len(search.values))
        i = model.rows.stage[slot]
        if slot == search.chosen[i] or search.until[i] > search.counters[NOW]:
            continue
        value = gain(model, search, slot)
        if value > highest:
            highest, best = value, slot
    return best


@kernel(types.UniTuple(INT, 2)(MODEL, SEARCH))
def out_of_violation(model: Any, search: Any) -> Any:
    """Return the best sampled change that reduces a random violated row's violation, or -1, and the looks.

    Stages that have changed lately change only if no other can.
    """
    rows, counters = model.rows, search.counters
    r = search.violated[below(search.rng_state, counters[VIOLATED])]
    first, length = rows.indptr[r], rows.indptr[r + 1] - rows.indptr[r]
    best, highest, read = -1, -np.inf, 0
    if length == 0:
        return -1, 1
    sign = 1 if search.sums[r] < rows.lower[r] else -1
    at = below(search.rng_state, length)
    for _ in range(length):
        slot = towards_bounds(rows, search.chosen, search.rng_state, first + at, sign, -1)
        at = at + 1 if at + 1 < length else 0
        if slot < 0:
            continue
        read += 1
        value = gain(model, search, slot)
        if search.until[rows.stage[slot]] > counters[NOW]:
            value -= 1e9
        if value > highest:
            highest, best = value, slot
        if read >= SAMPLE:
            break
    return best, read + 1


@kernel(FLOAT(MODEL, SEARCH, INT), inline=True)
def trial_gain(model: Any, search: Any, slot: Index) -> float:
    """Return the gain of a slot from sums and objective values, while penalties are those of another solution."""
    old = search.chosen[model.rows.stage[slot]]
    objective = search.numbers[OBJECTIVE] * (search.values[slot] - search.values[old])
    return objective + relief(model.rows, search.sums, search.weights, old, slot)


@kernel(types.void(MODEL, SEARCH, INT))
def shift(model: Any, search: Any, slot: Index) -> None:
    """Let a stage choose a slot on trial: sums and objective values alone follow."""
    rows, links, values = model.rows, model.links, search.values
    i = rows.stage[slot]
    old = search.chosen[i]
    add_slot(rows, search.sums, old, -1.0)
    add_slot(rows, search.sums, slot, 1.0)
    search.chosen[i] = slot
    for k in range(links.indptr[i], links.indptr[i + 1]):
        to, begin = links.runs[k, 0], links.runs[k, 2] + (old - rows.offsets[i]) * links.runs[k, 3]
        onward = (slot - old) * links.runs[k, 3]
        for d in range(links.runs[k, 1]):
            at = begin + d * links.runs[k, 4]
            values[to + d] += links.weights[k] * (links.flat[at + onward] - links.flat[at])


@kernel(types.Tuple((INT, FLOAT, INT))(MODEL, SEARCH, INT))
def compensation(model: Any, search: Any, slot: Index) -> Any:
    """Return the best sampled second change beside a first one, or -1, its gain, and the looks.

    It is taken from a row that the first change violates, or where it violates none from the better values.
    """
    rows, counters, rng_state = model.rows, search.counters, search.rng_state
    i = rows.stage[slot]
    old, objective = search.chosen[i], search.numbers[CURRENT]
    shift(model, search, slot)
    r = broken_row(rows, search.sums, rng_state, old, slot)
    best, highest, read = -1, -np.inf, 0
    first, length = (rows.indptr[r], rows.indptr[r + 1] - rows.indptr[r]) if r >= 0 else (0, SECOND)
    sign = 1 if r >= 0 and search.sums[r] < rows.lower[r] else -1
    at = below(rng_state, length)
    for _ in range(length):
        if r >= 0:
            second = towards_bounds(rows, search.chosen, rng_state, first + at, sign, old - rows.offsets[i])
            at = at + 1 if at + 1 < length else 0
        else:
            second = below(rng_state, len(search.values))
            if search.values[second] <= search.values[search.chosen[rows.stage[second]]]:
                second = -1
        if second < 0 or rows.stage[second] == i or search.until[rows.stage[second]] > counters[NOW]:
            continue
        read += 1
        value = trial_gain(model, search, second)
        if value > highest:
            highest, best = value, second
        if read >= SECOND:
            break
    shift(model, search, old)
    search.numbers[CURRENT] = objective
    return best, highest, read + 1


@kernel(types.UniTuple(INT, 2)(MODEL, SEARCH, RULES))
def improving_pair(model: Any, search: Any, rules: Any) -> Any:
    """Make two changes that gain together, if a few attempts meet any; return whether, and the looks."""
    looks = 0
    for _ in range(PAIRS):
        first = best_of_sample(model, search, FIRST)
        looks += FIRST
        if first < 0:
            break
        value = gain(model, search, first)
        second, more, read = compensation(model, search, first)
        looks += read
        if second >= 0 and value + more > LEAST:
            take(model, search, rules, first)
            take(model, search, rules, second)
            return 1, looks
    return 0, looks


@kernel(types.void(MODEL, SEARCH))
def restart(model: Any, search: Any) -> None:
    """Return to the incumbent, change a few stages at random, and forget the weights."""
    rows, chosen, rng_state = model.rows, search.chosen, search.rng_state
    n = len(chosen)
    if search.best[0] >= 0:
        copy(search.best, chosen)
    for _ in range(max(2, n // 50)):
        i = below(rng_state, n)
        chosen[i] = rows.offsets[i] + below(rng_state, rows.offsets[i + 1] - rows.offsets[i])
    search.counters[PROGRESS] = search.counters[NOW]
    search.counters[ROUNDS] += 1
    begin(model, search, 1.0)


@kernel(types.void(MODEL, SEARCH, RULES))
def raise_weights(model: Any, search: Any, rules: Any) -> None:
    """Let violated rows weigh more, or where none is violated the objective.

    The increment grows, so that old ones count less and less.
    """
    rows, numbers, counters = model.rows, search.numbers, search.counters
    numbers[INCREMENT] /= rules.forgetting
    for k in range(counters[VIOLATED]):
        r = search.violated[k]
        amount = numbers[INCREMENT] * rows.scale[r]
        search.weights[r] += amount
        reprice(model, search, r, search.sums[r], search.sums[r], amount, -1)
    if counters[VIOLATED] == 0:
        numbers[OBJECTIVE] += numbers[INCREMENT] * model.unit[0]
        check_all(model, search)
    check_touched(model, search)
    if numbers[INCREMENT] > LARGEST_INCREMENT:
        for r in range(len(search.weights)):
            search.weights[r] /= LARGEST_INCREMENT
        numbers[OBJECTIVE] /= LARGEST_INCREMENT
        numbers[INCREMENT] /= LARGEST_INCREMENT
        rebuild(model, search)


@kernel(INT(MODEL, SEARCH, RULES, INT, types.boolean))
def iterate(model: Any, search: Any, rules: Any, count: int, first: Any) -> int:
    """Make `count` steps, and return the looks; each makes a move, or a pair of moves.

    Args:
        model: the problem.
        search: the state of the search; changed in place.
        rules: the parameters.
        count: the number of steps.
        first: whether to stop at the first feasible solution.
    """
    counters, looks = search.counters, 0
    for _ in range(count):
        if first and search.best[0] >= 0:
            break
        counters[NOW] += 1
        looks += 1 + min(counters[IMPROVING], SAMPLE)
        if counters[IMPROVING] > 0:
            slot = best_improving(model, search)
            take(model, search, rules, slot)
            continue
        paired, read = improving_pair(model, search, rules)
        looks += read
        if paired:
            continue
        if counters[NOW] - counters[PROGRESS] > rules.patience:
            restart(model, search)
            continue
        raise_weights(model, search, rules)
        if counters[VIOLATED] > 0:
            slot, read = out_of_violation(model, search)
        else:
            slot, read = best_of_sample(model, search, SAMPLE), SAMPLE
        looks += read
        if slot >= 0:
            take(model, search, rules, slot)
    return looks


@kernel(types.UniTuple(INT, 2)(MODEL, SEARCH, RULES, INT))
def climb(model: Any, search: Any, rules: Any, count: int) -> Any:
    """Make up to `count` changes, or pairs of them, that gain; return whether none does any more, and the looks."""
    looks = 0
    for _ in range(count):
        search.counters[NOW] += 1
        looks += 1 + min(search.counters[IMPROVING], SAMPLE)
        if search.counters[IMPROVING] > 0:
            slot = best_improving(model, search)
            take(model, search, rules, slot)
            continue
        paired, read = improving_pair(model, search, rules)
        looks += read
        if not paired:
            return 1, looks
    return 0, looks
