"""CoNLL-U files as raw bytes: sentences, and pieces of documents that are answered together.

A document begins with a comment `# newdoc`. The sentences of a long one are divided among several pieces; each piece
has the words before and after its own as context. Pieces depend on the file alone, and so do the answers.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import BinaryIO, NamedTuple

from swarmkit import UsageError

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
    begins: bool
    """Whether a document begins with it."""

    @property
    def where(self) -> str:
        """The file and the line, for messages."""
        return f"{self.name}:{self.first}"


class Piece(NamedTuple):
    """Consecutive sentences of a document, and their context."""

    before: list[RawSentence]
    core: list[RawSentence]
    after: list[RawSentence]


def read_raw(stream: BinaryIO, name: str) -> Iterator[RawSentence]:
    """Iterate over the sentences of a stream; what lies between two of them belongs to the second one.

    Args:
        stream: the stream.
        name: its name, for messages.

    Raises:
        UsageError: a line has another number of columns, is too long, or is not UTF-8.
    """
    lines: list[bytes] = []
    first, number, words, size = 1, 0, 0, 0
    while line := stream.readline(LONGEST + 1):
        number += 1
        size += len(line)
        if not lines:
            first = number
        lines.append(line)  # with its end: the bytes of the file are kept
        # Comments and blank lines before a sentence belong to it, so that no byte of the file is lost.
        blank = not line.strip()
        is_word = not (blank or is_comment(line))
        words += is_word
        _check(line, is_word, f"{name}:{number}")
        if size > 100 * LONGEST:
            raise UsageError(f"{name}:{first}: a sentence of more than {100 * LONGEST:,} bytes; expected blank lines")
        if blank and words:
            yield _sentence(name, first, lines, words)
            lines, words, size = [], 0, 0
    if lines:
        yield _sentence(name, first, lines, words)


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


def _sentence(name: str, first: int, lines: list[bytes], words: int) -> RawSentence:
    # "# newdoc id = x" and "#newdoc" both begin a document.
    begins = any(line.removeprefix(BOM)[1:].split()[:1] == [b"newdoc"] for line in lines if is_comment(line))
    return RawSentence(name, first, b"".join(lines), words, begins)


def pieces(sentences: Iterable[RawSentence]) -> Iterator[Piece]:
    """Iterate over the pieces of a file's documents, in order."""
    before: list[RawSentence] = []
    pending: list[RawSentence] = []
    for sentence in sentences:
        if sentence.begins:
            yield from _rest(before, pending)
            before, pending = [], []
        pending.append(sentence)
        size = _until(pending, PIECE)
        # A piece is complete when as many words as its context needs have been read behind it.
        if size is not None and _until(pending[size:], CONTEXT) is not None:
            yield Piece(before, pending[:size], pending[size:])
            before, pending = _last(before + pending[:size]), pending[size:]
    yield from _rest(before, pending)


def _rest(before: list[RawSentence], pending: list[RawSentence]) -> Iterator[Piece]:
    """Iterate over the last pieces of a document."""
    size = _until(pending, PIECE)
    if size is not None and size < len(pending):
        yield Piece(before, pending[:size], pending[size:])
        before, pending = _last(before + pending[:size]), pending[size:]
    if pending:
        yield Piece(before, pending, [])


def _until(sentences: list[RawSentence], words: int) -> int | None:
    """Return the number of sentences, from the first on, that have at least `words` words; None if all have less."""
    count = 0
    for number, sentence in enumerate(sentences, 1):
        count += sentence.words
        if count >= words:
            return number
    return None


def _last(sentences: list[RawSentence]) -> list[RawSentence]:
    """Return the last sentences, the context of what follows."""
    count = _until(sentences[::-1], CONTEXT)
    return sentences if count is None else sentences[len(sentences) - count :]


def in_tasks(stream: Iterable[Piece]) -> Iterator[list[Piece]]:
    """Iterate over groups of consecutive pieces: short documents are answered together."""
    group: list[Piece] = []
    words = 0
    for piece in stream:
        group.append(piece)
        words += sum(sentence.words for sentence in piece.core)
        if words >= PIECE:
            yield group
            group, words = [], 0
    if group:
        yield group
