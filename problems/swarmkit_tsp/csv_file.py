"""Cities in a CSV file: points in a plane or on the earth, or a table of distances."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np

from swarmkit import Floats, plain_name
from swarmkit_tsp.distances import KINDS, on_sphere, straight, table_of
from swarmkit_tsp.instance import LARGEST, Instance
from swarmkit_tsp.sheet import Sheet, read_sheet

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


class Places(NamedTuple):
    """The columns of the coordinates, of the name (None without one), and whether they are latitude and longitude."""

    first: int
    second: int
    name: int | None
    geographical: bool


def read_csv(path: str | Path, metric: str | None) -> Instance:
    """Read cities from a CSV file.

    Args:
        path: the file.
        metric: `exact` for Euclidean distances, `sphere` for metres between latitudes and longitudes, or an
            EDGE_WEIGHT_TYPE of TSPLIB; None for `sphere` where columns are called so, else `exact`.
    """
    sheet = read_sheet(path, EXPECTED)
    if not sheet.rows:
        sheet.wrong(0, f"the file ends without a city; expected {EXPECTED}")
    header = _header(sheet)
    first = 0 if header is None else 1
    if len(sheet.rows) - first > LARGEST:
        sheet.wrong(first + LARGEST, f"more than {LARGEST:,} cities; expected at most {LARGEST:,}")
    if len(sheet.rows) == first:
        sheet.wrong(0, f"the file ends without a city; expected {EXPECTED}")
    columns = _columns(header or [])
    if metric is None and not {"lat", "x"} & set(columns) and _is_table(sheet, first):
        return _distances(sheet, header)
    places = _places(sheet, header, columns, metric)
    return _points(sheet, first, places, metric or ("sphere" if places.geographical else "exact"))


def _header(sheet: Sheet) -> list[str] | None:
    """Return the first row if it is a header: it has no number, an empty corner, or names of columns."""
    row = sheet.rows[0]
    words = [cell for cell in row if not sheet.is_number(cell)]
    known = _columns(row)
    return row if len(words) == len(row) or not row[0] or {"lat", "x"} & set(known) else None


def _columns(header: Sequence[str]) -> dict[str, int]:
    """Return the column of each kind that a header names; the first one counts."""
    found: dict[str, int] = {}
    for column, cell in enumerate(header):
        word = re.split(r"[^a-z]", cell.lower())[0]
        kind = next((kind for kind, words in COLUMNS.items() if word in words), None)
        if kind is not None:
            found.setdefault(kind, column)
    return found


def _places(sheet: Sheet, header: list[str] | None, columns: dict[str, int], metric: str | None) -> Places:
    """Return which columns are the coordinates and the names."""
    name = columns.get("name", columns.get("id"))
    planar = metric not in (None, "sphere", "GEO") and {"x", "y"} <= set(columns)
    if {"lat", "lon"} & set(columns) and not planar:
        if not {"lat", "lon"} <= set(columns):
            sheet.wrong(0, f"the header has one of lat and lon, {', '.join(header or [])}; expected both")
        return Places(columns["lat"], columns["lon"], name, True)
    if {"x", "y"} <= set(columns):
        return Places(columns["x"], columns["y"], name, False)
    width = len(sheet.rows[0])
    if width not in (2, 3, 4):
        sheet.wrong(0, f"{width} columns, and no header that names lat and lon, or x and y; expected {EXPECTED}")
    return Places(width - 2, width - 1, width - 3 if width > 2 else None, metric == "sphere")


def _points(sheet: Sheet, first: int, places: Places, metric: str) -> Instance:
    """Return cities with coordinates."""
    width = len(sheet.rows[0])
    points = np.empty((len(sheet.rows) - first, 2))
    for row in range(first, len(sheet.rows)):
        if len(sheet.rows[row]) != width:
            sheet.wrong(row, f"{len(sheet.rows[row])} columns; expected {width}, as in the first line")
        points[row - first] = [sheet.number(row, column, "a coordinate") for column in places[:2]]
    if metric in ("sphere", "GEO"):
        _check_degrees(sheet, first, points, metric)
    between = {"exact": straight, "sphere": on_sphere}.get(metric) or KINDS[metric][0]
    table = table_of(points, between)
    if not np.isfinite(table).all():
        sheet.wrong(0, "the coordinates are too large to compute distances")
    shown = points[:, ::-1].copy() if metric in ("sphere", "GEO") else points
    labels = [] if places.name is None else [row[places.name] for row in sheet.rows[first:]]
    return Instance(plain_name(sheet.path).stem, metric, table, shown, tuple(labels) if any(labels) else ())


def _check_degrees(sheet: Sheet, first: int, points: Floats, metric: str) -> None:
    """Refuse what are no degrees, and decimal degrees where TSPLIB's degrees and minutes are meant."""
    beyond = np.flatnonzero((np.abs(points[:, 0]) > 90) | (np.abs(points[:, 1]) > 360))
    if len(beyond):
        where = "latitude {:g} and longitude {:g}".format(*points[beyond[0]])
        sheet.wrong(first + int(beyond[0]), f"{where}; expected degrees, at most 90 and 360")
    minutes = np.abs(points) % 1.0
    decimal = np.flatnonzero((minutes >= 0.6).any(axis=1))
    if metric == "GEO" and len(decimal):
        what = "decimal degrees; metric=GEO reads 8.45 as 8 degrees and 45 minutes, as TSPLIB does"
        sheet.wrong(first + int(decimal[0]), f"{what}; expected minutes below 60, or metric=sphere for decimal degrees")


def _is_table(sheet: Sheet, first: int) -> bool:
    """Return whether rows are a square table of three cities or more, names in front or not, with a diagonal of 0."""
    body = sheet.rows[first:]
    n, width = len(body), max(len(row) for row in body)
    offset = width - n
    if n < 3 or offset not in (0, 1) or (first and len(sheet.rows[0]) not in (n, n + 1)):
        return False
    diagonal = [row[at + offset] if at + offset < len(row) else "" for at, row in enumerate(body)]
    return all(_is_nothing(cell) or sheet.value(cell) == 0 for cell in diagonal)


def _is_nothing(cell: str) -> bool:
    return cell in ("", "-", "x", "X")


def _distances(sheet: Sheet, header: list[str] | None) -> Instance:
    """Return cities of which only the distances are known; an entry left out is that of the other direction."""
    first = 0 if header is None else 1
    body = sheet.rows[first:]
    n = len(body)
    offset = max(len(row) for row in body) - n
    table = np.full((n, n), np.nan)
    for i, row in enumerate(body):
        table[i, : len(row) - offset] = _numbers(sheet, first + i, offset)
        if (table[i] < 0).any():
            sheet.wrong(first + i, f"the distance {np.nanmin(table[i]):g}; expected no negative number")
    np.fill_diagonal(table, 0.0)
    table = np.where(np.isnan(table), table.T, table)
    missing = np.argwhere(np.isnan(table))
    if len(missing):
        i, j = missing[0].tolist()
        sheet.wrong(
            first + i, f"no distance from city {i + 1} to city {j + 1}, nor back; expected at least one of them"
        )
    names = [row[0] for row in body] if offset else (header or [])[-n:]
    return Instance(plain_name(sheet.path).stem, "table", table, None, tuple(names) if any(names) else ())


def _numbers(sheet: Sheet, row: int, offset: int) -> Floats:
    """Return a row of distances from a column on, NaN where there is none."""
    cells = sheet.rows[row][offset:]
    try:
        values = np.array(cells, np.float64)
    except ValueError:
        values = np.full(len(cells), np.inf)
    if np.isfinite(values).all():
        return values
    numbers = enumerate(cells, offset)
    return np.array(
        [np.nan if _is_nothing(c) else sheet.number(row, at, "a distance") for at, c in numbers], np.float64
    )
