"""English text read in blocks, so that a file or a stream of any length takes little memory."""

from __future__ import annotations

import codecs
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import BinaryIO

from swarmkit import UsageError, wrong_line

BLOCK = 1 << 16
"""Bytes read at once."""

EXPECTED = "a file of English text"


def file_blocks(path: Path) -> Iterator[str]:
    """Iterate over the text of a UTF-8 file; what is not text is refused with its line."""
    try:
        with path.open("rb", buffering=0) as file:
            yield from decode_blocks(iter(lambda: file.read(BLOCK), b""), path, EXPECTED)
    except OSError as error:
        raise UsageError(f"{path}: cannot be read ({error.strerror}); expected {EXPECTED}.") from error


def stream_blocks(stream: BinaryIO, name: str) -> Iterator[str]:
    """Iterate over the text of a stream, each block as soon as it is there."""
    # read1 returns what a pipe has so far, where read would wait for a whole block.
    read = getattr(stream, "read1", stream.read)
    return decode_blocks(iter(lambda: read(BLOCK), b""), name, "English text")


def decode_blocks(blocks: Iterable[bytes], path: str | Path, expected: str) -> Iterator[str]:
    r"""Iterate over the UTF-8 text of blocks of bytes, as `swarmkit.decode_text` reads a whole file.

    Args:
        blocks: the content of the file.
        path: the file, for messages.
        expected: what it should contain, for messages.

    >>> list(decode_blocks([b"caf\xc3", b"\xa9"], "a.txt", "text"))
    ['caf', 'é', '']
    """
    decoder = codecs.getincrementaldecoder("utf-8-sig")()
    line = 1
    for block in blocks:
        # A file of another kind (an image, UTF-16) is recognised by its first null byte.
        if (null := block.find(b"\0")) >= 0:
            line += block.count(b"\n", 0, null)
            raise wrong_line(path, line, f"a null byte, so this is not a text file; expected {expected}")
        yield _decode(decoder, block, (path, line, expected))
        line += block.count(b"\n")
    yield _decode(decoder, b"", (path, line, expected), final=True)


def _decode(
    decoder: codecs.IncrementalDecoder, block: bytes, where: tuple[str | Path, int, str], final: bool = False
) -> str:
    """Decode a block that follows what the decoder has seen; `where` is for the message: file, line, expectation."""
    path, line, expected = where
    try:
        return decoder.decode(block, final)
    except UnicodeDecodeError as error:
        line += error.object.count(b"\n", 0, error.start)
        raise wrong_line(path, line, f"bytes that are not UTF-8; expected {expected} in UTF-8") from error
