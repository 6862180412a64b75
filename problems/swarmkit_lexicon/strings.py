"""Many strings in a few arrays, and a hash table of them: memory-mapped, they can be used at once."""

from __future__ import annotations

import zlib
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from swarmkit_lexicon.array_file import Arrays
from swarmkit_lexicon.arrays import starts_of


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
        wanted = string.encode("utf-8", "surrogatepass")
        bucket = zlib.crc32(wanted) & (len(self.buckets) - 2)
        for index in self.members[self.buckets[bucket] : self.buckets[bucket + 1]].tolist():
            if self.raw(index) == wanted:
                return int(index)
        return -1


def strings_arrays(name: str, strings: Sequence[str]) -> Arrays:
    """Return the arrays of `Strings`, named `name.text` and `name.starts`."""
    raw = [string.encode() for string in strings]
    return {f"{name}.text": np.frombuffer(b"".join(raw), np.uint8), f"{name}.starts": starts_of(map(len, raw))}


def table_arrays(name: str, strings: Sequence[str]) -> Arrays:
    """Return the arrays of a `Table`, with about two buckets for each string."""
    count = 1 << max(len(strings), 1).bit_length()
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
