"""The tokens of a CFN file: brackets, names and numbers; commas, colons and quotes may be left out."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple, NoReturn

from swarmkit import quoted, read_text, wrong_line

EXPECTED = "a CFN file: {problem: {name, mustbe}, variables: {…}, functions: {…}}"
_TOKEN = re.compile(r'"([^"\n]*)"|([{}\[\]])|([^\s{}\[\],:"#]+)|#[^\n]*|"')


class Token(NamedTuple):
    """A bracket, a name or a number, and where it is."""

    text: str
    kind: str
    """`bracket`, `word`, `quoted` or `end`."""
    place: int


class Tokens:
    """The tokens of a file in order; commas and colons separate like spaces."""

    def __init__(self, path: str | Path) -> None:
        self.path = path
        self.text = read_text(path, EXPECTED)
        self._tokens = self._read()
        self.next = next(self._tokens)

    def _read(self) -> Iterator[Token]:
        for match in _TOKEN.finditer(self.text):
            if match[0] == '"':
                self.wrong(match.start(), 'a quotation mark without a second one on its line; expected "name"')
            if match.lastindex:
                kind = ("quoted", "bracket", "word")[match.lastindex - 1]
                yield Token(match[match.lastindex], kind, match.start())
        while True:
            yield Token("the end of the file", "end", len(self.text))

    def take(self) -> Token:
        """Return the next token."""
        token, self.next = self.next, next(self._tokens)
        return token

    def bracket(self, wanted: str, of: str) -> None:
        """Take a bracket that must come next; `of` names in errors what it belongs to."""
        token = self.take()
        if (token.kind, token.text) != ("bracket", wanted):
            self.wrong(token.place, f"{quoted(token.text)} in {of}; expected '{wanted}'")

    def comes(self, bracket: str) -> bool:
        """Return whether a bracket comes next, and take it if so."""
        found = (self.next.kind, self.next.text) == ("bracket", bracket)
        if found:
            self.take()
        return found

    def name(self, of: str) -> Token:
        """Return the next token, which must be a name or a number; `of` names it in errors."""
        token = self.take()
        if token.kind not in ("word", "quoted"):
            self.wrong(token.place, f"{quoted(token.text)} as {of}; expected a name or a number")
        return token

    def number(self, of: str) -> float:
        """Return the next token, which must be a finite number."""
        return self.value(self.name(of), of)

    def value(self, token: Token, of: str) -> float:
        """Return a token as a finite number; `of` names it in errors."""
        try:
            value = float(token.text)
        except ValueError:
            value = math.nan
        if not math.isfinite(value):
            self.wrong(token.place, f"{quoted(token.text)} as {of}; expected a finite number")
        return value

    def row(self, of: str) -> list[Token]:
        """Return the names and numbers of a list, brackets left out."""
        self.bracket("[", of)
        found = []
        while not self.comes("]"):
            found.append(self.name(of))
        return found

    def wrong(self, place: int, what: str) -> NoReturn:
        """Raise UsageError for a place in the text."""
        raise wrong_line(self.path, len((self.text[:place] + "x").splitlines()), what)
