"""The text of an HTML page, without its markup, and where each part of it is in the page.

It is read by the standard library's parser, block by block. Scripts and styles are left out; elements that are blocks
on a page (paragraphs, headings, list items, cells of tables) end sentences, other elements do not even end words.
"""

from __future__ import annotations

from array import array
from bisect import bisect_right
from collections.abc import Iterable, Iterator
from html import unescape
from html.parser import HTMLParser

BLOCKS = frozenset({
    "address", "article", "aside", "blockquote", "body", "button", "caption", "dd", "details", "dialog", "div", "dl",
    "dt", "fieldset", "figcaption", "figure", "footer", "form", "h1", "h2", "h3", "h4", "h5", "h6", "head", "header",
    "hr", "html", "legend", "li", "main", "nav", "ol", "option", "p", "pre", "section", "select", "summary", "table",
    "tbody", "td", "tfoot", "th", "thead", "title", "tr", "ul",
})  # fmt: skip
"""Elements that are not part of the sentence around them."""

SILENT = frozenset({"script", "style", "svg", "template"})
"""Elements whose content is no text."""

GAP = "\n\n"
"""What ends a sentence."""


class HtmlText:
    """The text of a page, to be iterated over once, in blocks."""

    def __init__(self, blocks: Iterable[str]) -> None:
        self._blocks = blocks
        self._parser = _Parser()

    def __iter__(self) -> Iterator[str]:
        for block in self._blocks:
            self._parser.feed(block)
            yield self._parser.pieces.take_text()
        self._parser.close()
        yield self._parser.pieces.take_text()

    def place(self, start: int, end: int) -> tuple[int, int]:
        """Return where a part of the text that has been iterated over begins and ends in the page."""
        return self._parser.pieces.source_of(start, 0), self._parser.pieces.source_of(end - 1, 1)


class Pieces:
    """Text in pieces, each with its place in a source that has markup."""

    def __init__(self) -> None:
        self._text: list[str] = []
        self._length = 0
        self._starts, self._sources, self._lengths = array("q"), array("q"), array("q")
        """Of each piece: where it begins in the text and in the source, and its length in the source."""

    def add(self, text: str, source: int, length: int) -> None:
        """Add text that takes `length` characters of the source from a place on; negative for a reference (&amp;)."""
        self._starts.append(self._length)
        self._sources.append(source)
        self._lengths.append(length)
        self._text.append(text)
        self._length += len(text)

    def take_text(self) -> str:
        """Return the text since the last call."""
        text = "".join(self._text)
        self._text.clear()
        return text

    def source_of(self, offset: int, after: int) -> int:
        """Return the place in the source of a character of the text, or with `after` 1 of the end of the character."""
        # Pieces are sorted by where they begin in the text: O(log n) for each place.
        piece = bisect_right(self._starts, offset) - 1
        if piece < 0:
            return offset + after
        start, source, length = self._starts[piece], self._sources[piece], self._lengths[piece]
        if length < 0:  # a reference such as &amp;
            return source - after * length
        return source + min(offset - start + after, length)


class _Parser(HTMLParser):
    """Collects the text of a page."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=False)
        self.pieces = Pieces()
        self._position = 0
        self._lines = array("q", [0])
        """Where each line of the page begins."""
        self._silent: list[str] = []

    def feed(self, data: str) -> None:
        """Parse the next block of the page."""
        # The parser tells positions by line and column; characters are counted from where the lines begin.
        at = data.find("\n")
        while at >= 0:
            self._lines.append(self._position + at + 1)
            at = data.find("\n", at + 1)
        self._position += len(data)
        super().feed(data)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Begin an element."""
        if tag in SILENT:
            self._silent.append(tag)
        elif tag == "br":
            self._add(" ", 0)
        self._end_of_block(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Begin and end an empty element."""
        if tag == "br":
            self._add(" ", 0)
        self._end_of_block(tag)

    def handle_endtag(self, tag: str) -> None:
        """End an element; one whose end is missing ends with what it is in."""
        # HTML of the web is not well-formed: an element within an unclosed one ends with it.
        if tag in self._silent:
            del self._silent[self._silent.index(tag) :]
        self._end_of_block(tag)

    def handle_data(self, data: str) -> None:
        """Add text; line breaks mean nothing on a page."""
        self._add("".join(" " if letter.isspace() else letter for letter in data), len(data))

    def handle_entityref(self, name: str) -> None:
        """Add a character that has a name."""
        self._add_reference(f"&{name}")

    def handle_charref(self, name: str) -> None:
        """Add a character that has a number."""
        self._add_reference(f"&#{name}")

    def _add_reference(self, reference: str) -> None:
        # A reference without its semicolon is read with one; what is no reference stays text.
        character = unescape(reference + ";")
        is_character = character != reference + ";"
        self._add(" " if character.isspace() else character if is_character else reference, -len(reference) - 1)

    def _end_of_block(self, tag: str) -> None:
        if tag in BLOCKS and not self._silent:
            self._add(GAP, 0)

    def _add(self, text: str, length: int) -> None:
        """Add text that takes `length` characters of the page; negative for a reference."""
        if self._silent or not text:
            return
        line, column = self.getpos()
        self.pieces.add(text, self._lines[line - 1] + column, length)
