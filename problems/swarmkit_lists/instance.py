"""An instance of vehicle routing as readers return it, and drawn ones."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from swarmkit import Floats

SIDE = 1000.0
"""The side of the square of drawn stops, as in the X set."""

TRUCK_STOPS = 10.0
"""The stops of a mean route of a drawn instance."""


class Instance(NamedTuple):
    """Stops and a depot: the data of `Lists`, a row for each place."""

    name: str
    amounts: Floats
    capacity: float
    points: Floats | None = None
    metric: str = "rounded"
    arcs: Floats | None = None
    depots: tuple[int, ...] = (0,)
    windows: Floats | None = None
    services: Floats | None = None
    vehicles: int | None = None
    pace: float = 1.0
    labels: tuple[str, ...] = ()


def draw(n: int, layout: str, timed: bool, seed: int) -> Instance:
    """Return an instance of n drawn stops.

    Places are integers in a square with the depot in its middle, amounts integers from 1 to 100. With windows they are
    like Solomon's: exact distances, a day of a few crossings of the square, and windows of an eighth of the day, each
    of which a route that visits nothing else can meet.

    Args:
        n: the number of stops.
        layout: `uniform`, or `clustered` around some centres.
        timed: whether there are time windows.
        seed: the seed of the numbers.
    """
    rng = np.random.Generator(np.random.PCG64(seed))
    points = rng.random((n + 1, 2)) * SIDE
    if layout == "clustered":
        centres = rng.random((max(3, n // 50), 2)) * SIDE
        points = centres[rng.integers(len(centres), size=n + 1)] + rng.normal(scale=0.05 * SIDE, size=(n + 1, 2))
    points = np.clip(np.rint(points), 0, SIDE)
    points[0] = SIDE / 2
    amounts = np.concatenate([[0.0], rng.integers(1, 101, n)])
    capacity = max(100.0, math.ceil(TRUCK_STOPS * amounts.sum() / n))
    name = f"{layout} {n}"
    if not timed:
        return Instance(name, amounts, capacity, points)
    day, service = 3.0 * SIDE, 0.02 * SIDE
    away = np.linalg.norm(points - points[0], axis=1)
    middle = away + rng.random(n + 1) * (day - service - 2.0 * away)
    windows = np.column_stack([np.maximum(0.0, middle - day / 16), np.minimum(middle + day / 16, day - service - away)])
    windows[0] = 0.0, day
    services = np.concatenate([[0.0], np.full(n, service)])
    return Instance(f"{name}, windows", amounts, capacity, points, "euclidean", None, (0,), windows, services)
