"""Named arrays in one file, which is memory-mapped when it is read.

A file is a line of magic, a line with the length of the header and a checksum of that length and of all that follows,
a JSON header (facts, and name, type, shape and position of each array), and the arrays, each on a 64-byte boundary.
Nothing in it can run code. The checksum is CRC-32: 50 MB take about 40 ms, so it is checked whenever a file is opened.
"""

from __future__ import annotations

import json
import zlib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from swarmkit import write_atomically

Arrays = dict[str, NDArray[Any]]

MAGIC = b"swarmkit arrays 2\n"
_ALIGN = 64
_SECOND_LINE = 12 + 1 + 8 + 1
"""Bytes of the second line: length of the header, space, checksum in hexadecimal, line end."""


class BrokenFileError(ValueError):
    """The file is not an array file, is truncated, or was changed."""


def save(path: Path, arrays: Mapping[str, NDArray[Any]], facts: Mapping[str, Any]) -> None:
    """Write arrays, and facts about them as JSON, so that a reader sees the whole file or none."""
    blobs = {name: np.ascontiguousarray(array).tobytes() for name, array in arrays.items()}
    places, end = {}, 0
    for name, array in arrays.items():
        places[name] = {"type": array.dtype.str, "shape": array.shape, "at": end}
        end += _aligned(len(blobs[name]))
    header = json.dumps({"facts": facts, "arrays": places}).encode()
    front = len(MAGIC) + _SECOND_LINE + len(header)
    rest = [header.ljust(len(header) + _aligned(front) - front, b"\0")]
    rest += [blob.ljust(_aligned(len(blob)), b"\0") for blob in blobs.values()]
    length, checked = f"{len(header):>12}".encode(), b"".join(rest)
    checksum = zlib.crc32(checked, zlib.crc32(length))
    write_atomically(path, MAGIC + length + f" {checksum:08x}\n".encode() + checked)


def load(path: Path) -> tuple[Arrays, dict[str, Any]]:
    """Return the memory-mapped arrays of a file, and its facts; raise BrokenFileError if its checksum is wrong."""
    if path.stat().st_size == 0:
        raise BrokenFileError("it is empty")
    raw = np.asarray(np.memmap(path, dtype=np.uint8, mode="r"))
    front = len(MAGIC) + _SECOND_LINE
    if raw[: len(MAGIC)].tobytes() != MAGIC:
        raise BrokenFileError("it is not an array file")
    try:
        length, checksum = raw[len(MAGIC) : front].tobytes().split()
        header_end, expected = front + int(length), int(checksum, 16)
    except ValueError:
        raise BrokenFileError("its checksum is missing") from None
    if zlib.crc32(raw[front:].data, zlib.crc32(raw[len(MAGIC) : len(MAGIC) + 12].data)) != expected:
        raise BrokenFileError("its checksum is wrong")
    header = json.loads(raw[front:header_end].tobytes())
    start = _aligned(header_end)
    return {name: _view(raw, start, place) for name, place in header["arrays"].items()}, header["facts"]


def _view(raw: NDArray[np.uint8], start: int, place: dict[str, Any]) -> NDArray[Any]:
    dtype, shape = np.dtype(place["type"]), tuple(place["shape"])
    begin = start + place["at"]
    view: NDArray[Any] = raw[begin : begin + dtype.itemsize * int(np.prod(shape))].view(dtype).reshape(shape)
    return view


def _aligned(size: int) -> int:
    return -(-size // _ALIGN) * _ALIGN
