"""Local search on tours: 2-opt, 3-opt and Or-opt moves with nearest-neighbour lists and a queue of cities to examine.

Bentley, J. 1992. Fast algorithms for geometric traveling salesman problems. ORSA Journal on Computing 4(4).
Lin, S. and Kernighan, B. 1973. An effective heuristic algorithm for the traveling-salesman problem. Operations
Research 21(2).

The queue plays the part of Bentley's don't-look bits: a city that is not queued has no improving move. Costs are
symmetric. `tolerance` is the smallest saving that counts as an improvement.
"""

from __future__ import annotations

import sys
from typing import Any, NamedTuple

import numpy as np
from numba import types

from swarmkit.contract.arrays import Floats, Ints, Near
from swarmkit.kernels.compiling import BOOL, COST, FLOAT, INT, INT_ROWS, INTS, NEAR, Index, copy, kernel
from swarmkit.kernels.constants import BEGIN

LONGEST = 3
"""The longest segment that Or-opt moves."""


class Route(NamedTuple):
    """A tour under local search."""

    tour: Ints
    """The cities in the order of the tour."""
    position: Ints
    """The position of each city on the tour."""
    queue: Ints
    """The cities to examine, a ring buffer."""
    queued: Any
    """Whether each city is in the queue."""
    counters: Ints
    """Head, tail and length of the queue, and the looks so far."""


def new_route(tour: Ints, position: Ints) -> Route:
    """Return a route on the given arrays, with an empty queue."""
    n = len(tour)
    return Route(tour, position, np.empty(n, np.int64), np.zeros(n, np.bool_), np.zeros(4, np.int64))


def empty_route(n: int) -> Route:
    """Return a route of n cities that holds no tour yet."""
    return new_route(*np.empty((2, n), np.int64))


ROUTE = types.NamedTuple((INTS, INTS, INTS, BOOL[::1], INTS), Route)


@kernel(INT(ROUTE, INT), inline=True)
def after(route: Any, city: Index) -> Any:
    """Return the city after a city."""
    at = route.position[city] + 1
    return route.tour[at] if at < len(route.tour) else route.tour[0]


@kernel(INT(ROUTE, INT), inline=True)
def before(route: Any, city: Index) -> Any:
    """Return the city before a city."""
    return route.tour[route.position[city] - 1]


@kernel(INT(ROUTE, INT, BOOL), inline=True)
def beside(route: Any, city: Index, forward: bool) -> Any:
    """Return the next city in one direction."""
    return after(route, city) if forward else before(route, city)


@kernel(INT(ROUTE, INT, INT, BOOL), inline=True)
def ahead(route: Any, start: Index, city: Index, forward: bool) -> Any:
    """Return the number of steps from one city to another in one direction."""
    position = route.position
    steps = position[city] - position[start] if forward else position[start] - position[city]
    return steps if steps >= 0 else steps + len(position)


@kernel(types.void(ROUTE, INT, INT))
def reverse(route: Any, first: Index, last: Index) -> None:
    """Reverse the segment from one city to another, or its complement if that is shorter: the same tour either way."""
    tour, position = route.tour, route.position
    n, i, j = len(tour), position[first], position[last]
    length = j - i + 1 if j >= i else j - i + 1 + n
    if 2 * length > n:
        i, j, length = j + 1, i - 1, n - length
        i = i if i < n else 0
        j = j if j >= 0 else n - 1
    for _ in range(length // 2):
        a, b = tour[i], tour[j]
        tour[i], position[b] = b, i
        tour[j], position[a] = a, j
        i = i + 1 if i + 1 < n else 0
        j = j - 1 if j > 0 else n - 1


@kernel(types.void(ROUTE, INT, INT, INT, INT))
def exchange(route: Any, a: Index, b: Index, c: Index, d: Index) -> None:
    """Replace the edges ab and cd by ac and bd, in whichever direction the tour runs: a 2-opt move."""
    if after(route, a) == b:
        reverse(route, b, c)
    else:
        reverse(route, a, d)


@kernel(types.void(ROUTE, INT), inline=True)
def enqueue(route: Any, city: Index) -> None:
    """Queue a city, once."""
    if not route.queued[city]:
        queue, counters = route.queue, route.counters
        route.queued[city] = True
        queue[counters[1]] = city
        counters[1] = counters[1] + 1 if counters[1] + 1 < len(queue) else 0
        counters[2] += 1


@kernel(INT(ROUTE), inline=True)
def dequeue(route: Any) -> Any:
    """Remove and return the city that has been queued longest."""
    queue, counters = route.queue, route.counters
    city = queue[counters[0]]
    counters[0] = counters[0] + 1 if counters[0] + 1 < len(queue) else 0
    counters[2] -= 1
    route.queued[city] = False
    return city


@kernel(types.void(ROUTE, INT, INT, INT, INT, INT, INT))
def join(route: Any, t1: Index, t2: Index, t3: Index, t4: Index, t5: Index, t6: Index) -> None:
    """Replace the edges t1-t2, t3-t4 and t5-t6 by t2-t3, t4-t5 and t6-t1: a 3-opt move that leaves one tour."""
    forward = after(route, t1) == t2
    if beside(route, t4, forward) == t3:  # t4 comes first: two 2-opt moves
        exchange(route, t1, t2, t4, t3)
        exchange(route, t1, t4, t6, t5)
    elif beside(route, t6, forward) == t5:  # two segments, each reversed
        exchange(route, t1, t2, t6, t5)
        exchange(route, t2, t5, t3, t4)
    else:  # two segments exchanged
        exchange(route, t1, t2, t3, t4)
        exchange(route, t1, t3, t6, t5)
        exchange(route, t3, t5, t2, t4)
    for city in (t1, t2, t3, t4, t5, t6):
        enqueue(route, city)


@kernel(types.void(ROUTE, INT, INT, INT, INT))
def cross(route: Any, t1: Index, t2: Index, t3: Index, t4: Index) -> None:
    """Replace the edges t1-t2 and t3-t4 by t2-t3 and t4-t1."""
    exchange(route, t1, t2, t4, t3)
    for city in (t1, t2, t3, t4):
        enqueue(route, city)


@kernel(FLOAT(ROUTE, COST, NEAR, INT, FLOAT))
def three_opt(route: Any, cost: Floats, near: Near, t1: Index, tolerance: float) -> float:
    """Make the first improving 2-opt or 3-opt move that starts at city t1 and return what it saves, 0 for none.

    t2 is adjacent to t1, t3 near t2, t4 adjacent to t3, t5 near t4 and t6 adjacent to t5; partial savings stay positive
    (Lin and Kernighan's gain criterion). Followed from t1 to t2, a t4 before t3 can be closed to a tour at once; a t4
    behind t3 leaves a cycle from t2 to t3, so t5 must lie on it.
    """
    counters = route.counters
    for forward in (True, False):
        t2 = beside(route, t1, forward)
        for third in near[t2]:
            t3 = np.int64(third)
            counters[3] += 2
            first = cost[t1, t2] - cost[t2, t3]
            if first <= tolerance:
                break
            # How far t3 is from t2: it decides which reconnections leave one tour.
            k = ahead(route, t2, t3, forward)
            for behind in (False, True):
                t4 = beside(route, t3, forward == behind)
                if t4 == t2:
                    continue
                second = first + cost[t3, t4]
                if not behind and second - cost[t4, t1] > tolerance:
                    cross(route, t1, t2, t3, t4)
                    return second - cost[t4, t1]
                # The gain criterion: the partial sum of savings stays positive, so the list ends here too.
                for fifth in near[t4]:
                    t5 = np.int64(fifth)
                    counters[3] += 3
                    if second - cost[t4, t5] <= tolerance:
                        break
                    m = ahead(route, t2, t5, forward)
                    for onward in (True, False):  # t6 behind t5, or before it
                        inside = m < k if onward else 0 < m <= k
                        if not (inside if behind else (m < k - 2 if onward else m > k)):
                            continue
                        t6 = beside(route, t5, forward == onward)
                        saving = second - cost[t4, t5] + cost[t5, t6] - cost[t6, t1]
                        if saving > tolerance:
                            join(route, t1, t2, t3, t4, t5, t6)
                            return saving
    return 0.0


@kernel(types.void(ROUTE, INT, INT, INT, INT, INT, INT, BOOL))
def insert(route: Any, p: Index, first: Index, last: Index, q: Index, v: Index, w: Index, straight: bool) -> None:
    """Move the segment first..last from between p and q to between v and w, with first adjacent to v: an Or-opt move.

    It is `straight` where the tour, followed from p along the segment, reaches v before w.
    """
    if straight:
        exchange(route, p, first, last, q)
        exchange(route, p, last, v, w)
        exchange(route, p, v, q, first)
    else:
        exchange(route, p, first, w, v)
        exchange(route, p, w, q, last)
    for city in (p, first, last, q, v, w):
        enqueue(route, city)


@kernel(FLOAT(ROUTE, COST, NEAR, INT, FLOAT))
def or_opt(route: Any, cost: Floats, near: Near, c: Index, tolerance: float) -> float:
    """Make the first improving Or-opt move of a segment that begins at city c; return what it saves, 0 for none."""
    n, counters = len(route.tour), route.counters
    for forward in (True, False):
        p, last = beside(route, c, not forward), c
        for length in range(1, min(LONGEST, n - 3) + 1):
            if length > 1:
                last = beside(route, last, forward)
            q = beside(route, last, forward)
            spare = cost[p, c] + cost[last, q] - cost[p, q]
            # Neighbours are sorted by distance: the first that saves nothing ends the list.
            for nearest in near[c]:
                v = np.int64(nearest)
                counters[3] += 2
                if spare - cost[c, v] <= tolerance:
                    break
                if ahead(route, c, v, forward) < length:
                    continue
                for straight in (True, False):
                    w = beside(route, v, forward == straight)
                    if (straight and v == p) or (not straight and v == q):
                        continue
                    saving = spare - cost[c, v] - cost[last, w] + cost[v, w]
                    counters[3] += 2
                    if saving > tolerance:
                        insert(route, p, c, last, q, v, w, straight)
                        return saving
    return 0.0


@kernel(FLOAT(ROUTE, COST, NEAR, FLOAT))
def examine(route: Any, cost: Floats, near: Near, tolerance: float) -> float:
    """Make the first improving move of the city that has been queued longest; return what it saves, 0 for none."""
    c = dequeue(route)
    saving = three_opt(route, cost, near, c, tolerance)
    return saving if saving != 0.0 else or_opt(route, cost, near, c, tolerance)


@kernel(FLOAT(ROUTE, COST, NEAR, FLOAT, FLOAT, INT))
def optimise_for(route: Any, cost: Floats, near: Near, tolerance: float, saving: float, cities: int) -> float:
    """Examine at most `cities` queued cities, and return `saving` and all savings added up, one after another.

    The sum is the same wherever a search pauses, if it goes on with what was returned.
    """
    # counters[2] is the length of the queue.
    while route.counters[2] and cities > 0:
        saving += examine(route, cost, near, tolerance)
        cities -= 1
    return saving


@kernel(FLOAT(ROUTE, COST, NEAR, FLOAT))
def optimise(route: Any, cost: Floats, near: Near, tolerance: float) -> float:
    """Examine queued cities until none is left and return the total saving."""
    return optimise_for(route, cost, near, tolerance, 0.0, sys.maxsize)


@kernel(types.void(ROUTE, INTS))
def load(route: Any, tour: Ints) -> None:
    """Set the route to a tour."""
    for at in range(len(tour)):
        route.tour[at] = tour[at]
        route.position[tour[at]] = at


@kernel(types.void(ROUTE, INTS))
def begin_from(route: Any, tour: Ints) -> None:
    """Set the route to a tour, and queue its cities, and no others."""
    # Only the flags are cleared: the ring itself may hold anything.
    while route.counters[2]:
        dequeue(route)
    load(route, tour)
    for at in range(len(tour)):
        enqueue(route, tour[at])


@kernel(types.void(INT_ROWS, ROUTE, COST, NEAR, FLOAT, INTS, INT))
def improve(tours: Ints, route: Any, cost: Floats, near: Near, tolerance: float, at: Ints, passes: int) -> None:
    """Improve whole tours to local optima, one after another, overwriting them.

    Args:
        tours: the tours.
        route: the tour that is improved; it counts the looks.
        cost: the cost of every edge.
        near: the nearest neighbours of each city.
        tolerance: the smallest saving that counts as an improvement.
        at: the number of the tour that is improved, BEGIN before its first pass, unused, and the passes so far.
        passes: the passes to make; each examines as many queued cities as the tour has.
    """
    while at[0] < len(tours) and passes > 0:
        if at[1] == BEGIN:
            begin_from(route, tours[at[0]])
            at[1] = 0
        optimise_for(route, cost, near, tolerance, 0.0, len(route.tour))
        copy(route.tour, tours[at[0]])
        if not route.counters[2]:
            at[0], at[1] = at[0] + 1, BEGIN
        at[3] += 1
        passes -= 1
