"""Cities in a CSV file: points in a plane or on the earth, or a table of distances.

CSV files as spreadsheets and people write them: commas, semicolons or tabs, decimal commas, a header or none.
"""

from __future__ import annotations

import csv
import math
import re
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple, NoReturn

import numpy as np

from swarmkit import Floats, plain_name, quoted, read_text, wrong_line
from swarmkit_tsp.distances import KINDS, on_sphere, straight, table_of
from swarmkit_tsp.instance import LARGEST, Instance

EXPECTED = "lines 'x,y' or 'name,x,y', with or without a header; columns 'lat,lon'; or a square table of distances"

COLUMNS = {
    "lat": ("lat", "latitude"),
    "lon": ("lon", "lng", "long", "longitude"),
    "x": ("x", "easting"),
    "y": ("y", "northing"),
    "name": ("name", "city", "town", "place", "stop", "label", "address"),
    "id": ("id", "nr", "no", "number", "index", "key"),
}
"""What a column is, by the first word of its header."""

MOST_CELLS = 30_000_000
"""The largest number of cells: a table of distances between 5,000 cities has fewer."""

EMPTY_CELLS = ("", "-", "x", "X")
"""What people write in a table where there is no distance."""


@dataclass(frozen=True)
class Sheet:
    """The rows of a CSV file, blank ones left out."""

    path: str | Path
    header: list[str]
    """The first row, if it is a header; else empty."""
    rows: list[list[str]]
    """The cells of each other row, without spaces around them."""
    lines: list[int]
    """The line of the header, if there is one, and of each row."""
    decimal_commas: bool
    """Whether commas are decimal points, because something else separates the cells."""

    def number(self, row: int, column: int, meaning: str) -> float:
        """Return a cell as a finite number; `meaning` says in errors what is expected."""
        cell = self.rows[row][column]
        value = to_number(cell, self.decimal_commas)
        if not math.isfinite(value):
            self.wrong(row, f"{quoted(cell)} is not {meaning}; expected a finite number")
        return value

    def wrong(self, row: int, message: str) -> NoReturn:
        """Raise UsageError for the line of a row; -1 is the header, or else the first row."""
        at = max(0, row + len(self.lines) - len(self.rows))
        raise wrong_line(self.path, self.lines[at] if self.lines else 1, message)


def to_number(cell: str, decimal_commas: bool) -> float:
    """Return a cell as a number; NaN if it is none.

    >>> to_number("1,5", decimal_commas=True), to_number("1.5", True), to_number("a", True)
    (1.5, 1.5, nan)
    """
    if decimal_commas and "." not in cell:
        cell = cell.replace(",", ".", 1)
    try:
        return float(cell)
    except ValueError:
        return math.nan


def read_sheet(path: str | Path) -> Sheet:
    """Read a CSV file, compressed or not; the first line that is not blank says what separates the cells."""
    text = read_text(path, f"a CSV file with {EXPECTED}").splitlines(keepends=True)
    first = next((line for line in text if line.strip()), "")
    delimiter = next((mark for mark in ";\t" if mark in first), ",")
    reader = csv.reader(text, strict=True, delimiter=delimiter)
    rows: list[list[str]] = []
    lines: list[int] = []
    cell_count = 0
    try:
        for cells in reader:
            cell_count += len(cells)
            if cell_count > MOST_CELLS:
                raise wrong_line(path, reader.line_num, f"more than {MOST_CELLS:,} cells; expected fewer")
            row = [cell.strip() for cell in cells]
            if any(row):
                rows.append(row)
                lines.append(reader.line_num)
    except csv.Error as error:
        raise wrong_line(path, reader.line_num, f"not valid CSV ({error}); expected {EXPECTED}") from error
    commas = delimiter != ","
    # The line of the header stays in `lines`: errors about columns name it.
    header = rows.pop(0) if rows and _is_header(rows[0], commas) else []
    return Sheet(path, header, rows, lines, commas)


def _is_header(row: Sequence[str], decimal_commas: bool) -> bool:
    """Return whether a row is a header: it has no number, an empty corner, or names of columns."""
    numbers = [c for c in row if not math.isnan(to_number(c, decimal_commas)) or c.lower().lstrip("+-") == "nan"]
    return not numbers or not row[0] or bool({"lat", "x"} & set(_columns(row)))


def _columns(header: Sequence[str]) -> dict[str, int]:
    """Return the column of each kind that a header names; the first one counts."""
    columns: dict[str, int] = {}
    for column, cell in enumerate(header):
        word = re.split(r"[^a-z]", cell.lower())[0]
        kind = next((kind for kind, words in COLUMNS.items() if word in words), None)
        if kind is not None:
            columns.setdefault(kind, column)
    return columns


def read_csv(path: str | Path, metric: str | None) -> Instance:
    """Read cities from a CSV file.

    Args:
        path: the file.
        metric: `exact` for Euclidean distances, `sphere` for metres between latitudes and longitudes, or an
            EDGE_WEIGHT_TYPE of TSPLIB; None for `sphere` where columns are called so, else `exact`.
    """
    sheet = read_sheet(path)
    if not sheet.rows:
        sheet.wrong(-1, f"the file ends without a city; expected {EXPECTED}")
    if len(sheet.rows) > LARGEST:
        sheet.wrong(LARGEST, f"more than {LARGEST:,} cities; expected at most {LARGEST:,}")
    columns = _columns(sheet.header)
    if metric is None and not {"lat", "x"} & set(columns) and _is_table(sheet):
        return _distances(sheet)
    return _points(sheet, _places(sheet, columns, metric), metric)


class Places(NamedTuple):
    """The columns of the coordinates, of the name (None without one), and whether they are latitude and longitude."""

    first: int
    second: int
    name: int | None
    geographical: bool


def _places(sheet: Sheet, columns: dict[str, int], metric: str | None) -> Places:
    """Return which columns are the coordinates and the names."""
    name = columns.get("name", columns.get("id"))
    planar = metric not in (None, "sphere", "GEO") and {"x", "y"} <= set(columns)
    if {"lat", "lon"} & set(columns) and not planar:
        if not {"lat", "lon"} <= set(columns):
            sheet.wrong(-1, f"the header has one of lat and lon, {', '.join(sheet.header)}; expected both")
        return Places(columns["lat"], columns["lon"], name, True)
    if {"x", "y"} <= set(columns):
        return Places(columns["x"], columns["y"], name, False)
    width = len(sheet.header or sheet.rows[0])
    if width not in (2, 3, 4):
        sheet.wrong(-1, f"{width} columns, and no header that names lat and lon, or x and y; expected {EXPECTED}")
    # Without names of columns the coordinates are the last two, and the name stands before them.
    return Places(width - 2, width - 1, width - 3 if width > 2 else None, metric == "sphere")


def _points(sheet: Sheet, places: Places, metric: str | None) -> Instance:
    """Return cities with coordinates."""
    kind = metric or ("sphere" if places.geographical else "exact")
    width = len(sheet.header or sheet.rows[0])
    for row, cells in enumerate(sheet.rows):
        if len(cells) != width:
            sheet.wrong(row, f"{len(cells)} columns; expected {width}, as in the first line")
    rows = range(len(sheet.rows))
    points = np.array([[sheet.number(row, column, "a coordinate") for column in places[:2]] for row in rows])
    if kind in ("sphere", "GEO"):
        _check_degrees(sheet, points, kind)
    between = {"exact": straight, "sphere": on_sphere}.get(kind) or KINDS[kind][0]
    table = table_of(points, between)
    if not np.isfinite(table).all():
        sheet.wrong(-1, "the coordinates are too large to compute distances")
    picture = points[:, ::-1].copy() if kind in ("sphere", "GEO") else points  # longitude to the right
    labels = [] if places.name is None else [row[places.name] for row in sheet.rows]
    return Instance(plain_name(sheet.path).stem, kind, table, picture, tuple(labels) if any(labels) else ())


def _check_degrees(sheet: Sheet, points: Floats, kind: str) -> None:
    """Refuse what are no degrees, and decimal degrees where TSPLIB's degrees and minutes are meant."""
    beyond = np.flatnonzero((np.abs(points[:, 0]) > 90) | (np.abs(points[:, 1]) > 360))
    if len(beyond):
        where = "latitude {:g} and longitude {:g}".format(*points[beyond[0]])
        sheet.wrong(int(beyond[0]), f"{where}; expected degrees, at most 90 and 360")
    decimal = np.flatnonzero((np.abs(points) % 1.0 >= 0.6).any(axis=1))  # there are 60 minutes in a degree
    if kind == "GEO" and len(decimal):
        message = "decimal degrees; metric=GEO reads 8.45 as 8 degrees and 45 minutes, as TSPLIB does"
        sheet.wrong(int(decimal[0]), f"{message}; expected minutes below 60, or metric=sphere for decimal degrees")


def _is_table(sheet: Sheet) -> bool:
    """Return whether rows are a square table of three cities or more, names in front or not, with a diagonal of 0."""
    n = len(sheet.rows)
    offset = max(map(len, sheet.rows)) - n
    if n < 3 or offset not in (0, 1) or (sheet.header and len(sheet.header) not in (n, n + 1)):
        return False
    # A lower triangle may end before the diagonal.
    diagonal = [row[at + offset] if at + offset < len(row) else "" for at, row in enumerate(sheet.rows)]
    return all(cell in EMPTY_CELLS or to_number(cell, sheet.decimal_commas) == 0 for cell in diagonal)


def _distances(sheet: Sheet) -> Instance:
    """Return cities of which only the distances are known; an entry left out is that of the other direction."""
    n = len(sheet.rows)
    offset = max(map(len, sheet.rows)) - n
    table = np.full((n, n), np.nan)
    for i, row in enumerate(sheet.rows):
        table[i, : len(row) - offset] = _row_of_distances(sheet, i, offset)
        if (table[i] < 0).any():
            sheet.wrong(i, f"the distance {np.nanmin(table[i]):g}; expected no negative number")
    np.fill_diagonal(table, 0.0)
    table = np.where(np.isnan(table), table.T, table)  # a triangle holds both ways
    missing = np.argwhere(np.isnan(table))
    if len(missing):
        i, j = missing[0].tolist()
        sheet.wrong(i, f"no distance from city {i + 1} to city {j + 1}, nor back; expected at least one of them")
    labels = [row[0] for row in sheet.rows] if offset else sheet.header[-n:]
    return Instance(plain_name(sheet.path).stem, "table", table, None, tuple(labels) if any(labels) else ())


def _row_of_distances(sheet: Sheet, row: int, offset: int) -> Floats:
    """Return a row of distances from a column on, NaN where there is none."""
    cells = sheet.rows[row][offset:]
    with suppress(ValueError):  # a row of plain numbers, as most are, is converted at once
        values = np.array(cells, np.float64)
        if np.isfinite(values).all():
            return values
    numbers = enumerate(cells, offset)
    return np.array(
        [np.nan if cell in EMPTY_CELLS else sheet.number(row, at, "a distance") for at, cell in numbers], np.float64
    )
