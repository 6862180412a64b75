"""Files of VRPLIB (.vrp): TSPLIB's format with amounts, depots and time windows.

Uchoa, E. et al. 2017. New benchmark instances for the capacitated vehicle routing problem. European Journal of
Operational Research 257(3). TSPLIB: Reinelt, G. 1991, ORSA Journal on Computing 3(4).
"""

from __future__ import annotations

from pathlib import Path
from typing import NoReturn

import numpy as np

from swarmkit import Floats, Numbers, number_rows, quoted, read_text, wrong_line
from swarmkit_lists.instance import Instance

EXPECTED = "a file of VRPLIB, which begins with lines such as 'NAME : X-n101-k25'"

METRICS = {"EUC_2D": "rounded", "CEIL_2D": "ceiling", "EXACT_2D": "euclidean"}
"""The metric of each EDGE_WEIGHT_TYPE; with time windows EUC_2D is exact, as authors of such files have it."""

SECTIONS = {
    "NODE_COORD_SECTION": 2,
    "DEMAND_SECTION": 1,
    "TIME_WINDOW_SECTION": 2,
    "SERVICE_TIME_SECTION": 1,
    "DEPOT_SECTION": 0,
    "EDGE_WEIGHT_SECTION": 0,
}
"""The numbers of each place in a section's lines, after the place's own."""

LARGEST = 1_000_000
"""The largest number of places."""


class VrplibFile:
    """Keywords with their values, and sections of lines."""

    def __init__(self, path: str | Path) -> None:
        self.path, self.lines = path, read_text(path, EXPECTED).splitlines()
        self.values: dict[str, tuple[int, str]] = {}
        self.sections: dict[str, list[int]] = {}
        section: list[int] | None = None
        for at, text in enumerate(self.lines):
            word, *rest = text.replace(":", " ", 1).split(maxsplit=1) or [""]
            if word == "EOF":
                break
            if word in SECTIONS:
                section = self.sections[word] = []
            elif word and not word[0].isalpha() and section is not None:
                section.append(at)
            elif word and word[0].isalpha() and (":" in text or word.isupper()):
                section, self.values[word] = None, (at, " ".join(rest).strip())
            elif word:
                self.wrong(at, f"{quoted(text.strip())} is not a keyword of VRPLIB; expected {EXPECTED}")
        self.size = int(self.number("DIMENSION", 2, LARGEST, whole=True))

    def wrong(self, at: int, message: str) -> NoReturn:
        """Raise UsageError about a line, counted from 0."""
        raise wrong_line(self.path, at + 1, message)

    def value(self, keyword: str) -> tuple[int, str]:
        """Return the line and the value of a keyword, which must exist."""
        if keyword not in self.values:
            self.wrong(max(0, len(self.lines) - 1), f"the file ends without {keyword}; expected {EXPECTED}")
        return self.values[keyword]

    def number(self, keyword: str, least: float, most: float, whole: bool = False) -> float:
        """Return the value of a keyword as a number within limits."""
        at, text = self.value(keyword)
        try:
            number = float(text)
        except ValueError:
            number = np.nan
        if not least <= number <= most or (whole and number % 1):
            kind = "whole number" if whole else "number"
            self.wrong(at, f"{keyword} {quoted(text)}; expected a {kind} from {least:g} to {most:g}")
        return number

    def column(self, name: str) -> Floats:
        """Return the numbers of a section, a row for each place, in the order of the places."""
        rows, width = self.sections.get(name, []), SECTIONS[name]
        expected = f"'place {' '.join(['number'] * width)}'"
        values = number_rows(self.path, self.lines, rows, width + 1, expected)
        places = values[:, 0]
        if len(rows) != self.size or not np.array_equal(np.sort(places), np.arange(1, self.size + 1)):
            at = rows[-1] if rows else len(self.lines) - 1
            self.wrong(at, f"{name} has {len(rows)} lines; expected each of {self.size} places once")
        return values[np.argsort(places), 1:]

    def numbers(self, name: str) -> Floats:
        """Return all numbers of a section, whatever its line breaks."""
        rows = self.sections.get(name, [])
        text = "\n" * rows[0] + "\n".join(self.lines[rows[0] : rows[-1] + 1]) if rows else ""
        return Numbers(self.path, "a number, or a keyword of VRPLIB", text=text).rest()


def read_vrplib(path: str | Path) -> Instance:
    """Read a problem file."""
    file = VrplibFile(path)
    at, kind = file.value("EDGE_WEIGHT_TYPE")
    if kind not in (*METRICS, "EXPLICIT"):
        file.wrong(at, f"EDGE_WEIGHT_TYPE {quoted(kind)} is not supported; expected {', '.join(METRICS)} or EXPLICIT")
    timed = "TIME_WINDOW_SECTION" in file.sections
    depots = tuple(int(place) - 1 for place in file.numbers("DEPOT_SECTION") if place > 0) or (0,)
    services = None
    if "SERVICE_TIME_SECTION" in file.sections:
        services = file.column("SERVICE_TIME_SECTION")[:, 0]
    elif "SERVICE_TIME" in file.values:
        services = np.full(file.size, file.number("SERVICE_TIME", 0, np.inf))
        services[list(depots)] = 0.0
    return Instance(
        name=file.values.get("NAME", (0, Path(path).stem))[1].strip('"') or Path(path).stem,
        amounts=file.column("DEMAND_SECTION")[:, 0],
        capacity=file.number("CAPACITY", 0, np.inf),
        points=file.column("NODE_COORD_SECTION") if "NODE_COORD_SECTION" in file.sections else None,
        metric="euclidean" if timed and kind == "EUC_2D" else METRICS.get(kind, "euclidean"),
        arcs=_explicit(file) if kind == "EXPLICIT" else None,
        depots=depots,
        windows=file.column("TIME_WINDOW_SECTION") if timed else None,
        services=services,
        vehicles=int(file.number("VEHICLES", 1, LARGEST, whole=True)) if "VEHICLES" in file.values else None,
    )


def _explicit(file: VrplibFile) -> Floats:
    """Return the matrix of a file that states the costs of its arcs."""
    at, kind = file.value("EDGE_WEIGHT_FORMAT")
    n, numbers = file.size, file.numbers("EDGE_WEIGHT_SECTION")
    offset = {"FULL_MATRIX": None, "LOWER_ROW": -1, "LOWER_DIAG_ROW": 0, "LOWER_COL": -1}.get(kind, at)
    if offset == at:
        file.wrong(at, f"EDGE_WEIGHT_FORMAT {quoted(kind)} is not supported; expected FULL_MATRIX or LOWER_ROW")
    places = None if offset is None else np.tril_indices(n, offset)
    count = n * n if places is None else len(places[0])
    if len(numbers) != count:
        file.wrong(at, f"{len(numbers):,} numbers in EDGE_WEIGHT_SECTION; expected {count:,}")
    if places is None:
        return numbers.reshape(n, n)
    table = np.zeros((n, n))
    rows, columns = np.triu_indices(n, 1)[::-1] if kind == "LOWER_COL" else places
    table[rows, columns] = table[columns, rows] = numbers
    return table
