"""Stores that are only read: nothing beside them is needed or left, and they may be where nothing can be written."""

from __future__ import annotations

import os
import shutil
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

from swarmkit.comparison.schema import MIGRATIONS, check_file, check_schema, migrate, opening
from swarmkit.contract.errors import UsageError

if TYPE_CHECKING:
    import sqlite3


def connect_read_only(path: Path) -> sqlite3.Connection:
    """Open a store for reading; one of an older schema is migrated in memory.

    Raises:
        UsageError: the file cannot be opened, is no store, is damaged, or was written by a newer version.
    """
    if not check_file(path):
        raise UsageError(f"{path}: no such file")
    if not path.stat().st_size:
        raise UsageError(f"{path}: not a store of swarmkit (the file is empty)")
    if os.access(path, os.W_OK) and os.access(path.parent, os.W_OK):
        return _opened(path, "mode=rw")  # a connection that may write removes the log when it is closed
    try:
        return _opened(path, "mode=ro")
    except UsageError:  # the log of a store cannot be opened without a file for its index
        log = path.with_name(f"{path.name}-wal")
        return _copied(path, log) if log.exists() and log.stat().st_size else _opened(path, "mode=ro&immutable=1")


def _opened(path: Path, mode: str) -> sqlite3.Connection:
    """Open a store, check its schema, and forbid writing."""
    with opening(path, f"{path.absolute().as_uri()}?{mode}") as connection:
        if check_schema(connection, path) < len(MIGRATIONS):
            return _in_memory(connection, path)
        connection.execute("PRAGMA query_only = ON")
        return connection


def _in_memory(connection: sqlite3.Connection, path: Path) -> sqlite3.Connection:
    """Return a copy of a store in memory, brought up to date; the store itself is closed."""
    with opening(path, "file::memory:") as copy:
        connection.backup(copy)
        connection.close()
        if check_schema(copy, path) < len(MIGRATIONS):
            migrate(copy, path)
        return copy


def _copied(path: Path, log: Path) -> sqlite3.Connection:
    """Return a copy in memory of a store whose writer was killed, with the runs that are only in its log."""
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder) / path.name
        shutil.copyfile(path, copy)
        shutil.copyfile(log, copy.with_name(log.name))
        with opening(path, f"{copy.as_uri()}?mode=rw") as connection:
            return _in_memory(connection, path)
