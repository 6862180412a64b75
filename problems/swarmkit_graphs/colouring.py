"""Graph colouring: neighbours get different colours, with a given number of colours or with as few as possible."""

from __future__ import annotations

from heapq import heapify, heappop, heappush
from typing import Annotated, Any, Self

import numpy as np
from numpy.typing import NDArray
from pydantic import Field

from swarmkit import Floats, Ints, Pairwise, UsageError
from swarmkit_graphs.best_known import CHROMATIC_NUMBERS
from swarmkit_graphs.graph import Graph
from swarmkit_graphs.graph_problem import GraphOptions, GraphProblem, draw_graph, graph_of

MOST_SLOTS = 20_000_000
"""The largest number of nodes times colours."""

DEAREST = 0.95
"""The cost of a node in the last colour: less than a conflict, so that it pays to resolve conflicts by more colours."""
RATIO = 4.0
"""The cost of a node in a colour above the lower bound relative to the colour before: the last one is emptied first."""

STARTS = 200
"""Cliques are grown from this many nodes of highest degree."""


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
        self.chromatic_number = CHROMATIC_NUMBERS.get((graph.name, graph.n))
        lowest = highest = colours or 0
        if colours is None:
            lowest, highest = clique_bound(graph), int(greedy_colouring(graph).max()) + 1
        self.cost_name = "penalty" if colours is None else "conflicts"
        if graph.n * highest > MOST_SLOTS:
            raise UsageError(
                f"{graph.n:,} nodes with {highest:,} colours; expected a product of at most {MOST_SLOTS:,}"
            )
        super().__init__(
            graph,
            Pairwise(
                sizes=np.full(graph.n, highest),
                unary=np.tile(colour_costs(lowest, highest), graph.n),
                edges=graph.edges,
                starts=np.zeros(len(graph.edges), np.int64),
                weights=np.ones(len(graph.edges)),
                flat=np.eye(highest).ravel(),
            ),
        )
        enough = (
            lowest == highest
            if colours is None
            else self.chromatic_number is not None and colours >= self.chromatic_number
        )
        self.optimum = 0.0 if enough else None
        range_of_colours = f"{highest} colours" if lowest == highest else f"between {lowest} and {highest} colours"
        fact = "" if self.chromatic_number is None else f"; its chromatic number is {self.chromatic_number:g}"
        self.about = f"Colouring of {graph.name}: {graph.size}, {range_of_colours}{fact}"

    @classmethod
    def build(cls, options: Any) -> Self:
        """Read or draw the graph."""
        return cls(graph_of(options), options.colours)

    def describe(self, x: NDArray[Any]) -> list[dict[str, Any]]:
        """Return each node, numbered from 1, with its colour and its neighbours of the same colour."""
        i, j = self.graph.edges.T
        clash = x[i] == x[j]
        conflicts = np.bincount(i[clash], minlength=self.graph.n) + np.bincount(j[clash], minlength=self.graph.n)
        return [
            {"node": node + 1, "colour": int(colour) + 1, "conflicts": int(count)}
            for node, (colour, count) in enumerate(zip(x, conflicts, strict=True))
        ]

    def metrics(self, x: NDArray[Any]) -> dict[str, float]:
        """Return the number of edges of one colour, the number of colours, and the chromatic number if it is known."""
        i, j = self.graph.edges.T
        metrics = {"conflicts": float((x[i] == x[j]).sum()), "colours": float(len(np.unique(x)))}
        if self.chromatic_number is not None:
            metrics["chromatic number"] = float(self.chromatic_number)
        return metrics

    def _draw(self, x: NDArray[Any], axes: Any) -> None:
        """Draw the graph: nodes in their colours, edges between nodes of one colour in black."""
        i, j = self.graph.edges.T
        metrics = self.metrics(x)
        draw_graph(axes, self.graph, self.layout, x, x[i] == x[j])
        axes.set(title=f"{self.graph.name}: {metrics['colours']:,.0f} colours, {metrics['conflicts']:,.0f} conflicts")


def colour_costs(lowest: int, count: int) -> Floats:
    """Return the cost of a node in each colour: 0 up to the lower bound, then rising to just below a conflict.

    >>> colour_costs(2, 4).round(2).tolist()
    [0.0, 0.0, 0.24, 0.95]
    """
    behind = np.arange(count - 1, -1, -1.0)  # the number of colours after each
    return np.where(np.arange(count) < lowest, 0.0, DEAREST * RATIO**-behind)


def neighbours_of(graph: Graph) -> list[Ints]:
    """Return the neighbours of each node."""
    ends = np.concatenate([graph.edges, graph.edges[:, ::-1]])
    ends = ends[np.argsort(ends[:, 0], kind="stable")]
    return np.split(ends[:, 1], np.cumsum(np.bincount(ends[:, 0], minlength=graph.n))[:-1])


def greedy_colouring(graph: Graph) -> Ints:
    """Return a colouring by DSATUR (Brélaz 1979): the node with most colours around it gets the first that is free.

    >>> greedy_colouring(Graph("triangle", 3, np.array([[0, 1], [0, 2], [1, 2]]), np.ones(3))).tolist()
    [0, 1, 2]
    """
    near = [neighbours.tolist() for neighbours in neighbours_of(graph)]
    colour = [-1] * graph.n
    around: list[set[int]] = [set() for _ in range(graph.n)]
    queue = [(0, -len(near[node]), node) for node in range(graph.n)]
    heapify(queue)  # entries become outdated when a node's saturation grows; these are skipped
    while queue:
        saturation, _, node = heappop(queue)
        if colour[node] >= 0 or -saturation != len(around[node]):
            continue
        colour[node] = next(free for free in range(graph.n) if free not in around[node])
        for neighbour in near[node]:
            if colour[neighbour] < 0 and colour[node] not in around[neighbour]:
                around[neighbour].add(colour[node])
                heappush(queue, (-len(around[neighbour]), -len(near[neighbour]), neighbour))
    return np.array(colour, np.int64)


def clique_bound(graph: Graph) -> int:
    """Return the size of a clique that was found greedily: no colouring has fewer colours.

    From each of some nodes a clique grows by the node of highest degree among those that are joined to all of it.
    """
    near = [set(neighbours.tolist()) for neighbours in neighbours_of(graph)]
    rank = {node: at for at, node in enumerate(sorted(range(graph.n), key=lambda node: (-len(near[node]), node)))}
    best = min(1, graph.n)
    for start in list(rank)[:STARTS]:
        size, among = 1, near[start]
        while among:
            size, among = size + 1, among & near[min(among, key=rank.__getitem__)]
        best = max(best, size)
    return best
