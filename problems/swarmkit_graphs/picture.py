"""Pictures of graphs: where the nodes lie, and how they are drawn."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from swarmkit import Bools, Floats, Ints
from swarmkit_graphs.graph import Graph

MOST_DRAWN = 20_000
"""The largest number of edges that a picture has; of larger graphs a fixed sample is drawn."""

FORCES = 1000
"""Up to this many nodes all pairs repel each other; larger graphs are laid out by eigenvectors alone."""


def layout_of(graph: Graph) -> Floats:
    """Return the position of each node in the unit square: the same for the same graph.

    Points of the graph are used if it has them. Otherwise eigenvectors of the Laplacian are the start, from which nodes
    are moved as if edges were springs and nodes repelled each other (T.M.J. Fruchterman, E.M. Reingold, 1991).
    """
    points = graph.points if graph.points is not None else _springs(graph, _spectral(graph))
    low, high = points.min(axis=0), points.max(axis=0)
    return np.asarray((points - low) / np.maximum(high - low, 1e-12))


def _spectral(graph: Graph, rounds: int = 100) -> Floats:
    """Return coordinates by the first eigenvectors of the random walk but the constant one (orthogonal iteration)."""
    rng = np.random.Generator(np.random.PCG64(0))
    i, j = graph.edges.T
    degree = np.maximum(1.0, np.bincount(graph.edges.ravel(), minlength=graph.n))
    vectors = rng.normal(size=(graph.n, 2))
    for _ in range(rounds):
        vectors -= (degree[:, None] * vectors).sum(axis=0) / degree.sum()
        around = np.stack([np.bincount(i, v[j], graph.n) + np.bincount(j, v[i], graph.n) for v in vectors.T], axis=1)
        vectors = np.linalg.qr(0.5 * (vectors + around / degree[:, None]))[0] if graph.n > 2 else vectors
    return np.asarray(vectors + 1e-3 * rng.normal(size=vectors.shape) / np.sqrt(graph.n))


def _springs(graph: Graph, points: Floats, rounds: int = 60) -> Floats:
    """Return positions after some rounds of forces, whose largest step falls from a tenth of the picture to nothing."""
    if not 2 < graph.n <= FORCES:
        return points
    i, j = graph.edges.T
    ranks = np.argsort(np.argsort(points, axis=0), axis=0) / graph.n  # evenly spread, whatever the eigenvectors are
    points = 0.5 * (ranks + (points - points.min(axis=0)) / np.maximum(np.ptp(points, axis=0), 1e-12))
    length = 1.0 / np.sqrt(graph.n)
    for turn in range(rounds):
        squares = np.square(points).sum(axis=1)
        nearness = 1.0 / (np.maximum(squares[:, None] + squares - 2.0 * points @ points.T, 0.0) + 1e-9)
        np.fill_diagonal(nearness, 0.0)
        # The sum of (p - q) / |p - q|² over all other nodes q, without an array of all differences.
        force = length**2 * (points * nearness.sum(axis=1, keepdims=True) - nearness @ points)
        pull = points[j] - points[i]
        pull *= np.sqrt(np.square(pull).sum(axis=1, keepdims=True)) / length
        for axis in (0, 1):
            force[:, axis] += np.bincount(i, pull[:, axis], graph.n) - np.bincount(j, pull[:, axis], graph.n)
        size = np.sqrt(np.square(force).sum(axis=1, keepdims=True)) + 1e-12
        points = points + force / size * np.minimum(size, 0.1 * (1.0 - turn / rounds))
    return points


def draw_graph(
    axes: Any, graph: Graph, points: Floats, classes: Ints | NDArray[Any], strong: Bools, faint: bool = False
) -> None:
    """Draw a graph into matplotlib's axes: nodes coloured by their class, some edges strong and the others faint.

    Args:
        axes: matplotlib's axes.
        graph: the graph.
        points: the position of each node.
        classes: the class of each node, which decides its colour.
        strong: whether each edge is drawn black and above the others.
        faint: whether nodes of class 0 are small and grey.
    """
    from matplotlib import colormaps
    from matplotlib.collections import LineCollection

    shown = np.arange(len(graph.edges))
    if len(shown) > MOST_DRAWN:
        rng = np.random.Generator(np.random.PCG64(0))
        shown = np.sort(rng.choice(shown, MOST_DRAWN, replace=False))
    weak, marked = shown[~strong[shown]], shown[strong[shown]]
    thin, thick = (max(0.05, min(0.7, most / max(1, len(shown)))) for most in (600, 1500))  # the more, the fainter
    axes.add_collection(
        LineCollection(list(points[graph.edges[weak]]), colors="0.5", linewidths=0.5, alpha=thin, zorder=1)
    )
    axes.add_collection(
        LineCollection(list(points[graph.edges[marked]]), colors="black", linewidths=0.8, alpha=thick, zorder=2)
    )
    most = int(classes.max(initial=0)) + 1
    palette = colormaps["tab10" if most <= 10 else "tab20" if most <= 20 else "nipy_spectral"]
    colours = palette(classes % palette.N if most <= 20 else classes / most)
    size = max(3.0, min(60.0, 6000.0 / graph.n))
    sizes = np.full(graph.n, size)
    if faint:
        colours[classes == 0] = (0.7, 0.7, 0.7, 1.0)
        sizes[classes == 0] = size / 3
    axes.scatter(*points.T, s=sizes, c=colours, edgecolors="white", linewidths=0.3, zorder=3)
    axes.set(aspect="equal", xticks=[], yticks=[])
    axes.margins(0.03)
