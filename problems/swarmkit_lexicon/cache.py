"""The user's cache folder, shared safely between processes.

Everything is written to a temporary folder beside its place and then renamed, so that a reader sees the whole of it or
nothing. A cache that is not writable is still read; new data then go into a private folder among the temporary files.
"""

from __future__ import annotations

import os
import shutil
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from importlib import import_module
from pathlib import Path
from typing import Any

from swarmkit import MissingError, install_hint

CACHE_VARIABLE = "SWARMKIT_CACHE"
"""The environment variable that names another folder."""

_ASIDE = ".aside-"
_STALE_SECONDS = 24 * 3600
"""Temporary folders older than this were left by a process that was killed."""


def user_cache() -> Path:
    """Return the folder of the user's cache, which need not exist: $SWARMKIT_CACHE, or the platform's own."""
    if path := os.environ.get(CACHE_VARIABLE):
        return Path(path).expanduser()
    folder: Path = part_of_the_extra("platformdirs").user_cache_path("swarmkit", appauthor=False)
    return folder


def part_of_the_extra(name: str) -> Any:
    """Import a package that the extra 'wsd' installs; raise MissingError with the command to type if it is missing."""
    try:
        return import_module(name)
    except ImportError:
        raise MissingError(
            f"word sense disambiguation needs {name}, which the extra 'wsd' installs: {install_hint('wsd')}"
        ) from None


def private_temporary() -> Path:
    """Return the folder that is used instead of a cache that is not writable."""
    owner = os.getuid() if hasattr(os, "getuid") else os.environ.get("USERNAME", "user")
    return Path(tempfile.gettempdir()) / f"swarmkit-{owner}"


def readable_caches() -> list[Path]:
    """Return the folders to look in, the user's cache first."""
    return [folder for folder in (user_cache(), private_temporary()) if _usable(folder, os.R_OK | os.X_OK)]


def writable_cache() -> Path:
    """Return a folder to write to: the user's cache, else a private one among the temporary files."""
    for folder in (user_cache(), private_temporary()):
        try:
            # Only the owner may write to the folder among the temporary files, which all users share.
            folder.mkdir(mode=0o777 if folder == user_cache() else 0o700, parents=True, exist_ok=True)
        except OSError:
            continue
        if _usable(folder, os.W_OK | os.X_OK) and _can_write(folder):
            return folder
    return Path(tempfile.mkdtemp(prefix="swarmkit-"))


def _usable(folder: Path, mode: int) -> bool:
    # Any user can create a folder among the temporary files: one that belongs to another user is not trusted.
    try:
        private = folder != private_temporary() or not hasattr(os, "getuid") or folder.lstat().st_uid == os.getuid()
        return private and folder.is_dir() and os.access(folder, mode)
    except OSError:
        return False


def _can_write(folder: Path) -> bool:
    # os.access returns True for root even on a read-only file system.
    try:
        with tempfile.TemporaryFile(dir=folder):
            return True
    except OSError:
        return False


@contextmanager
def cache_lock(folder: Path, name: str, timeout: float = 600.0) -> Iterator[None]:
    """Hold the lock of that name, which one thread of one process has at a time; go on without where there is none.

    It saves work, no more: what two processes write at a time is whole, whichever comes last.
    """
    with ExitStack() as stack:
        with suppress(OSError, NotImplementedError):  # a time limit that has passed, too
            stack.enter_context(part_of_the_extra("filelock").FileLock(folder / f".{name}.lock", timeout=timeout))
        yield


@contextmanager
def folder_aside(cache: Path) -> Iterator[Path]:
    """Make an empty folder in the cache, and delete it at the end if it is still there."""
    _sweep(cache)
    aside = Path(tempfile.mkdtemp(prefix=_ASIDE, dir=cache))
    try:
        yield aside
    finally:
        shutil.rmtree(aside, ignore_errors=True)


def move_into_place(folder: Path, place: Path) -> None:
    """Rename a finished folder to its place, and delete what was there before."""
    if place.exists():
        # A folder that is not empty cannot be replaced in one step; readers see neither for a moment, never a mixture.
        old = Path(tempfile.mkdtemp(prefix=_ASIDE, dir=place.parent))
        place.replace(old / place.name)
        folder.replace(place)
        shutil.rmtree(old, ignore_errors=True)
    else:
        folder.replace(place)


def _sweep(cache: Path) -> None:
    """Delete the temporary folders of processes that were killed."""
    for left in cache.glob(f"{_ASIDE}*"):
        try:
            if time.time() - left.stat().st_mtime > _STALE_SECONDS:
                shutil.rmtree(left, ignore_errors=True)
        except OSError:  # another process deleted it first
            continue


Notice = Callable[[str], None]
"""Shows a message."""


def print_notice(message: str) -> None:
    """Print a message on standard error, apart from the results."""
    print(message, file=sys.stderr, flush=True)
