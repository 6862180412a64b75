"""Named arrays in one file, which is memory-mapped when it is read.

A file is a line of magic, a JSON header (facts, and name, type, shape and position of each array), and the arrays, each
on a 64-byte boundary. Nothing in it can run code, and a truncated file is detected by its length.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from swarmkit import write_atomically

Arrays = dict[str, NDArray[Any]]

MAGIC = b"swarmkit arrays 1\n"
_ALIGN = 64


class BrokenFileError(ValueError):
    """The file is not an array file, or is truncated."""


def save(path: Path, arrays: Mapping[str, NDArray[Any]], facts: Mapping[str, Any]) -> None:
    """Write arrays, and facts about them as JSON, so that a reader sees the whole file or none."""
    blobs = {name: np.ascontiguousarray(array).tobytes() for name, array in arrays.items()}
    places, end = {}, 0
    for name, array in arrays.items():
        places[name] = {"type": array.dtype.str, "shape": array.shape, "at": end}
        end = _aligned(end + len(blobs[name]))
    header = json.dumps({"facts": facts, "arrays": places, "bytes": end}).encode()
    front = MAGIC + f"{len(header):>12}\n".encode() + header
    body = b"".join(blob.ljust(_aligned(len(blob)), b"\0") for blob in blobs.values())
    write_atomically(path, front.ljust(_aligned(len(front)), b"\0") + body)


def load(path: Path) -> tuple[Arrays, dict[str, Any]]:
    """Return the memory-mapped arrays of a file, and its facts; raise BrokenFileError if it is not complete."""
    raw = np.asarray(np.memmap(path, dtype=np.uint8, mode="r"))
    try:
        front = len(MAGIC) + 13
        length = int(raw[len(MAGIC) : front].tobytes())
        header = json.loads(raw[front : front + length].tobytes())
        start = _aligned(front + length)
        if raw[: len(MAGIC)].tobytes() != MAGIC or start + header["bytes"] != len(raw):
            raise BrokenFileError(f"{path} is truncated")
    except (ValueError, KeyError) as error:
        raise BrokenFileError(f"{path} is not a complete array file") from error
    return {name: _view(raw, start, place) for name, place in header["arrays"].items()}, header["facts"]


def _view(raw: NDArray[np.uint8], start: int, place: dict[str, Any]) -> NDArray[Any]:
    dtype, shape = np.dtype(place["type"]), tuple(place["shape"])
    begin = start + place["at"]
    view: NDArray[Any] = raw[begin : begin + dtype.itemsize * int(np.prod(shape))].view(dtype).reshape(shape)
    return view


def _aligned(size: int) -> int:
    return -(-size // _ALIGN) * _ALIGN
