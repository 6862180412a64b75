"""English text read in blocks, so that a file or a stream of any length takes little memory."""

from __future__ import annotations

import codecs
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import BinaryIO

from swarmkit import UsageError, quoted, wrong_line

UTF_8 = "utf-8-sig"
"""UTF-8, whose mark at the beginning of a file is no text."""

BLOCK = 1 << 16
"""Bytes read at once."""

EXPECTED = "a file of English text"


def file_blocks(path: Path, encoding: str = UTF_8) -> Iterator[str]:
    """Iterate over the text of a file in an encoding; what is not text is refused with its line."""
    try:
        with path.open("rb", buffering=0) as file:
            yield from decode_blocks(iter(lambda: file.read(BLOCK), b""), path, EXPECTED, encoding)
    except OSError as error:
        raise UsageError(f"{path}: cannot be read ({error.strerror}); expected {EXPECTED}.") from error


def check_encoding(name: str) -> str:
    """Return an encoding of texts; a name that is none is refused."""
    try:
        codec = codecs.lookup(name)
    except LookupError:
        codec = None
    if codec is None or not codec._is_text_encoding:  # hex and zip are codecs of bytes
        raise UsageError(f"no encoding named {quoted(name)}; expected utf-8, latin-1, cp1252, utf-16, …")
    return UTF_8 if codec.name == "utf-8" else codec.name


def stream_blocks(stream: BinaryIO, name: str, encoding: str = UTF_8) -> Iterator[str]:
    """Iterate over the text of a stream, each block as soon as it is there."""
    # read1 returns what a pipe has so far, where read would wait for a whole block.
    read = getattr(stream, "read1", stream.read)
    return decode_blocks(iter(lambda: read(BLOCK), b""), name, "English text", encoding)


def decode_blocks(blocks: Iterable[bytes], path: str | Path, expected: str, encoding: str = UTF_8) -> Iterator[str]:
    r"""Iterate over the text of blocks of bytes, as `swarmkit.decode_text` reads a whole file.

    Args:
        blocks: the content of the file.
        path: the file, for messages.
        expected: what it should contain, for messages.
        encoding: that of the text.

    >>> list(decode_blocks([b"caf\xc3", b"\xa9"], "a.txt", "text"))
    ['caf', 'é', '']
    """
    decoder = codecs.getincrementaldecoder(encoding)()
    line = 1
    for block in blocks:
        # A file of another kind (an image) is recognised by its first null byte, which a text may have in UTF-16.
        if encoding == UTF_8 and (null := block.find(b"\0")) >= 0:
            if line == 1 and block.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
                raise wrong_line(path, 1, f"UTF-16; expected {expected} in UTF-8, or --encoding utf-16")
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
        name = "UTF-8" if error.encoding == "utf-8" else error.encoding
        hint = f"bytes that are not {name}; expected {expected} in {name}, or --encoding with its encoding (latin-1, …)"
        raise wrong_line(path, line, hint) from error
