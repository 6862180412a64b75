"""What problems on graphs have in common: the graph, and where its nodes lie in pictures."""

from __future__ import annotations

from functools import cached_property
from typing import Any, ClassVar, Literal

from swarmkit import Floats, Pairwise, PairwiseProblem
from swarmkit_graphs.graph import Graph
from swarmkit_graphs.picture import layout_of


class GraphProblem(PairwiseProblem):
    """A pairwise problem whose stages are the nodes of a graph."""

    show: ClassVar[Literal["cut", "colours", "set"]]
    """What a moving picture shows; see `Problem.scene`."""

    def __init__(self, graph: Graph, form: Pairwise) -> None:
        super().__init__(form)
        self.graph = graph

    @cached_property
    def layout(self) -> Floats:
        """The position of each node in the unit square, computed when a picture first needs it."""
        return layout_of(self.graph)

    def scene(self) -> dict[str, Any]:
        """Return the graph, for moving pictures."""
        names = [str(node + 1) for node in range(self.graph.n)]
        edges = self.graph.edges
        return {"kind": "graph", "stages": names, "points": self.layout, "edges": edges, "show": self.show}
