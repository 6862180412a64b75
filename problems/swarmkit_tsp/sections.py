"""The outside of a TSPLIB file: keywords with their values, and sections of numbers, each with its line."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import NoReturn

import numpy as np
from numpy.typing import NDArray

from swarmkit import quoted, read_text, wrong_line

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
ELSEWHERE = {
    "CAPACITY": "vehicle routing",
    "DEMAND_SECTION": "vehicle routing",
    "DEPOT_SECTION": "vehicle routing",
    "EDGE_DATA_FORMAT": "Hamiltonian cycles",
    "EDGE_DATA_SECTION": "Hamiltonian cycles",
    "FIXED_EDGES_SECTION": "tours with edges that must be taken",
}
"""What TSPLIB knows and this problem does not: said so rather than read over."""


@dataclass
class Section:
    """The numbers of a section, line by line."""

    line: int
    rows: list[tuple[int, list[str]]] = field(default_factory=list)

    @property
    def last(self) -> int:
        """The last line that has something."""
        return self.rows[-1][0] if self.rows else self.line


@dataclass
class Sections:
    """A file taken apart: `values` by keyword and `numbers` by section."""

    path: Path
    values: dict[str, tuple[int, str]] = field(default_factory=dict)
    numbers: dict[str, Section] = field(default_factory=dict)
    end: int = 1

    def wrong(self, line: int, what: str) -> NoReturn:
        """Refuse the file for one of its lines."""
        raise wrong_line(self.path, line, what)

    def value(self, keyword: str, expected: str) -> tuple[int, str]:
        """Give a keyword's line and value, which has to be there."""
        if keyword not in self.values:
            self.wrong(self.end, f"the file ends without {keyword}; expected {expected}")
        return self.values[keyword]

    def choice(self, keyword: str, known: tuple[str, ...]) -> str:
        """Give a keyword's value, which has to be one of those known; what follows it in the line is a remark."""
        line, text = self.value(keyword, f"'{keyword} : {known[0]}' or another kind")
        word = text.split()[0] if text.split() else ""
        if word not in known:
            self.wrong(line, f"{keyword} {quoted(text)} is not read here; expected {', '.join(known)}")
        return word

    def section(self, name: str) -> Section:
        """Give a section, which has to be there."""
        if name not in self.numbers:
            self.wrong(self.end, f"the file ends without a {name}")
        return self.numbers[name]


def take_apart(path: str | Path, expected: str) -> Sections:
    """Read a file of TSPLIB's format into keywords and sections."""
    made = Sections(Path(path))
    here: Section | None = None
    for line, text in enumerate(read_text(path, expected).splitlines(), 1):
        words = text.replace(":", " ", 1).split(maxsplit=1)
        if not words:
            continue
        made.end = line
        if words[0] == "EOF":
            break
        if words[0] in KEYWORDS or words[0] in SECTIONS or words[0] in ELSEWHERE:
            here = _open(made, line, words)
        elif here is not None:
            here.rows.append((line, text.split()))
        else:
            made.wrong(line, f"{quoted(text.strip())} is no keyword of TSPLIB; expected {expected}")
    return made


def _open(made: Sections, line: int, words: list[str]) -> Section | None:
    """Take in a keyword with its value, or begin a section."""
    word = words[0]
    if word in ELSEWHERE:
        made.wrong(line, f"{word} belongs to {ELSEWHERE[word]}; expected a travelling salesman's problem")
    if word in made.values or word in made.numbers:
        made.wrong(line, f"{word} is there already; expected it once")
    if word in SECTIONS:
        made.numbers[word] = Section(line)
        return made.numbers[word]
    made.values[word] = (line, words[1].strip() if len(words) > 1 else "")
    return None


def number(made: Sections, line: int, word: str) -> float:
    """Read one number, which has to be finite."""
    try:
        value = float(word)
    except ValueError:
        made.wrong(line, f"{quoted(word)} is neither a number nor a keyword of TSPLIB; expected a number")
    if not np.isfinite(value):
        made.wrong(line, f"{quoted(word)} is not finite; expected a number")
    return value


def all_numbers(made: Sections, name: str, count: int, because: str) -> NDArray[np.float64]:
    """Read a section that is nothing but numbers, as many as the keywords ask for, on however many lines."""
    section = made.section(name)
    numbers: list[float] = []
    for line, words in section.rows:
        numbers += [number(made, line, word) for word in words]
        if len(numbers) > count:
            made.wrong(line, f"more than {count:,} numbers in {name}; expected as many for {because}")
    if len(numbers) < count:
        made.wrong(section.last, f"{name} ends after {len(numbers):,} numbers; expected {count:,} for {because}")
    return np.array(numbers)
