"""Random cities."""

from __future__ import annotations

import math

import numpy as np

from swarmkit import Floats
from swarmkit_tsp.distances import euclidean, table_of
from swarmkit_tsp.instance import Instance

SIDE = 1_000_000
"""The side of the square of random cities, as in the DIMACS implementation challenge on the TSP."""


def draw(n: int, layout: str, seed: int) -> Instance:
    """Return random cities with a layout of LAYOUTS."""
    rng = np.random.Generator(np.random.PCG64(seed))
    points, optimum = LAYOUTS[layout](n, rng)
    if optimum is None:
        optimum = PROVED.get((n, layout, seed))
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
    columns = math.ceil(math.sqrt(n))
    while n % columns:
        columns += 1
    rows = n // columns
    places = np.array([(column, row) for row in range(rows) for column in range(columns)], float).reshape(-1, 2)
    known = n * 100.0 if n > 2 and n % 2 == 0 and rows > 1 else None
    return rng.permutation(places * 100.0), known


def circle(n: int, rng: np.random.Generator) -> tuple[Floats, float | None]:
    """Return points on a circle in random order: the optimal tour goes round it (no two of its steps cross)."""
    angle = 2 * np.pi * np.arange(n) / n
    places = np.round(SIDE / 2 * (1 + np.column_stack([np.cos(angle), np.sin(angle)])))
    known = float(euclidean(places, np.roll(places, -1, axis=0)).sum())
    return rng.permutation(places), known if n > 2 else None


LAYOUTS = {"uniform": uniform, "clustered": clustered, "grid": grid, "circle": circle}
PROVED = {(50, "uniform", 0): 5_790_651.0}
"""Optima of random instances (n, layout, seed), proved by branch and cut: that of the default options."""
