"""Tours as lists: the plain twins of the kernels that improve tours, move for move and city for city.

Sets of edges say which tour a move leads to; the order of the list follows from the exchanges that the kernels make.
"""

import numpy as np

from swarmkit.contract.structure import Tour


def exact_tour(n, seed):
    """Distances are whole numbers of 1/1024: sums of them are exact, whatever the order."""
    points = np.random.default_rng(seed).random((n, 2))
    return Tour(np.arange(n), np.rint(1024 * np.hypot(*(points[:, None] - points[None]).transpose(2, 0, 1))) / 1024)


def edges_of(way):
    """The edges of a tour, in either direction."""
    return {frozenset((int(a), int(b))) for a, b in zip(way, np.roll(way, -1), strict=True)}


def is_tour(edges, n):
    """Whether edges form one cycle through all cities."""
    beside = [[] for _ in range(n)]
    for edge in edges:
        for city in edge:
            beside[city] += edge - {city}
    if any(len(others) != 2 for others in beside):
        return False
    before, city, met = None, 0, 0
    while city != 0 or met == 0:
        before, city = city, next(other for other in beside[city] if other != before)
        met += 1
    return met == n


class PlainRoute:
    """The twin of `tour_moves.Route`: the cities in order, the queue of those to examine, and the looks so far."""

    def __init__(self, way, queue=()):
        self.way, self.queue, self.looks = [int(city) for city in way], list(queue), 0

    def beside(self, city, steps=1):
        """The city a number of steps on, or back if it is negative."""
        return self.way[(self.way.index(city) + steps) % len(self.way)]

    def enqueue(self, *cities):
        self.queue += [city for city in dict.fromkeys(cities) if city not in self.queue]

    def exchange(self, a, b, c, d):
        """Replace ab and cd by ac and bd: reverse what lies between, or all the rest if that is shorter."""
        first, last = (b, c) if self.beside(a) == b else (a, d)
        n, begin = len(self.way), self.way.index(first)
        length = (self.way.index(last) - begin) % n + 1
        if 2 * length > n:
            begin, length = begin + length, n - length
        places = [(begin + k) % n for k in range(length)]
        turned = [self.way[place] for place in reversed(places)]
        for place, city in zip(places, turned, strict=True):
            self.way[place] = city

    def replaced(self, gone, new):
        """The edges once some are replaced by others."""
        return edges_of(self.way) - set(map(frozenset, gone)) | set(map(frozenset, new))

    def replace(self, gone, new, *exchanges):
        """Replace edges, by exchanges that must lead there."""
        expected = self.replaced(gone, new)
        for exchange in exchanges:
            self.exchange(*exchange)
        assert edges_of(self.way) == expected

    def cross(self, t1, t2, t3, t4):
        self.replace([(t1, t2), (t3, t4)], [(t2, t3), (t4, t1)], (t1, t2, t4, t3))
        self.enqueue(t1, t2, t3, t4)

    def join(self, t1, t2, t3, t4, t5, t6):
        step = 1 if self.beside(t1) == t2 else -1
        if self.beside(t4, step) == t3:
            exchanges = (t1, t2, t4, t3), (t1, t4, t6, t5)
        elif self.beside(t6, step) == t5:
            exchanges = (t1, t2, t6, t5), (t2, t5, t3, t4)
        else:
            exchanges = (t1, t2, t3, t4), (t1, t3, t6, t5), (t3, t5, t2, t4)
        self.replace([(t1, t2), (t3, t4), (t5, t6)], [(t2, t3), (t4, t5), (t6, t1)], *exchanges)
        self.enqueue(t1, t2, t3, t4, t5, t6)

    def insert(self, p, first, last, q, v, w, straight):
        if straight:
            exchanges = (p, first, last, q), (p, last, v, w), (p, v, q, first)
        else:
            exchanges = (p, first, w, v), (p, w, q, last)
        self.replace([(p, first), (last, q), (v, w)], [(p, q), (first, v), (last, w)], *exchanges)
        self.enqueue(p, first, last, q, v, w)

    def three_opt(self, tour, near, t1):
        """Make the first improving 2-opt or 3-opt move from a city; return what it saves."""
        for saved, cities in self.chains(tour, near, t1):
            if saved > tour.tolerance:
                self.cross(*cities) if len(cities) == 4 else self.join(*cities)
                return saved
        return 0.0

    def chains(self, tour, near, t1):
        """Every 2-opt and 3-opt move from t1 to near cities whose partial savings are positive."""
        cost, n = tour.cost, len(self.way)
        for step in (1, -1):
            t2 = self.beside(t1, step)
            for t3 in near[t2].tolist():
                self.looks += 2
                first = cost[t1, t2] - cost[t2, t3]
                if first <= tour.tolerance:
                    break
                for t4 in (self.beside(t3, -step), self.beside(t3, step)):
                    if t4 == t2:
                        continue
                    second = first + cost[t3, t4]
                    gone, new = [(t1, t2), (t3, t4)], [(t2, t3)]
                    if is_tour(self.replaced(gone, [*new, (t4, t1)]), n):
                        yield second - cost[t4, t1], (t1, t2, t3, t4)
                    for t5 in near[t4].tolist():
                        self.looks += 3
                        third = second - cost[t4, t5]
                        if third <= tour.tolerance:
                            break
                        for t6 in (self.beside(t5, step), self.beside(t5, -step)):
                            if {t5, t6} not in map(set, gone) and is_tour(
                                self.replaced([*gone, (t5, t6)], [*new, (t4, t5), (t6, t1)]), n
                            ):
                                yield third + cost[t5, t6] - cost[t6, t1], (t1, t2, t3, t4, t5, t6)

    def or_opt(self, tour, near, c):
        """Make the first improving move that puts a segment with c at its end beside one of the cities nearest to c."""
        for saved, move in self.segments(tour, near, c):
            if saved > tour.tolerance:
                self.insert(*move)
                return saved
        return 0.0

    def segments(self, tour, near, c):
        """Every move of up to three cities in a row, c at their end, to where c is adjacent to one of its nearest."""
        cost = tour.cost
        for step in (1, -1):
            for length in range(1, min(3, len(self.way) - 3) + 1):
                segment = [self.beside(c, step * k) for k in range(length)]
                p, last, q = self.beside(c, -step), segment[-1], self.beside(c, step * length)
                spare = cost[p, c] + cost[last, q] - cost[p, q]
                for v in near[c].tolist():
                    self.looks += 2
                    if spare - cost[c, v] <= tour.tolerance:
                        break
                    for straight in (True, False):
                        w = self.beside(v, step if straight else -step)
                        if v not in segment and w not in segment:
                            self.looks += 2
                            saved = spare - cost[c, v] - cost[last, w] + cost[v, w]
                            yield saved, (p, c, last, q, v, w, straight)

    def optimise(self, tour, near):
        """Examine queued cities until none is left; return the total saving."""
        total = 0.0
        while self.queue:
            city = self.queue.pop(0)
            total += self.three_opt(tour, near, city) or self.or_opt(tour, near, city)
        return total
