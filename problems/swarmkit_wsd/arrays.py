"""Named arrays in one file that later starts only map, and strings found in them without a dictionary.

A file is a line of magic, a JSON header (facts, and name, type, shape and place of each array), and the arrays, each on
a 64 byte boundary. Nothing in it can run code, and a file that was cut short is noticed by its length.
"""

from __future__ import annotations

import json
import zlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from swarmkit import write_atomically

Arrays = dict[str, NDArray[Any]]

MAGIC = b"swarmkit arrays 1\n"
_ALIGN = 64


class BrokenFileError(ValueError):
    """The file is not one of ours, or was cut short."""


def save(path: Path, arrays: Mapping[str, NDArray[Any]], facts: Mapping[str, Any]) -> None:
    """Write the arrays so that a reader sees all of them or none."""
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
    """Map the arrays of a file; raise BrokenFileError if it is not whole."""
    raw = np.asarray(np.memmap(path, dtype=np.uint8, mode="r"))
    try:
        front = len(MAGIC) + 13
        length = int(raw[len(MAGIC) : front].tobytes())
        header = json.loads(raw[front : front + length].tobytes())
        start = _aligned(front + length)
        if raw[: len(MAGIC)].tobytes() != MAGIC or start + header["bytes"] != len(raw):
            raise BrokenFileError(f"{path} was cut short")
    except (ValueError, KeyError) as error:
        raise BrokenFileError(f"{path} is not whole") from error
    return {name: _view(raw, start, place) for name, place in header["arrays"].items()}, header["facts"]


def _view(raw: NDArray[np.uint8], start: int, place: dict[str, Any]) -> NDArray[Any]:
    dtype, shape = np.dtype(place["type"]), tuple(place["shape"])
    begin = start + place["at"]
    view: NDArray[Any] = raw[begin : begin + dtype.itemsize * int(np.prod(shape))].view(dtype).reshape(shape)
    return view


def _aligned(size: int) -> int:
    return -(-size // _ALIGN) * _ALIGN


def starts_of(lengths: Iterable[int]) -> NDArray[np.int32]:
    """Return where each of a row of pieces starts, and where the last one ends.

    >>> starts_of([2, 0, 3]).tolist()
    [0, 2, 2, 5]
    """
    return np.concatenate([[0], np.cumsum(np.fromiter(lengths, np.int64))]).astype(np.int32)


def gather(starts: NDArray[Any], rows: NDArray[Any]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return the positions of the items of many rows at once, and which of the rows each belongs to.

    >>> [part.tolist() for part in gather(np.array([0, 2, 2, 5]), np.array([2, 0]))]
    [[2, 3, 4, 0, 1], [0, 0, 0, 1, 1]]
    """
    return spans(starts[rows].astype(np.int64), starts[np.asarray(rows) + 1].astype(np.int64))


def spans(begin: NDArray[np.int64], end: NDArray[np.int64]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return all positions from each begin to its end, one span after the other, and which span each belongs to."""
    lengths = end - begin
    owner = np.repeat(np.arange(len(lengths)), lengths)
    shift = begin - np.cumsum(lengths) + lengths
    return np.arange(len(owner)) + shift[owner], owner


@dataclass(frozen=True)
class Strings:
    """Many strings end to end in one array of bytes."""

    text: NDArray[np.uint8]
    starts: NDArray[np.int32]

    def __len__(self) -> int:
        return len(self.starts) - 1

    def raw(self, index: int) -> bytes:
        """Return one string as bytes."""
        return self.text[self.starts[index] : self.starts[index + 1]].tobytes()

    def __getitem__(self, index: int) -> str:
        return self.raw(index).decode("utf-8", "replace")


@dataclass(frozen=True)
class Table(Strings):
    """Strings that can be looked up: a hash table of two arrays, ready as soon as it is mapped."""

    buckets: NDArray[np.int32]
    members: NDArray[np.int32]

    def find(self, string: str) -> int:
        """Return the index of a string, or -1."""
        wanted = string.encode("utf-8", "surrogatepass")
        bucket = zlib.crc32(wanted) & (len(self.buckets) - 2)
        for index in self.members[self.buckets[bucket] : self.buckets[bucket + 1]].tolist():
            if self.raw(index) == wanted:
                return int(index)
        return -1


def strings_arrays(name: str, strings: Sequence[str]) -> Arrays:
    """Return the arrays of `Strings` under a name."""
    raw = [string.encode() for string in strings]
    return {f"{name}.text": np.frombuffer(b"".join(raw), np.uint8), f"{name}.starts": starts_of(map(len, raw))}


def table_arrays(name: str, strings: Sequence[str]) -> Arrays:
    """Return the arrays of a `Table` under a name, with about two buckets a string."""
    count = 1 << max(len(strings), 1).bit_length()
    hashes = np.array([zlib.crc32(string.encode()) & (count - 1) for string in strings], np.int64)
    sizes = np.bincount(hashes, minlength=count)
    members = np.argsort(hashes, kind="stable").astype(np.int32)
    return strings_arrays(name, strings) | {f"{name}.buckets": starts_of(sizes), f"{name}.members": members}


def strings_in(arrays: Arrays, name: str) -> Strings:
    """Return the strings saved under a name."""
    return Strings(arrays[f"{name}.text"], arrays[f"{name}.starts"])


def table_in(arrays: Arrays, name: str) -> Table:
    """Return the table saved under a name."""
    return Table(*(arrays[f"{name}.{part}"] for part in ("text", "starts", "buckets", "members")))
