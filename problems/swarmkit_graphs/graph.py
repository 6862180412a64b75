"""A graph: numbered nodes and weighted edges, each pair of nodes once."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from swarmkit import Floats, Ints

LARGEST = 100_000
"""The largest number of nodes."""


class Graph(NamedTuple):
    """Nodes 0 to n - 1 and the edges between them."""

    name: str
    n: int
    edges: Ints
    """The two nodes of each edge, the smaller one first; no pair occurs twice, none is a loop."""
    weights: Floats
    points: Floats | None = None
    """Where the nodes lie, if the graph was made of points."""

    @property
    def size(self) -> str:
        """The size in words."""
        return f"{self.n:,} nodes, {len(self.edges):,} edges"


def merged(name: str, n: int, edges: Ints, weights: Floats) -> Graph:
    """Return the graph of some edges, in any direction; the weights of edges between the same two nodes are added.

    >>> merged("twice", 3, np.array([[2, 0], [0, 2], [1, 2]]), np.array([1.0, 2.0, 5.0])).weights.tolist()
    [3.0, 5.0]
    """
    pairs = np.sort(edges, axis=1)
    numbers, which = np.unique(pairs[:, 0] * n + pairs[:, 1], return_inverse=True)
    total = np.bincount(which.ravel(), weights, minlength=len(numbers)).astype(np.float64)
    return Graph(name, n, np.column_stack(np.divmod(numbers, max(1, n))).astype(np.int64), total)


def complement(graph: Graph) -> Graph:
    """Return the graph that joins exactly the nodes which this one does not join.

    >>> complement(Graph("path", 3, np.array([[0, 1], [1, 2]]), np.ones(2))).edges.tolist()
    [[0, 2]]
    """
    joined = np.zeros((graph.n, graph.n), bool)
    joined[tuple(graph.edges.T)] = True
    edges = np.argwhere(np.triu(~joined, 1)).astype(np.int64)
    return Graph(f"complement of {graph.name}", graph.n, edges, np.ones(len(edges)), graph.points)
