"""Files that are written completely or not at all, and rows as the text of a CSV file."""

from __future__ import annotations

import csv
import io
import os
import re
import secrets
import time
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

from swarmkit.contract.errors import UsageError

ASIDE = re.compile(r"\..+\.(\d{1,9})-[0-9a-f]{8}\.tmp")
"""The names of files that are being written: a dot, the final name, the number of the process, and a random number."""

STALE = 60.0
"""Seconds after which a file of a process that no longer lives is removed; longer than any file takes to write."""


def write_atomically(path: Path, content: bytes) -> None:
    """Write a file so that a crash at any moment leaves the old content or the new one, never a part of it.

    A symbolic link stays a link, now to the new content; a pipe or a terminal is written to, not replaced.

    Args:
        path: the file.
        content: its new content.
    """
    place = path.resolve()  # the target of a link, in whose folder the new file is renamed
    try:
        if place.exists() and not place.is_file():  # /dev/stdout, a pipe
            place.write_bytes(content)
        else:
            sweep(place.parent)
            _replace(place, content)
    except OSError as error:
        raise UsageError(f"{path}: cannot be written ({error.strerror or error})") from None


@cache
def sweep(folder: Path) -> None:
    """Remove what killed processes have left of files that they were writing; once per folder and process."""
    try:
        with os.scandir(folder) as entries:
            leftovers = [(entry, match) for entry in entries if (match := ASIDE.fullmatch(entry.name))]
        for entry, match in leftovers:
            old = time.time() - entry.stat(follow_symlinks=False).st_mtime > STALE
            if old and entry.is_file(follow_symlinks=False) and not _lives(int(match[1])):
                Path(entry.path).unlink(missing_ok=True)
    except OSError:
        return  # another process was faster, or the folder cannot be listed: the write itself says what is wrong


def _lives(pid: int) -> bool:
    """Whether there may be a process with this number; only POSIX can ask without ending it."""
    if os.name != "posix":
        return True
    try:
        os.kill(pid, 0)  # signal 0 is not sent: it only asks whether it could be
    except ProcessLookupError:
        return False
    except (PermissionError, OverflowError):
        return True  # a process of somebody else, or a number that no process can have
    return True


def _replace(place: Path, content: bytes) -> None:
    # Not mkstemp: only the owner can read its files, and an administrator may fill a cache for everyone.
    aside = place.with_name(f".{place.name}.{os.getpid()}-{secrets.token_hex(4)}.tmp")
    try:
        with aside.open("wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())  # before the name changes: a power cut must not leave an empty file
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
    try:
        if path.is_dir():
            raise UsageError(f"{path} is a directory; a file is expected")
        if not path.parent.is_dir():
            raise UsageError(f"{path}: the directory {path.parent} does not exist")
        if not os.access(path.parent, os.W_OK):
            raise UsageError(f"{path}: the directory {path.parent} cannot be written to")
        if path.exists() and not force:
            raise UsageError(f"{path} exists. {way_out}")
    except OSError as error:  # a name that is too long
        raise UsageError(f"{path}: cannot be written ({error.strerror})") from None


def csv_text(rows: Sequence[Mapping[str, Any]]) -> str:
    r"""Return rows as CSV with a header of all their columns, in the order in which they first occur.

    >>> csv_text([{"city": "Bonn, D", "x": 1}, {"city": "Ulm"}])
    'city,x\n"Bonn, D",1\nUlm,\n'
    """
    text = io.StringIO()
    columns = dict.fromkeys(column for row in rows for column in row)
    writer = csv.DictWriter(text, fieldnames=list(columns), lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    return text.getvalue()
