"""Random graphs: edges between any two nodes, on a torus, or between points that are near each other."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np

from swarmkit import Floats, Ints
from swarmkit_graphs.graph import Graph

MOST_EDGES = 10_000_000
"""The largest expected number of edges of a random graph."""


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
    found = []
    for i, end in enumerate(ends):
        near = i + 1 + np.flatnonzero(np.square(points[i + 1 : end] - points[i]).sum(axis=1) <= radius * radius)
        found.append(np.column_stack([np.full(len(near), i), near]))
    return np.concatenate([np.empty((0, 2), np.int64), *found]), points


LAYOUTS: dict[str, Callable[[int, float, np.random.Generator], tuple[Ints, Floats | None]]] = {
    "uniform": uniform,
    "torus": torus,
    "geometric": geometric,
}
