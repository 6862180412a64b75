"""Independent sets: as many nodes as possible, no two of them neighbours; of the complement graph, cliques."""

from __future__ import annotations

from typing import Annotated, Any, Self

import numpy as np
from numpy.typing import NDArray
from pydantic import Field

from swarmkit import Pairwise, UsageError
from swarmkit_graphs.graph import Graph, complement
from swarmkit_graphs.graph_problem import GraphOptions, GraphProblem, draw_graph, graph_of

PENALTY = 2.0
"""The cost of an edge inside the set: more than a node is worth, so the best score is that of a legal set."""


class IndependentSetOptions(GraphOptions):
    """A file, or a random graph."""

    clique: bool = False
    """Whether a largest clique is searched: an independent set of the complement graph."""
    best: Annotated[int | None, Field(gt=0)] = None
    """The size of the largest set known."""


class IndependentSet(GraphProblem):
    """Choose nodes that are no neighbours: stages are nodes, candidates out and in; the score is the number of nodes.

    An edge inside the set costs 2: whichever of its nodes leaves, the score rises.
    """

    Options = IndependentSetOptions
    reference = "D.S. Johnson, M.A. Trick (eds., 1996). Cliques, coloring, and satisfiability. DIMACS series 26."
    show = "set"

    def __init__(self, graph: Graph, clique: bool = False, best: float | None = None) -> None:
        self.clique, self.best = clique, best
        self.conflicting = complement(graph) if clique else graph
        edges = self.conflicting.edges
        super().__init__(
            graph,
            Pairwise(
                sizes=np.full(graph.n, 2),
                unary=np.tile([0.0, 1.0], graph.n),
                edges=edges,
                starts=np.zeros(len(edges), np.int64),
                weights=np.full(len(edges), -PENALTY),
                flat=np.array([0.0, 0.0, 0.0, 1.0]),
            ),
        )
        self.about = f"{'Clique' if clique else 'Independent set'} of {graph.name}: {graph.size}"

    @classmethod
    def build(cls, options: Any) -> Self:
        """Read or draw the graph."""
        graph = graph_of(options)
        if options.clique and graph.n > 10_000:
            raise UsageError(f"the complement of {graph.n:,} nodes has too many edges; expected at most 10,000 nodes")
        return cls(graph, options.clique, options.best)

    def describe(self, x: NDArray[Any]) -> list[dict[str, Any]]:
        """Return the nodes of the set, numbered from 1, with their degrees."""
        degree = np.bincount(self.graph.edges.ravel(), minlength=self.graph.n)
        return [{"node": int(node) + 1, "degree": int(degree[node])} for node in np.flatnonzero(x)]

    def metrics(self, x: NDArray[Any]) -> dict[str, float]:
        """Return the number of nodes, the number of pairs that must not be together, and the gap to the best known."""
        i, j = self.conflicting.edges.T
        metrics = {"size": float(x.sum()), "conflicts": float((x[i] & x[j]).sum())}
        if self.best is not None:
            metrics |= {"best known": float(self.best), "gap": 1.0 - metrics["size"] / self.best}
        return metrics

    def _draw(self, x: NDArray[Any], axes: Any) -> None:
        """Draw the graph: the set in colour; its edges are black: those of a clique, or conflicts."""
        i, j = self.graph.edges.T
        metrics = self.metrics(x)
        draw_graph(axes, self.graph, self.layout, x, (x[i] & x[j]) > 0, faint=True)
        axes.set(title=f"{self.graph.name}: {metrics['size']:,.0f} nodes, {metrics['conflicts']:,.0f} conflicts")
