"""The compiled half-walk from one vertex. Imported only when needed."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numba import njit

from swarmkit import Floats, Ints


class Scratch(NamedTuple):
    """What a walk writes to: for each vertex zeros, which a walk leaves as zeros, and lists of vertices."""

    here: Floats
    """The probability of each vertex after the steps made so far."""
    there: Floats
    """After one more step."""
    sum: Floats
    """The weighted sum over all steps."""
    at: Ints
    """The vertices with a probability in `here`."""
    frontier: Ints
    """Those in `there`."""
    support: Ints
    """Those in `sum`."""


def scratch(vertices: int) -> Scratch:
    """Return the arrays for walks on a graph with that number of vertices."""
    return Scratch(*np.zeros((3, vertices)), *np.empty((3, vertices), np.int64))


@njit(cache=True)
def half_walk(graph: Any, source: int, coefficients: Any, epsilon: float, scratch: Any) -> Any:
    """Return Σ_k coefficients[k] · P^k[source], P the transition matrix, as vertices in increasing order and values.

    Args:
        graph: the `Graph`.
        source: the vertex where the walk starts.
        coefficients: the weight of each number of steps, from 0 on.
        epsilon: a probability less than this times the degree of its vertex is dropped, and not passed on.
        scratch: the `Scratch`.
    """
    here, there, at, frontier = scratch.here, scratch.there, scratch.at, scratch.frontier
    here[source], at[0] = 1.0, source
    count, total = 1, 0
    for k in range(len(coefficients)):
        new = 0
        for i in range(count):
            v = at[i]
            p = here[v]
            here[v] = 0.0
            begin, end = graph.starts[v], graph.starts[v + 1]
            if p < epsilon * (end - begin):
                continue
            if scratch.sum[v] == 0.0:
                scratch.support[total] = v
                total += 1
            scratch.sum[v] += coefficients[k] * p
            if k + 1 == len(coefficients) or begin == end:
                continue
            share = p / (end - begin)
            for e in range(begin, end):
                w = graph.neighbour[e]
                if there[w] == 0.0:
                    frontier[new] = w
                    new += 1
                there[w] += share
        here, there, at, frontier, count = there, here, frontier, at, new
    vertices = np.sort(scratch.support[:total])
    values = np.empty(total)
    for i in range(total):
        values[i] = scratch.sum[vertices[i]]
        scratch.sum[vertices[i]] = 0.0
    return vertices, values
