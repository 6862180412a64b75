"""A linear program as a file states it: columns, an objective and rows."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from pathlib import Path
from typing import NoReturn

from swarmkit import quoted, wrong_line

LARGEST_RANGE = 1000
"""The most values of an integer variable: each is a candidate."""


@dataclass
class Column:
    """A variable."""

    name: str
    line: int
    """The line that names it first."""
    lower: float = 0.0
    upper: float = math.inf
    integer: bool = False

    @property
    def values(self) -> range:
        """The whole numbers that it may take."""
        return range(math.ceil(self.lower), math.floor(self.upper) + 1)


@dataclass
class Row:
    """A constraint: the coefficient of each column, by number, and the bounds of their sum."""

    name: str
    coefficients: dict[int, float]
    lower: float = -math.inf
    upper: float = math.inf


@dataclass
class Program:
    """What a file says; `line` is the one that is being read."""

    path: str | Path
    columns: list[Column] = field(default_factory=list)
    objective: dict[int, float] = field(default_factory=dict)
    constant: float = 0.0
    minimise: bool = True
    rows: list[Row] = field(default_factory=list)
    numbers: dict[str, int] = field(default_factory=dict)
    """The number of each column, by name."""

    def column(self, name: str, line: int) -> int:
        """Return the number of a column, which is new where its name is."""
        if name not in self.numbers:
            self.numbers[name] = len(self.columns)
            self.columns.append(Column(name, line))
        return self.numbers[name]

    def known(self, name: str, line: int) -> Column:
        """Return a column that exists."""
        if name not in self.numbers:
            self.wrong(line, f"{quoted(name)} is in no row and not in the objective; expected a variable")
        return self.columns[self.numbers[name]]

    def number(self, word: str, line: int) -> float:
        """Return a word as a number, which may be infinite."""
        try:
            value = float(word)
        except ValueError:
            self.wrong(line, f"{quoted(word)} is not a number")
        if math.isnan(value) or (math.isinf(value) and "inf" not in word.lower()):
            self.wrong(line, f"{quoted(word)} is not a finite number")
        # Solvers write infinity as a large number.
        return math.copysign(math.inf, value) if abs(value) >= 1e30 else value

    def wrong(self, line: int, what: str) -> NoReturn:
        """Raise UsageError for a line."""
        raise wrong_line(self.path, line, what)

    def checked(self) -> Program:
        """Return the program, unless a column is not an integer between bounds."""
        for column in self.columns:
            name = quoted(column.name)
            if not column.integer:
                self.wrong(
                    column.line, f"variable {name} is continuous; expected whole numbers: HiGHS and SCIP take both"
                )
            if not column.upper - column.lower <= LARGEST_RANGE:
                bounds = f"from {column.lower:g} to {column.upper:g}"
                self.wrong(column.line, f"variable {name} is {bounds}; expected at most {LARGEST_RANGE:,} values")
            if not column.values:
                self.wrong(column.line, f"no whole number lies between the bounds of variable {name}")
        if not self.columns:
            self.wrong(1, "no variable is named; expected a linear program")
        return self
