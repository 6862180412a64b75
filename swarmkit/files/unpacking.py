"""Compressed files: gzip and xz are recognised by their first bytes and unpacked up to a limit."""

from __future__ import annotations

import errno
import gzip
import io
import lzma
import zlib
from pathlib import Path
from typing import IO, cast

from swarmkit.contract.bounded_json import MEGABYTES, read_bytes

SUFFIXES = (".gz", ".xz")
"""The suffixes that compressed files have."""


def read_unpacked(path: Path, megabytes: int = MEGABYTES) -> bytes:
    """Return the content of a file; what is compressed by gzip or xz is unpacked, whatever the file's name.

    Args:
        path: the file.
        megabytes: the largest size, packed and unpacked: a small file that unpacks to much more is refused.

    Raises:
        OSError: the file cannot be read, is damaged, or is larger.
    """
    data = read_bytes(path, megabytes)
    packed = _opened(data)
    if packed is None:
        return data
    try:
        with packed:
            unpacked = packed.read((megabytes << 20) + 1)
    except (EOFError, OSError, zlib.error, lzma.LZMAError) as error:
        raise OSError(errno.EIO, f"the compressed data are damaged: {error}", str(path)) from error
    if len(unpacked) > megabytes << 20:
        raise OSError(errno.EFBIG, f"unpacked it is larger than {megabytes} MB", str(path))
    return unpacked


def _opened(data: bytes) -> IO[bytes] | None:
    """Return a stream of the unpacked content; None for data that are not compressed."""
    if data.startswith(b"\x1f\x8b"):
        return cast(IO[bytes], gzip.GzipFile(fileobj=io.BytesIO(data)))
    if data.startswith(b"\xfd7zXZ\0"):
        return lzma.LZMAFile(io.BytesIO(data))
    return None


def plain_name(path: str | Path) -> Path:
    """Return the name of a file, without the suffix of its compression.

    >>> plain_name("graphs/G1.txt.gz").stem, plain_name("towns.csv").suffix
    ('G1', '.csv')
    """
    name = Path(Path(path).name)
    return name.with_suffix("") if name.suffix.lower() in SUFFIXES else name
