"""What problems on graphs have in common: a file or a graph to draw, the graph, and its pictures."""

from __future__ import annotations

from abc import abstractmethod
from functools import cached_property
from typing import Annotated, Any, ClassVar, Literal

import numpy as np
from numpy.typing import NDArray
from pydantic import Field, model_validator

from swarmkit import (
    Bools,
    FileName,
    Floats,
    Ints,
    Pairwise,
    PairwiseProblem,
    Settings,
    Solutions,
    View,
    check_alternatives,
)
from swarmkit_graphs.files import read_graph
from swarmkit_graphs.graph import MOST_EDGES, Graph, draw

LARGEST_PICTURE = 20_000
"""The largest number of edges that a picture has; of larger graphs a fixed sample is drawn."""

FORCES = 1000
"""Up to this many nodes all pairs repel each other; larger graphs are laid out by eigenvectors alone."""


class GraphOptions(Settings):
    """A file, or a random graph."""

    file: FileName | None = None
    """A graph in rudy's format (Gset) or in DIMACS's (.col), compressed (.gz, .xz) or not; by default one is drawn."""
    n: Annotated[int, Field(ge=1, le=20_000)] = 100
    """Number of nodes to draw."""
    layout: Literal["uniform", "torus", "geometric"] = "uniform"
    """Any two nodes may be joined; a grid whose borders are joined; or near points of a square are joined."""
    density: Annotated[float, Field(ge=0, le=1)] = 0.1
    """The expected share of all pairs of nodes that are edges; a torus has its own."""
    seed: Annotated[int, Field(ge=0)] = 0
    """The seed of the random graph."""

    draws: ClassVar[tuple[str, ...]] = ("n", "layout", "density", "seed")
    """The options that describe a random graph."""

    @model_validator(mode="after")
    def _consistent(self) -> GraphOptions:
        check_alternatives(self, ["file"], self.draws, expected="a file or a graph to draw")
        if self.layout == "torus" and self.density != type(self).model_fields["density"].default:
            raise ValueError("'density' does not go with 'layout=torus', where every node has four neighbours")
        if self.density * self.n * (self.n - 1) / 2 > MOST_EDGES:
            raise ValueError(f"'n' and 'density' ask for more than {MOST_EDGES:,} edges; expected fewer")
        return self


def graph_of(options: Any) -> Graph:
    """Return the graph that some options describe."""
    if options.file is not None:
        return read_graph(options.file)
    return draw(options.n, options.layout, options.density, getattr(options, "weights", "one") == "signs", options.seed)


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

    edges = np.arange(len(graph.edges))
    if len(edges) > LARGEST_PICTURE:
        rng = np.random.Generator(np.random.PCG64(0))
        edges = np.sort(rng.choice(edges, LARGEST_PICTURE, replace=False))
    styles = ((~strong, "0.5", 0.5, 600), (strong, "black", 0.8, 1500))  # of faint edges and, above them, strong ones
    for zorder, (subset, colour, width, ink) in enumerate(styles, 1):
        lines = list(points[graph.edges[edges[subset[edges]]]])
        alpha = max(0.05, min(0.7, ink / max(1, len(edges))))  # the more edges, the fainter
        axes.add_collection(LineCollection(lines, colors=colour, linewidths=width, alpha=alpha, zorder=zorder))
    count = int(classes.max(initial=0)) + 1
    palette = colormaps["tab10" if count <= 10 else "tab20" if count <= 20 else "nipy_spectral"]
    colours = palette(classes % palette.N if count <= 20 else classes / count)
    size = max(3.0, min(60.0, 6000.0 / graph.n))
    sizes = np.full(graph.n, size)
    if faint:
        colours[classes == 0] = (0.7, 0.7, 0.7, 1.0)
        sizes[classes == 0] = size / 3
    axes.scatter(*points.T, s=sizes, c=colours, edgecolors="white", linewidths=0.3, zorder=3)
    axes.set(aspect="equal", xticks=[], yticks=[])
    axes.margins(0.03)
