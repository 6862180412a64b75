"""The outer structure of a TSPLIB file: keywords with their values, and sections of numbers, with line numbers."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import NoReturn

import numpy as np

from swarmkit import Floats, quoted, read_text, wrong_line

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


@dataclass
class Section:
    """A section, and the line of its heading."""

    line: int
    rows: list[tuple[int, list[str]]] = field(default_factory=list)
    """Line number and words of each line."""

    @property
    def last(self) -> int:
        """The number of the last line that is not empty."""
        return self.rows[-1][0] if self.rows else self.line


@dataclass
class Sections:
    """A parsed file."""

    path: Path
    values: dict[str, tuple[int, str]] = field(default_factory=dict)
    """Line number and value of each keyword."""
    numbers: dict[str, Section] = field(default_factory=dict)
    """The sections by name."""
    end: int = 1
    """The number of the last line."""

    def wrong(self, line: int, what: str) -> NoReturn:
        """Raise UsageError about a line of the file."""
        raise wrong_line(self.path, line, what)

    def value(self, keyword: str, expected: str) -> tuple[int, str]:
        """Return line and value of a keyword, which must exist; `expected` completes the error."""
        if keyword not in self.values:
            self.wrong(self.end, f"the file ends without {keyword}; expected {expected}")
        return self.values[keyword]

    def choice(self, keyword: str, known: tuple[str, ...]) -> str:
        """Return the value of a keyword, which must be one of those known; the rest of the line is a comment."""
        line, text = self.value(keyword, f"'{keyword} : {known[0]}' or another kind")
        word = text.split()[0] if text.split() else ""
        if word not in known:
            self.wrong(line, f"{keyword} {quoted(text)} is not supported; expected {', '.join(known)}")
        return word

    def section(self, name: str) -> Section:
        """Return a section, which must exist."""
        if name not in self.numbers:
            self.wrong(self.end, f"the file ends without a {name}")
        return self.numbers[name]


def read_sections(path: str | Path, expected: str) -> Sections:
    """Read a file in TSPLIB's format; `expected` completes the errors."""
    made = Sections(Path(path))
    here: Section | None = None
    for line, text in enumerate(read_text(path, expected).splitlines(), 1):
        words = text.replace(":", " ", 1).split(maxsplit=1)
        if not words:
            continue
        made.end = line
        if words[0] == "EOF":
            break
        if words[0] in KEYWORDS or words[0] in SECTIONS or words[0] in UNSUPPORTED:
            here = _open(made, line, words)
        elif here is not None:
            here.rows.append((line, text.split()))
        else:
            made.wrong(line, f"{quoted(text.strip())} is not a keyword of TSPLIB; expected {expected}")
    return made


def _open(made: Sections, line: int, words: list[str]) -> Section | None:
    """Store a keyword with its value, or begin a section and return it."""
    word = words[0]
    if word in UNSUPPORTED:
        made.wrong(line, f"{word} belongs to {UNSUPPORTED[word]}; expected a travelling salesman problem")
    if word in made.values or word in made.numbers:
        made.wrong(line, f"{word} occurs twice; expected it once")
    if word in SECTIONS:
        made.numbers[word] = Section(line)
        return made.numbers[word]
    made.values[word] = (line, words[1].strip() if len(words) > 1 else "")
    return None


def number(made: Sections, line: int, word: str) -> float:
    """Return the number that a word is, which must be finite."""
    try:
        value = float(word)
    except ValueError:
        made.wrong(line, f"{quoted(word)} is neither a number nor a keyword of TSPLIB; expected a number")
    if not np.isfinite(value):
        made.wrong(line, f"{quoted(word)} is not finite; expected a number")
    return value


def all_numbers(made: Sections, name: str, count: int, because: str) -> Floats:
    """Return the numbers of a section, whatever its line breaks.

    Args:
        made: the parsed file.
        name: the section.
        count: how many numbers it must have.
        because: why, for the error.
    """
    section = made.section(name)
    numbers: list[float] = []
    for line, words in section.rows:
        numbers += [number(made, line, word) for word in words]
        if len(numbers) > count:
            made.wrong(line, f"more than {count:,} numbers in {name}; expected as many for {because}")
    if len(numbers) < count:
        made.wrong(section.last, f"{name} ends after {len(numbers):,} numbers; expected {count:,} for {because}")
    return np.array(numbers)
