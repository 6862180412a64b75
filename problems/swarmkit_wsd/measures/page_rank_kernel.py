"""The compiled half-walk from one vertex. Imported only when needed."""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import njit


@njit(cache=True)
def half_walk(graph: Any, source: int, coefficients: Any, epsilon: float, scratch: Any) -> Any:
    """Return Σ_k coefficients[k] · P^k[source], P the transition matrix, as vertices in increasing order and values.

    Args:
        graph: the `Graph`.
        source: the vertex where the walk starts.
        coefficients: the weight of each number of steps, from 0 on.
        epsilon: a probability less than this times the degree of its vertex is dropped, and not passed on.
        scratch: three rows of zeros, which a walk leaves as zeros, for the probability of each vertex after the steps
            made so far, after one more, and for the weighted sum over all steps; three rows for the vertices in these.
    """
    here, there, sums = scratch[0][0], scratch[0][1], scratch[0][2]
    at, frontier, support = scratch[1][0], scratch[1][1], scratch[1][2]
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
            if sums[v] == 0.0:
                support[total] = v
                total += 1
            sums[v] += coefficients[k] * p
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
    vertices = np.sort(support[:total])
    values = np.empty(total)
    for i in range(total):
        values[i] = sums[vertices[i]]
        sums[vertices[i]] = 0.0
    return vertices, values
