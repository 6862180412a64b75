"""Cities as points: from a CSV file, or random."""

from __future__ import annotations

import csv
import math
from pathlib import Path

import numpy as np

from swarmkit import Floats, plain_name, quoted, read_text, wrong_line
from swarmkit_tsp.distances import KINDS, euclidean, straight, table_of
from swarmkit_tsp.instance import LARGEST, Instance

SIDE = 1_000_000
"""The side of the square of random cities, as in the DIMACS implementation challenge on the TSP."""


def read_points(path: str | Path, metric: str) -> Instance:
    """Read a CSV file with lines 'x,y' or 'name,x,y', with or without a header line.

    Args:
        path: the file.
        metric: `exact` for Euclidean distances, or an EDGE_WEIGHT_TYPE of TSPLIB.
    """
    expected = "lines 'x,y' or 'name,x,y'"
    labels: list[str] = []
    points: list[list[float]] = []
    rows = csv.reader(read_text(path, f"a CSV file with {expected}").splitlines(keepends=True), strict=True)
    try:
        for row in rows:
            line = rows.line_num
            if not any(word.strip() for word in row) or (not points and line == 1 and _is_header(row)):
                continue
            if len(row) not in (2, 3):
                raise wrong_line(path, line, f"{len(row)} columns; expected {expected}")
            if len(points) == LARGEST:
                raise wrong_line(path, line, f"more than {LARGEST:,} cities; expected at most {LARGEST:,}")
            points.append([_number(path, line, word) for word in row[-2:]])
            labels.append(row[0].strip() if len(row) == 3 else "")
    except csv.Error as error:
        raise wrong_line(path, rows.line_num, f"not valid CSV ({error}); expected {expected}") from error
    if not points:
        raise wrong_line(path, max(1, rows.line_num), f"the file ends without a point; expected {expected}")
    made = np.array(points)
    table = table_of(made, straight if metric == "exact" else KINDS[metric][0])
    if not np.isfinite(table).all():
        raise wrong_line(path, 1, "the coordinates are too large to compute distances")
    shown = made[:, ::-1].copy() if metric == "GEO" else made
    return Instance(plain_name(path).stem, metric, table, shown, tuple(labels) if any(labels) else ())


def _is_header(row: list[str]) -> bool:
    """Return whether a first line is a header: it has words in place of the coordinates."""
    return len(row) in (2, 3) and not any(_is_number(word) for word in row[-2:])


def _is_number(word: str) -> bool:
    try:
        float(word)
    except ValueError:
        return False
    return True


def _number(path: str | Path, line: int, word: str) -> float:
    value = float(word) if _is_number(word) else math.nan
    if not math.isfinite(value):
        raise wrong_line(path, line, f"{quoted(word.strip())} is not a coordinate; expected a finite number")
    return value


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
