"""MaxCut: divide the nodes of a graph into two sides so that the edges between them weigh as much as possible."""

from __future__ import annotations

from typing import Annotated, Any, Literal, Self

import numpy as np
from numpy.typing import NDArray
from pydantic import Field

from swarmkit import Pairwise
from swarmkit_graphs.best_known import CUTS
from swarmkit_graphs.graph import Graph
from swarmkit_graphs.graph_problem import GraphOptions, GraphProblem, draw_graph, graph_of


class MaxCutOptions(GraphOptions):
    """A file, or a random graph."""

    weights: Literal["one", "signs"] = "one"
    """Weights of the edges of a random graph: all 1, or 1 and -1 at random."""
    best: Annotated[float | None, Field(gt=0)] = None
    """The largest cut known; by default the published one of the graph of the Gset with the file's name and size."""

    draws = (*GraphOptions.draws, "weights")


class MaxCut(GraphProblem):
    """Cut a graph: stages are nodes, candidates the two sides; the score is the weight of the edges between the sides.

    All edges share the table [[0, 1], [1, 0]].
    """

    Options = MaxCutOptions
    reference = "C. Helmberg, F. Rendl (2000). A spectral bundle method for semidefinite programming. SIAM J. Optim. 10"
    show = "cut"

    def __init__(self, graph: Graph, best: float | None = None) -> None:
        self.best = CUTS.get((graph.name, graph.n)) if best is None else best
        super().__init__(
            graph,
            Pairwise(
                sizes=np.full(graph.n, 2),
                unary=np.zeros(2 * graph.n),
                edges=graph.edges,
                starts=np.zeros(len(graph.edges), np.int64),
                weights=graph.weights,
                flat=np.array([0.0, 1.0, 1.0, 0.0]),
            ),
        )
        fact = "" if self.best is None else f"; the largest cut known is {self.best:,.10g}"
        self.about = f"MaxCut of {graph.name}: {graph.size}{fact}"

    @classmethod
    def build(cls, options: Any) -> Self:
        """Read or draw the graph."""
        return cls(graph_of(options), options.best)

    def describe(self, x: NDArray[Any]) -> list[dict[str, Any]]:
        """Return each node, numbered from 1, with its side and the weight of its edges that are cut."""
        i, j = self.graph.edges.T
        cut = np.where(x[i] != x[j], self.graph.weights, 0.0)
        weights = np.bincount(i, cut, self.graph.n) + np.bincount(j, cut, self.graph.n)
        return [
            {"node": node + 1, "side": int(side), "its edges cut": weight}
            for node, (side, weight) in enumerate(zip(x, weights.tolist(), strict=True))
        ]

    def metrics(self, x: NDArray[Any]) -> dict[str, float]:
        """Return the weight of the cut, and its gap to the largest one known."""
        cut = float(self.form.score(x[None])[0])
        if self.best is None:
            return {"cut": cut}
        return {"cut": cut, "best known": self.best, "gap": 1.0 - cut / self.best}

    def _draw(self, x: NDArray[Any], axes: Any) -> None:
        """Draw the graph: the two sides in two colours, edges that are cut in black."""
        i, j = self.graph.edges.T
        draw_graph(axes, self.graph, self.layout, x, x[i] != x[j])
        axes.set(title=f"{self.graph.name}: cut {self.metrics(x)['cut']:,.10g}")
