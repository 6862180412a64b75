"""Problems whose solutions are items in ordered lists."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from swarmkit.contract.arrays import Bools, Solutions
from swarmkit.contract.list_view import describe_lists, list_view
from swarmkit.contract.lists import Lists
from swarmkit.contract.problem import Problem
from swarmkit.contract.view import View


class ListProblem(Problem):
    """A problem that is defined by its shape; where the shape declares no costs, a subclass has a score of its own.

    Args:
        shape: the items, the lists, and what is declared of them.
    """

    direction, distinct = "minimise", True
    shape: Lists

    def __init__(self, shape: Lists) -> None:
        self.shape, self.sizes = shape, shape.sizes
        if self.direction == "minimise" and not self.cost_name:
            self.cost_name = "makespan" if shape.schedule is not None else "cost"

    def score(self, X: Solutions) -> Any:
        """Return the cost of each row."""
        return self.shape.costs(X)

    def feasible(self, X: Solutions) -> Bools:
        """Return which rows leave out no required item."""
        return self.shape.feasible(X)

    def describe(self, x: Solutions) -> list[Mapping[str, Any]]:
        """Return the items list by list: of routes with loads and times, of schedules machine by machine."""
        return describe_lists(self.shape, x)

    def metrics(self, x: Solutions) -> Mapping[str, float]:
        """Return how many lists are used, and how many items are left out where they may be."""
        lists, left_out = self.shape.decode(x)
        used = {"lists used": float(sum(map(bool, lists)))}
        return used if self.shape.required.all() else used | {"left out": float(len(left_out))}

    def view(self) -> View:
        """Return the drawing: routes on a map of points, or a Gantt chart; and the scene of movies."""
        return list_view(self.shape)
