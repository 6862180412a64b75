"""Routes as data: the cost of arcs, amounts and capacities, time windows, places where lists start and end.

A *node* is a row of `arcs` or `points`: an item, or a depot at which lists start and end.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np

from swarmkit.contract.arrays import Bools, Floats, Ints
from swarmkit.contract.errors import ProblemError

OPEN = -1
"""In place of a node: a list that starts, or ends, wherever its first, or last, item is."""

EARTH_RADIUS = 6371.0088
"""Kilometres: the mean radius of the earth (IUGG)."""


def _straight(a: Floats, b: Floats) -> Floats:
    return np.asarray(np.sqrt(np.square(a[..., 0] - b[..., 0]) + np.square(a[..., 1] - b[..., 1])))


def _on_sphere(a: Floats, b: Floats) -> Floats:
    """Return kilometres between longitudes and latitudes in degrees (haversine)."""
    (long_a, lat_a), (long_b, lat_b) = (np.moveaxis(np.radians(side), -1, 0) for side in (a, b))
    up, across = np.sin((lat_a - lat_b) / 2.0), np.sin((long_a - long_b) / 2.0)
    half = up * up + np.cos(lat_a) * np.cos(lat_b) * (across * across)
    return np.asarray(2.0 * EARTH_RADIUS * np.arcsin(np.sqrt(np.clip(half, 0.0, 1.0))))


METRICS: dict[str, Callable[[Floats, Floats], Floats]] = {
    "euclidean": _straight,
    "rounded": lambda a, b: np.floor(_straight(a, b) + 0.5),
    "ceiling": lambda a, b: np.ceil(_straight(a, b)),
    "sphere": _on_sphere,
}
"""The cost of an arc between two points: exact, to the nearest integer (TSPLIB's EUC_2D), rounded up (CEIL_2D), or
kilometres between points of longitude and latitude."""


@dataclass(frozen=True, eq=False)
class Routes:
    """The rules of routes; `Lists` makes and checks them."""

    nodes: Ints
    """The node of each item."""
    names: tuple[str, ...]
    """The name of each node."""
    matrix: Floats | None
    """The cost of the arc from each node (row) to each node; None where it is computed from points."""
    points: Floats | None
    """The coordinates of the nodes, x and y (or longitude and latitude)."""
    metric: str
    starts: Ints
    """The node at which each list starts, or OPEN."""
    ends: Ints
    """The node at which each list ends, or OPEN."""
    amounts: Floats
    """What each node adds to the load of a list."""
    capacities: Floats
    """The largest load of each list."""
    windows: Floats
    """The earliest and the latest time at which service begins at each node; -inf and inf where it does not matter."""
    services: Floats
    """The time that service takes at each node."""
    pace: float
    """The time that a unit of arc cost takes."""
    prizes: Floats
    """What each node takes off the cost if it is visited."""

    @cached_property
    def timed(self) -> bool:
        """Whether there are time windows."""
        return bool(np.isfinite(self.windows).any())

    @property
    def limited(self) -> bool:
        """Whether there are capacities."""
        return bool(np.isfinite(self.capacities).any())

    def arcs(self, a: Any, b: Any) -> Floats:
        """Return the cost of the arcs from nodes to nodes; 0 where either is OPEN.

        Args:
            a: nodes.
            b: nodes, in an array of a shape that goes with it.
        """
        a, b = np.asarray(a), np.asarray(b)
        if self.matrix is not None:
            values = self.matrix[a, b]
        else:
            assert self.points is not None  # noqa: S101  (there is one or the other)
            values = METRICS[self.metric](self.points[a], self.points[b])
        return np.where((a == OPEN) | (b == OPEN), 0.0, values)

    def path(self, r: int, items: Sequence[int] | Ints) -> Ints:
        """Return the nodes of list r with these items, from its start to its end; only OPEN ends if it is empty.

        Args:
            r: the number of the list.
            items: its items in order.
        """
        return np.concatenate([self.starts[r : r + 1], self.nodes[np.asarray(items, np.int64)], self.ends[r : r + 1]])

    def cost(self, lists: Sequence[Sequence[int]]) -> float:
        """Return the cost of the arcs of lists that are not empty, minus the prizes of their items."""
        whole: list[int] = []
        for r, items in enumerate(lists):
            if len(items):
                # An open node behind each path: the arcs from and to it cost nothing.
                whole += [*self.path(r, items).tolist(), OPEN]
        path, visited = np.array(whole, np.int64), [int(item) for items in lists for item in items]
        return float(self.arcs(path[:-1], path[1:]).sum() - self.prizes[self.nodes[visited]].sum())

    def times(self, r: int, items: Sequence[int] | Ints) -> Floats:
        """Return when service begins at each node of a list, its start and end included.

        Args:
            r: the number of the list.
            items: its items in order.
        """
        path = self.path(r, items)
        travel = self.pace * self.arcs(path[:-1], path[1:])
        begin = np.zeros(len(path))
        begin[0] = self._earliest(int(path[0]))
        for at in range(1, len(path)):
            ready = begin[at - 1] + (0.0 if path[at - 1] == OPEN else self.services[path[at - 1]]) + travel[at - 1]
            begin[at] = ready if path[at] == OPEN else max(ready, self.windows[path[at], 0])
        return begin

    def _earliest(self, node: int) -> float:
        """Return the time at which a list that starts at a node begins."""
        return 0.0 if node == OPEN or not np.isfinite(self.windows[node, 0]) else float(self.windows[node, 0])

    def place(self, segments: Sequence[Sequence[int]], required: Bools) -> tuple[list[list[int]], list[int]]:
        """Return lists that keep the rules, and the items that none of them takes.

        Items that break the capacity or a window of their list are left out of it; then each of them that is required
        goes to the end of the first list from its own on that takes it.

        Args:
            segments: the items of each list in order, and perhaps further ones that are left out.
            required: which items may not be left out.
        """
        k = len(self.starts)
        ends = _Ends(self, self.starts.copy(), np.zeros(k), [self._departure(int(start)) for start in self.starts])
        lists: list[list[int]] = [[] for _ in range(k)]
        moved: list[tuple[int, int]] = []
        amounts = self.item_amounts
        for r, segment in enumerate(segments):
            if r < k and not self.timed and sum(amounts[item] for item in segment) <= self.most[r]:
                ends.extend(r, segment)
                lists[r] = list(segment)
                continue
            for item in segment:
                if r < k and ends.append(r, int(self.nodes[item])):
                    lists[r].append(int(item))
                else:
                    moved.append((r % k, int(item)))
        left: list[int] = []
        for r, item in moved:
            node, roomy = int(self.nodes[item]), np.zeros(0, np.int64)
            if required[item]:
                roomy = np.flatnonzero(ends.loads + self.amounts[node] <= self.most)
            target = next(
                (to for to in np.roll(roomy, -int(np.searchsorted(roomy, r))).tolist() if ends.append(to, node)), None
            )
            (left if target is None else lists[target]).append(item)
        return lists, left

    @cached_property
    def item_amounts(self) -> list[float]:
        """The amount of each item."""
        return [float(amount) for amount in self.amounts[self.nodes]]

    @cached_property
    def most(self) -> Floats:
        """The largest load of each list, with room for rounding errors."""
        return self.capacities * (1.0 + 1e-12)

    def _departure(self, start: int) -> float:
        """Return the time at which a list leaves its start."""
        return self._earliest(start) + (0.0 if start == OPEN else float(self.services[start]))


@dataclass
class _Ends:
    """The ends of lists that grow: the last node of each, its load, and when it leaves that node."""

    rules: Routes
    last: Ints
    loads: Floats
    leave: list[float]

    def extend(self, r: int, items: Sequence[int]) -> None:
        """Append items that fit to an empty list r; there are no windows."""
        self.loads[r] = sum(self.rules.item_amounts[item] for item in items)
        self.last[r] = self.rules.nodes[items[-1]] if items else self.last[r]

    def append(self, r: int, node: int) -> bool:
        """Append a node to list r if its capacity and the windows, that of its end included, allow it."""
        rules = self.rules
        if self.loads[r] + rules.amounts[node] > rules.most[r]:
            return False
        if rules.timed:
            end = int(rules.ends[r])
            to, back = rules.arcs(np.array([self.last[r], node]), np.array([node, end]))
            begin = max(self.leave[r] + rules.pace * to, rules.windows[node, 0])
            leave = begin + rules.services[node]
            late = np.inf if end == OPEN else rules.windows[end, 1]
            if begin > rules.windows[node, 1] + 1e-9 or leave + rules.pace * back > late + 1e-9:
                return False
            self.leave[r] = leave
        self.loads[r] += rules.amounts[node]
        self.last[r] = node
        return True


class RouteData(NamedTuple):
    """What `Lists` is told of routes; see there."""

    arcs: Any = None
    points: Any = None
    metric: str = "euclidean"
    depots: Sequence[int] = (0,)
    starts: Any = None
    ends: Any = None
    amount: Any = None
    capacity: Any = None
    windows: Any = None
    service: Any = None
    pace: float = 1.0
    prize: Any = None


def make_routes(count: int | None, required: Bools, names: Sequence[str], data: RouteData) -> Routes:
    """Return the rules of routes from what `Lists` was given.

    Args:
        count: the number of lists; None for as many as can be needed.
        required: which items may not be left out.
        names: the names of the nodes; none for their numbers.
        data: everything else.

    Raises:
        ProblemError: data that no plan can keep, with the name of the item.
    """
    arcs, points, metric, depots, starts, ends, amount, capacity, windows, service, pace, prize = data
    matrix = None if arcs is None else np.ascontiguousarray(arcs, np.float64)
    places = None if points is None else np.ascontiguousarray(points, np.float64)
    m = len(places if matrix is None else matrix)  # type: ignore[arg-type]  # there is one or the other
    if matrix is not None and matrix.shape != (m, m):
        raise ProblemError(f"arcs are a square matrix, a row and a column for each node; got the shape {matrix.shape}")
    if places is not None and places.shape != (m, 2):
        raise ProblemError(f"points are two coordinates for each of {m} nodes; got the shape {places.shape}")
    if metric not in METRICS:
        raise ProblemError(f"no metric '{metric}'; there are {', '.join(METRICS)}")
    called = tuple(str(name) for name in names) or tuple(str(node) for node in range(m))
    if len(called) != m:
        raise ProblemError(f"{len(called)} names for {m} nodes; expected one for each row of arcs or points")
    for what, table in (("arcs", matrix), ("points", places)):
        if table is not None and not np.isfinite(table).all():
            raise ProblemError(f"{what} of item '{called[int(np.argwhere(~np.isfinite(table))[0, 0])]}': not finite")
    for depot in depots:
        if not 0 <= depot < m:
            raise ProblemError(f"depots are rows of arcs or points, 0 to {m - 1}; got {depot}")
    nodes = np.setdiff1d(np.arange(m), np.asarray(depots, np.int64))
    amounts = _column(0.0 if amount is None else amount, m, "amount", called, least=0.0)
    services = _column(0.0 if service is None else service, m, "service", called, least=0.0)
    prizes = _column(0.0 if prize is None else prize, m, "prize", called)
    spans = np.tile([-np.inf, np.inf], (m, 1)) if windows is None else np.array(windows, np.float64)
    if spans.shape != (m, 2) or np.isnan(spans).any():
        raise ProblemError(f"windows are an earliest and a latest time for each of {m} nodes")
    if windows is not None and matrix is not None and (matrix < 0).any():
        raise ProblemError(f"arcs of item '{called[int(np.argwhere(matrix < 0)[0, 0])]}': a negative time")
    begins = _ends(starts, depots, count, "starts")
    k = len(begins) if begins is not None else count or _enough(amounts[nodes], capacity, windows is not None)
    first = np.full(k, depots[0] if len(depots) else OPEN) if begins is None else begins
    last = _ends(ends, depots, k, "ends")
    limits = np.array(np.broadcast_to(np.inf if capacity is None else np.asarray(capacity, np.float64), k))
    last = first.copy() if last is None else last
    if not 0 <= pace < np.inf:
        raise ProblemError(f"the pace is {pace:g}; expected a time for a unit of arc cost, not negative")
    rules = Routes(
        nodes, called, matrix, places, metric, first, last, amounts, limits, spans, services, float(pace), prizes
    )
    _check(rules, required)
    return rules


def _column(values: Any, m: int, what: str, names: Sequence[str], least: float = -np.inf) -> Floats:
    """Return a number for each node.

    Raises:
        ProblemError: there are more or fewer, or one is not finite or too small.
    """
    try:
        numbers = np.asarray(values, np.float64)
        column = np.array(np.broadcast_to(numbers, m))
    except (TypeError, ValueError):
        raise ProblemError(f"{what}: expected a number for each of {m} nodes, depots included; got {values}") from None
    wrong = np.flatnonzero(~np.isfinite(column) | (column < least))
    if len(wrong):
        expected = "a finite number" if least == -np.inf else "a finite number that is not negative"
        raise ProblemError(f"item '{names[wrong[0]]}': its {what} is {column[wrong[0]]:g}; expected {expected}")
    return column


def _ends(nodes: Any, depots: Sequence[int], count: int | None, what: str) -> Ints | None:
    """Return the depot at which each list starts or ends; None if it is not said and follows from one depot."""
    if nodes is None:
        if len(depots) > 1 and what == "starts":
            raise ProblemError("there are several depots: say where each list starts, as starts=[0, 0, 1]")
        return None
    row = np.array(np.broadcast_to(np.asarray(nodes, np.int64), np.shape(nodes) or (count or 1,)))
    strange = np.setdiff1d(row, [OPEN, *depots])
    if len(strange) or (count is not None and len(row) != count):
        problem = f"{strange[0]} is no depot" if len(strange) else f"{len(row)} nodes for {count} lists"
        raise ProblemError(f"{what}: {problem}; expected a depot for each list, or {OPEN} for an open end")
    return row


def _enough(amounts: Floats, capacity: Any, timed: bool) -> int:
    """Return a number of lists that surely suffices: with capacities alone, twice what fills them, and one more."""
    n = max(1, len(amounts))
    if capacity is None:
        return n if timed else 1
    if timed or np.ndim(capacity) > 0:
        return n if np.ndim(capacity) == 0 else len(capacity)
    return int(min(n, 2 * np.ceil(amounts.sum() / float(capacity)) + 1)) if float(capacity) > 0 else n


def _check(rules: Routes, required: Bools) -> None:
    """Refuse an item that no list can take, alone, with its name."""
    reversed_windows = np.flatnonzero(rules.windows[:, 0] > rules.windows[:, 1])
    if len(reversed_windows):
        node = int(reversed_windows[0])
        begin, end = rules.windows[node]
        raise ProblemError(f"item '{rules.names[node]}': its window begins at {begin:g} and ends at {end:g}, before")
    kinds = np.unique(np.column_stack([rules.starts, rules.ends, rules.capacities]), axis=0, return_index=True)[1]
    nodes = rules.nodes[required]
    total, room = float(rules.amounts[nodes].sum()), float(rules.most.sum())
    takes = np.zeros((len(kinds), len(nodes)), bool)
    in_time = np.zeros_like(takes)
    for k, r in enumerate(kinds):
        start, end = int(rules.starts[r]), int(rules.ends[r])
        begin = rules._earliest(start) + (0.0 if start == OPEN else rules.services[start])
        begin = np.maximum(begin + rules.pace * rules.arcs(start, nodes), rules.windows[nodes, 0])
        back = begin + rules.services[nodes] + rules.pace * rules.arcs(nodes, end)
        in_time[k] = (begin <= rules.windows[nodes, 1]) & (end == OPEN or back <= rules.windows[end, 1])
        takes[k] = rules.amounts[nodes] <= rules.capacities[r]
    if (heavy := np.flatnonzero(~takes.any(axis=0))).size:
        node = int(nodes[heavy[0]])
        most = rules.capacities.max()
        raise ProblemError(
            f"item '{rules.names[node]}': its amount {rules.amounts[node]:g} exceeds every capacity (at most {most:g})"
        )
    if total > room:
        raise ProblemError(f"the items that may not be left out amount to {total:g}; the capacities sum to {room:g}")
    if (late := np.flatnonzero(~(takes & in_time).any(axis=0))).size:
        node = int(nodes[late[0]])
        begin, end = rules.windows[node]
        raise ProblemError(
            f"item '{rules.names[node]}': its window {begin:g} to {end:g} cannot be met by a list of its own"
        )
