"""Stops in a CSV file: places in a plane or on the earth, amounts, time windows; the first row is the depot."""

from __future__ import annotations

import csv
import math
from collections.abc import Callable
from pathlib import Path

import numpy as np

from swarmkit import Floats, plain_name, quoted, read_text, wrong_line
from swarmkit_lists.instance import Instance

COLUMNS = {
    "lat": ("lat", "latitude"),
    "lon": ("lon", "lng", "long", "longitude"),
    "x": ("x",),
    "y": ("y",),
    "demand": ("demand", "amount", "weight", "load"),
    "ready": ("ready", "open", "earliest"),
    "due": ("due", "close", "latest"),
    "service": ("service", "duration", "minutes"),
    "name": ("name", "stop", "label", "address", "customer"),
}
"""What a column is, by its header."""

EXPECTED = "a header with lat and lon (or x and y), and perhaps name, demand, ready, due, service; first the depot"


def read_stops(path: str | Path, capacity: float, speed: float) -> Instance:
    """Read the depot and the stops of a CSV file.

    Distances between latitudes and longitudes are kilometres, and times minutes, or clock times such as 8:30.

    Args:
        path: the file.
        capacity: the largest load of a vehicle.
        speed: kilometres an hour; of points in a plane, units of length an hour.
    """
    text = read_text(path, f"a CSV file with {EXPECTED}").splitlines()
    first = next((line for line in text if line.strip()), "")
    reader = csv.reader(text, delimiter=next((mark for mark in ";\t" if mark in first), ","))
    rows = [(reader.line_num, [cell.strip() for cell in row]) for row in reader if any(map(str.strip, row))]
    header = [cell.lower() for cell in rows[0][1]] if rows else []
    columns = {
        kind: next(at for at, cell in enumerate(header) if cell in words)
        for kind, words in COLUMNS.items()
        if set(words) & set(header)
    }
    on_earth = {"lat", "lon"} <= set(columns)
    if not on_earth and not {"x", "y"} <= set(columns):
        raise wrong_line(path, 1, f"no columns lat and lon, or x and y; expected {EXPECTED}")
    if len(rows) < 3:
        raise wrong_line(path, len(text), "the file ends without a stop; expected the depot and a row for each stop")

    def column(kind: str, default: float, convert: Callable[[str], float] = float) -> Floats:
        values = np.full(len(rows) - 1, default)
        for at, (line, row) in enumerate(rows[1:]) if kind in columns else ():
            cell = row[columns[kind]] if columns[kind] < len(row) else ""
            try:
                values[at] = convert(cell) if cell or math.isnan(default) else default
            except ValueError:
                values[at] = math.nan
            if math.isnan(values[at]):
                raise wrong_line(path, line, f"{quoted(cell)} as {kind}; expected a number")
        return values

    sides = ("lon", "lat") if on_earth else ("x", "y")
    windows = np.column_stack([column("ready", -np.inf, minutes), column("due", np.inf, minutes)])
    labels = [row[columns["name"]] if "name" in columns and len(row) > columns["name"] else "" for _, row in rows[1:]]
    return Instance(
        name=plain_name(path).stem,
        amounts=column("demand", 0.0),
        capacity=capacity,
        points=np.column_stack([column(side, math.nan) for side in sides]),
        metric="sphere" if on_earth else "euclidean",
        windows=windows if np.isfinite(windows).any() else None,
        services=column("service", 0.0, minutes),
        pace=60.0 / speed,
        labels=tuple(label or str(at) for at, label in enumerate(labels)),
    )


def minutes(cell: str) -> float:
    """Return a time in minutes: a number of them, or hours and minutes.

    >>> minutes("90"), minutes("8:30")
    (90.0, 510.0)
    """
    hours, colon, rest = cell.partition(":")
    return 60.0 * float(hours) + float(rest) if colon else float(cell)
