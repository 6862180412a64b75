"""Tours improved by 2-opt, 3-opt and Or-opt moves with neighbour lists; don't-look bits are a queue of cities.

Bentley, J. 1992. Fast algorithms for geometric traveling salesman problems. ORSA Journal on Computing 4(4).
Lin, S. and Kernighan, B. 1973. An effective heuristic algorithm for the traveling-salesman problem. Operations
Research 21(2).

Costs are the same both ways. `least` keeps rounding from looking like an improvement.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numba import types

from swarmkit.kernels import Index
from swarmkit.kernels.compiling import BOOL, COST, FLOAT, INT, INT_ROWS, INTS, NEAR, Floats, Ints, kernel
from swarmkit.tour import Near

LONGEST = 3
"""The longest stretch that Or-opt moves."""


class Route(NamedTuple):
    """A tour as a row of cities, where each stands, and the cities that wait to be looked at, once each.

    `ends` are the queue's head, its tail, its length, and the looks so far.
    """

    tour: Ints
    place: Ints
    queue: Ints
    waiting: Any
    ends: Ints


def new_route(n: int) -> Route:
    """Make an empty one, with nobody waiting."""
    tour, place, queue = np.empty((3, n), np.int64)
    return Route(tour, place, queue, np.zeros(n, np.bool_), np.zeros(4, np.int64))


ROUTE = types.NamedTuple((INTS, INTS, INTS, BOOL[::1], INTS), Route)


@kernel(INT(ROUTE, INT), inline=True)
def after(route: Any, city: Index) -> Any:
    """Give the city that follows."""
    at = route.place[city] + 1
    return route.tour[at] if at < len(route.tour) else route.tour[0]


@kernel(INT(ROUTE, INT), inline=True)
def before(route: Any, city: Index) -> Any:
    """Give the city that comes before."""
    return route.tour[route.place[city] - 1]


@kernel(INT(ROUTE, INT, BOOL), inline=True)
def beside(route: Any, city: Index, forward: bool) -> Any:
    """Give the next city in one direction."""
    return after(route, city) if forward else before(route, city)


@kernel(INT(ROUTE, INT, INT, BOOL), inline=True)
def ahead(route: Any, start: Index, city: Index, forward: bool) -> Any:
    """Count the steps from one city to another in one direction."""
    place = route.place
    steps = place[city] - place[start] if forward else place[start] - place[city]
    return steps if steps >= 0 else steps + len(place)


@kernel(types.void(ROUTE, INT, INT))
def reverse(route: Any, first: Index, last: Index) -> None:
    """Reverse the way from one city on to another, or all the rest, which makes the same tour, if that is shorter."""
    tour, place = route.tour, route.place
    n, i, j = len(tour), place[first], place[last]
    length = j - i + 1 if j >= i else j - i + 1 + n
    if 2 * length > n:
        i, j, length = j + 1, i - 1, n - length
        i = i if i < n else 0
        j = j if j >= 0 else n - 1
    for _ in range(length // 2):
        a, b = tour[i], tour[j]
        tour[i], place[b] = b, i
        tour[j], place[a] = a, j
        i = i + 1 if i + 1 < n else 0
        j = j - 1 if j > 0 else n - 1


@kernel(types.void(ROUTE, INT, INT, INT, INT))
def exchange(route: Any, a: Index, b: Index, c: Index, d: Index) -> None:
    """Replace the edges ab and cd by ac and bd, whichever way the tour runs."""
    if after(route, a) == b:
        reverse(route, b, c)
    else:
        reverse(route, a, d)


@kernel(types.void(ROUTE, INT), inline=True)
def enqueue(route: Any, city: Index) -> None:
    """Let a city wait to be looked at, once."""
    if not route.waiting[city]:
        queue, ends = route.queue, route.ends
        route.waiting[city] = True
        queue[ends[1]] = city
        ends[1] = ends[1] + 1 if ends[1] + 1 < len(queue) else 0
        ends[2] += 1


@kernel(INT(ROUTE), inline=True)
def dequeue(route: Any) -> Any:
    """Take the city that has waited longest."""
    queue, ends = route.queue, route.ends
    city = queue[ends[0]]
    ends[0] = ends[0] + 1 if ends[0] + 1 < len(queue) else 0
    ends[2] -= 1
    route.waiting[city] = False
    return city


@kernel(types.void(ROUTE, INT, INT, INT, INT, INT, INT))
def join(route: Any, t1: Index, t2: Index, t3: Index, t4: Index, t5: Index, t6: Index) -> None:
    """Replace the edges t1-t2, t3-t4 and t5-t6 by t2-t3, t4-t5 and t6-t1, whichever tour that makes.

    Followed from t1 to t2, the tour meets t4 and t3 side by side, and t5 and t6 where they can be joined.
    """
    forward = after(route, t1) == t2
    if beside(route, t4, forward) == t3:  # t4 comes first: a 2-opt move, and another
        exchange(route, t1, t2, t4, t3)
        exchange(route, t1, t4, t6, t5)
    elif beside(route, t6, forward) == t5:  # two stretches, each turned around
        exchange(route, t1, t2, t6, t5)
        exchange(route, t2, t5, t3, t4)
    else:  # two stretches change places
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
def three_opt(route: Any, cost: Floats, near: Near, t1: Index, least: float) -> float:
    """Make the first 2-opt or 3-opt move that starts at a city and shortens the tour; give what it saves.

    t2 is beside t1, t3 near t2 and t4 beside t3, and so on; the last new edge closes the tour. What is saved on the way
    stays above 0. In the direction from t1 to t2, a t4 before t3 can be closed at once; a t4 behind it
    leaves a cycle from t2 to t3, so that t5 has to be there.
    """
    looks = route.ends
    for forward in (True, False):
        t2 = beside(route, t1, forward)
        for third in near[t2]:
            t3 = np.int64(third)
            looks[3] += 2
            first = cost[t1, t2] - cost[t2, t3]
            if first <= least:
                break
            k = ahead(route, t2, t3, forward)
            for behind in (False, True):
                t4 = beside(route, t3, forward == behind)
                if t4 == t2:
                    continue
                second = first + cost[t3, t4]
                if not behind and second - cost[t4, t1] > least:
                    cross(route, t1, t2, t3, t4)
                    return second - cost[t4, t1]
                for fifth in near[t4]:
                    t5 = np.int64(fifth)
                    looks[3] += 3
                    if second - cost[t4, t5] <= least:
                        break
                    m = ahead(route, t2, t5, forward)
                    for onward in (True, False):  # t6 behind t5, or before it
                        inside = m < k if onward else 0 < m <= k
                        if not (inside if behind else (m < k - 2 if onward else m > k)):
                            continue
                        t6 = beside(route, t5, forward == onward)
                        saved = second - cost[t4, t5] + cost[t5, t6] - cost[t6, t1]
                        if saved > least:
                            join(route, t1, t2, t3, t4, t5, t6)
                            return saved
    return 0.0


@kernel(types.void(ROUTE, INT, INT, INT, INT, INT, INT, BOOL))
def insert(route: Any, p: Index, first: Index, last: Index, q: Index, v: Index, w: Index, straight: bool) -> None:
    """Move the stretch first..last from between p and q to between v and w, with first beside v.

    It is `straight` where the tour, followed from p over the stretch, comes to v before w.
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
def or_opt(route: Any, cost: Floats, near: Near, c: Index, least: float) -> float:
    """Make the first Or-opt move that puts a stretch ending in a city beside one of its nearest and saves."""
    n, looks = len(route.tour), route.ends
    for forward in (True, False):
        p, last = beside(route, c, not forward), c
        for length in range(1, min(LONGEST, n - 3) + 1):
            if length > 1:
                last = beside(route, last, forward)
            q = beside(route, last, forward)
            spare = cost[p, c] + cost[last, q] - cost[p, q]
            for nearest in near[c]:
                v = np.int64(nearest)
                looks[3] += 2
                if spare - cost[c, v] <= least:
                    break
                if ahead(route, c, v, forward) < length:
                    continue
                for straight in (True, False):
                    w = beside(route, v, forward == straight)
                    if (straight and v == p) or (not straight and v == q):
                        continue
                    saved = spare - cost[c, v] - cost[last, w] + cost[v, w]
                    looks[3] += 2
                    if saved > least:
                        insert(route, p, c, last, q, v, w, straight)
                        return saved
    return 0.0


@kernel(FLOAT(ROUTE, COST, NEAR, FLOAT))
def settle(route: Any, cost: Floats, near: Near, least: float) -> float:
    """Improve until no city waits; give what was saved."""
    total = 0.0
    while route.ends[2]:
        c = dequeue(route)
        saved = three_opt(route, cost, near, c, least)
        if saved == 0.0:
            saved = or_opt(route, cost, near, c, least)
        total += saved
    return total


@kernel(types.void(INT_ROWS, ROUTE, COST, NEAR, FLOAT))
def improve(tours: Ints, route: Any, cost: Floats, near: Near, least: float) -> None:
    """Improve whole tours, in place, until no move betters any of them; the route is room to work in."""
    n = tours.shape[1]
    for row in range(len(tours)):
        for at in range(n):
            route.tour[at] = tours[row, at]
            route.place[tours[row, at]] = at
        for at in range(n):
            enqueue(route, tours[row, at])
        settle(route, cost, near, least)
        for at in range(n):
            tours[row, at] = route.tour[at]
