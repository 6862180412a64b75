"""Tabu search on schedules: moves within the blocks of a critical path, and of an item to another machine.

Balas, E. and Vazacopoulos, A. 1998. Guided local search with shifting bottleneck for job shop scheduling. Management
Science 44(2): the moves. Zhang, C. et al. 2007. A tabu search algorithm with a new neighborhood structure for the job
shop scheduling problem. Computers & Operations Research 34(11): inner items too. Mastrolilli, M. and Gambardella, L. M.
2000. Effective neighbourhood functions for the flexible job shop problem. Journal of Scheduling 3(1): other machines.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import types

from swarmkit import Ints
from swarmkit.kernels.compiling import (
    BOOL,
    FLOAT,
    FLOATS,
    INT,
    INT_ROWS,
    INTS,
    READONLY_FLOAT_ROWS,
    READONLY_INTS,
    RNG_STATE,
    kernel,
)
from swarmkit.kernels.rng import below, uniform
from swarmkit_lns.shop_state import Shop, ShopState, ShopWorkspace

ITERATION, IMPROVED_AT, KICKS, IMPROVED = range(4)
"""Counters: iterations, the last one that improved the best schedule, random moves to make, whether the best schedule
is not in `x` yet."""
CURRENT, BEST = range(2)

FORWARD, BACKWARD, ELSEWHERE = range(3)
"""Moves: the first item of a range behind its last, the last before the first, an item to another machine."""
KIND, MACHINE, FROM, TO, TIES = range(5)

TENURE = 10
"""An order that is given up is tabu for TENURE + items / machines iterations, and up to half as many more."""
STALL = 8000
"""After as many iterations without an improvement the search goes back to the best schedule, shaken."""
LEAST_KICK, KICK_RANGE = 3, 25
"""It is shaken by 3 to 27 random moves."""

SHOP = types.NamedTuple((READONLY_FLOAT_ROWS, *(READONLY_INTS,) * 4), Shop)
STATE = types.NamedTuple(
    (INT_ROWS, INTS, INTS, INTS, FLOATS, FLOATS, FLOATS, INT_ROWS, INTS, INTS, FLOATS, INTS, INTS, RNG_STATE), ShopState
)
WORK = types.NamedTuple((INTS, INTS, INTS, INTS, FLOATS, INTS, INTS, INTS), ShopWorkspace)


@kernel(FLOAT(SHOP, STATE, WORK))
def makespan(shop: Any, state: Any, work: Any) -> float:
    """Compute heads and tails, and return the makespan; -1 if the orders of lists contradict each other."""
    n, last, longest = len(state.places), 0, 0.0
    heads, tails, times = state.heads, state.tails, state.times
    for item in range(n):
        heads[item] = 0.0
        waits = shop.before_start[item + 1] - shop.before_start[item] + (state.places[item] > 0)
        work.waits[item] = waits
        if waits == 0:
            work.order[last] = item
            last += 1
    at = 0
    while at < last:
        item = work.order[at]
        at += 1
        end = heads[item] + times[item]
        longest = max(longest, end)
        machine, place = state.machines[item], state.places[item]
        for k in range(shop.after_start[item], shop.after_start[item + 1] + 1):
            if k < shop.after_start[item + 1]:
                later = shop.after[k]
            elif 0 <= place < state.counts[machine] - 1:
                later = state.lists[machine, place + 1]
            else:
                break
            heads[later] = max(heads[later], end)
            work.waits[later] -= 1
            if work.waits[later] == 0:
                work.order[last] = later
                last += 1
    if last < n:
        return -1.0
    for at in range(n - 1, -1, -1):
        item = work.order[at]
        machine, place, tail = state.machines[item], state.places[item], 0.0
        for k in range(shop.after_start[item], shop.after_start[item + 1]):
            tail = max(tail, tails[shop.after[k]] + times[shop.after[k]])
        if 0 <= place < state.counts[machine] - 1:
            later = state.lists[machine, place + 1]
            tail = max(tail, tails[later] + times[later])
        tails[item] = tail
    return longest


@kernel(FLOAT(SHOP, STATE, INT), inline=True)
def ready(shop: Any, state: Any, item: int) -> float:
    """Return when the items that come before an item have ended, whatever its machine does."""
    time = 0.0
    for k in range(shop.before_start[item], shop.before_start[item + 1]):
        time = max(time, state.heads[shop.before[k]] + state.times[shop.before[k]])
    return time


@kernel(FLOAT(SHOP, STATE, INT), inline=True)
def rest(shop: Any, state: Any, item: int) -> float:
    """Return the longest way from an item's end through the items that come after it, whatever its machine does."""
    time = 0.0
    for k in range(shop.after_start[item], shop.after_start[item + 1]):
        time = max(time, state.tails[shop.after[k]] + state.times[shop.after[k]])
    return time


@kernel(INT(STATE, INT, INT), inline=True)
def entry(state: Any, a: int, b: int) -> int:
    """Return the entry of the tabu list for item a before item b."""
    return (a * len(state.places) + b) % len(state.tabu)


@kernel(INT(STATE, INT, INT), inline=True)
def machine_entry(state: Any, item: int, machine: int) -> int:
    """Return the entry of the tabu list for an item on a machine."""
    n = len(state.places)
    return (n * n + item * len(state.counts) + machine) % len(state.tabu)


@kernel(FLOAT(SHOP, STATE, WORK))
def estimate(shop: Any, state: Any, work: Any) -> float:
    """Return the longest path through the items of a range after a move, as far as heads and tails outside tell."""
    kind, machine, i, j = work.candidate[0], work.candidate[1], work.candidate[2], work.candidate[3]
    row, length, end, longest = state.lists[machine], j - i + 1, 0.0, 0.0
    for k in range(length):
        if kind == FORWARD:
            work.block[k] = row[i + 1 + k] if k < length - 1 else row[i]
        else:
            work.block[k] = row[j] if k == 0 else row[i + k - 1]
    if i > 0:
        end = state.heads[row[i - 1]] + state.times[row[i - 1]]
    for k in range(length):
        end = max(end, ready(shop, state, work.block[k])) + state.times[work.block[k]]
        work.ends[k] = end
    tail = 0.0
    if j + 1 < state.counts[machine]:
        tail = state.tails[row[j + 1]] + state.times[row[j + 1]]
    for k in range(length - 1, -1, -1):
        item = work.block[k]
        tail = max(tail, rest(shop, state, item))
        longest = max(longest, work.ends[k] + tail)
        tail += state.times[item]
    return longest


@kernel(FLOAT(STATE, WORK, FLOAT, FLOAT, BOOL), inline=True)
def consider(state: Any, work: Any, value: float, least: float, tabu: bool) -> float:
    """Keep the candidate if it is the best admissible move (of equal ones each as likely); return the least value."""
    work.random_move[TIES] += 1
    if uniform(state.rng_state) * work.random_move[TIES] < 1.0:
        for k in range(TIES):
            work.random_move[k] = work.candidate[k]
    if value > least or (tabu and value >= state.costs[BEST]):
        return least
    work.move[TIES] = work.move[TIES] + 1 if value == least else 1
    if uniform(state.rng_state) * work.move[TIES] < 1.0:
        for k in range(TIES):
            work.move[k] = work.candidate[k]
    return value


@kernel(types.void(WORK, INT, INT, INT, INT), inline=True)
def set_candidate(work: Any, kind: int, machine: int, i: int, j: int) -> None:
    """Write the move that is valued next."""
    work.candidate[KIND], work.candidate[MACHINE] = kind, machine
    work.candidate[FROM], work.candidate[TO] = i, j


@kernel(INT(SHOP, STATE, WORK))
def critical_path(shop: Any, state: Any, work: Any) -> int:
    """Find a random critical path, and return its length."""
    rounding, length, item, ties = 1e-9 * state.costs[CURRENT], 0, -1, 0
    for start in range(len(state.places)):
        if state.heads[start] == 0.0 and state.times[start] + state.tails[start] >= state.costs[CURRENT] - rounding:
            ties += 1
            if uniform(state.rng_state) * ties < 1.0:
                item = start
    while item >= 0:
        work.path[length] = item
        length += 1
        end, following, ties = state.heads[item] + state.times[item], -1, 0
        machine, place = state.machines[item], state.places[item]
        for k in range(shop.after_start[item], shop.after_start[item + 1] + 1):
            if k < shop.after_start[item + 1]:
                later = shop.after[k]
            elif place + 1 < state.counts[machine]:
                later = state.lists[machine, place + 1]
            else:
                break
            whole = end + state.times[later] + state.tails[later]
            if state.heads[later] <= end + rounding and whole >= state.costs[CURRENT] - rounding:
                ties += 1
                if uniform(state.rng_state) * ties < 1.0:
                    following = later
        item = following
    return length


@kernel(types.Tuple((FLOAT, INT))(SHOP, STATE, WORK, INT))
def block_moves(shop: Any, state: Any, work: Any, length: int) -> Any:
    """Value the moves within the blocks of a critical path; return the least value, and the looks."""
    least, looks, first, now = np.inf, 0, 0, state.counters[ITERATION]
    while first < length:
        machine = state.machines[work.path[first]]
        i0 = j0 = state.places[work.path[first]]
        last = first
        # A block: items of one machine, one directly behind the other.
        while last + 1 < length and state.machines[work.path[last + 1]] == machine:
            if state.places[work.path[last + 1]] != j0 + 1:
                break
            last += 1
            j0 += 1
        row = state.lists[machine]
        for i in range(i0, j0):
            for j in range(i + 1, j0 + 1):
                if i != i0 and j != j0:
                    continue
                u, v = row[i], row[j]
                # No way from what follows u to v, nor from u to what precedes v: the orders stay without contradiction.
                forward = j == i + 1 or state.tails[v] + state.times[v] >= rest(shop, state, u)
                backward = j > i + 1 and state.heads[u] + state.times[u] >= ready(shop, state, v)
                # Within the first block, only a new first item can help; within the last, a new last one.
                forward = forward and not (first == 0 and i == i0 and j != j0)
                for kind in range(2):
                    if not (forward if kind == FORWARD else backward):
                        continue
                    tabu = False
                    for k in range(i, j):
                        pair = entry(state, row[k + 1], u) if kind == FORWARD else entry(state, v, row[k])
                        tabu = tabu or state.tabu[pair] > now
                    set_candidate(work, kind, machine, i, j)
                    looks += 1
                    least = consider(state, work, estimate(shop, state, work), least, tabu)
        first = last + 1
    return least, looks


@kernel(types.void(STATE, INT))
def take_out(state: Any, item: int) -> None:
    """Take an item out of its list."""
    machine, place = state.machines[item], state.places[item]
    for k in range(place, state.counts[machine] - 1):
        state.lists[machine, k] = state.lists[machine, k + 1]
        state.places[state.lists[machine, k]] = k
    state.counts[machine] -= 1
    state.places[item] = -1


@kernel(types.void(SHOP, STATE, INT, INT, INT))
def put_in(shop: Any, state: Any, item: int, machine: int, place: int) -> None:
    """Put an item into the list of a machine."""
    for k in range(state.counts[machine], place, -1):
        state.lists[machine, k] = state.lists[machine, k - 1]
        state.places[state.lists[machine, k]] = k
    state.lists[machine, place] = item
    state.counts[machine] += 1
    state.places[item], state.machines[item] = place, machine
    state.times[item] = shop.durations[item, machine]


@kernel(types.Tuple((FLOAT, INT))(SHOP, STATE, WORK, INT, FLOAT))
def machine_moves(shop: Any, state: Any, work: Any, item: int, least: float) -> Any:
    """Value the places of an item on other machines; return the least value of all moves, and the looks."""
    own, old_place, looks = state.machines[item], state.places[item], 0
    take_out(state, item)
    state.times[item] = 0.0
    shortest = makespan(shop, state, work)
    begin, tail = ready(shop, state, item), rest(shop, state, item)
    for machine in range(len(state.counts)):
        time = shop.durations[item, machine]
        if machine == own or time == np.inf:
            continue
        count, low = state.counts[machine], 0
        high = count
        # Behind items that end after the item could begin, unless more than what follows the item follows them.
        for k in range(count):
            other = state.lists[machine, k]
            ends_late = state.heads[other] + state.times[other] > begin
            much_follows = state.tails[other] + state.times[other] > tail
            if much_follows and not ends_late:
                low = k + 1
            if ends_late and not much_follows and k < high:
                high = k
        tabu = state.tabu[machine_entry(state, item, machine)] > state.counters[ITERATION]
        for k in range(low, high + 1):
            head, follow = begin, tail
            if k > 0:
                head = max(head, state.heads[state.lists[machine, k - 1]] + state.times[state.lists[machine, k - 1]])
            if k < count:
                follow = max(follow, state.tails[state.lists[machine, k]] + state.times[state.lists[machine, k]])
            looks += 1
            set_candidate(work, ELSEWHERE, machine, item, k)
            least = consider(state, work, max(shortest, head + time + follow), least, tabu)
    put_in(shop, state, item, own, old_place)
    state.costs[CURRENT] = makespan(shop, state, work)
    return least, looks


@kernel(types.void(STATE, INTS, BOOL))
def make_move(state: Any, move: Ints, back: bool) -> None:
    """Make a move within a list, or undo it.

    Args:
        state: the state.
        move: its kind, machine and places.
        back: whether it is undone.
    """
    row, i, j = state.lists[move[MACHINE]], move[FROM], move[TO]
    if (move[KIND] == FORWARD) != back:
        item = row[i]
        for k in range(i, j):
            row[k] = row[k + 1]
        row[j] = item
    else:
        item = row[j]
        for k in range(j, i, -1):
            row[k] = row[k - 1]
        row[i] = item
    for k in range(i, j + 1):
        state.places[row[k]] = k


@kernel(BOOL(SHOP, STATE, WORK, INTS))
def move(shop: Any, state: Any, work: Any, choice: Ints) -> bool:
    """Make a move and forbid what would undo it; return False if orders then contradict each other: it is undone."""
    n, k = len(state.places), len(state.counts)
    base = TENURE + n // (k * k) if n > k else TENURE
    until = state.counters[ITERATION] + base + below(state.rng_state, base // 2 + 1)
    if choice[KIND] == ELSEWHERE:
        item = choice[FROM]
        own, place = state.machines[item], state.places[item]
        take_out(state, item)
        put_in(shop, state, item, choice[MACHINE], choice[TO])
        state.tabu[machine_entry(state, item, own)] = until
        cost = makespan(shop, state, work)
        if cost < 0.0:
            take_out(state, item)
            put_in(shop, state, item, own, place)
    else:
        row, i, j = state.lists[choice[MACHINE]], choice[FROM], choice[TO]
        for at in range(i, j):
            pair = entry(state, row[i], row[at + 1]) if choice[KIND] == FORWARD else entry(state, row[at], row[j])
            state.tabu[pair] = until
        make_move(state, choice, False)
        cost = makespan(shop, state, work)
        if cost < 0.0:
            make_move(state, choice, True)
    if cost < 0.0:
        makespan(shop, state, work)
        return False
    state.costs[CURRENT] = cost
    return True


@kernel(types.void(SHOP, STATE, WORK))
def return_to_best(shop: Any, state: Any, work: Any) -> None:
    """Make the best schedule the current one."""
    for machine in range(len(state.counts)):
        state.counts[machine] = state.best_counts[machine]
        for k in range(state.counts[machine]):
            item = state.best_lists[machine, k]
            state.lists[machine, k], state.places[item], state.machines[item] = item, k, machine
            state.times[item] = shop.durations[item, machine]
    state.costs[CURRENT] = makespan(shop, state, work)
    state.costs[BEST] = state.costs[CURRENT]


@kernel(types.void(STATE))
def keep_best(state: Any) -> None:
    """Make the current schedule the best one."""
    for machine in range(len(state.counts)):
        state.best_counts[machine] = state.counts[machine]
        for k in range(state.counts[machine]):
            state.best_lists[machine, k] = state.lists[machine, k]
    state.costs[BEST] = state.costs[CURRENT]
    state.counters[IMPROVED_AT], state.counters[IMPROVED] = state.counters[ITERATION], 1


@kernel(types.void(STATE))
def write_solution(state: Any) -> None:
    """Write the best schedule to `x`: list after list, with separators between them."""
    at, n = 0, len(state.places)
    for machine in range(len(state.counts)):
        for k in range(state.best_counts[machine]):
            state.x[at] = state.best_lists[machine, k]
            at += 1
        if at < len(state.x):
            state.x[at] = n + machine
            at += 1


@kernel(types.Tuple((INT, INT, BOOL))(SHOP, STATE, WORK, BOOL, INT))
def iterate(shop: Any, state: Any, work: Any, flexible: bool, count: int) -> Any:
    """Make some iterations; return the looks (a move that is valued is one), how many were made, and if it is optimal.

    Args:
        shop: the rules.
        state: the state of the search.
        work: the workspace.
        flexible: whether some items have a choice of machines.
        count: the number of iterations.
    """
    counters, total = state.counters, 0
    for made in range(count):
        counters[ITERATION] += 1
        if counters[ITERATION] - counters[IMPROVED_AT] > STALL:
            return_to_best(shop, state, work)
            state.tabu[:] = 0
            counters[IMPROVED_AT], counters[KICKS] = (
                counters[ITERATION],
                LEAST_KICK + below(state.rng_state, KICK_RANGE),
            )
        length = critical_path(shop, state, work)
        work.move[TIES] = work.random_move[TIES] = 0
        least, looks = block_moves(shop, state, work, length)
        if flexible:
            item = work.path[below(state.rng_state, length)]
            least, more = machine_moves(shop, state, work, item, least)
            looks += more
        total += max(1, looks)
        if work.random_move[TIES] == 0:
            # One path of items that only wait for each other: nothing is shorter, unless another machine is faster.
            if not flexible:
                return total, made + 1, True
            continue
        choice = work.random_move if work.move[TIES] == 0 or counters[KICKS] > 0 else work.move
        counters[KICKS] = max(0, counters[KICKS] - 1)
        if move(shop, state, work, choice) and state.costs[CURRENT] < state.costs[BEST] - 1e-9 * state.costs[BEST]:
            keep_best(state)
    return total, count, False
