"""Texts in JSON Lines: one JSON object with a text on each line, of files and streams of any length."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, BinaryIO, NamedTuple

from swarmkit import UsageError, parse_json, quoted
from swarmkit_wsd.known import parse_known_senses

LONGEST = 1 << 26
"""Bytes of the longest line."""

EXPECTED = 'a JSON object such as {"id": 1, "text": "The river bank."}'


class RawLine(NamedTuple):
    """A line that is not parsed yet."""

    where: str
    """The file and the number of the line, for messages."""
    content: bytes
    """Without the end of the line; cut off behind `LONGEST` bytes."""
    end: int
    """The number of bytes of all files up to the end of the line."""


class TextLine(NamedTuple):
    """The content of a line, or what is wrong with it."""

    id: Any
    text: str = ""
    known: Mapping[int, str] | None = None
    error: str | None = None


def read_lines(stream: BinaryIO, name: str, before: int = 0) -> Iterator[RawLine]:
    """Iterate over the lines of a stream that are not blank, with one in memory at a time.

    Args:
        stream: the stream.
        name: its name, for messages.
        before: the number of bytes of the files before it.
    """
    number = 0
    # A file may be one endless line: no more than LONGEST bytes of it are ever in memory.
    while part := stream.readline(LONGEST + 1):
        number += 1
        before += len(part)
        line = part
        while not part.endswith(b"\n") and (part := stream.readline(LONGEST)):  # of a longer line only the first part
            before += len(part)
        # Windows editors begin files with the mark of UTF-8, which JSON does not allow.
        line = line.removeprefix(b"\xef\xbb\xbf") if number == 1 else line
        if line.strip():
            yield RawLine(f"{name}:{number}", line.rstrip(b"\r\n"), before)


def parse_line(line: RawLine) -> TextLine:
    """Return the text of a line, its id and its known senses; other fields are ignored."""
    content: Any = None
    try:
        if len(line.content) > LONGEST:
            raise UsageError(f"a line of more than {LONGEST:,} bytes; expected shorter texts")
        content = _object(line.content)
        known = parse_known_senses(content.get("known"))
        if not isinstance(content.get("text"), str):
            raise UsageError(f"no text; expected {EXPECTED}")
        if isinstance(content.get("id"), list | dict):
            raise UsageError("the id is a list or an object; expected a string or a number")
    # The line is answered with its id, if it has one that JSON can hold, and its error.
    except UsageError as error:
        name = content.get("id") if isinstance(content, dict) else None
        return TextLine(None if isinstance(name, list | dict) else name, error=f"{line.where}: {error}")
    return TextLine(content.get("id"), content["text"], known)


def _object(content: bytes) -> dict[str, Any]:
    """Return the object that a line holds."""
    try:
        value = parse_json(content.decode())
    except UnicodeDecodeError:
        raise UsageError(f"bytes that are not UTF-8; expected {EXPECTED}") from None
    except ValueError as error:
        raise UsageError(f"not valid JSON ({error}); expected {EXPECTED}") from None
    if not isinstance(value, dict):
        raise UsageError(f"{quoted(repr(value))}; expected {EXPECTED}")
    return value


def in_groups(lines: Iterable[RawLine], count: int = 32, most_bytes: int = 1 << 16) -> Iterator[list[RawLine]]:
    """Iterate over groups of consecutive lines: at most `count`, and `most_bytes` unless it is one line.

    >>> [len(group) for group in in_groups([RawLine("", bytes(size), 0) for size in (3, 3, 9, 1, 1, 1)], 2, 8)]
    [2, 1, 2, 1]
    """
    group: list[RawLine] = []
    size = 0
    for line in lines:
        if group and size + len(line.content) > most_bytes:
            yield group
            group, size = [], 0
        group.append(line)
        size += len(line.content)
        if len(group) >= count:  # not when the next line has come: a pipe may be slow
            yield group
            group, size = [], 0
    if group:
        yield group
