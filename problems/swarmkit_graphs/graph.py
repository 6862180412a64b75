"""A graph: numbered nodes and weighted edges, each pair of nodes once; random graphs."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from swarmkit import Floats, Ints

LARGEST = 100_000
"""The largest number of nodes."""

MOST_EDGES = 10_000_000
"""The largest expected number of edges of a random graph."""


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


def merge_edges(name: str, n: int, edges: Ints, weights: Floats) -> Graph:
    """Return the graph of some edges, in any direction; the weights of edges between the same two nodes are added.

    >>> merge_edges("twice", 3, np.array([[2, 0], [0, 2], [1, 2]]), np.array([1.0, 2.0, 5.0])).weights.tolist()
    [3.0, 5.0]
    """
    pairs = np.sort(edges, axis=1)
    # i · n + j is a different number for each pair i < j, and sorts pairs by their first node.
    numbers, places = np.unique(pairs[:, 0] * n + pairs[:, 1], return_inverse=True)
    total = np.bincount(places.ravel(), weights, minlength=len(numbers)).astype(np.float64)
    return Graph(name, n, np.column_stack(np.divmod(numbers, max(1, n))).astype(np.int64), total)


def complement(graph: Graph) -> Graph:
    """Return the graph that joins exactly the nodes which this one does not join.

    >>> complement(Graph("path", 3, np.array([[0, 1], [1, 2]]), np.ones(2))).edges.tolist()
    [[0, 2]]
    """
    adjacency = np.zeros((graph.n, graph.n), bool)
    adjacency[tuple(graph.edges.T)] = True
    edges = np.argwhere(np.triu(~adjacency, 1)).astype(np.int64)
    return Graph(f"complement of {graph.name}", graph.n, edges, np.ones(len(edges)), graph.points)


def draw(n: int, layout: str, density: float, signs: bool, seed: int) -> Graph:
    """Return a random graph with a layout of LAYOUTS; the weights are 1, or with `signs` 1 and -1 at random."""
    rng = np.random.Generator(np.random.PCG64(seed))
    edges, points = LAYOUTS[layout](n, density, rng)
    weights = rng.choice([-1.0, 1.0], len(edges)) if signs else np.ones(len(edges))
    return Graph(f"{layout} {n}", n, edges, weights, points)


def uniform(n: int, density: float, rng: np.random.Generator) -> tuple[Ints, Floats | None]:
    """Return G(n, p): each pair of nodes is an edge with the probability `density`.

    The gaps between edges in the row of all pairs are geometric, so the work is proportional to the edges.
    """
    pairs = n * (n - 1) // 2
    if density <= 0.0 or pairs == 0:
        return np.empty((0, 2), np.int64), None
    places = np.cumsum(rng.geometric(density, int(pairs * density + 10 * math.sqrt(pairs * density) + 100))) - 1
    places = places[places < pairs]  # ten standard deviations: the draws always reach the last pair
    first = np.cumsum(np.arange(n - 1, 0, -1)) - np.arange(n - 1, 0, -1)  # where the pairs of each node begin
    i = np.searchsorted(first, places, side="right") - 1
    return np.column_stack([i, places - first[i] + i + 1]), None


def torus(n: int, *_: object) -> tuple[Ints, Floats | None]:
    """Return a grid whose borders are joined: every node has four neighbours, fewer where sides are shorter than 3."""
    rows = max(width for width in range(1, math.isqrt(n) + 1) if n % width == 0)
    columns = n // rows
    node = np.arange(n).reshape(rows, columns)
    pairs = [np.column_stack([node.ravel(), np.roll(node, -1, axis).ravel()]) for axis in (0, 1)]
    edges = np.unique(np.sort(np.concatenate(pairs), axis=1), axis=0)
    points = np.column_stack([np.tile(np.arange(columns), rows), np.repeat(np.arange(rows), columns)])
    return edges[edges[:, 0] != edges[:, 1]], points.astype(np.float64)


def geometric(n: int, density: float, rng: np.random.Generator) -> tuple[Ints, Floats | None]:
    """Return points of the unit square that are joined with all points nearer than √(density / π)."""
    points = rng.random((n, 2))
    points = points[np.argsort(points[:, 0])]  # by x: near points have near numbers
    radius = math.sqrt(density / math.pi)
    ends = np.searchsorted(points[:, 0], points[:, 0] + radius, side="right")
    pairs = [np.empty((0, 2), np.int64)]
    for i, end in enumerate(ends):
        near = i + 1 + np.flatnonzero(np.square(points[i + 1 : end] - points[i]).sum(axis=1) <= radius * radius)
        pairs.append(np.column_stack([np.full(len(near), i), near]))
    return np.concatenate(pairs), points


LAYOUTS: dict[str, Callable[[int, float, np.random.Generator], tuple[Ints, Floats | None]]] = {
    "uniform": uniform,
    "torus": torus,
    "geometric": geometric,
}
