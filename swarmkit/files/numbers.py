"""Files of numbers: words one after another whatever the line breaks, or rows of equal length; errors name the line."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path
from typing import NoReturn

import numpy as np

from swarmkit.contract.arrays import Floats, Ints
from swarmkit.files.reading import quoted, read_text, wrong_line

_BLOCK = 1 << 20
"""Characters that are split into words at once: the words of a large file never exist all together."""

_GAP = re.compile(r"\s")


class Numbers:
    """The words of a file in order, most of them numbers, read in pieces of any size.

    Args:
        path: the file, compressed or not.
        expected: what it should contain, for messages.
        separators: characters that separate words besides spaces and line breaks.
        text: the text, if it was read already; lines without numbers are empty in it, so that errors name the line.
    """

    def __init__(self, path: str | Path, expected: str, separators: str = "", text: str | None = None) -> None:
        self.path, self.expected = path, expected
        self.count = 0
        """The number of words that were read."""
        content = read_text(path, expected) if text is None else text
        self._text = content.translate(dict.fromkeys(map(ord, separators), " "))
        self._end = 0  # of the part of the text that was split into words
        self._words: list[str] = []
        self._at = 0  # the next of these words

    @property
    def line(self) -> int:
        """The line of the word that was read last; 1 before the first one."""
        return self.line_of(self.count - 1)

    def line_of(self, word: int) -> int:
        """Return the line of a word, counted from 0, in one pass over the text: this is for errors."""
        line, words_before = 1, 0
        for number, row in enumerate(self._text.splitlines(), 1):
            count = len(row.split())
            if count and words_before <= word:
                line = number
            words_before += count
            if words_before > word:
                break
        return line

    def word(self, of: str) -> str:
        """Return the next word, which must exist; `of` names it in errors."""
        words = self._next(1)
        if not words:
            self.wrong(f"the file ends before {of}; expected {self.expected}")
        return words[0]

    def take(self, count: int, of: str) -> Floats:
        """Return the next numbers, which must exist and be finite; `of` names them in errors."""
        pieces: list[Floats] = []
        missing = count
        while missing and (words := self._next(missing)):
            pieces.append(self._parse(words))
            missing -= len(words)
        if missing:
            self.wrong(f"the file ends after {count - missing:,} numbers of {of}; expected {count:,}")
        return pieces[0] if len(pieces) == 1 else np.concatenate([np.empty(0), *pieces])

    def rest(self) -> Floats:
        """Return all numbers up to the end of the file, which must be finite."""
        pieces = [np.empty(0)]
        while words := self._next(_BLOCK):
            pieces.append(self._parse(words))
        return np.concatenate(pieces)

    def whole(self, lowest: int, highest: int, of: str) -> int:
        """Return the next number, which must be an integer within limits; `of` names it in errors."""
        value = float(self.take(1, of)[0])
        if not (value.is_integer() and lowest <= value <= highest):
            self.wrong(f"{value:g} as {of}; expected a whole number from {lowest} to {highest:,}")
        return int(value)

    def wholes(self, count: int, highest: int, of: str) -> Ints:
        """Return the next numbers, which must be integers from 0 to `highest`; `of` names them in errors."""
        values = self.take(count, of)
        wrong = np.flatnonzero((values != np.floor(values)) | (values < 0) | (values > highest))
        if len(wrong):
            what = f"{values[wrong[0]]:g} as {of}; expected a whole number from 0 to {highest:,}"
            self.wrong_word(count - int(wrong[0]), what)
        return values.astype(np.int64)

    def end(self, after: str) -> None:
        """Raise UsageError if the file does not end here; `after` says what was read."""
        words = self._next(1)
        if words:
            self.wrong(f"{quoted(words[0])} after {after}; expected the end of the file")

    def wrong(self, what: str) -> NoReturn:
        """Raise UsageError for the line of the word that was read last."""
        self.wrong_word(1, what)

    def wrong_word(self, back: int, what: str) -> NoReturn:
        """Raise UsageError for the line of a word read before: `back` is 1 for the last one."""
        raise wrong_line(self.path, self.line_of(self.count - back), what)

    def _next(self, limit: int) -> list[str]:
        """Return some of the next words, at least one and at most `limit`; none at the end of the file."""
        while self._at == len(self._words) and self._end < len(self._text):
            # The block ends at the first gap after its size: no word is cut in two.
            gap = _GAP.search(self._text, min(self._end + _BLOCK, len(self._text)))
            begin, self._end = self._end, gap.start() if gap else len(self._text)
            self._words, self._at = self._text[begin : self._end].split(), 0
        words = self._words[self._at : self._at + limit]
        self._at += len(words)
        self.count += len(words)
        return words

    def _parse(self, words: list[str]) -> Floats:
        """Return words that were just read as finite numbers."""
        try:
            values = np.array(words, np.float64)
            sound = bool(np.isfinite(values).all())  # numpy reads nan and inf as numbers
        except ValueError:
            sound = False
        if not sound:  # word by word only now: numpy does not say which of them it could not read
            at = next(at for at, word in enumerate(words) if _fault(word))
            self.wrong_word(len(words) - at, f"{quoted(words[at])} is {_fault(words[at])}; expected {self.expected}")
        return values


def number_rows(
    path: str | Path, lines: Sequence[str], which: Sequence[int], columns: int, expected: str, prefix: str = ""
) -> Floats:
    """Return the numbers of some lines of a file, one row for each.

    Args:
        path: the file, for messages.
        lines: all lines of the file.
        which: the numbers of the lines to read, from 0.
        columns: how many numbers each of them must have, all of them finite.
        expected: what a line should be, for messages.
        prefix: what each line begins with before its numbers.

    >>> number_rows("a", ["e 1 2", "c none", "e 3 4.5"], [0, 2], 2, "two numbers", "e").tolist()
    [[1.0, 2.0], [3.0, 4.5]]
    """
    selection = [lines[at].removeprefix(prefix) for at in which]
    if all(len(line.split()) == columns for line in selection):
        try:
            values = np.array(" ".join(selection).split(), np.float64).reshape(-1, columns)
        except ValueError:
            pass
        else:
            if np.isfinite(values).all():
                return values
    # Some line is wrong; which one is looked for only now.
    rows = zip(which, selection, strict=True)
    at = next(at for at, row in rows if len(words := row.split()) != columns or any(map(_fault, words)))
    raise wrong_line(path, at + 1, f"{quoted(lines[at].strip())}; expected {expected}")


def _fault(word: str) -> str:
    """Return what is wrong with a word as a number; nothing if it is finite."""
    try:
        return "" if np.isfinite(float(word)) else "not finite"
    except ValueError:
        return "not a number"
