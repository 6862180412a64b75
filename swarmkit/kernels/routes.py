"""Ruin and recreate on routes: strings of neighbouring lists are removed and inserted again at cheap places.

Christiaens, J. and Vanden Berghe, G. 2020. Slack induction by string removals for vehicle routing problems.
Transportation Science 54(2). Deviations: an item is inserted beside one of its nearest items, or into an empty list; a
change is undone from a log; the temperatures are measured, and fall in cycles.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numba import types

from swarmkit.contract.arrays import Floats, Ints
from swarmkit.kernels.compiling import (
    BOOL,
    FLOAT,
    FLOATS,
    INT,
    INTS,
    READONLY_FLOAT_ROWS,
    READONLY_FLOATS,
    READONLY_INTS,
    RNG_STATE,
    copy,
    kernel,
)
from swarmkit.kernels.rng import below, uniform
from swarmkit.kernels.route_state import (
    ABSENT,
    BEST,
    BEST_ABSENT,
    COLD,
    CURRENT,
    CYCLE,
    HOT,
    IMPROVED,
    ITERATION,
    LENGTH,
    LOSS,
    LOSSES,
    PHASE,
    SKIP,
    USED,
    Network,
    RouteState,
    Workspace,
)

MATRIX, EUCLIDEAN, ROUNDED, CEILING, SPHERE = range(5)
"""How the cost of an arc is computed."""

REMOVED = 10.0
"""Items that an iteration removes in the mean (the paper's c̄)."""
LONGEST = 10.0
"""The longest string (the paper's L^max)."""
SPLIT, LONGER = 0.5, 0.01
"""The chance that a string keeps some of its inner items, and that it keeps one more (the paper's alpha and beta)."""
BLINK = 0.01
"""The chance that a place is passed over."""
EAGER = 0.2
"""The chance that an iteration inserts optional items whatever they cost."""
TIMED_HEAT = 10.0
"""The factor of the first temperature where there are time windows, which leave fewer changes that cost little."""
EARTH_DIAMETER = 2.0 * 6371.0088

_NEAR = types.Array(types.int32, 2, "C", readonly=True)
NETWORK = types.NamedTuple(
    (
        *(READONLY_FLOAT_ROWS,) * 2,
        *(READONLY_INTS,) * 2,
        *(READONLY_FLOATS,) * 7,
        READONLY_INTS,
        _NEAR,
        *(READONLY_FLOAT_ROWS,) * 2,
        *(READONLY_INTS,) * 2,
        READONLY_FLOATS,
    ),
    Network,
)
STATE = types.NamedTuple(
    (INTS, INTS, FLOATS, INTS, FLOATS, INTS, FLOATS, FLOATS, INTS, INTS, INTS, FLOATS, INTS, INTS, RNG_STATE),
    RouteState,
)
WORK = types.NamedTuple((INTS, FLOATS, INTS, INTS, INTS, INTS, FLOATS, INTS, INTS), Workspace)


@kernel(FLOAT(NETWORK, INT, INT), inline=True)
def arc(net: Any, i: int, j: int) -> float:
    """Return the cost of the arc from a number to another."""
    a, b = net.node[i], net.node[j]
    if a < 0 or b < 0:
        return 0.0
    metric = net.facts[0]
    if metric == MATRIX:
        return net.matrix[a, b]
    dx, dy = net.points[i, 0] - net.points[j, 0], net.points[i, 1] - net.points[j, 1]
    if metric == SPHERE:
        up, across = math.sin(0.5 * dy), math.sin(0.5 * dx)
        half = up * up + math.cos(net.points[i, 1]) * math.cos(net.points[j, 1]) * across * across
        return EARTH_DIAMETER * math.asin(math.sqrt(min(1.0, half)))
    length = math.sqrt(dx * dx + dy * dy)
    if metric == ROUNDED:
        return math.floor(length + 0.5)
    return math.ceil(length) if metric == CEILING else length


@kernel(types.void(NETWORK, INT, FLOATS, FLOATS))
def arcs_beside(net: Any, end: int, to: Floats, back: Floats) -> None:
    """Compute the costs of the arcs from all items to a number, and back."""
    for item in range(len(to)):
        to[item], back[item] = arc(net, item, end), arc(net, end, item)


@kernel(types.void(NETWORK, STATE, INT))
def compute_times(net: Any, state: Any, r: int) -> None:
    """Compute the earliest and the latest times along a list."""
    n, k, pace = len(state.list_of), len(state.loads), net.pace[0]
    start, end = n + r, n + k + r
    state.begin[start] = net.early[start]
    i = start
    while i != end:
        j = state.following[i]
        state.begin[j] = max(net.early[j], state.begin[i] + net.services[i] + pace * state.links[i])
        i = j
    state.latest[end] = net.late[end]
    while i != start:
        j = state.previous[i]
        state.latest[j] = min(net.late[j], state.latest[i] - net.services[j] - pace * state.links[j])
        i = j


@kernel(types.void(NETWORK, STATE, INT), inline=True)
def update_times(net: Any, state: Any, item: int) -> None:
    """Compute the times that an insertion has changed, from the item outwards."""
    n, pace = len(state.list_of), net.pace[0]
    i, j = state.previous[item], item
    while True:
        begin = max(net.early[j], state.begin[i] + net.services[i] + pace * state.links[i])
        if j != item and begin == state.begin[j]:
            break
        state.begin[j] = begin
        i = j
        if i >= n:
            break
        j = state.following[i]
    i, j = state.following[item], item
    while True:
        latest = min(net.late[j], state.latest[i] - net.services[j] - pace * state.links[j])
        if j != item and latest == state.latest[j]:
            break
        state.latest[j] = latest
        i = j
        if i >= n:
            break
        j = state.previous[i]


@kernel(types.void(STATE, WORK, INT), inline=True)
def touch(state: Any, work: Any, r: int) -> None:
    """Note a list that is about to change."""
    if work.stamps[r] != state.counters[ITERATION]:
        work.stamps[r] = state.counters[ITERATION]
        work.touched[work.sizes[1]], work.old_loads[work.sizes[1]] = r, state.loads[r]
        work.sizes[1] += 1


@kernel(FLOAT(NETWORK, STATE, INT), inline=True)
def unlink(net: Any, state: Any, item: int) -> float:
    """Take an item out of its list, and return the change of the cost; loads and times are left to the caller."""
    before, after, r = state.previous[item], state.following[item], state.list_of[item]
    state.following[before], state.previous[after] = after, before
    state.counts[r] -= 1
    old = state.links[before] + state.links[item]
    state.links[before] = arc(net, before, after) if state.counts[r] > 0 else 0.0
    state.counters[USED] -= state.counts[r] == 0
    state.list_of[item] = -1
    return state.links[before] - old


@kernel(FLOAT(NETWORK, STATE, INT, INT, INT), inline=True)
def link(net: Any, state: Any, item: int, before: int, r: int) -> float:
    """Put an item behind a number of list r, and return the change of the cost."""
    after = state.following[before]
    old = state.links[before]
    state.following[before], state.following[item] = item, after
    state.previous[after], state.previous[item] = item, before
    state.links[before], state.links[item] = arc(net, before, item), arc(net, item, after)
    state.counters[USED] += state.counts[r] == 0
    state.counts[r] += 1
    state.list_of[item] = r
    return state.links[before] + state.links[item] - old


@kernel(FLOAT(NETWORK, STATE, WORK, INT), inline=True)
def remove(net: Any, state: Any, work: Any, item: int) -> float:
    """Remove an item, note that in the log, and return the change of the cost."""
    log, r = work.sizes[0], state.list_of[item]
    work.log_items[log], work.log_places[log] = item, state.previous[item]
    work.sizes[0] += 1
    # Without the rounding errors of sums, lists that are empty are all alike.
    state.loads[r] = state.loads[r] - net.amounts[item] if state.counts[r] > 1 else 0.0
    return unlink(net, state, item) + net.prizes[item]


@kernel(FLOAT(NETWORK, STATE, WORK, INT, INT, INT), inline=True)
def insert(net: Any, state: Any, work: Any, item: int, before: int, r: int) -> float:
    """Insert an item behind a number of list r, note that in the log, and return the change of the cost."""
    touch(state, work, r)
    log = work.sizes[0]
    work.log_items[log], work.log_places[log] = item, -1
    work.sizes[0] += 1
    state.loads[r] += net.amounts[item]
    change = link(net, state, item, before, r)
    if net.facts[1]:
        update_times(net, state, item)
    return change - net.prizes[item]


@kernel(types.void(NETWORK, STATE, WORK))
def undo(net: Any, state: Any, work: Any) -> None:
    """Undo what the log has, last change first."""
    n = len(state.list_of)
    for at in range(work.sizes[0] - 1, -1, -1):
        item, place = work.log_items[at], work.log_places[at]
        if place < 0:
            unlink(net, state, item)
            state.following[item] = -1
        else:
            link(net, state, item, place, place - n if place >= n else state.list_of[place])
    for at in range(work.sizes[1]):
        state.loads[work.touched[at]] = work.old_loads[at]
        if net.facts[1]:
            compute_times(net, state, work.touched[at])


@kernel(types.Tuple((INT, FLOAT))(NETWORK, STATE, WORK))
def ruin(net: Any, state: Any, work: Any) -> Any:
    """Remove strings of items near a random one; return how many items are to be inserted, and the change of the cost.

    Required items that are in no list are among them, and absent ones that were passed.
    """
    n, rng_state, counters = len(state.list_of), state.rng_state, state.counters
    removed, change, missing = 0, 0.0, counters[ABSENT]
    for at in range(missing):
        work.removed[removed] = state.absent[at]
        removed += 1
    seed = below(rng_state, n)
    if missing > 0 and uniform(rng_state) < 0.5:
        seed = state.absent[below(rng_state, missing)]
    mean = (n - missing) / max(1, counters[USED])
    longest = max(1.0, min(LONGEST, mean))  # Eq. (5)
    strings = int(uniform(rng_state) * (4.0 * REMOVED / (1.0 + longest) - 1.0) + 1.0)  # Eqs. (6), (7)
    ruined = 0
    for g in range(-1, net.near.shape[1]):
        if ruined >= strings:
            break
        item = seed if g < 0 else net.near[seed, g]
        r = state.list_of[item]
        if r < 0:
            # An absent one may find a place now; those that were just removed still know what followed them.
            if net.required[item] == 0 and state.following[item] < 0:
                work.removed[removed] = item
                removed += 1
            continue
        if work.stamps[r] == counters[ITERATION]:
            continue
        touch(state, work, r)
        ruined += 1
        count = state.counts[r]
        length = min(count, int(uniform(rng_state) * min(float(count), longest) + 1.0))  # Eqs. (8), (9)
        kept = 0
        if 1 < length < count and uniform(rng_state) < SPLIT:
            kept = 1
            while length + kept < count and uniform(rng_state) < LONGER:
                kept += 1
        span = length + kept
        back, ahead, first, last = 0, 0, item, item
        while back < span - 1 and state.previous[first] < n:
            first, back = state.previous[first], back + 1
        while ahead < span - 1 and state.following[last] < n:
            last, ahead = state.following[last], ahead + 1
        # The string has to contain the item and to fit into the list.
        low = max(0, span - 1 - ahead)
        begin = low + below(rng_state, back - low + 1)
        for _ in range(back - begin):
            first = state.following[first]
        inside = 1 + below(rng_state, length - 1) if kept else span
        for place in range(span):
            after = state.following[first]
            if not inside <= place < inside + kept:
                change += remove(net, state, work, first)
                work.removed[removed] = first
                removed += 1
            first = after
        if net.facts[1]:
            compute_times(net, state, r)
    return removed, change


@kernel(types.void(NETWORK, STATE, WORK, INT))
def order(net: Any, state: Any, work: Any, removed: int) -> None:
    """Order the removed items: at random, by amount, by the way from the start; by their windows if there are any."""
    rule = below(state.rng_state, 17 if net.facts[1] else 11)
    for at in range(removed):
        item = work.removed[at]
        if rule < 4:
            key = uniform(state.rng_state)
        elif rule < 8:
            key = -net.amounts[item]
        elif rule < 10:
            key = -net.remote[item]
        elif rule < 11:
            key = net.remote[item]
        elif rule < 13:
            key = net.late[item] - net.early[item]
        elif rule < 15:
            key = net.early[item]
        else:
            key = -net.late[item]
        place = at
        while place > 0 and work.keys[place - 1] > key:
            work.keys[place], work.removed[place] = work.keys[place - 1], work.removed[place - 1]
            place -= 1
        work.keys[place], work.removed[place] = key, item


@kernel(types.Tuple((INT, INT, FLOAT, INT))(NETWORK, STATE, INT, BOOL), inline=True)
def cheapest_place(net: Any, state: Any, item: int, eager: bool) -> Any:
    """Return the cheapest place of an item: the number before it, its list, the change of the cost; and the looks.

    The list is -1 where there is no place, or none that is cheaper than leaving the item out.
    """
    n, k, pace, timed = len(state.list_of), len(state.loads), net.pace[0], net.facts[1] != 0
    amount, looks = net.amounts[item], 0
    best, place, target = np.inf if eager or net.required[item] else net.prizes[item], -1, -1
    for kind in range(len(net.kinds) - 1):
        first, last = net.kinds[kind], net.kinds[kind + 1]
        for _ in range(last - first):
            if state.counts[net.alike[state.free[kind]]] == 0:
                break
            state.free[kind] = state.free[kind] + 1 if state.free[kind] + 1 < last else first
        r = net.alike[state.free[kind]]
        if state.counts[r] > 0 or amount > net.capacities[r]:
            continue
        looks += 1
        to, back = arc(net, n + r, item), arc(net, item, n + k + r)
        if to + back < best:
            if timed:
                begin = max(net.early[item], net.early[n + r] + net.services[n + r] + pace * to)
                if begin > net.late[item] or begin + net.services[item] + pace * back > net.late[n + k + r]:
                    continue
            best, place, target = to + back, n + r, r
    skip = state.counters[SKIP]
    for g in range(net.near.shape[1]):
        near = net.near[item, g]
        r = state.list_of[near]
        if r < 0 or state.loads[r] + amount > net.capacities[r]:
            continue
        for side in range(2):
            if skip == 0:
                skip = int(math.log(1.0 - uniform(state.rng_state)) / math.log(1.0 - BLINK))
                continue
            skip -= 1
            looks += 1
            if side == 0:
                before, after = state.previous[near], near
                to, back = arc(net, before, item), net.near_to[item, g]
            else:
                before, after = near, state.following[near]
                to, back = net.near_from[item, g], arc(net, item, after)
            change = to + back - state.links[before]
            if change < best:
                if timed:
                    begin = max(net.early[item], state.begin[before] + net.services[before] + pace * to)
                    late = begin + net.services[item] + pace * back > state.latest[after]
                    if begin > net.late[item] or late:
                        continue
                best, place, target = change, before, r
    state.counters[SKIP] = skip
    return place, target, best, looks


@kernel(types.Tuple((FLOAT, INT))(NETWORK, STATE, WORK, INT))
def recreate(net: Any, state: Any, work: Any, removed: int) -> Any:
    """Insert the removed items one by one; return the change of the cost, and the looks."""
    change, looks = 0.0, 0
    # Items that are worth a visit together may not be worth it alone.
    eager = net.facts[2] != 0 and uniform(state.rng_state) < EAGER
    for at in range(removed):
        item = work.removed[at]
        place, r, _, places = cheapest_place(net, state, item, eager)
        looks += places
        if r >= 0:
            change += insert(net, state, work, item, place, r)
        elif net.required[item]:
            work.failed[work.sizes[2]] = item
            work.sizes[2] += 1
    return change, looks


@kernel(types.void(STATE, WORK, INT, FLOAT))
def accept(state: Any, work: Any, removed: int, cost: float) -> None:
    """Keep the change; the solution becomes the best one if it is."""
    state.costs[CURRENT] = cost
    state.counters[ABSENT] = work.sizes[2]
    for at in range(work.sizes[2]):
        state.absent[at] = work.failed[at]
    for at in range(removed):
        if state.list_of[work.removed[at]] < 0:
            state.following[work.removed[at]] = -1
    if cost < state.costs[BEST] - 1e-9 * (1.0 + abs(cost)):
        state.costs[BEST] = cost
        copy(state.following, state.best)
        state.counters[IMPROVED], state.counters[BEST_ABSENT] = 1, work.sizes[2]


@kernel(types.void(NETWORK, STATE))
def return_to_best(net: Any, state: Any) -> None:
    """Make the best solution the current one; both costs are summed afresh."""
    n, k, counters = len(state.list_of), len(state.loads), state.counters
    copy(state.best, state.following)
    state.list_of[:] = -1
    cost, counters[USED], missing = 0.0, 0, 0
    for r in range(k):
        state.loads[r], state.counts[r], i = 0.0, 0, n + r
        while i != n + k + r:
            j = state.following[i]
            state.previous[j] = i
            state.links[i] = arc(net, i, j)
            cost += state.links[i]
            if j < n:
                state.list_of[j] = r
                state.loads[r] += net.amounts[j]
                state.counts[r] += 1
            i = j
        if state.counts[r] == 0:
            cost -= state.links[n + r]
            state.links[n + r] = 0.0
        counters[USED] += state.counts[r] > 0
        if net.facts[1]:
            compute_times(net, state, r)
    for item in range(n):
        if state.list_of[item] < 0:
            cost += net.prizes[item]
            if net.required[item]:
                state.absent[missing] = item
                missing += 1
    counters[ABSENT] = counters[BEST_ABSENT] = missing
    state.costs[CURRENT] = state.costs[BEST] = cost


@kernel(INT(NETWORK, STATE, WORK, INTS))
def insert_absent(net: Any, state: Any, work: Any, items: Ints) -> int:
    """Insert those of some items that are in no list, one after another; return the looks."""
    work.sizes[:] = 0
    absent = 0
    for item in items:
        if state.list_of[item] < 0:
            work.removed[absent] = item
            absent += 1
    change, looks = recreate(net, state, work, absent)
    accept(state, work, absent, state.costs[CURRENT] + change)
    return looks


@kernel(types.void(STATE, INTS, INTS))
def write_solution(state: Any, following: Ints, x: Ints) -> None:
    """Write lists as a solution: in order with separators between them, items in no list behind the last separator.

    Args:
        state: the state, for its sizes.
        following: the number after each number, -1 for items in no list.
        x: the solution, overwritten.
    """
    n, k, at = len(state.list_of), len(state.loads), 0
    for r in range(k):
        i = following[n + r]
        while i != n + k + r:
            x[at] = i
            at += 1
            i = following[i]
        if r < len(x) - n:
            x[at] = n + r
            at += 1
    for item in range(n):
        if following[item] < 0:
            x[at] = item
            at += 1


@kernel(FLOAT(STATE))
def temperature(state: Any) -> float:
    """Return the temperature at this point of the cycle: it falls geometrically; 0 while losses are measured."""
    if state.counters[PHASE] == 0:
        return 0.0
    share = state.counters[CYCLE] / state.counters[LENGTH]
    return state.costs[HOT] * (state.costs[COLD] / state.costs[HOT]) ** share


@kernel(types.void(NETWORK, STATE, FLOAT, FLOAT))
def begin_cycle(net: Any, state: Any, hot: float, cold: float) -> None:
    """Begin a cycle at the best solution; the first sets the temperatures by the mean loss of what was rejected."""
    counters, costs = state.counters, state.costs
    if counters[PHASE] == 0:
        loss = costs[LOSS] / max(1, counters[LOSSES])
        heat = TIMED_HEAT if net.facts[1] else 1.0
        costs[HOT], costs[COLD] = max(heat * hot * loss, 1e-12), max(cold * loss, 1e-12)
    else:
        counters[LENGTH] *= 2
    counters[PHASE] += 1
    counters[CYCLE] = 0
    return_to_best(net, state)


@kernel(INT(NETWORK, STATE, WORK, FLOAT, FLOAT, INT))
def iterate(net: Any, state: Any, work: Any, hot: float, cold: float, count: int) -> int:
    """Make some iterations, and return the looks: a place where an item may be inserted is one.

    Args:
        net: the rules.
        state: the state of the search.
        work: the workspace.
        hot: the first temperature of a cycle, in mean losses.
        cold: the last one.
        count: the number of iterations.
    """
    total, counters = 0, state.counters
    for _ in range(count):
        if counters[CYCLE] >= counters[LENGTH]:
            begin_cycle(net, state, hot, cold)
        counters[ITERATION] += 1
        work.sizes[:] = 0
        used = counters[USED]
        removed, lost = ruin(net, state, work)
        order(net, state, work, removed)
        gained, looks = recreate(net, state, work, removed)
        change = lost + gained
        limit = -temperature(state) * math.log(1.0 - uniform(state.rng_state))  # Eq. (10)
        if change <= limit:
            accept(state, work, removed, state.costs[CURRENT] + change)
        else:
            undo(net, state, work)
            counters[USED] = used
            if counters[PHASE] == 0:
                state.costs[LOSS] += change
                counters[LOSSES] += 1
        counters[CYCLE] += looks
        total += looks
    return total
