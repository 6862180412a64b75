"""Tours improved by 2-opt and Or-opt moves with neighbour lists; don't-look bits are a queue of the cities to look at.

Bentley, J. 1992. Fast algorithms for geometric traveling salesman problems. ORSA Journal on Computing 4(4).
A tour is a row of cities and `place` says where each stands. Costs are the same both ways. `ends` are the queue's head,
its tail, its length, and the looks so far.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import njit

from swarmkit.kernels import Index
from swarmkit.pairwise import Floats, Ints
from swarmkit.tour import Near

LONGEST = 3
"""The longest stretch that Or-opt moves."""


@njit("int64(int64[::1], int64[::1], int64)", cache=True, inline="always")
def after(tour: Ints, place: Ints, city: Index) -> Any:
    """Give the city that follows."""
    at = place[city] + 1
    return tour[at] if at < len(tour) else tour[0]


@njit("int64(int64[::1], int64[::1], int64)", cache=True, inline="always")
def before(tour: Ints, place: Ints, city: Index) -> Any:
    """Give the city that comes before."""
    return tour[place[city] - 1]


@njit("int64(int64[::1], int64[::1], int64, boolean)", cache=True, inline="always")
def beside(tour: Ints, place: Ints, city: Index, forward: bool) -> Any:
    """Give the next city in one direction."""
    return after(tour, place, city) if forward else before(tour, place, city)


@njit("void(int64[::1], int64[::1], int64, int64)", cache=True)
def reverse(tour: Ints, place: Ints, first: Index, last: Index) -> None:
    """Reverse the way from one city on to another, or all the rest, which makes the same tour, if that is shorter."""
    n = len(tour)
    i: Index = place[first]
    j: Index = place[last]
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


@njit("void(int64[::1], int64[::1], int64, int64, int64, int64)", cache=True)
def exchange(tour: Ints, place: Ints, a: Index, b: Index, c: Index, d: Index) -> None:
    """Replace the edges ab and cd by ac and bd, whichever way the tour runs."""
    if after(tour, place, a) == b:
        reverse(tour, place, b, c)
    else:
        reverse(tour, place, a, d)


@njit("void(int64[::1], int64[::1], int64, int64, int64, int64, int64, int64, boolean)", cache=True)
def insert(
    tour: Ints, place: Ints, p: Index, first: Index, last: Index, q: Index, v: Index, w: Index, straight: bool
) -> None:
    """Move the stretch first..last from between p and q to between v and w, with first beside v.

    It is `straight` where the tour, followed from p over the stretch, comes to v before w.
    """
    if straight:
        exchange(tour, place, p, first, last, q)
        exchange(tour, place, p, last, v, w)
        exchange(tour, place, p, v, q, first)
    else:
        exchange(tour, place, p, first, w, v)
        exchange(tour, place, p, w, q, last)


@njit("void(int64[::1], int64[::1], boolean[::1], int64)", cache=True, inline="always")
def enqueue(queue: Ints, ends: Ints, waiting: Any, city: Index) -> None:
    """Let a city wait to be looked at, once."""
    if not waiting[city]:
        waiting[city] = True
        queue[ends[1]] = city
        ends[1] = ends[1] + 1 if ends[1] + 1 < len(queue) else 0
        ends[2] += 1


@njit("int64(int64[::1], int64[::1], boolean[::1])", cache=True, inline="always")
def dequeue(queue: Ints, ends: Ints, waiting: Any) -> Any:
    """Take the city that has waited longest."""
    city = queue[ends[0]]
    ends[0] = ends[0] + 1 if ends[0] + 1 < len(queue) else 0
    ends[2] -= 1
    waiting[city] = False
    return city


@njit(
    "float64(int64[::1], int64[::1], float64[:, ::1], int32[:, ::1], int64, float64, int64[::1], int64[::1], "
    "boolean[::1])",
    cache=True,
)
def two_opt(
    tour: Ints,
    place: Ints,
    cost: Floats,
    near: Near,
    c: Index,
    least: float,
    queue: Ints,
    ends: Ints,
    waiting: Any,
) -> float:
    """Make the first 2-opt move that joins a city to one of its nearest and shortens the tour; give what it saves."""
    for forward in (True, False):
        s = beside(tour, place, c, forward)
        for nearest in near[c]:
            v = np.int64(nearest)
            ends[3] += 2
            spare = cost[c, s] - cost[c, v]
            if spare <= least:
                break
            t = beside(tour, place, v, forward)
            saved = spare + cost[v, t] - cost[s, t]
            if saved > least:
                exchange(tour, place, c, s, v, t)
                for city in (c, s, v, t):
                    enqueue(queue, ends, waiting, city)
                return saved
    return 0.0


@njit(
    "float64(int64[::1], int64[::1], float64[:, ::1], int32[:, ::1], int64, float64, int64[::1], int64[::1], "
    "boolean[::1])",
    cache=True,
)
def or_opt(
    tour: Ints,
    place: Ints,
    cost: Floats,
    near: Near,
    c: Index,
    least: float,
    queue: Ints,
    ends: Ints,
    waiting: Any,
) -> float:
    """Make the first Or-opt move that puts a stretch ending in a city beside one of its nearest and saves."""
    n = len(tour)
    for forward in (True, False):
        p = beside(tour, place, c, not forward)
        last = c
        for length in range(1, min(LONGEST, n - 3) + 1):
            if length > 1:
                last = beside(tour, place, last, forward)
            q = beside(tour, place, last, forward)
            spare = cost[p, c] + cost[last, q] - cost[p, q]
            for nearest in near[c]:
                v = np.int64(nearest)
                ends[3] += 2
                if spare - cost[c, v] <= least:
                    break
                away = place[v] - place[c] if forward else place[c] - place[v]
                if (away if away >= 0 else away + n) < length:
                    continue
                for straight in (True, False):
                    w = beside(tour, place, v, forward == straight)
                    if (straight and v == p) or (not straight and v == q):
                        continue
                    saved = spare - cost[c, v] - cost[last, w] + cost[v, w]
                    ends[3] += 2
                    if saved > least:
                        insert(tour, place, p, c, last, q, v, w, straight)
                        for city in (p, c, last, q, v, w):
                            enqueue(queue, ends, waiting, city)
                        return saved
    return 0.0


@njit(
    "float64(int64[::1], int64[::1], float64[:, ::1], int32[:, ::1], float64, int64[::1], int64[::1], boolean[::1])",
    cache=True,
)
def settle(
    tour: Ints,
    place: Ints,
    cost: Floats,
    near: Near,
    least: float,
    queue: Ints,
    ends: Ints,
    waiting: Any,
) -> float:
    """Improve until no city waits; give what was saved. `least` keeps rounding from looking like an improvement."""
    total = 0.0
    while ends[2]:
        c = dequeue(queue, ends, waiting)
        saved = two_opt(tour, place, cost, near, c, least, queue, ends, waiting)
        if saved == 0.0:
            saved = or_opt(tour, place, cost, near, c, least, queue, ends, waiting)
        total += saved
    return total


@njit("int64(int64[:, ::1], float64[:, ::1], int32[:, ::1], float64)", cache=True)
def improve(tours: Ints, cost: Floats, near: Near, least: float) -> Any:
    """Improve whole tours, in place, until no move betters any of them; give the looks it took."""
    n = tours.shape[1]
    place, queue, ends = np.empty(n, np.int64), np.empty(n, np.int64), np.zeros(4, np.int64)
    waiting = np.zeros(n, np.bool_)
    for row in range(len(tours)):
        tour = tours[row]
        for at in range(n):
            place[tour[at]] = at
        for at in range(n):
            enqueue(queue, ends, waiting, tour[at])
        settle(tour, place, cost, near, least, queue, ends, waiting)
    return ends[3]
