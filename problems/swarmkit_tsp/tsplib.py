"""Files of TSPLIB 95: problems (.tsp, .atsp) and tours (.tour, .opt.tour).

G. Reinelt (1991). TSPLIB: a traveling salesman problem library. ORSA Journal on Computing 3(4), 376-384.
"""

from __future__ import annotations

from pathlib import Path
from typing import NoReturn

import numpy as np

from swarmkit import Floats, Ints, Numbers, number_rows, quoted, read_text, wrong_line
from swarmkit_tsp.distances import KINDS, table_of
from swarmkit_tsp.instance import LARGEST, Instance

KEYWORDS = (
    "NAME",
    "TYPE",
    "COMMENT",
    "DIMENSION",
    "EDGE_WEIGHT_TYPE",
    "EDGE_WEIGHT_FORMAT",
    "NODE_COORD_TYPE",
    "DISPLAY_DATA_TYPE",
)
SECTIONS = ("NODE_COORD_SECTION", "EDGE_WEIGHT_SECTION", "DISPLAY_DATA_SECTION", "TOUR_SECTION")
UNSUPPORTED = {
    "CAPACITY": "vehicle routing",
    "DEMAND_SECTION": "vehicle routing",
    "DEPOT_SECTION": "vehicle routing",
    "EDGE_DATA_FORMAT": "Hamiltonian cycles",
    "EDGE_DATA_SECTION": "Hamiltonian cycles",
    "FIXED_EDGES_SECTION": "tours with edges that must be taken",
}
"""Keywords of TSPLIB for other kinds of problems, which are refused rather than ignored."""

FORMATS = (
    "FULL_MATRIX",
    "UPPER_ROW",
    "LOWER_ROW",
    "UPPER_DIAG_ROW",
    "LOWER_DIAG_ROW",
    "UPPER_COL",
    "LOWER_COL",
    "UPPER_DIAG_COL",
    "LOWER_DIAG_COL",
)
"""The formats in which a table of distances is written (EDGE_WEIGHT_FORMAT)."""


class TsplibFile:
    """Keywords with their values, and sections of lines.

    Args:
        path: the file.
        expected: what it should contain, for messages.
    """

    def __init__(self, path: str | Path, expected: str) -> None:
        self.path = path
        self.lines = read_text(path, expected).splitlines()
        self.values: dict[str, tuple[int, str]] = {}
        """Line number and value of each keyword."""
        self.sections: dict[str, list[int]] = {}
        """The places in `lines` of a section's heading and of its lines that are not empty."""
        self.end = 1
        """The number of the last line that is not empty."""
        section: list[int] | None = None
        for at, text in enumerate(self.lines):
            # The colon after a keyword may stand alone, touch the keyword, or be left out.
            word, *rest = text.replace(":", " ", 1).split(maxsplit=1) or [""]
            if not word:
                continue
            self.end = at + 1
            if word == "EOF":
                break
            if word in UNSUPPORTED:
                self.wrong(at + 1, f"{word} belongs to {UNSUPPORTED[word]}; expected a travelling salesman problem")
            if word in self.values or word in self.sections:
                self.wrong(at + 1, f"{word} occurs twice; expected it once")
            if word in SECTIONS:
                section = self.sections[word] = [at]
            elif word in KEYWORDS:
                section, self.values[word] = None, (at + 1, "".join(rest).strip())
            elif section is not None:
                section.append(at)
            else:
                self.wrong(at + 1, f"{quoted(text.strip())} is not a keyword of TSPLIB; expected {expected}")

    def wrong(self, line: int, message: str) -> NoReturn:
        """Raise UsageError about a line of the file."""
        raise wrong_line(self.path, line, message)

    def value(self, keyword: str, expected: str) -> tuple[int, str]:
        """Return line and value of a keyword, which must exist; `expected` completes the error."""
        if keyword not in self.values:
            self.wrong(self.end, f"the file ends without {keyword}; expected {expected}")
        return self.values[keyword]

    def choice(self, keyword: str, choices: tuple[str, ...]) -> str:
        """Return the value of a keyword, which must be one of some choices; the rest of the line is a comment."""
        line, text = self.value(keyword, f"'{keyword} : {choices[0]}' or another kind")
        word = text.split(maxsplit=1)[0] if text else ""
        if word not in choices:
            self.wrong(line, f"{keyword} {quoted(text)} is not supported; expected {', '.join(choices)}")
        return word

    def section(self, name: str) -> list[int]:
        """Return the places of the heading and the lines of a section, which must exist."""
        if name not in self.sections:
            self.wrong(self.end, f"the file ends without a {name}")
        return self.sections[name]

    def numbers(self, name: str) -> tuple[Numbers, Floats]:
        """Return the numbers of a section, whatever its line breaks, and their reader, for errors."""
        rows = self.section(name)
        # Empty lines in place of those before the section: so errors name the right line.
        text = "\n" * (rows[0] + 1) + "\n".join(self.lines[rows[0] + 1 : rows[-1] + 1])
        reader = Numbers(self.path, "a number, or a keyword of TSPLIB", text=text)
        return reader, reader.rest()

    def coordinates(self, name: str, n: int, dimensions: int) -> Floats:
        """Return the points of a section of lines 'city x y', in any order, each city once."""
        rows = self.section(name)[1:]
        shape = f"'city {' '.join('xyz'[:dimensions])}' in finite numbers, or a keyword of TSPLIB"
        values = number_rows(self.path, self.lines, rows, dimensions + 1, shape)
        cities = values[:, 0]
        invalid = np.flatnonzero((cities != np.floor(cities)) | (cities < 1) | (cities > n))
        if len(invalid):
            at = int(invalid[0])
            self.wrong(rows[at] + 1, f"city {cities[at]:g}; expected a number from 1 to {n}, as DIMENSION says")
        occurrences = np.unique(cities, return_index=True)[1]
        duplicates = np.setdiff1d(np.arange(len(cities)), occurrences)
        if len(duplicates):
            at = int(duplicates[0])
            before = rows[int(np.flatnonzero(cities == cities[at])[0])] + 1
            self.wrong(rows[at] + 1, f"city {cities[at]:g} is on line {before} already; expected every city once")
        missing = np.setdiff1d(np.arange(1, n + 1), cities)
        if len(missing):
            last = self.section(name)[-1] + 1
            self.wrong(last, f"{name} ends without city {missing[0]}; expected {n} cities, as DIMENSION says")
        return values[np.argsort(cities), 1:]


def read_tsplib(path: str | Path) -> Instance:
    """Read a problem file."""
    file = TsplibFile(path, "a file of TSPLIB, which begins with lines such as 'NAME : berlin52'")
    kind = file.choice("TYPE", ("TSP", "ATSP"))
    n = _dimension(file)
    weights = file.choice("EDGE_WEIGHT_TYPE", (*KINDS, "EXPLICIT"))
    name = Path(file.values.get("NAME", (0, ""))[1] or Path(path).name).name.removesuffix(".tsp").removesuffix(".atsp")
    if weights == "EXPLICIT":
        # An instance given by distances is drawn with the first of these sections that the file has.
        places = [name for name in ("DISPLAY_DATA_SECTION", "NODE_COORD_SECTION") if name in file.sections]
        table = _explicit(file, n, kind)
        return Instance(name, weights, table, file.coordinates(places[0], n, 2) if places else None)
    if kind == "ATSP":
        file.wrong(file.values["TYPE"][0], f"TYPE ATSP with {weights}; expected EDGE_WEIGHT_TYPE EXPLICIT")
    between, dimensions = KINDS[weights]
    points = file.coordinates("NODE_COORD_SECTION", n, dimensions)
    table = table_of(points, between)
    if not np.isfinite(table).all():
        heading = file.section("NODE_COORD_SECTION")[0]
        file.wrong(heading + 1, "the coordinates are too large to compute distances")
    # In a picture longitude goes to the right and latitude upwards; three dimensions are not drawn.
    picture = points[:, ::-1].copy() if weights == "GEO" else points if dimensions == 2 else None
    return Instance(name, weights, table, picture)


def _dimension(file: TsplibFile) -> int:
    line, text = file.value("DIMENSION", "'DIMENSION : ' and the number of cities")
    if not (text.isascii() and text.isdigit()) or not 1 <= int(text) <= LARGEST:
        file.wrong(line, f"DIMENSION {quoted(text)}; expected a number of cities from 1 to {LARGEST:,}")
    return int(text)


def _explicit(file: TsplibFile, n: int, kind: str) -> Floats:
    """Return the table of distances of a file, which must be symmetric unless its TYPE is ATSP."""
    form = file.choice("EDGE_WEIGHT_FORMAT", FORMATS)
    reader, numbers = file.numbers("EDGE_WEIGHT_SECTION")
    excess = len(numbers) - count_of(form, n)
    if excess:
        message = f"{len(numbers):,} numbers in EDGE_WEIGHT_SECTION; expected {count_of(form, n):,}"
        reader.wrong_word(max(1, excess), f"{message} for DIMENSION {n} and {form}")
    table = unfold(form, n, numbers)
    line = file.section("EDGE_WEIGHT_SECTION")[0] + 1
    if (table < 0).any():
        i, j = np.argwhere(table < 0)[0]
        file.wrong(line, f"the distance from {i + 1} to {j + 1} is {table[i, j]:g}; expected none below 0")
    if kind == "TSP" and not np.array_equal(table, table.T):
        i, j = np.argwhere(table != table.T)[0]
        ways = f"the distance from {i + 1} to {j + 1} is {table[i, j]:g}, back {table[j, i]:g}"
        file.wrong(line, f"{ways}; expected the same both ways, or TYPE ATSP")
    return table


def places(form: str, n: int) -> tuple[Ints, Ints]:
    """Return row and column of each number of a triangular format, in the order of the file.

    >>> [place.tolist() for place in places("LOWER_DIAG_ROW", 2)]
    [[0, 1, 1], [0, 0, 1]]
    >>> [place.tolist() for place in places("UPPER_COL", 3)]
    [[0, 0, 1], [1, 2, 2]]
    """
    side, order = form.replace("_DIAG", "").split("_")
    offset = 0 if "DIAG" in form else 1
    # A triangle by columns has the order of its transpose by rows.
    if (side == "UPPER") == (order == "ROW"):
        outer, inner = np.triu_indices(n, offset)
    else:
        outer, inner = np.tril_indices(n, -offset)
    return (outer, inner) if order == "ROW" else (inner, outer)


def count_of(form: str, n: int) -> int:
    """Return how many numbers a format has.

    >>> count_of("UPPER_ROW", 4), count_of("LOWER_DIAG_COL", 4), count_of("FULL_MATRIX", 4)
    (6, 10, 16)
    """
    return n * n if form == "FULL_MATRIX" else n * (n + 1) // 2 if "DIAG" in form else n * (n - 1) // 2


def unfold(form: str, n: int, numbers: Floats) -> Floats:
    """Return the full table; the diagonal is set to 0, because no tour uses it."""
    if form == "FULL_MATRIX":
        table = numbers.reshape(n, n).copy()
    else:
        table = np.zeros((n, n))
        i, j = places(form, n)
        table[i, j] = table[j, i] = numbers
    np.fill_diagonal(table, 0.0)
    return table


def read_tour(path: str | Path, n: int) -> Ints:
    """Return the tour through n cities in a file: their numbers, ended by -1."""
    file = TsplibFile(path, "a tour of TSPLIB, with a TOUR_SECTION")
    if "TYPE" in file.values:
        file.choice("TYPE", ("TOUR",))
    reader, numbers = file.numbers("TOUR_SECTION")
    end = int(np.argmax(numbers == -1)) if -1 in numbers else len(numbers)
    tour = numbers[:end]
    missing = np.setdiff1d(np.arange(1, n + 1), tour)
    if len(tour) != n or len(missing):
        message = f"a tour of {len(tour)} cities" + (f" without city {missing[0]}" if len(missing) else "")
        reader.wrong_word(max(1, len(numbers) - end), f"{message}; expected each of {n} cities once")
    return tour.astype(np.int64) - 1
