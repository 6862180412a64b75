"""Text files of users, compressed or not: read, or refused with a sentence that names the file and line."""

from __future__ import annotations

import errno
import gzip
import io
import lzma
import zlib
from pathlib import Path

from swarmkit.contract.bounded_json import MEGABYTES, read_bytes
from swarmkit.contract.errors import UsageError

SUFFIXES = (".gz", ".xz")
"""The suffixes that compressed files have."""


def read_text(path: str | Path, expected: str) -> str:
    """Return the text of a UTF-8 file, compressed by gzip or xz or not, with its line ends unchanged.

    Args:
        path: the file.
        expected: what it should contain, for messages: `a TSPLIB file`.
    """
    try:
        data = read_decompressed(Path(path))
    except FileNotFoundError:
        raise UsageError(f"{path}: no such file; expected {expected}.") from None
    except (OSError, ValueError) as error:  # ValueError: a null byte in the path
        reason = getattr(error, "strerror", None) or str(error)
        raise UsageError(f"{path}: cannot be read ({reason}); expected {expected}.") from error
    return decode_text(data, path, expected)


def decode_text(data: bytes, path: str | Path, expected: str) -> str:
    """Return the UTF-8 text of a file's bytes; if they are not text, the error names the line.

    Args:
        data: the content of the file.
        path: the file, for messages.
        expected: what it should contain, for messages.
    """
    null = data.find(b"\0")
    if null >= 0:
        line = data.count(b"\n", 0, null) + 1
        raise wrong_line(path, line, f"a null byte, so this is not a text file; expected {expected}")
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = error.object.count(b"\n", 0, error.start) + 1  # not of `data`: a byte order mark is left out
        raise wrong_line(path, line, f"bytes that are not UTF-8; expected {expected} in UTF-8") from error


def wrong_line(path: str | Path, line: int, what: str) -> UsageError:
    """Return the error for a wrong line of a file.

    Args:
        path: the file.
        line: the number of the line, from 1.
        what: what is wrong with it, and what was expected.

    >>> print(wrong_line("gold.key", 3, "no sense key; expected 'id key'"))
    gold.key, line 3: no sense key; expected 'id key'.
    """
    return UsageError(f"{path}, line {line}: {what}.")


def quoted(text: str, longest: int = 60) -> str:
    """Return a piece of a file in quotes, for a message, cut after `longest` characters.

    >>> quoted("a b")
    "'a b'"
    """
    return repr(text if len(text) <= longest else text[: longest - 1] + "…")


def read_decompressed(path: Path, megabytes: int = MEGABYTES) -> bytes:
    """Return the content of a file; what is compressed by gzip or xz is unpacked, whatever the file's name.

    Args:
        path: the file.
        megabytes: the largest size, packed and unpacked: a small file that unpacks to much more is refused.

    Raises:
        OSError: the file cannot be read, is damaged, or is larger.
    """
    data = read_bytes(path, megabytes)
    limit = megabytes << 20  # one byte more is read below: whether there is one decides, not what a header claims
    # The first bytes say what a file is: downloads keep their content and lose their suffix.
    try:
        if data.startswith(b"\x1f\x8b"):
            data = gzip.GzipFile(fileobj=io.BytesIO(data)).read(limit + 1)
        elif data.startswith(b"\xfd7zXZ\0"):
            with lzma.LZMAFile(io.BytesIO(data)) as packed:
                data = packed.read(limit + 1)
    except (EOFError, OSError, zlib.error, lzma.LZMAError) as error:
        raise OSError(errno.EIO, f"the compressed data are damaged: {error}", str(path)) from error
    if len(data) > limit:
        raise OSError(errno.EFBIG, f"unpacked it is larger than {megabytes} MB", str(path))
    return data


def plain_name(path: str | Path) -> Path:
    """Return the name of a file, without the suffix of its compression.

    >>> plain_name("graphs/G1.txt.gz").stem, plain_name("towns.csv").suffix
    ('G1', '.csv')
    """
    name = Path(Path(path).name)
    return name.with_suffix("") if name.suffix.lower() in SUFFIXES else name
