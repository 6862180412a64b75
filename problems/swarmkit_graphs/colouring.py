"""Graph colouring: neighbours get different colours, with a given number of colours or with as few as possible."""

from __future__ import annotations

from typing import Annotated, Any, Self

import numpy as np
from numpy.typing import NDArray
from pydantic import Field

from swarmkit import Floats, Pairwise, UsageError
from swarmkit_graphs.best_known import chromatic_number
from swarmkit_graphs.bounds import clique_bound, greedy_colouring
from swarmkit_graphs.graph import Graph
from swarmkit_graphs.graph_problem import GraphProblem
from swarmkit_graphs.options import GraphOptions, graph_of
from swarmkit_graphs.picture import draw_graph

MOST_SLOTS = 20_000_000
"""The largest number of nodes times colours."""

DEAREST = 0.95
"""The cost of a node in the last colour: less than a conflict, so that it pays to resolve conflicts by more colours."""
RATIO = 4.0
"""The cost of a node in a colour above the lower bound relative to the colour before: the last one is emptied first."""


class ColouringOptions(GraphOptions):
    """A file, or a random graph; a number of colours, or as few as possible."""

    colours: Annotated[int | None, Field(ge=1, le=100_000)] = None
    """The number of colours, with which conflicts are minimised; by default as few colours as possible are used."""


class Colouring(GraphProblem):
    """Colour a graph: stages are nodes, candidates colours; the cost is the number of edges of one colour.

    Without a given number of colours there are as many as a greedy colouring (DSATUR) needs, and nodes in colours above
    the size of a clique cost something too, the more the later the colour, but always less than a conflict.
    """

    Options = ColouringOptions
    reference = (
        "D. Brélaz (1979). New methods to color the vertices of a graph. Communications of the ACM 22(4), 251-256."
    )
    show = "colours"
    direction = "minimise"

    def __init__(self, graph: Graph, colours: int | None = None) -> None:
        self.colours = colours
        self.known = chromatic_number(graph)
        lowest = most = colours or 0
        if colours is None:
            lowest, most = clique_bound(graph), int(greedy_colouring(graph).max()) + 1
            self.cost_name = "penalty"
        else:
            self.cost_name = "conflicts"
        if graph.n * most > MOST_SLOTS:
            raise UsageError(f"{graph.n:,} nodes with {most:,} colours; expected a product of at most {MOST_SLOTS:,}")
        super().__init__(
            graph,
            Pairwise(
                sizes=np.full(graph.n, most),
                unary=np.tile(colour_costs(lowest, most), graph.n),
                edges=graph.edges,
                starts=np.zeros(len(graph.edges), np.int64),
                weights=np.ones(len(graph.edges)),
                flat=np.eye(most).ravel(),
            ),
        )
        enough = lowest == most if colours is None else self.known is not None and colours >= self.known
        self.optimum = 0.0 if enough else None
        wanted = f"{most} colours" if lowest == most else f"between {lowest} and {most} colours"
        known = "" if self.known is None else f"; its chromatic number is {self.known}"
        self.about = f"Colouring of {graph.name}: {graph.size}, {wanted}{known}"

    @classmethod
    def build(cls, options: Any) -> Self:
        """Read or draw the graph."""
        return cls(graph_of(options), options.colours)

    def describe(self, x: NDArray[Any]) -> list[dict[str, Any]]:
        """Return each node, numbered from 1, with its colour and its neighbours of the same colour."""
        i, j = self.graph.edges.T
        same = x[i] == x[j]
        own = np.bincount(i[same], minlength=self.graph.n) + np.bincount(j[same], minlength=self.graph.n)
        return [
            {"node": node + 1, "colour": int(colour) + 1, "conflicts": int(count)}
            for node, (colour, count) in enumerate(zip(x, own, strict=True))
        ]

    def metrics(self, x: NDArray[Any]) -> dict[str, float]:
        """Return the number of edges of one colour, the number of colours, and the chromatic number if it is known."""
        i, j = self.graph.edges.T
        found = {"conflicts": float((x[i] == x[j]).sum()), "colours": float(len(np.unique(x)))}
        return found if self.known is None else {**found, "chromatic number": float(self.known)}

    def _draw(self, x: NDArray[Any], axes: Any) -> None:
        """Draw the graph: nodes in their colours, edges between nodes of one colour in black."""
        i, j = self.graph.edges.T
        found = self.metrics(x)
        draw_graph(axes, self.graph, self.layout, x, x[i] == x[j])
        axes.set(title=f"{self.graph.name}: {found['colours']:,.0f} colours, {found['conflicts']:,.0f} conflicts")


def colour_costs(lowest: int, most: int) -> Floats:
    """Return the cost of a node in each colour: 0 up to the lower bound, then rising to just below a conflict.

    >>> colour_costs(2, 4).round(2).tolist()
    [0.0, 0.0, 0.24, 0.95]
    """
    behind = np.arange(most - 1, -1, -1.0)  # the number of colours after each
    return np.where(np.arange(most) < lowest, 0.0, DEAREST * RATIO**-behind)
