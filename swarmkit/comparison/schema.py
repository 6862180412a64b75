"""The schema of a store and its migrations: one SQLite file, marked as ours, brought up to date in one transaction."""

from __future__ import annotations

import time
from pathlib import Path
from typing import TYPE_CHECKING

from swarmkit.contract.errors import UsageError

if TYPE_CHECKING:
    import sqlite3

APPLICATION_ID = 0x73776B74
"""'swkt' in the file's header: distinguishes a store from other SQLite databases."""

MIGRATIONS = (
    """
    CREATE TABLE runs (
        key TEXT PRIMARY KEY, instance TEXT NOT NULL, method TEXT NOT NULL, problem TEXT NOT NULL, solver TEXT NOT NULL,
        repetition INTEGER NOT NULL, seed INTEGER NOT NULL, score REAL, looks INTEGER NOT NULL,
        iterations INTEGER NOT NULL, seconds REAL NOT NULL, stopped TEXT NOT NULL, created TEXT NOT NULL,
        problem_settings TEXT NOT NULL, method_settings TEXT NOT NULL, result TEXT NOT NULL
    );
    CREATE TABLE bounds (
        problem TEXT NOT NULL, fingerprint TEXT NOT NULL, bound TEXT NOT NULL, PRIMARY KEY (problem, fingerprint)
    );
    """,
    """
    CREATE TABLE experiments (
        id TEXT PRIMARY KEY, created TEXT NOT NULL, seed TEXT NOT NULL, experiment TEXT NOT NULL, plan TEXT NOT NULL,
        refusals TEXT NOT NULL
    );
    """,
)
"""SQL from each version of the schema to the next; the first starts from an empty file.

Of an experiment, `plan` has the keys of its runs and `refusals` the pairs that solvers refused, both as JSON; `seed` is
text because a seed may exceed 64 bits.
"""

TIMEOUT = 60.0
"""Seconds to wait for another writer."""


def connect(path: Path) -> sqlite3.Connection:
    """Open a store, which is created or migrated if necessary; any other file is refused and left unchanged."""
    import sqlite3

    if path.is_dir() or not path.parent.is_dir():
        raise UsageError(f"{path}: {'a directory' if path.is_dir() else 'its directory does not exist'}")
    connection = None
    try:
        connection = sqlite3.connect(path, timeout=TIMEOUT, isolation_level=None)
        if _version(connection, path) < len(MIGRATIONS):
            _migrate(connection, path)
        _enable_wal(connection)
        connection.execute("PRAGMA synchronous = NORMAL")
        return connection
    except (sqlite3.Error, UsageError) as error:
        if connection is not None:
            connection.close()
        if isinstance(error, UsageError):
            raise
        raise UsageError(f"{path}: not a store of swarmkit, or damaged ({error})") from None


def _version(connection: sqlite3.Connection, path: Path) -> int:
    """Return the version of the schema, 0 for a new file; refuse other databases and newer schemas."""
    (application,) = connection.execute("PRAGMA application_id").fetchone()
    (version,) = connection.execute("PRAGMA user_version").fetchone()
    (tables,) = connection.execute("SELECT count(*) FROM sqlite_master").fetchone()
    if application != APPLICATION_ID and (application or version or tables):
        raise UsageError(f"{path}: a database, but not a store of swarmkit")
    if version > len(MIGRATIONS):
        known = len(MIGRATIONS)
        raise UsageError(
            f"{path}: a store of a newer swarmkit (schema {version}; this version reads up to {known}). "
            "Update pyswarmkit."
        )
    return int(version)


def _migrate(connection: sqlite3.Connection, path: Path) -> None:
    """Apply the missing migrations in one transaction, unless another process has just done so."""
    connection.execute("BEGIN IMMEDIATE")
    try:
        for number in range(_version(connection, path), len(MIGRATIONS)):
            for statement in filter(str.strip, MIGRATIONS[number].split(";")):
                connection.execute(statement)
        connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
        connection.execute(f"PRAGMA user_version = {len(MIGRATIONS)}")
        connection.execute("COMMIT")
    except BaseException:
        connection.execute("ROLLBACK")
        raise


def _enable_wal(connection: sqlite3.Connection) -> None:
    """Switch to write-ahead logging, so that readers and a writer do not block each other.

    The connection's timeout does not apply to this switch, so it is tried until the same time has passed.
    """
    import sqlite3

    deadline = time.monotonic() + TIMEOUT
    while True:
        try:
            connection.execute("PRAGMA journal_mode = WAL")
            return
        except sqlite3.OperationalError:
            if time.monotonic() > deadline:
                raise
            time.sleep(0.05)
