"""Routes laid out for kernels: arcs, neighbours, kinds of lists; no matrix where there are coordinates."""

from __future__ import annotations

from typing import Any
from weakref import WeakKeyDictionary

import numpy as np

from swarmkit.contract.arrays import Floats, Ints
from swarmkit.contract.lists import Lists
from swarmkit.kernels.route_state import Network

NEAR = 40
"""The items near an item, beside which it may be inserted."""

WAITING = 0.2
"""What a unit of waiting time counts, in units of travel, where windows decide which items are near."""

METRICS = {"euclidean": 1, "rounded": 2, "ceiling": 3, "sphere": 4}
"""The codes of the metrics in kernels; 0 is a matrix."""

KILOMETRES = 112.0
"""A degree on the earth, at most."""

_BLOCK = 1 << 22

_NETWORKS: WeakKeyDictionary[Lists, Network] = WeakKeyDictionary()


def network_of(shape: Lists) -> Network:
    """Return the rules of routes as kernels read them; they are laid out once."""
    if shape not in _NETWORKS:
        _NETWORKS[shape] = _network(shape)
    return _NETWORKS[shape]


def _network(shape: Lists) -> Network:
    from swarmkit.kernels.compiling import read_only

    routes = shape.routes
    assert routes is not None  # noqa: S101  (others are refused)
    n, node = shape.items, np.concatenate([routes.nodes, routes.starts, routes.ends])
    is_open = node < 0
    near = _near(shape)
    rows = np.arange(n)[:, None]
    _, kind = np.unique(np.column_stack([routes.starts, routes.ends, routes.capacities]), axis=0, return_inverse=True)
    early = np.where(is_open, -np.inf, routes.windows[node, 0])
    # A list begins when its start opens, or at 0.
    early[n : n + shape.count] = np.where(np.isfinite(early[n : n + shape.count]), early[n : n + shape.count], 0.0)
    points = np.zeros((1, 2)) if routes.points is None or routes.matrix is not None else routes.points[node]
    kinds = np.unique(np.column_stack([routes.starts, routes.ends, routes.capacities]), axis=0, return_index=True)[1]
    remote = np.min([routes.arcs(routes.starts[r], routes.nodes) for r in kinds], axis=0)
    return read_only(
        Network(
            matrix=np.zeros((1, 1)) if routes.matrix is None else routes.matrix,
            points=np.ascontiguousarray(np.radians(points) if routes.metric == "sphere" else points),
            node=node,
            facts=np.array(
                [
                    0 if routes.matrix is not None else METRICS[routes.metric],
                    int(routes.timed),
                    int(not shape.required.all()),
                ]
            ),
            pace=np.array([routes.pace]),
            amounts=routes.amounts[routes.nodes],
            capacities=routes.capacities * (1.0 + 1e-12),
            early=early,
            late=np.where(is_open, np.inf, routes.windows[node, 1]) + 1e-9,
            services=np.where(is_open, 0.0, routes.services[node]),
            prizes=_costs_of_absence(shape, remote),
            required=shape.required.astype(np.int64),
            near=near,
            near_to=np.ascontiguousarray(routes.arcs(routes.nodes[rows], routes.nodes[near])),
            near_from=np.ascontiguousarray(routes.arcs(routes.nodes[near], routes.nodes[rows])),
            alike=np.argsort(kind.ravel(), kind="stable"),
            kinds=np.concatenate([[0], np.cumsum(np.bincount(kind.ravel()))]),
            remote=remote,
        )
    )


def _costs_of_absence(shape: Lists, remote: Floats) -> Floats:
    """Return what leaving out each item costs: its prize, or more than any detour where it is required."""
    routes = shape.routes
    assert routes is not None  # noqa: S101  (others are refused)
    prizes = routes.prizes[routes.nodes]
    if routes.points is not None and routes.matrix is None:
        reach = float(np.ptp(routes.points, axis=0).sum()) * (KILOMETRES if routes.metric == "sphere" else 1.0)
    else:
        reach = float(np.abs(routes.arcs(routes.nodes[:, None], routes.nodes[None])).max(initial=0.0))
    reach += 2.0 * float(np.abs(remote).max(initial=0.0))
    return np.asarray(np.where(shape.required, 10.0 * (1.0 + reach) + np.abs(prizes).max(initial=0.0), prizes))


def _near(shape: Lists) -> Any:
    """Return the items near each item, by the cost of an arc, and where there are windows by time as well."""
    routes, n = shape.routes, shape.items
    assert routes is not None  # noqa: S101  (others are refused)
    count = min(NEAR, n - 1)
    wanted = min(n - 1, 3 * NEAR) if routes.timed else count
    if routes.points is not None and routes.matrix is None:
        among = _nearest_points(routes.points[routes.nodes], routes.metric, wanted)
    else:
        among = np.empty((n, wanted), np.int64)
        step = max(1, _BLOCK // max(1, n))
        for begin in range(0, n, step):
            block = routes.nodes[begin : begin + step, None]
            cost = np.minimum(routes.arcs(block, routes.nodes[None]), routes.arcs(routes.nodes[None], block))
            cost[np.arange(len(cost)), begin + np.arange(len(cost))] = np.inf
            among[begin : begin + step] = np.argpartition(cost, max(0, wanted - 1), axis=1)[:, :wanted]
    here, there = routes.nodes[:, None], routes.nodes[among]
    weight = np.minimum(_away(shape, here, there), _away(shape, there, here))
    best = np.argsort(weight, axis=1, kind="stable")[:, :count]
    return np.ascontiguousarray(np.take_along_axis(among, best, axis=1), np.int32)


def _away(shape: Lists, a: Ints, b: Ints) -> Floats:
    """Return how far node b is behind node a: the cost of the arc, and what waiting and delay add to it."""
    routes = shape.routes
    assert routes is not None  # noqa: S101  (others are refused)
    cost = routes.arcs(a, b)
    if not routes.timed:
        return cost
    ready = np.where(np.isfinite(routes.windows[a, 0]), routes.windows[a, 0], 0.0) + routes.services[a]
    latest = routes.windows[a, 1] + routes.services[a] + routes.pace * cost
    ready = ready + routes.pace * cost
    waiting = np.maximum(0.0, routes.windows[b, 0] - latest)
    return np.asarray(cost + (WAITING * waiting + np.maximum(0.0, ready - routes.windows[b, 1])) / (routes.pace or 1.0))


def _nearest_points(points: Floats, metric: str, count: int) -> Ints:
    """Return the nearest other points of each point, by a k-d tree."""
    from scipy.spatial import cKDTree

    if metric == "sphere":
        longitude, latitude = np.radians(points).T
        flat = np.cos(latitude)
        points = np.column_stack([flat * np.cos(longitude), flat * np.sin(longitude), np.sin(latitude)])
    n = len(points)
    nearest = cKDTree(points).query(points, min(n, count + 1))[1].reshape(n, -1)
    # The point itself is among them, or one of several at the same place that takes its part.
    self_rank = np.argmax(nearest == np.arange(n)[:, None], axis=1)
    self_rank[~(nearest == np.arange(n)[:, None]).any(axis=1)] = nearest.shape[1] - 1
    kept = np.ones(nearest.shape, bool)
    kept[np.arange(n), self_rank] = False
    return np.asarray(nearest[kept].reshape(n, -1), np.int64)
