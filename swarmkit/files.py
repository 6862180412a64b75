"""Files that are either whole or not there."""

from __future__ import annotations

import os
from pathlib import Path

from swarmkit.errors import UsageError


def write_atomically(path: Path, content: bytes) -> None:
    """Write a file so that a crash at any moment leaves the old one or the new one, never half of it."""
    aside = path.with_name(f".{path.name}.{os.getpid()}.tmp")
    try:
        with aside.open("wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        aside.replace(path)
    except OSError as error:
        aside.unlink(missing_ok=True)
        raise UsageError(f"{path}: cannot be written ({error.strerror})") from None


def check_writable(path: Path, force: bool, way_out: str) -> None:
    """Refuse, before any work is done, a file that could not be written or would be written over."""
    if path.is_dir():
        raise UsageError(f"{path} is a directory; a file is expected")
    if not path.parent.is_dir():
        raise UsageError(f"{path}: the directory {path.parent} does not exist")
    if not os.access(path.parent, os.W_OK):
        raise UsageError(f"{path}: the directory {path.parent} cannot be written to")
    if path.exists() and not force:
        raise UsageError(f"{path} exists. {way_out}")
