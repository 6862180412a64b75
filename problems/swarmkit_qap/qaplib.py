"""Files of QAPLIB: the size and two matrices (.dat), or the size, a cost and an assignment (.sln).

R.E. Burkard, S.E. Karisch, F. Rendl (1997). QAPLIB: a quadratic assignment problem library. J. of Global
Optimization 10, 391-403.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import numpy as np

from swarmkit import Floats, quoted, read_text, wrong_line

LARGEST = 1000
"""The largest number of facilities: these have half a million pairs."""


class Numbers:
    """The numbers of a file one after another, whatever the line breaks; errors name the line."""

    def __init__(self, path: str | Path, expected: str) -> None:
        self.path, self.line, self.expected = path, 1, expected
        self._words = self._read(read_text(path, expected))

    def _read(self, text: str) -> Iterator[tuple[int, str]]:
        for line, row in enumerate(text.splitlines(), 1):
            for word in row.replace(",", " ").split():  # some solution files have commas
                yield line, word

    def take(self, count: int, of: str) -> Floats:
        """Return the next numbers, which must exist and be finite; `of` names them in errors."""
        taken = np.empty(count)
        for at in range(count):
            self.line, word = next(self._words, (self.line, ""))
            if not word:
                what = f"the file ends after {at:,} numbers of {of}; expected {count:,}"
                raise wrong_line(self.path, self.line, what)
            taken[at] = self._number(word)
        return taken

    def whole(self, lowest: int, highest: int, of: str) -> int:
        """Return the next number, which must be an integer within limits; `of` names it in errors."""
        value = float(self.take(1, of)[0])
        if not (value.is_integer() and lowest <= value <= highest):
            what = f"{value:g} as {of}; expected a whole number from {lowest} to {highest:,}"
            raise wrong_line(self.path, self.line, what)
        return int(value)

    def end(self, after: str) -> None:
        """Raise UsageError if the file does not end here; `after` says what was read."""
        line, word = next(self._words, (0, ""))
        if word:
            raise wrong_line(self.path, line, f"{quoted(word)} after {after}; expected the end of the file")

    def _number(self, word: str) -> float:
        try:
            value = float(word)
        except ValueError:
            raise wrong_line(
                self.path, self.line, f"{quoted(word)} is not a number; expected {self.expected}"
            ) from None
        if not np.isfinite(value):
            raise wrong_line(self.path, self.line, f"{quoted(word)} is not finite; expected {self.expected}")
        return value


class Matrices(NamedTuple):
    """The two matrices; the cost of an assignment p is Σ first[i, j] · second[p(i), p(j)]."""

    first: Floats
    second: Floats


def read_qaplib(path: str | Path) -> Matrices:
    """Read a problem file."""
    numbers = Numbers(path, "a file of QAPLIB: the size n, then two matrices of n rows of n numbers")
    n = numbers.whole(1, LARGEST, "the size n")
    first, second = (numbers.take(n * n, f"the {which} matrix").reshape(n, n) for which in ("first", "second"))
    numbers.end(f"two matrices of {n} rows of {n} numbers")
    return Matrices(first, second)


def read_solution(path: str | Path, matrices: Matrices) -> float:
    """Return the cost of the solution in a file, which must be the cost that the file states."""
    numbers = Numbers(path, "a solution of QAPLIB: the size n, the cost, then n numbers of locations")
    n = len(matrices.first)
    size = numbers.whole(1, LARGEST, "the size n")
    if size != n:
        raise wrong_line(path, numbers.line, f"a solution of size {size}; expected {n}, as the problem has")
    stated = float(numbers.take(1, "the cost")[0])
    p = numbers.take(n, "the assignment").astype(np.int64) - 1
    numbers.end(f"an assignment of {n} numbers")
    if not np.array_equal(np.sort(p), np.arange(n)):
        raise wrong_line(path, numbers.line, f"this is not an assignment; expected each of 1 to {n} once")
    # QAPLIB's solutions come from many people: some list locations by facility, some facilities by location.
    costs = [float((matrices.first * matrices.second[np.ix_(q, q)]).sum()) for q in (p, np.argsort(p))]
    if stated not in costs:
        raise wrong_line(
            path, numbers.line, f"the assignment costs {costs[0]:g}; expected {stated:g}, as the file states"
        )
    return stated
