"""Lists as the variable of a model: items in ordered lists, and what is declared of them in a line each."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from swarmkit.contract.arrays import Solutions
from swarmkit.contract.errors import ProblemError
from swarmkit.contract.list_problem import ListProblem
from swarmkit.contract.lists import Lists
from swarmkit.contract.view import View


class Rule:
    """A part of the objective of lists, or a constraint on them, as data of `Lists`."""

    __array_ufunc__ = None  # numpy's arrays leave operators to this class

    def __init__(self, lists: ListsVariable, kind: str, **data: Any) -> None:
        self.lists, self.kind, self.data = lists, kind, data

    def __le__(self, capacity: ArrayLike) -> Rule:
        """Return the constraint that no load is larger."""
        if self.kind != "load":
            raise ProblemError(f"only loads of lists are compared with <=, not their {self.kind}")
        return Rule(self.lists, "constraint", capacity=capacity, **self.data)

    def __sub__(self, other: Rule) -> Rule:
        """Return the cost of arcs without the prizes of the items that are visited."""
        if self.kind != "arcs" or not isinstance(other, Rule) or other.kind != "prizes":
            raise ProblemError("only prizes are subtracted, from the arcs of lists")
        return Rule(self.lists, "arcs", **self.data, **other.data)


class ListsVariable:
    """Items in ordered lists: routes from and to depots, or machines with items to process.

    Args:
        items: the names of all nodes: items and depots.
        lists: the names of the lists, or their number; None for as many as can be needed.
        data: what `Lists` takes beside: depots, starts, ends and optional items, by name.
    """

    def __init__(self, items: Sequence[Any], lists: Sequence[Any] | int | None, data: Mapping[str, Any]) -> None:
        self.items = tuple(items)
        self._numbers = {item: number for number, item in enumerate(self.items)}
        self._lists = (
            None
            if lists is None or isinstance(lists, int | np.integer)
            else {name: number for number, name in enumerate(lists)}
        )
        count = lists if self._lists is None else len(self._lists)
        self._data: dict[str, Any] = {"count": count, "names": [str(item) for item in self.items]}
        if self._lists is not None:
            self._data["list_names"] = [str(name) for name in self._lists]
        self._data["depots"] = [self._number(depot) for depot in data["depots"]]
        for side in ("starts", "ends"):
            if data[side] is not None:
                self._data[side] = [-1 if depot is None else self._number(depot) for depot in data[side]]
        optional = data["optional"]
        if not isinstance(optional, bool):
            optional = np.isin(np.arange(len(self.items)), [self._number(item) for item in optional])
        self._data["optional"] = optional

    def arcs(
        self, costs: ArrayLike | None = None, *, points: ArrayLike | None = None, metric: str = "euclidean"
    ) -> Rule:
        """Return the cost of the arcs of all lists, for the objective.

        Args:
            costs: the cost from each item or depot (row) to each, in their order.
            points: two coordinates of each, in place of costs.
            metric: how costs follow from points, see `Lists`.
        """
        data = {"arcs": costs} if points is None else {"points": points, "metric": metric}
        return Rule(self, "arcs", **data)

    def prizes(self, prize: ArrayLike) -> Rule:
        """Return the prizes of the items that are visited: a number for each item or depot."""
        return Rule(self, "prizes", prize=prize)

    def load(self, amount: ArrayLike) -> Rule:
        """Return the load of each list, to be compared with `<=`: an amount for each item or depot."""
        return Rule(self, "load", amount=amount)

    def within(self, windows: ArrayLike, *, service: ArrayLike = 0.0, pace: float = 1.0) -> Rule:
        """Return the constraint that service begins within time windows.

        Args:
            windows: the earliest and the latest time of each item or depot.
            service: how long service takes at each.
            pace: the time that a unit of arc cost takes.
        """
        return Rule(self, "constraint", windows=windows, service=service, pace=pace)

    def makespan(self, duration: Any, on: Any = None) -> Rule:
        """Return the time at which the last item ends, for the objective.

        Args:
            duration: how long each item takes, or how long on each of its lists.
            on: the list (machine) of each item, or those that can do it; by default any.
        """
        home = None if on is None else [self._machines(lists) for lists in on]
        return Rule(self, "makespan", duration=duration, home=home)

    def after(self, earlier: Sequence[Any]) -> Rule:
        """Return the constraint that items begin after others end: for each item one item, several, or None."""
        return Rule(self, "constraint", after=[self._earlier(items) for items in earlier])

    def take(self, rule: Rule) -> None:
        """Add a rule of these lists to what is declared."""
        twice = sorted(self._data.keys() & rule.data.keys())
        if twice:
            raise ProblemError(f"the model says the {twice[0]} of its lists twice")
        self._data |= rule.data

    def shape(self) -> Lists:
        """Return the lists with all that is declared by now."""
        if "duration" in self._data:
            names = ("count", "home", "duration", "after", "names", "list_names")
            return Lists(**{name: self._data[name] for name in names if name in self._data})
        return Lists(**self._data)

    def read(self, solution: Solutions | Sequence[int]) -> list[list[Any]]:
        """Return the items of each list of a solution, in order."""
        shape = self.shape()
        nodes = np.arange(shape.items) if shape.routes is None else shape.routes.nodes
        return [[self.items[nodes[item]] for item in items] for items in shape.lists(np.asarray(solution))]

    def _number(self, item: Any) -> int:
        if item not in self._numbers:
            raise ProblemError(f"the lists have no item {item!r}")
        return self._numbers[item]

    def _earlier(self, items: Any) -> Any:
        if items is None:
            return None
        return [self._number(item) for item in items] if isinstance(items, list | set) else self._number(items)

    def _machines(self, lists: Any) -> Any:
        if self._lists is None:
            return lists
        names = lists if isinstance(lists, list | tuple | set) else [lists]
        unknown = next((name for name in names if name not in self._lists), None)
        if unknown is not None:
            raise ProblemError(f"there is no list {unknown!r} among {', '.join(map(str, self._lists))}")
        return [self._lists[name] for name in names]


class ListModelProblem(ListProblem):
    """The problem of a model whose variable is lists."""

    def __init__(self, name: str, variable: ListsVariable) -> None:
        super().__init__(variable.shape())
        self.name = name

    def view(self) -> View:
        """Return the name as a caption, with the drawing and the scene of lists."""
        view = super().view()
        return View(self.name, draw=view.draw, scene=lambda: view.scene)
