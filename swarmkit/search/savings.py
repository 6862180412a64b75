"""First routes by savings, merged at their ends.

Clarke, G. and Wright, J. W. 1964. Scheduling of vehicles from a central depot to a number of delivery points.
Operations Research 12(4). Deviation: only pairs of near items are merged.
"""

from __future__ import annotations

import numpy as np

from swarmkit.kernels.route_state import Network


def savings_apply(net: Network) -> bool:
    """Whether routes can be merged at their ends: all lists are alike, without windows, and every item is required."""
    return len(net.kinds) == 2 and not net.facts[1] and bool(net.required.all())


def merge_routes(net: Network) -> list[list[int]]:
    """Return routes that pairs of near items join, the largest saving first; begin with a route for each item."""
    n, k = len(net.amounts), len(net.capacities)
    first, second = np.repeat(np.arange(n), net.near.shape[1]), net.near.ravel().astype(np.int64)
    out, home = _ways(net, n), _ways(net, n + k)
    saving = home[0][first] + out[1][second] - net.near_to.ravel()
    # Both directions of a pair cost the same where the matrix is symmetric: routes may then be reversed.
    symmetric = bool((net.near_to == net.near_from).all() and (out[0] == home[0]).all() and (out[1] == home[1]).all())
    route_of, routes = list(range(n)), [[item] for item in range(n)]
    loads, capacity = net.amounts.tolist(), float(net.capacities[0])
    kept = np.flatnonzero(saving > 0.0)
    for pair in kept[np.argsort(-saving[kept], kind="stable")].tolist():
        i, j = int(first[pair]), int(second[pair])
        a, b = route_of[i], route_of[j]
        if a == b or loads[a] + loads[b] > capacity:
            continue
        if symmetric and routes[a][0] == i:
            routes[a].reverse()
        if symmetric and routes[b][-1] == j:
            routes[b].reverse()
        if routes[a][-1] != i or routes[b][0] != j:
            continue
        routes[a] += routes[b]
        loads[a] += loads[b]
        for item in routes[b]:
            route_of[item] = a
        routes[b] = []
    return [route for route in routes if route]


def _ways(net: Network, end: int) -> tuple[np.ndarray, np.ndarray]:
    """Return the costs of the arcs from all items to an end of the lists, and back."""
    from swarmkit.kernels.routes import arcs_beside

    to, back = np.empty(len(net.amounts)), np.empty(len(net.amounts))
    arcs_beside(net, end, to, back)
    return to, back
