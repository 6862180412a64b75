"""The text nodes of an XML document (TEI, and any other), and where each part of them is in the document.

It is read by expat, block by block. Elements that are known to be part of a sentence do not even end words; all others
end sentences. Of TEI's alternatives (`choice`) the corrected, regular, expanded one is the text; its header is none.
"""

from __future__ import annotations

import codecs
import re
from collections.abc import Iterable, Iterator
from html import unescape
from xml.parsers import expat

from swarmkit import wrong_line
from swarmkit_text.markup import GAP, Pieces

INLINE = frozenset(
    """
    a abbr add addname am b c cite code corr damage date del distinct em emph ex expan foreign forename geogname gloss
    hi i ident initial ins italic m measure mentioned name num orgname orig pc persname phr placename q quote ref reg
    rolename rs s seg sic small socalled span strong sub subst sup supplied surname surplus tag term time title tt u
    unclear w
    """.split()  # noqa: SIM905  (names, which quotes would hide)
)
"""Elements that are part of the sentence around them, in lower case, without their prefix."""

BREAKS = frozenset({"br", "cb", "gb", "lb", "milestone", "pb"})
"""Elements that separate words; with the attribute break="no" they are within a word."""

SILENT = frozenset({"fw", "script", "style", "teiheader"})
"""Elements whose content is no text."""

REJECTED = frozenset({"abbr", "orig", "sic"})
"""Alternatives within `choice` beside which the text has another one."""

_DECLARATION = re.compile(rb"<\?xml[^>]*?encoding\s*=\s*[\"']([A-Za-z][\w.-]*)[\"']")


def declared_encoding(beginning: bytes) -> str:
    """Return the encoding of a document by its first bytes: its byte order mark, its declaration, or UTF-8.

    >>> declared_encoding(b'<?xml version="1.0" encoding="ISO-8859-1"?><p/>'), declared_encoding(b"<p/>")
    ('iso8859-1', 'utf-8')
    """
    if beginning.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        return "utf-16"
    declaration = _DECLARATION.match(beginning)
    try:
        return codecs.lookup(declaration[1].decode()).name if declaration else "utf-8"
    except LookupError:
        return "utf-8"


class XmlText:
    """The text of a document, to be iterated over once, in blocks.

    Args:
        blocks: the document.
        name: its name, for messages.
    """

    def __init__(self, blocks: Iterable[str], name: str) -> None:
        self._blocks, self._name, self._pieces = blocks, name, Pieces()
        self._open: list[str] = []
        self._silent = 0
        self._is_cdata = False
        # The bytes from the last event on, and how many bytes and characters come before them.
        self._pending, self._byte, self._character = b"", 0, 0
        self._parser = parser = expat.ParserCreate("utf-8")
        parser.UseForeignDTD(True)  # entities that a DTD of its own would define are skipped, not refused
        parser.SetParamEntityParsing(expat.XML_PARAM_ENTITY_PARSING_NEVER)
        parser.StartElementHandler, parser.EndElementHandler = self._start, self._end
        parser.StartCdataSectionHandler = parser.EndCdataSectionHandler = self._turn_cdata
        parser.CharacterDataHandler, parser.SkippedEntityHandler = self._data, self._skipped

    def __iter__(self) -> Iterator[str]:
        for block in self._blocks:
            yield self._feed(block.encode(), False)
        yield self._feed(b"", True)

    def place(self, start: int, end: int) -> tuple[int, int]:
        """Return where a part of the text that has been iterated over begins and ends in the document."""
        return self._pieces.source_of(start, 0), self._pieces.source_of(end - 1, 1)

    def _feed(self, block: bytes, is_last: bool) -> str:
        self._pending += block
        try:
            self._parser.Parse(block, is_last)
        except expat.ExpatError as error:
            reason = expat.ErrorString(error.code)
            message = f"no well-formed XML ({reason}); expected XML, or --format html, which is read leniently"
            raise wrong_line(self._name, error.lineno, message) from None
        return self._pieces.take_text()

    def _start(self, name: str, attributes: dict[str, str]) -> None:
        name = name.rpartition(":")[2].lower()
        is_rejected = name in REJECTED and self._open[-1:] == ["choice"]
        self._open.append(name)
        self._silent += bool(self._silent or name in SILENT or is_rejected)
        if name in BREAKS and attributes.get("break") != "no":
            self._add(" ", 0)
        self._end_of_block(name)

    def _end(self, name: str) -> None:
        self._end_of_block(self._open.pop())
        self._silent -= bool(self._silent)

    def _end_of_block(self, name: str) -> None:
        if name not in INLINE and name not in BREAKS and name != "choice":
            self._add(GAP, 0)

    def _turn_cdata(self) -> None:
        self._is_cdata = not self._is_cdata

    def _data(self, data: str) -> None:
        if not self._silent:
            self._add(data, self._reference_length() or len(data))

    def _skipped(self, name: str, _: bool) -> None:
        character = unescape(f"&{name};")
        if not self._silent and not character.startswith("&"):
            self._add(character, self._reference_length())

    def _reference_length(self) -> int:
        """Return the length of the reference such as &amp; that the parser is at, negative; 0 if it is at text."""
        # In a CDATA section an ampersand is one.
        if self._is_cdata or not self._advance().startswith(b"&"):
            return 0
        return -len(self._pending[: self._pending.index(b";") + 1].decode())

    def _advance(self) -> bytes:
        """Return the bytes from the parser's place on, after counting the characters before it."""
        count = self._parser.CurrentByteIndex - self._byte
        self._character += len(self._pending[:count].decode())
        self._pending, self._byte = self._pending[count:], self._byte + count
        return self._pending

    def _add(self, text: str, length: int) -> None:
        """Add text that takes `length` characters of the document: negative for a reference, 0 for none."""
        if self._silent:
            return
        self._advance()
        # Line breaks between the words of a paragraph mean nothing; those of a gap are ours.
        words = "".join(" " if sign.isspace() else sign for sign in text) if length else text
        self._pieces.add(words, self._character, length)
