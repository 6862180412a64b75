"""Linear programs in MPS, fixed or free: sections with a name, a keyword or fields on each line.

Names have no spaces. Integer columns stand between the markers INTORG and INTEND, or have bounds BV, LI or UI; without
bounds they are 0 or 1, as readers of this format agree.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from pathlib import Path
from typing import NoReturn

from swarmkit import quoted, read_text
from swarmkit_linear.program import Program, Row

EXPECTED = "a linear program in MPS: sections NAME, ROWS, COLUMNS, RHS, BOUNDS, ENDATA"


def read_mps(path: str | Path) -> Program:
    """Read a file in MPS."""
    return _Reader(path).read()


class _Reader:
    """The program, and where in the file the reader is."""

    def __init__(self, path: str | Path) -> None:
        self.program = Program(path)
        self.line = 0
        self.kinds: dict[str, str] = {}
        """The kind of each row: N, L, G or E."""
        self.rows: dict[str, Row] = {}
        self.objective = ""
        self.between_markers = False
        self.bounded: set[str] = set()
        """Columns with a bound that is an upper one."""

    def read(self) -> Program:
        sections: dict[str, Callable[[list[str]], None]] = {
            "OBJSENSE": self._sense,
            "ROWS": self._row,
            "COLUMNS": self._column,
            "RHS": self._right_side,
            "RANGES": self._range,
            "BOUNDS": self._bound,
        }
        section = ""
        for text in read_text(self.program.path, EXPECTED).splitlines():
            self.line += 1
            words = text.split()
            if not words or text.startswith("*"):
                continue
            if text[0].isspace():
                if section not in sections:
                    self._wrong(f"{quoted(text.strip())} in no section; expected {EXPECTED}")
                sections[section](words)
                continue
            section = words[0].upper()
            if section == "ENDATA":
                return self._result()
            if section == "OBJSENSE" and len(words) > 1:
                self._sense(words[1:])
            elif section != "NAME" and section not in sections:
                self._wrong(f"section {quoted(words[0])}; expected a linear program: {', '.join(sections)}, ENDATA")
        return self._wrong("the file ends without ENDATA")

    def _wrong(self, what: str) -> NoReturn:
        self.program.wrong(max(1, self.line), what)

    def _result(self) -> Program:
        for column in self.program.columns:
            if column.integer and column.name not in self.bounded and column.lower >= 0.0:
                column.upper = 1.0
        return self.program.checked()

    def _sense(self, words: list[str]) -> None:
        self.program.minimise = not words[0].upper().startswith("MAX")

    def _row(self, words: list[str]) -> None:
        if len(words) != 2 or words[0].upper() not in ("N", "L", "G", "E"):
            self._wrong(f"{quoted(' '.join(words))}; expected N, L, G or E and the name of a row")
        kind, name = words[0].upper(), words[1]
        if name in self.kinds:
            self._wrong(f"row {quoted(name)} for the second time")
        self.kinds[name] = kind
        if kind == "N":
            self.objective = self.objective or name  # others of this kind are not used
            return
        row = Row(name, {}, -math.inf if kind == "L" else 0.0, math.inf if kind == "G" else 0.0)
        self.rows[name] = row
        self.program.rows.append(row)

    def _column(self, words: list[str]) -> None:
        if len(words) == 3 and words[1].strip("'\"").upper() == "MARKER":
            self.between_markers = words[2].strip("'\"").upper() == "INTORG"
            return
        if len(words) not in (3, 5):
            self._wrong(f"{quoted(' '.join(words))}; expected a column, then one or two rows, each with a number")
        number = self.program.column(words[0], self.line)
        self.program.columns[number].integer |= self.between_markers
        for row, value in zip(words[1::2], words[2::2], strict=True):
            if row not in self.kinds:
                self._wrong(f"row {quoted(row)} is not in ROWS")
            if row == self.objective:
                self.program.objective[number] = self._number(value)
            elif row in self.rows:
                self.rows[row].coefficients[number] = self._number(value)

    def _right_side(self, words: list[str]) -> None:
        for row, value in self._fields(words):
            number = self._number(value)
            if row == self.objective:
                self.program.constant = -number
            elif row in self.rows:
                self.rows[row].lower += number  # infinite bounds stay infinite
                self.rows[row].upper += number

    def _range(self, words: list[str]) -> None:
        for name, value in self._fields(words):
            number, kind = self._number(value), self.kinds[name]
            row = self.rows[name]
            if kind == "L" or (kind == "E" and number < 0):
                row.lower = row.upper - abs(number)
            else:
                row.upper = row.lower + abs(number)

    def _fields(self, words: list[str]) -> list[tuple[str, str]]:
        """Return rows and numbers, which may stand behind the name of a set."""
        pairs = words[len(words) % 2 :]
        fields = list(zip(pairs[::2], pairs[1::2], strict=True))
        for row, _ in fields:
            if row not in self.kinds:
                self._wrong(f"row {quoted(row)} is not in ROWS")
        return fields

    def _bound(self, words: list[str]) -> None:
        kind = words[0].upper()
        valueless = kind in ("BV", "FR", "MI", "PL")
        if kind not in ("UP", "LO", "FX", "LI", "UI", "BV", "FR", "MI", "PL") or len(words) < (2 if valueless else 3):
            self._wrong(
                f"{quoted(' '.join(words))}; expected a bound: UP, LO, FX, BV, LI, UI, FR, MI or PL, and a column"
            )
        # The name of the set of bounds may be missing.
        named = len(words) >= (3 if valueless else 4)
        column = self.program.known(words[2 if named else 1], self.line)
        value = 0.0 if valueless else self._number(words[3 if named else 2])
        if kind in ("UP", "UI", "FX", "BV", "PL", "FR"):
            self.bounded.add(column.name)
        if kind in ("UP", "UI"):
            column.upper = value
            if value < 0.0 and column.lower == 0.0:
                column.lower = -math.inf
        elif kind in ("LO", "LI"):
            column.lower = value
        elif kind == "FX":
            column.lower = column.upper = value
        elif kind == "BV":
            column.lower, column.upper = 0.0, 1.0
        elif kind in ("FR", "MI"):
            column.lower = -math.inf
        column.integer |= kind in ("BV", "LI", "UI")

    def _number(self, word: str) -> float:
        return self.program.number(word, self.line)
