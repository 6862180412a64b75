"""Distances as TSPLIB 95 (Reinelt 1991) defines them in section 2: integers, with a rule of rounding for each kind.

Each function takes two arrays of points, (…, dimensions), and returns the distances between them.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from swarmkit import Floats

PI = 3.141592
RADIUS = 6378.388
"""TSPLIB's values of π and of the radius of the earth in kilometres, on which its optima depend."""

MEAN_RADIUS = 6_371_008.8
"""The mean radius of the earth in metres (IUGG: a third of the sum of the three half axes)."""

_BLOCK = 1 << 22
"""Coordinate differences in memory at once."""


def nint(x: Floats) -> Floats:
    """Return the nearest integers, halves rounded up, as in TSPLIB's programs.

    >>> nint(np.array([0.5, 1.5, 2.4])).tolist()
    [1.0, 2.0, 2.0]
    """
    return np.floor(x + 0.5)


def _squares(a: Floats, b: Floats) -> Floats:
    """Return the sum of squared differences, coordinate by coordinate: much faster than along a short last axis."""
    return np.asarray(sum(np.square(a[..., axis] - b[..., axis]) for axis in range(a.shape[-1])))


def straight(a: Floats, b: Floats) -> Floats:
    """Return the Euclidean distance, not rounded.

    >>> straight(np.array([0.0, 0.0]), np.array([1.0, 1.0])).round(4).tolist()
    1.4142
    """
    return np.asarray(np.sqrt(_squares(a, b)))


def euclidean(a: Floats, b: Floats) -> Floats:
    """Return EUC_2D and EUC_3D: the Euclidean distance, rounded.

    >>> euclidean(np.array([0.0, 0.0]), np.array([3.0, 3.2])).tolist()
    4.0
    """
    return nint(straight(a, b))


def ceiling(a: Floats, b: Floats) -> Floats:
    """Return CEIL_2D: the Euclidean distance, rounded up.

    >>> ceiling(np.array([0.0, 0.0]), np.array([3.0, 3.2])).tolist()
    5.0
    """
    return np.ceil(straight(a, b))


def manhattan(a: Floats, b: Floats) -> Floats:
    """Return MAN_2D and MAN_3D: the sum of the absolute differences, rounded.

    >>> manhattan(np.array([0.0, 0.0]), np.array([3.0, -3.2])).tolist()
    6.0
    """
    return nint(np.abs(a - b).sum(axis=-1))


def maximum(a: Floats, b: Floats) -> Floats:
    """Return MAX_2D and MAX_3D: the largest rounded absolute difference.

    >>> maximum(np.array([0.0, 0.0]), np.array([3.0, -3.6])).tolist()
    4.0
    """
    return np.asarray(nint(np.abs(a - b)).max(axis=-1))


def pseudo_euclidean(a: Floats, b: Floats) -> Floats:
    """Return ATT: the square root of a tenth of the squared distance, rounded up.

    >>> pseudo_euclidean(np.array([0.0, 0.0]), np.array([10.0, 10.0])).tolist()  # √20 = 4.47
    5.0
    """
    exact = np.sqrt(_squares(a, b) / 10.0)
    nearest = nint(exact)
    return np.asarray(np.where(nearest < exact, nearest + 1.0, nearest))


def geographical(a: Floats, b: Floats) -> Floats:
    """Return GEO: kilometres on a sphere, from latitude and longitude in the format DDD.MM.

    >>> geographical(np.array([38.24, 20.42]), np.array([39.57, 26.15])).tolist()
    509.0
    """
    (lat_a, long_a), (lat_b, long_b) = (np.moveaxis(_radians(side), -1, 0) for side in (a, b))
    q1, q2, q3 = np.cos(long_a - long_b), np.cos(lat_a - lat_b), np.cos(lat_a + lat_b)
    angle = np.arccos(np.clip(0.5 * ((1.0 + q1) * q2 - (1.0 - q1) * q3), -1.0, 1.0))
    return np.asarray(np.floor(RADIUS * angle + 1.0))


def _radians(degrees: Floats) -> Floats:
    # TSPLIB's text rounds the degrees, but its optima were computed with truncated ones.
    whole = np.trunc(degrees)
    return np.asarray(PI * (whole + 5.0 * (degrees - whole) / 3.0) / 180.0)


def on_sphere(a: Floats, b: Floats) -> Floats:
    """Return metres on a sphere with the mean radius of the earth, from latitude and longitude in decimal degrees.

    The haversine formula, which is exact for small distances too; the earth itself is up to 0.5 % longer or shorter.

    >>> round(float(on_sphere(np.array([48.8566, 2.3522]), np.array([51.5074, -0.1278]))) / 1000, 1)  # Paris to London
    343.6
    """
    (lat_a, long_a), (lat_b, long_b) = (np.moveaxis(np.radians(side), -1, 0) for side in (a, b))
    up, across = np.sin((lat_a - lat_b) / 2.0), np.sin((long_a - long_b) / 2.0)
    half = up * up + np.cos(lat_a) * np.cos(lat_b) * (across * across)
    return np.asarray(2.0 * MEAN_RADIUS * np.arcsin(np.sqrt(np.clip(half, 0.0, 1.0))))


KINDS: dict[str, tuple[Callable[[Floats, Floats], Floats], int]] = {
    "EUC_2D": (euclidean, 2),
    "EUC_3D": (euclidean, 3),
    "CEIL_2D": (ceiling, 2),
    "MAN_2D": (manhattan, 2),
    "MAN_3D": (manhattan, 3),
    "MAX_2D": (maximum, 2),
    "MAX_3D": (maximum, 3),
    "ATT": (pseudo_euclidean, 2),
    "GEO": (geographical, 2),
}
"""The distance function and the number of coordinates of each EDGE_WEIGHT_TYPE."""


def table_of(points: Floats, between: Callable[[Floats, Floats], Floats]) -> Floats:
    """Return the distances between all points, 0 on the diagonal, computed in blocks of bounded memory."""
    n = len(points)
    table = np.empty((n, n))
    # As many rows at once as keep the differences of their coordinates within _BLOCK numbers.
    step = max(1, _BLOCK // max(1, n * points.shape[1]))
    for begin in range(0, n, step):
        with np.errstate(over="ignore", invalid="ignore"):  # callers check that all are finite
            table[begin : begin + step] = between(points[begin : begin + step, None], points[None])
    np.fill_diagonal(table, 0.0)  # GEO has 1
    return table
