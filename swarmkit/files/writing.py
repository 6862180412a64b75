"""Files that are written completely or not at all."""

from __future__ import annotations

import os
import secrets
from pathlib import Path

from swarmkit.contract.errors import UsageError


def write_atomically(path: Path, content: bytes) -> None:
    """Write a file so that a crash at any moment leaves the old content or the new one, never a part of it.

    A symbolic link stays a link, now to the new content; a pipe or a terminal is written to, not replaced.
    """
    place = path.resolve()
    try:
        if place.exists() and not place.is_file():
            place.write_bytes(content)
        else:
            _replace(place, content)
    except OSError as error:
        raise UsageError(f"{path}: cannot be written ({error.strerror})") from None


def _replace(place: Path, content: bytes) -> None:
    # Not mkstemp: only the owner can read its files, and an administrator may fill a cache for everyone.
    aside = place.with_name(f".{place.name}.{os.getpid()}-{secrets.token_hex(4)}.tmp")
    try:
        with aside.open("wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        aside.replace(place)
    except BaseException:
        aside.unlink(missing_ok=True)
        raise


def check_writable(path: Path, force: bool, way_out: str) -> None:
    """Refuse a file that could not be written, or that exists, before any work is done.

    Args:
        path: the file.
        force: whether a file that exists may be overwritten.
        way_out: what to do if it exists, as a sentence for the message.
    """
    if path.is_dir():
        raise UsageError(f"{path} is a directory; a file is expected")
    if not path.parent.is_dir():
        raise UsageError(f"{path}: the directory {path.parent} does not exist")
    if not os.access(path.parent, os.W_OK):
        raise UsageError(f"{path}: the directory {path.parent} cannot be written to")
    if path.exists() and not force:
        raise UsageError(f"{path} exists. {way_out}")
