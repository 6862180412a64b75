"""Cities and the distances between them: what readers return, and random instances."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from swarmkit import Floats
from swarmkit_tsp.distances import euclidean, table_of

LARGEST = 10_000
"""The largest number of cities: their table of distances takes 800 MB, and solvers need about as much again."""

SIDE = 1_000_000
"""The side of the square of random cities, as in the DIMACS implementation challenge on the TSP."""


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


def draw(n: int, layout: str, seed: int) -> Instance:
    """Return random cities with a layout of LAYOUTS."""
    rng = np.random.Generator(np.random.PCG64(seed))
    points, optimum = LAYOUTS[layout](n, rng)
    if optimum is None:
        optimum = PROVED_OPTIMA.get((n, layout, seed))
    return Instance(f"{layout} {n}", "EUC_2D", table_of(points, euclidean), points, optimum=optimum)


def uniform(n: int, rng: np.random.Generator) -> tuple[Floats, float | None]:
    """Return cities that are uniformly distributed in the square."""
    return np.floor(rng.random((n, 2)) * SIDE), None


def clustered(n: int, rng: np.random.Generator) -> tuple[Floats, float | None]:
    """Return cities around centres, one for each hundred cities and at least three; more cities are denser."""
    centres = rng.random((max(3, n // 100), 2)) * SIDE
    around = rng.normal(scale=SIDE / math.sqrt(max(1, n)), size=(n, 2))
    return np.floor(centres[rng.integers(len(centres), size=n)] + around), None


def grid(n: int, rng: np.random.Generator) -> tuple[Floats, float | None]:
    """Return the points of a grid in random order; if their number is even, the optimum is known.

    Every step is at least as long as the spacing, and a grid with an even side has a tour of such steps.
    """
    columns = next(width for width in range(math.isqrt(max(0, n - 1)) + 1, n + 1) if n % width == 0)
    rows = n // columns
    places = np.array([(column, row) for row in range(rows) for column in range(columns)], float).reshape(-1, 2)
    shortest = n * 100.0 if n > 2 and n % 2 == 0 and rows > 1 else None
    return rng.permutation(places * 100.0), shortest


def circle(n: int, rng: np.random.Generator) -> tuple[Floats, float | None]:
    """Return points on a circle in random order: the optimal tour goes round it (no two of its steps cross)."""
    angle = 2 * np.pi * np.arange(n) / n
    places = np.round(SIDE / 2 * (1 + np.column_stack([np.cos(angle), np.sin(angle)])))
    around = float(euclidean(places, np.roll(places, -1, axis=0)).sum())
    return rng.permutation(places), around if n > 2 else None


LAYOUTS = {"uniform": uniform, "clustered": clustered, "grid": grid, "circle": circle}
PROVED_OPTIMA = {(50, "uniform", 0): 5_790_651.0}
"""Optima of random instances (n, layout, seed), proved by branch and cut: that of the default options."""
