"""Arrays in one file (npz): sizes and headers are checked before anything is read.

A file from elsewhere can claim shapes of petabytes, or a megabyte that unpacks to gigabytes. Here no more is read than
the file has bytes: members are stored, not compressed, and what a header announces is exactly what the member holds.
"""

from __future__ import annotations

import hashlib
import io
import math
import re
import zipfile
from collections.abc import Mapping
from pathlib import Path
from typing import IO, Any

import numpy as np

from swarmkit.files.writing import write_atomically

MEMBER = re.compile(r"(json|digest|a\d{1,9})\.npy")
"""The names of the members: the JSON text, the digest of all others, and the arrays a0, a1, ..."""


def write_arrays(path: Path, arrays: Mapping[str, Any]) -> None:
    """Write arrays as one file, atomically."""
    buffer = io.BytesIO()
    np.savez(buffer, **arrays, digest=digest_of(arrays))
    write_atomically(path, buffer.getvalue())


def read_arrays(file: IO[bytes]) -> dict[str, Any]:
    """Return the arrays of an open file by name.

    Raises:
        ValueError: a member is compressed, encrypted, misnamed or changed, or is not what its header announces.
            Damaged files raise other exceptions of zipfile and numpy, too.
    """
    size = file.seek(0, io.SEEK_END)
    with zipfile.ZipFile(file) as archive:
        members = archive.infolist()
        _check_directory(members, size)
        for member in members:
            with archive.open(member) as opened:
                _check_header(opened, member)
        arrays = {member.filename.removesuffix(".npy"): _read_array(archive, member) for member in members}
    digest = arrays.pop("digest", None)
    if digest is None or not np.array_equal(digest, digest_of(arrays)):
        raise ValueError("its content has been changed: the digest is another")
    return arrays


def digest_of(arrays: Mapping[str, Any]) -> Any:
    """Return a digest of names, types, shapes and values: compiled code trusts the numbers of a state."""
    digest = hashlib.blake2b(digest_size=32)
    for name in sorted(arrays):
        array = np.asarray(arrays[name])
        digest.update(f"{name} {array.dtype.str} {array.shape}\n".encode())
        digest.update(array.tobytes())  # in C order, whatever the order in memory
    return np.frombuffer(digest.digest(), np.uint8)


def _check_directory(members: list[zipfile.ZipInfo], size: int) -> None:
    """Check names and sizes as the directory of the file has them; members that overlap exceed the file's size."""
    names = [member.filename for member in members]
    if len(set(names)) < len(names):
        raise ValueError("a member occurs twice")
    for member in members:
        if not MEMBER.fullmatch(member.filename):
            raise ValueError(f"the member {member.filename[:40]!r} is not one of a checkpoint")
        if member.compress_type != zipfile.ZIP_STORED or member.file_size != member.compress_size:
            raise ValueError(f"the member {member.filename} is compressed")
        if member.flag_bits & 0x1:  # bit 0 of the general purpose flag: encrypted
            raise ValueError(f"the member {member.filename} is encrypted")
    # Members may lie on top of each other, so that 42 kB hold petabytes; then their sum exceeds the file.
    if sum(member.file_size for member in members) > size:
        raise ValueError("the members are larger than the file")


def _check_header(opened: IO[bytes], member: zipfile.ZipInfo) -> None:
    """Check that an array's shape and type need exactly the bytes that the member has."""
    version = np.lib.format.read_magic(opened)
    read = {(1, 0): np.lib.format.read_array_header_1_0, (2, 0): np.lib.format.read_array_header_2_0}.get(version)
    if read is None:
        raise ValueError(f"version {version} of numpy's format in {member.filename}")
    shape, _, dtype = read(opened)
    count = math.prod(shape)  # of Python integers, which do not overflow
    if dtype.hasobject or any(length < 0 for length in shape) or (dtype.itemsize == 0 and count > 1):
        raise ValueError(f"the array {member.filename} has the type {dtype} and the shape {shape}")
    if count * dtype.itemsize != member.file_size - opened.tell():
        raise ValueError(f"the array {member.filename} does not have the size of its shape {shape}")


def _read_array(archive: zipfile.ZipFile, member: zipfile.ZipInfo) -> Any:
    with archive.open(member) as opened:
        return np.lib.format.read_array(opened, allow_pickle=False)
