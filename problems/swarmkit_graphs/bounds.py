"""Bounds on the chromatic number: a greedy colouring from above, a clique from below."""

from __future__ import annotations

from heapq import heapify, heappop, heappush

import numpy as np

from swarmkit import Ints
from swarmkit_graphs.graph import Graph

STARTS = 200
"""Cliques are grown from this many nodes of highest degree."""


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
    near = [found.tolist() for found in neighbours_of(graph)]
    colour = [-1] * graph.n
    around: list[set[int]] = [set() for _ in range(graph.n)]
    queue = [(0, -len(near[node]), node) for node in range(graph.n)]
    heapify(queue)  # entries become outdated when a node's saturation grows; these are skipped
    while queue:
        saturation, _, node = heappop(queue)
        if colour[node] >= 0 or -saturation != len(around[node]):
            continue
        chosen = next(free for free in range(graph.n) if free not in around[node])
        colour[node] = chosen
        for other in near[node]:
            if colour[other] < 0 and chosen not in around[other]:
                around[other].add(chosen)
                heappush(queue, (-len(around[other]), -len(near[other]), other))
    return np.array(colour, np.int64)


def clique_bound(graph: Graph) -> int:
    """Return the size of a clique that was found greedily: no colouring has fewer colours.

    From each of some nodes a clique grows by the node of highest degree among those that are joined to all of it.
    """
    near = [set(found.tolist()) for found in neighbours_of(graph)]
    rank = {node: at for at, node in enumerate(sorted(range(graph.n), key=lambda node: (-len(near[node]), node)))}
    best = min(1, graph.n)
    for start in list(rank)[:STARTS]:
        size, among = 1, near[start]
        while among:
            grown = min(among, key=rank.__getitem__)
            size, among = size + 1, among & near[grown]
        best = max(best, size)
    return best
