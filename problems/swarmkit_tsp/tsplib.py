"""Files of TSPLIB 95: problems (.tsp, .atsp) and tours (.tour, .opt.tour).

G. Reinelt (1991). TSPLIB: a traveling salesman problem library. ORSA Journal on Computing 3(4), 376-384.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from swarmkit import Floats, quoted
from swarmkit_tsp.distances import KINDS, table_of
from swarmkit_tsp.instance import LARGEST, Instance
from swarmkit_tsp.matrix import FORMATS, count_of, unfold
from swarmkit_tsp.sections import Sections, all_numbers, number, read_sections


def read_tsplib(path: str | Path) -> Instance:
    """Read a problem file."""
    made = read_sections(path, "a file of TSPLIB, which begins with lines such as 'NAME : berlin52'")
    kind = made.choice("TYPE", ("TSP", "ATSP"))
    n = _dimension(made)
    weights = made.choice("EDGE_WEIGHT_TYPE", (*KINDS, "EXPLICIT"))
    name = Path(made.values.get("NAME", (0, ""))[1] or Path(path).name).name.removesuffix(".tsp").removesuffix(".atsp")
    if weights == "EXPLICIT":
        return Instance(name, weights, _explicit(made, n, kind), _display(made, n))
    if kind == "ATSP":
        made.wrong(made.values["TYPE"][0], f"TYPE ATSP with {weights}; expected EDGE_WEIGHT_TYPE EXPLICIT")
    between, dimensions = KINDS[weights]
    points = _coordinates(made, "NODE_COORD_SECTION", n, dimensions)
    table = table_of(points, between)
    if not np.isfinite(table).all():
        made.wrong(made.section("NODE_COORD_SECTION").line, "the coordinates are too large to compute distances")
    return Instance(name, weights, table, _drawn(points, weights))


def _drawn(points: Floats, weights: str) -> Floats | None:
    """Return the points of a drawing: longitude to the right, latitude upwards; None in three dimensions."""
    return points[:, ::-1].copy() if weights == "GEO" else points if points.shape[1] == 2 else None


def _dimension(made: Sections) -> int:
    line, text = made.value("DIMENSION", "'DIMENSION : ' and the number of cities")
    if not (text.isascii() and text.isdigit()) or not 1 <= int(text) <= LARGEST:
        made.wrong(line, f"DIMENSION {quoted(text)}; expected a number of cities from 1 to {LARGEST:,}")
    return int(text)


def _explicit(made: Sections, n: int, kind: str) -> Floats:
    form = made.choice("EDGE_WEIGHT_FORMAT", FORMATS)
    numbers = all_numbers(made, "EDGE_WEIGHT_SECTION", count_of(form, n), f"DIMENSION {n} and {form}")
    table = unfold(form, n, numbers)
    line = made.section("EDGE_WEIGHT_SECTION").line
    if (table < 0).any():
        i, j = np.argwhere(table < 0)[0]
        made.wrong(line, f"the distance from {i + 1} to {j + 1} is {table[i, j]:g}; expected none below 0")
    if kind == "TSP" and not np.array_equal(table, table.T):
        i, j = np.argwhere(table != table.T)[0]
        ways = f"the distance from {i + 1} to {j + 1} is {table[i, j]:g}, back {table[j, i]:g}"
        made.wrong(line, f"{ways}; expected the same both ways, or TYPE ATSP")
    return table


def _display(made: Sections, n: int) -> Floats | None:
    """Return the points with which an instance given by distances is drawn, if the file has any."""
    for name in ("DISPLAY_DATA_SECTION", "NODE_COORD_SECTION"):
        if name in made.numbers:
            return _coordinates(made, name, n, 2)
    return None


def _coordinates(made: Sections, name: str, n: int, dimensions: int) -> Floats:
    """Return the points of a section of lines 'city x y', in any order, each city once."""
    section = made.section(name)
    points = np.zeros((n, dimensions))
    lines = np.zeros(n, np.int64)
    shape = f"'city {' '.join('xyz'[:dimensions])}'"
    for line, words in section.rows:
        values = [number(made, line, word) for word in words]
        if len(values) != dimensions + 1:
            made.wrong(line, f"{len(values)} numbers; expected {shape}")
        city = _city(made, line, values[0], n)
        if lines[city]:
            made.wrong(line, f"city {city + 1} is on line {lines[city]} already; expected every city once")
        points[city], lines[city] = values[1:], line
    if not lines.all():
        missing = int(np.flatnonzero(lines == 0)[0]) + 1
        made.wrong(section.last, f"{name} ends without city {missing}; expected {n} cities, as DIMENSION says")
    return points


def _city(made: Sections, line: int, value: float, n: int) -> int:
    if not (value.is_integer() and 1 <= value <= n):
        made.wrong(line, f"city {value:g}; expected a number from 1 to {n}, as DIMENSION says")
    return int(value) - 1


def read_tour(path: str | Path, n: int) -> NDArray[np.int64]:
    """Return the tour through n cities in a file: their numbers, ended by -1."""
    made = read_sections(path, "a tour of TSPLIB, with a TOUR_SECTION")
    if "TYPE" in made.values:
        made.choice("TYPE", ("TOUR",))
    section = made.section("TOUR_SECTION")
    tour: list[int] = []
    for line, words in section.rows:
        for word in words:
            value = number(made, line, word)
            if value == -1:
                return _complete(made, tour, n, line)
            city = _city(made, line, value, n)
            if city in tour[-1:] or len(tour) == n:
                made.wrong(line, f"city {city + 1} comes after {len(tour)} others; expected each of {n} cities once")
            tour.append(city)
    return _complete(made, tour, n, section.last)


def _complete(made: Sections, tour: list[int], n: int, line: int) -> NDArray[np.int64]:
    missing = sorted(set(range(n)) - set(tour))
    if missing:
        made.wrong(line, f"the tour ends without city {missing[0] + 1}; expected each of {n} cities once")
    return np.array(tour, np.int64)
