"""CSV files as spreadsheets and people write them: commas, semicolons or tabs, decimal commas, a header or none."""

from __future__ import annotations

import csv
import math
from dataclasses import dataclass
from pathlib import Path
from typing import NoReturn

from swarmkit import quoted, read_text, wrong_line

MOST_CELLS = 30_000_000
"""The largest number of cells: a table of distances between 5,000 cities has fewer."""


@dataclass(frozen=True)
class Sheet:
    """The rows of a CSV file, blank ones left out."""

    path: str | Path
    rows: list[list[str]]
    """The cells of each row, without spaces around them."""
    lines: list[int]
    """The line of each row."""
    decimal_commas: bool
    """Whether commas are decimal points, because something else separates the cells."""

    def number(self, row: int, column: int, of: str) -> float:
        """Return a cell as a finite number; `of` names it in errors."""
        value = self.value(self.rows[row][column])
        if not math.isfinite(value):
            self.wrong(row, f"{quoted(self.rows[row][column])} is not {of}; expected a finite number")
        return value

    def value(self, cell: str) -> float:
        """Return a cell as a number; NaN if it is none."""
        if self.decimal_commas and "." not in cell:
            cell = cell.replace(",", ".", 1)
        try:
            return float(cell)
        except ValueError:
            return math.nan

    def is_number(self, cell: str) -> bool:
        """Return whether a cell is a number, finite or not."""
        return not math.isnan(self.value(cell)) or cell.lower().lstrip("+-") == "nan"

    def wrong(self, row: int, what: str) -> NoReturn:
        """Raise UsageError for the line of a row."""
        raise wrong_line(self.path, self.lines[row] if self.rows else 1, what)


def read_sheet(path: str | Path, expected: str) -> Sheet:
    """Read a CSV file; the first line that is not blank says what separates the cells.

    Args:
        path: the file, compressed or not.
        expected: what it should contain, for messages.
    """
    text = read_text(path, f"a CSV file with {expected}").splitlines(keepends=True)
    first = next((line for line in text if line.strip()), "")
    delimiter = next((mark for mark in ";\t" if mark in first), ",")
    found = csv.reader(text, strict=True, delimiter=delimiter)
    rows: list[list[str]] = []
    lines: list[int] = []
    cells_read = 0
    try:
        for cells in found:
            stripped = [cell.strip() for cell in cells]
            cells_read += len(cells)
            if cells_read > MOST_CELLS:
                raise wrong_line(path, found.line_num, f"more than {MOST_CELLS:,} cells; expected fewer")
            if any(stripped):
                rows.append(stripped)
                lines.append(found.line_num)
    except csv.Error as error:
        raise wrong_line(path, found.line_num, f"not valid CSV ({error}); expected {expected}") from error
    return Sheet(path, rows, lines, delimiter != ",")
