"""The shape of routes and schedules: items in ordered lists, as plain data that is checked when it is made.

A solution is a permutation of the items and of separators: candidates 0 to n - 1 are the items, the others separate
one list from the next. Where items are optional, those behind the last separator are left out.

>>> Lists(items=4, count=2).lists(np.array([2, 0, 4, 1, 3]))
[[2, 0], [1, 3]]
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from swarmkit.contract.arrays import Bools, Floats, Ints, Solutions
from swarmkit.contract.errors import ProblemError
from swarmkit.contract.routes import RouteData, Routes, make_routes
from swarmkit.contract.schedule import Schedule, make_schedule


class Lists:
    """Items in ordered lists; what is declared beside their numbers makes them routes, or schedules.

    Routes have `arcs` or `points`: their data have a row for each node, which is an item or a depot. Schedules have a
    `duration` for each item; lists are then machines.

    Args:
        items: the number of items; of routes and schedules it follows from the data.
        count: the number of lists. By default routes have as many as can be needed, schedules one for each machine.
        optional: which items (of routes also: nodes) may be left out: all, none, or a truth value for each.
        names: what answers and messages call each item; of routes each node.
        list_names: what answers call each list.
        arcs: the cost of the arc from each node (row) to each node.
        points: two coordinates for each node, in place of `arcs`.
        metric: `euclidean`, `rounded` (EUC_2D), `ceiling` (CEIL_2D), or `sphere` (kilometres; x is the longitude).
        depots: the nodes that are no items.
        starts: the depot at which each list starts, -1 for none; by default the only one.
        ends: the depot at which each list ends; by default that at which it starts.
        amount: what each node adds to the load of its list.
        capacity: the largest load, of all lists or of each.
        windows: the earliest and the latest time at which service begins, for each node.
        service: how long service takes at each node.
        pace: the time that a unit of arc cost takes.
        prize: what a visit takes off the cost.
        home: the machine of each item, or the machines that can do it; by default any.
        duration: the time that each item takes, or the time on each of its machines.
        after: for each item the one that ends before it begins, or several, or None.

    Raises:
        ProblemError: data that contradict each other, or that no solution can keep, with the name of the item.
    """

    routes: Routes | None = None
    """What is declared of routes."""
    schedule: Schedule | None = None
    """What is declared of schedules."""

    def __init__(
        self,
        items: int | None = None,
        count: int | None = None,
        *,
        optional: ArrayLike = False,
        names: Sequence[str] = (),
        list_names: Sequence[str] = (),
        arcs: ArrayLike | None = None,
        points: ArrayLike | None = None,
        metric: str = "euclidean",
        depots: Sequence[int] = (0,),
        starts: ArrayLike | None = None,
        ends: ArrayLike | None = None,
        amount: ArrayLike | None = None,
        capacity: ArrayLike | None = None,
        windows: ArrayLike | None = None,
        service: ArrayLike | None = None,
        pace: float = 1.0,
        prize: ArrayLike | None = None,
        home: Any = None,
        duration: Any = None,
        after: Any = None,
    ) -> None:
        if count is not None and count < 1:
            raise ProblemError(f"{count} lists; expected at least one")
        rules: Routes | Schedule | None = None
        if arcs is not None or points is not None:
            m = len(np.asarray(points if arcs is None else arcs))
            n = m - len(set(depots))
            # A value for each node, as the other data of routes have, or one for each item.
            marks = np.asarray(optional)
            self.required = _required(np.delete(marks, list(depots)) if marks.shape == (m,) else marks, n)
            data = RouteData(arcs, points, metric, depots, starts, ends)
            data = data._replace(amount=amount, capacity=capacity, windows=windows, service=service)
            self.routes = rules = make_routes(count, self.required, names, data._replace(pace=pace, prize=prize))
            count, self.names = len(self.routes.starts), tuple(self.routes.names[node] for node in self.routes.nodes)
        elif duration is not None:
            self.schedule = rules = make_schedule(count, home=home, duration=duration, after=after, names=names)
            (n, count), self.names = self.schedule.durations.shape, self.schedule.names
            self.required = _required(False, n)
        else:
            n = items or 0
            self.required, self.names = _required(optional, n), tuple(names) or tuple(map(str, range(n)))
        if items not in (None, n) or len(self.names) != n:
            raise ProblemError(f"{n if rules else len(self.names)} items in the data, {items} said; expected as many")
        self.items, self.count = n, count or 1
        self.list_names = tuple(list_names) or tuple(str(r + 1) for r in range(self.count))
        if len(self.list_names) != self.count:
            raise ProblemError(f"{len(self.list_names)} names of lists; expected {self.count}, one for each list")

    @property
    def declared(self) -> bool:
        """Whether costs follow from the data, so that no score is needed."""
        return self.routes is not None or self.schedule is not None

    @cached_property
    def sizes(self) -> Ints:
        """The candidates at each stage: a stage for each item and separator, which each takes a different one of."""
        n = self.items + self.count - bool(self.required.all())
        return np.full(n, n)

    def segments(self, x: Solutions) -> list[Ints]:
        """Return the items between the separators of a solution; the last are left out where items are optional."""
        cuts = np.flatnonzero(x >= self.items)
        return [part[part < self.items] for part in np.split(np.asarray(x), cuts)]

    def lists(self, x: Solutions) -> list[list[int]]:
        """Return the items of each list in order; of routes and schedules those that keep the rules."""
        return self.decode(x)[0]

    def decode(self, x: Solutions) -> tuple[list[list[int]], list[int]]:
        """Return the items of each list, and those that are left out.

        Where a list of routes breaks a capacity or a window, or lists of a schedule contradict each other, items move
        by a fixed rule (`Routes.place`, `Schedule.plan`): so a permutation is nearly always a solution.

        Args:
            x: a solution.
        """
        segments = self.segments(x)
        if self.routes is not None:
            return self.routes.place([part.tolist() for part in segments], self.required)
        if self.schedule is not None:
            return self.schedule.plan([part.tolist() for part in segments]).lists, []
        left = [int(item) for part in segments[self.count :] for item in part]
        return [part.tolist() for part in segments[: self.count]], left

    def encode(self, lists: Sequence[Sequence[int]]) -> Solutions:
        """Return lists as a solution; items in none of them are left out, or go to the end of the last list.

        Args:
            lists: the items of each list in order; the last ones may be missing.

        Raises:
            ProblemError: an item occurs twice or does not exist, or there are too many lists.
        """
        parts = [[int(item) for item in part] for part in lists]
        items = [item for part in parts for item in part]
        if len(parts) > self.count or len(set(items)) < len(items) or not set(items) <= set(range(self.items)):
            raise ProblemError(f"expected at most {self.count} lists with items 0 to {self.items - 1}, each once")
        parts += [[] for _ in range(len(self.sizes) - self.items + 1 - len(parts))]
        parts[-1] += sorted(set(range(self.items)) - set(items))
        x = list(parts[0])
        for number, part in enumerate(parts[1:]):
            x += [self.items + number, *part]
        return np.array(x, np.int64)

    def costs(self, X: Solutions) -> Floats:
        """Return the cost of each solution, a row of X, by what is declared."""
        return np.array([self._cost(x) for x in X], np.float64)

    def _cost(self, x: Solutions) -> float:
        if self.schedule is not None:
            return float(self.schedule.plan([part.tolist() for part in self.segments(x)]).end.max(initial=0.0))
        assert self.routes is not None  # noqa: S101  (others have a score of their own)
        return self.routes.cost(self.lists(x))

    def feasible(self, X: Solutions) -> Bools:
        """Return which rows are permutations whose lists leave out no required item."""
        whole = (np.sort(X, axis=1) == np.arange(len(self.sizes))).all(axis=1)
        return np.array(
            [ok and not self.required[self.decode(x)[1]].any() for ok, x in zip(whole, X, strict=True)], bool
        )


def _required(optional: ArrayLike, n: int) -> Bools:
    """Return which of n items may not be left out."""
    marks = np.asarray(optional, bool)
    if marks.ndim and marks.shape != (n,):
        raise ProblemError(f"optional: {marks.size} truth values for {n} items; expected one for each")
    return np.array(np.broadcast_to(~marks, n))
