"""Files from elsewhere, read up to a limit: a device or a pipe without an end does not fill the memory."""

from __future__ import annotations

import errno
from pathlib import Path

MEGABYTES = 256
"""The size of the largest text that is read: more than any corpus or instance that fits into memory as a problem."""


def read_bytes(path: Path, megabytes: int = MEGABYTES) -> bytes:
    """Return the content of a file.

    Args:
        path: the file.
        megabytes: the largest size.

    Raises:
        OSError: the file cannot be read, or is larger.
    """
    with path.open("rb") as file:
        data = file.read((megabytes << 20) + 1)
    if len(data) > megabytes << 20:
        raise OSError(errno.EFBIG, f"larger than {megabytes} MB", str(path))
    return data
