"""Cities and the distances between them."""

from __future__ import annotations

from typing import NamedTuple

from swarmkit import Floats

LARGEST = 10_000
"""The largest number of cities: their table of distances takes 800 MB, and solvers need about as much again."""


class Instance(NamedTuple):
    """The cities: the distances between them, and where they are drawn."""

    name: str
    kind: str
    """The EDGE_WEIGHT_TYPE, or `exact`, `sphere` or `table`."""
    table: Floats
    """The distance from each city (row) to each city (column)."""
    points: Floats | None = None
    labels: tuple[str, ...] = ()
    """Names of the cities; if there are none, cities are numbered from 1."""
    optimum: float | None = None
