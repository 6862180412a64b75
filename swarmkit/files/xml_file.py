"""XML files of users: parsed strictly, or refused with a sentence that names the file and line."""

from __future__ import annotations

from pathlib import Path
from typing import NoReturn
from xml.parsers import expat

from swarmkit.files.reading import wrong_line


class XmlReader:
    """Base class of readers that build something from the events of an XML parser; every error names the line.

    A reader overrides `started`, `ended` and `characters`. Entity declarations are refused, because in such files they
    serve only attacks, and so are entities that nothing declares, which beside a DTD a parser would skip silently.

    Args:
        path: the file, for messages.
        expected: what it should contain, for messages: `a corpus in XML`.
    """

    def __init__(self, path: str | Path, expected: str) -> None:
        self._path, self._expected = path, expected
        # The text is decoded already: a declared encoding such as "utf8", which expat does not know, is ignored.
        self._parser = expat.ParserCreate(encoding="utf-8")
        self._parser.StartElementHandler = self.started
        self._parser.EndElementHandler = self.ended
        self._parser.CharacterDataHandler = self.characters
        # A few nested entities expand to gigabytes ("billion laughs"); external ones read files of this machine.
        self._parser.EntityDeclHandler = lambda *_: self.refuse("an entity declaration, which is not allowed")
        self._parser.SkippedEntityHandler = lambda name, _: self.refuse(f"an unknown entity &{name};")

    @property
    def line(self) -> int:
        """The number of the line where the parser is, from 1."""
        return self._parser.CurrentLineNumber

    def parse(self, text: str) -> None:
        """Parse the content of the file, once."""
        try:
            self._parser.Parse(text.encode(), True)
        except expat.ExpatError as error:
            what = f"malformed XML ({expat.ErrorString(error.code)}); expected {self._expected}"
            raise wrong_line(self._path, error.lineno, what) from error

    def refuse(self, what: str) -> NoReturn:
        """Refuse the file for what is wrong on the current line."""
        raise wrong_line(self._path, self.line, what)

    def started(self, name: str, attributes: dict[str, str]) -> None:
        """Take the beginning of an element."""

    def ended(self, name: str) -> None:
        """Take the end of an element."""

    def characters(self, data: str) -> None:
        """Take a piece of text; the text of an element may come in several pieces."""
