"""CoNLL-U files as raw bytes: sentences, and pieces of documents that are answered together.

A document begins with a comment `# newdoc`. The sentences of a long one are divided among several pieces; each piece
has the words before and after its own as context. Pieces depend on the file alone, and so do the answers.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import groupby
from operator import attrgetter
from typing import BinaryIO, NamedTuple

from swarmkit import UsageError
from swarmkit_text.pieces import Piece, cut_pieces

COLUMNS = 10

EXPECTED = f"CoNLL-U: {COLUMNS} columns, separated by tabs, in UTF-8"

BOM = b"\xef\xbb\xbf"
"""The mark of UTF-8, which some programs write at the beginning of a file."""

LONGEST = 1 << 20
"""Bytes of the longest line, and a hundredth of those of the longest sentence."""

PIECE = 1500
"""Words after which a piece ends, at the end of a sentence."""

CONTEXT = 200
"""Words before and after those of a piece that are its context."""


class RawSentence(NamedTuple):
    """The lines of a sentence: comments, tokens, and the blank line behind them."""

    name: str
    """The file, for messages."""
    first: int
    """The number of the first line."""
    content: bytes
    words: int
    """The number of lines that are neither comments nor blank."""
    document: int
    """The number of its document in the file."""

    @property
    def where(self) -> str:
        """The file and the line, for messages."""
        return f"{self.name}:{self.first}"


def read_raw(stream: BinaryIO, name: str) -> Iterator[RawSentence]:
    """Iterate over the sentences of a stream; what lies between two of them belongs to the second one.

    Args:
        stream: the stream.
        name: its name, for messages.

    Raises:
        UsageError: a line has another number of columns, is too long, or is not UTF-8.
    """
    lines: list[bytes] = []
    first, number, words, size, document = 1, 0, 0, 0, 0
    while line := stream.readline(LONGEST + 1):
        number += 1
        size += len(line)
        if not lines:
            first = number
        lines.append(line)  # with its end: the bytes of the file are kept
        # Comments and blank lines before a sentence belong to it, so that no byte of the file is lost.
        blank = not line.strip()
        is_word = not (blank or is_comment(line))
        # "# newdoc id = x" and "#newdoc" both begin a document.
        document += is_comment(line) and line.removeprefix(BOM)[1:].split()[:1] == [b"newdoc"]
        words += is_word
        _check(line, is_word, f"{name}:{number}")
        if size > 100 * LONGEST:
            raise UsageError(f"{name}:{first}: a sentence of more than {100 * LONGEST:,} bytes; expected blank lines")
        if blank and words:
            yield RawSentence(name, first, b"".join(lines), words, document)
            lines, words, size = [], 0, 0
    if lines:
        yield RawSentence(name, first, b"".join(lines), words, document)


def is_comment(line: bytes) -> bool:
    """Return whether a line, perhaps with the mark of UTF-8 before it, is a comment."""
    return line.removeprefix(BOM).startswith(b"#")


def _check(line: bytes, is_word: bool, where: str) -> None:
    if len(line) > LONGEST:
        raise UsageError(f"{where}: a line of more than {LONGEST:,} bytes; expected {EXPECTED}")
    try:
        line.decode()
    except UnicodeDecodeError:
        raise UsageError(f"{where}: bytes that are not UTF-8; expected {EXPECTED}") from None
    columns = line.count(b"\t") + 1
    if is_word and columns != COLUMNS:
        raise UsageError(f"{where}: {columns} column{'s' * (columns > 1)}; expected {EXPECTED}")


def document_pieces(sentences: Iterable[RawSentence]) -> Iterator[Piece[RawSentence]]:
    """Iterate over the pieces of a file's documents, in order."""
    for _, document in groupby(sentences, attrgetter("document")):
        yield from cut_pieces(document, attrgetter("words"), PIECE, CONTEXT)


def in_tasks(stream: Iterable[Piece[RawSentence]]) -> Iterator[list[Piece[RawSentence]]]:
    """Iterate over groups of consecutive pieces: short documents are answered together."""
    group: list[Piece[RawSentence]] = []
    words = 0
    for piece in stream:
        group.append(piece)
        words += sum(sentence.words for sentence in piece.core)
        if words >= PIECE:
            yield group
            group, words = [], 0
    if group:
        yield group
