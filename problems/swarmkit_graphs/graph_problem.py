"""What problems on graphs have in common: the graph, and where its nodes lie in pictures."""

from __future__ import annotations

from abc import abstractmethod
from functools import cached_property
from typing import Any, ClassVar, Literal

from swarmkit import Floats, Pairwise, PairwiseProblem, Solutions, View
from swarmkit_graphs.graph import Graph
from swarmkit_graphs.picture import layout_of


class GraphProblem(PairwiseProblem):
    """A pairwise problem whose stages are the nodes of a graph."""

    show: ClassVar[Literal["cut", "colours", "set"]]
    """What a moving picture shows; see `View`."""
    about: str
    """What the instance is, in a line."""

    def __init__(self, graph: Graph, form: Pairwise) -> None:
        super().__init__(form)
        self.graph = graph

    @cached_property
    def layout(self) -> Floats:
        """The position of each node in the unit square, computed when a picture first needs it."""
        return layout_of(self.graph)

    def view(self) -> View:
        """Return the caption, the drawing of the graph and the scene of moving pictures."""
        return View(self.about, draw=self._draw, scene=self._scene)

    @abstractmethod
    def _draw(self, x: Solutions, axes: Any) -> None:
        """Draw a solution into matplotlib's axes."""

    def _scene(self) -> dict[str, Any]:
        """Return the graph, for moving pictures."""
        names = [str(node + 1) for node in range(self.graph.n)]
        edges = self.graph.edges
        return {"kind": "graph", "stages": names, "points": self.layout, "edges": edges, "show": self.show}
