"""Arrays of rows and of strings, and files of arrays, which are memory-mapped when they are read.

A file is a line of magic, a line with the length of the header and a checksum of that length and of all that follows,
a JSON header (facts, and name, type, shape and position of each array), and the arrays, each on a 64-byte boundary.
Nothing in it can run code. The checksum is CRC-32: 50 MB take about 40 ms, so it is checked whenever a file is opened.
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


def starts_of(lengths: Iterable[int]) -> NDArray[np.int32]:
    """Return where each row starts, and at the end where the last one ends.

    >>> starts_of([2, 0, 3]).tolist()
    [0, 2, 2, 5]
    """
    return np.concatenate([[0], np.cumsum(np.fromiter(lengths, np.int64))]).astype(np.int32)


def gather(starts: NDArray[Any], rows: NDArray[Any]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return the positions of the items of some rows, and for each item the index of its row in `rows`.

    >>> [part.tolist() for part in gather(np.array([0, 2, 2, 5]), np.array([2, 0]))]
    [[2, 3, 4, 0, 1], [0, 0, 0, 1, 1]]
    """
    return spans(starts[rows].astype(np.int64), starts[np.asarray(rows) + 1].astype(np.int64))


def spans(begin: NDArray[np.int64], end: NDArray[np.int64]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return the positions begin[i], …, end[i] - 1 of every span i, one span after the other, and the span of each.

    >>> [part.tolist() for part in spans(np.array([7, 0]), np.array([9, 1]))]
    [[7, 8, 0], [0, 0, 1]]
    """
    lengths = end - begin
    # Position k of the output is k + shift: `shift` is where the span begins less the total length of those before it.
    owner = np.repeat(np.arange(len(lengths)), lengths)
    shift = begin - np.cumsum(lengths) + lengths
    return np.arange(len(owner)) + shift[owner], owner


def find_sorted(values: NDArray[Any], items: NDArray[Any]) -> NDArray[np.int64]:
    """Return the position of each item among sorted values, -1 where it is missing.

    >>> find_sorted(np.array([2, 5, 7]), np.array([[7, 3], [2, 9]])).tolist()
    [[2, -1], [0, -1]]
    """
    if not len(values):
        return np.full(np.shape(items), -1)
    at = np.minimum(np.searchsorted(values, items), len(values) - 1)
    return np.where(values[at] == items, at, -1)


Arrays = dict[str, NDArray[Any]]

MAGIC = b"swarmkit arrays 2\n"
_ALIGN = 64
_SECOND_LINE = 12 + 1 + 8 + 1
"""Bytes of the second line: length of the header, space, checksum in hexadecimal, line end."""


class BrokenFileError(ValueError):
    """The file is not an array file, is truncated, or was changed."""


def save(path: Path, arrays: Mapping[str, NDArray[Any]], facts: Mapping[str, Any]) -> None:
    """Write arrays, and facts about them as JSON, so that a reader sees the whole file or none."""
    # Each array begins on a boundary of its own, so that a view of the memory map is aligned for its type.
    blobs = {name: np.ascontiguousarray(array).tobytes() for name, array in arrays.items()}
    places, end = {}, 0
    for name, array in arrays.items():
        places[name] = {"type": array.dtype.str, "shape": array.shape, "at": end}
        end += _align(len(blobs[name]))
    header = json.dumps({"facts": facts, "arrays": places}).encode()
    front = len(MAGIC) + _SECOND_LINE + len(header)
    rest = [header.ljust(len(header) + _align(front) - front, b"\0")]
    rest += [blob.ljust(_align(len(blob)), b"\0") for blob in blobs.values()]
    length, content = f"{len(header):>12}".encode(), b"".join(rest)
    checksum = zlib.crc32(content, zlib.crc32(length))
    write_atomically(path, MAGIC + length + f" {checksum:08x}\n".encode() + content)


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
    # The length of the header is part of the checksum: a wrong one would shift all arrays.
    if zlib.crc32(raw[front:].data, zlib.crc32(raw[len(MAGIC) : len(MAGIC) + 12].data)) != expected:
        raise BrokenFileError("its checksum is wrong")
    header = json.loads(raw[front:header_end].tobytes())
    start = _align(header_end)
    return {name: _view(raw, start, place) for name, place in header["arrays"].items()}, header["facts"]


def _view(raw: NDArray[np.uint8], start: int, place: dict[str, Any]) -> NDArray[Any]:
    dtype, shape = np.dtype(place["type"]), tuple(place["shape"])
    begin = start + place["at"]
    view: NDArray[Any] = raw[begin : begin + dtype.itemsize * int(np.prod(shape))].view(dtype).reshape(shape)
    return view


def _align(size: int) -> int:
    return -(-size // _ALIGN) * _ALIGN


@dataclass(frozen=True)
class Strings:
    """Strings end to end in one array of bytes; string i is at starts[i] to starts[i + 1]."""

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
    """Strings with a hash table: the members of bucket b are at buckets[b] to buckets[b + 1] of `members`."""

    buckets: NDArray[np.int32]
    members: NDArray[np.int32]

    def find(self, string: str) -> int:
        """Return the index of a string, or -1."""
        key = string.encode("utf-8", "surrogatepass")
        bucket = zlib.crc32(key) & (len(self.buckets) - 2)
        for index in self.members[self.buckets[bucket] : self.buckets[bucket + 1]].tolist():
            if self.raw(index) == key:
                return int(index)
        return -1


def strings_arrays(name: str, strings: Sequence[str]) -> Arrays:
    """Return the arrays of `Strings`, named `name.text` and `name.starts`."""
    raw = [string.encode() for string in strings]
    return {f"{name}.text": np.frombuffer(b"".join(raw), np.uint8), f"{name}.starts": starts_of(map(len, raw))}


def table_arrays(name: str, strings: Sequence[str]) -> Arrays:
    """Return the arrays of a `Table`, with about two buckets for each string."""
    count = 1 << max(len(strings), 1).bit_length()  # a power of two, so that a mask takes the place of a remainder
    hashes = np.array([zlib.crc32(string.encode()) & (count - 1) for string in strings], np.int64)
    sizes = np.bincount(hashes, minlength=count)
    members = np.argsort(hashes, kind="stable").astype(np.int32)
    return strings_arrays(name, strings) | {f"{name}.buckets": starts_of(sizes), f"{name}.members": members}


def strings_in(arrays: Arrays, name: str) -> Strings:
    """Return the strings that `strings_arrays` stored under a name."""
    return Strings(arrays[f"{name}.text"], arrays[f"{name}.starts"])


def table_in(arrays: Arrays, name: str) -> Table:
    """Return the table that `table_arrays` stored under a name."""
    return Table(*(arrays[f"{name}.{part}"] for part in ("text", "starts", "buckets", "members")))
