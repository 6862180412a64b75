"""The schema of a store and its migrations: one SQLite file, marked as ours, brought up to date in one transaction."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
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


MAGIC = b"SQLite format 3\0"
"""The first bytes of every SQLite file."""


def connect(path: Path) -> sqlite3.Connection:
    """Open a store for writing; it is created or migrated if necessary, and any other file is left unchanged.

    Raises:
        UsageError: the file cannot be opened, is no store, is damaged, or was written by a newer version.
    """
    if not check_file(path) and not path.parent.is_dir():
        raise UsageError(f"{path}: its directory does not exist")
    with opening(path, f"{path.absolute().as_uri()}?mode=rwc") as connection:
        if _version(connection, path) < len(MIGRATIONS):
            migrate(connection, path)
        check_schema(connection, path)
        _enable_wal(connection)
        connection.execute("PRAGMA synchronous = NORMAL")
        return connection


@contextmanager
def opening(path: Path, uri: str) -> Iterator[sqlite3.Connection]:
    """Open a database and close it again if what is done with it fails; errors are raised as `UsageError`.

    Args:
        path: the store, for messages.
        uri: the database to open, with its mode.
    """
    import sqlite3

    connection = None
    try:
        connection = sqlite3.connect(uri, uri=True, timeout=TIMEOUT, isolation_level=None)
        connection.execute("PRAGMA trusted_schema = OFF")  # no function runs because a file's schema names it
        yield connection
    except BaseException as error:
        if connection is not None:
            connection.close()
        if isinstance(error, sqlite3.Error):
            raise UsageError(f"{path}: {explained(error)}") from None
        raise


def check_file(path: Path) -> bool:
    """Return whether there is a file; refuse one that cannot be opened or is no SQLite file. An empty one may be."""
    try:
        if path.is_dir():
            raise UsageError(f"{path}: a directory; a file is expected")
        if not path.exists():
            return False
        if not path.is_file():
            raise UsageError(f"{path}: cannot be opened (it is not a regular file)")
        with path.open("rb") as file:
            first = file.read(len(MAGIC))
    except OSError as error:
        raise UsageError(f"{path}: cannot be opened ({error.strerror})") from None
    if first and first != MAGIC:
        raise UsageError(f"{path}: not a store of swarmkit (it is not an SQLite file)")
    return True


def explained(error: sqlite3.Error) -> str:
    """Return an error of SQLite as a clause: whether the file cannot be opened, is in use or damaged, or the disk full.

    >>> import sqlite3
    >>> explained(sqlite3.DatabaseError("file is not a database"))
    'damaged (file is not a database)'
    """
    kind = str(getattr(error, "sqlite_errorname", None)).removeprefix("SQLITE_").partition("_")[0]
    if kind in ("CANTOPEN", "READONLY", "PERM", "AUTH", "IOERR"):
        return f"cannot be opened or written ({error})"
    if kind in ("BUSY", "LOCKED"):
        return f"in use by another process ({error}); try again when it is done"
    if kind in ("FULL", "TOOBIG", "NOMEM"):
        return f"cannot be written ({error})"
    return f"damaged ({error})"


def check_schema(connection: sqlite3.Connection, path: Path) -> int:
    """Return the version of the schema; refuse a database whose tables are not those of its version.

    Views and triggers are refused too: they could compute anything.
    """
    import sqlite3

    version = _version(connection, path)
    for kind, name, sql in connection.execute("SELECT type, name, sql FROM sqlite_master").fetchall():
        if kind in ("view", "trigger") or "virtual" in str(sql).lower().split()[:2]:
            raise UsageError(f"{path}: a database, but not a store of swarmkit (it has the {kind} '{name}')")
    with closing(sqlite3.connect(":memory:", isolation_level=None)) as empty:
        for statement in _statements(0, version):
            empty.execute(statement)
        for (table,) in empty.execute("SELECT name FROM sqlite_master WHERE type = 'table'").fetchall():
            missing = _columns(empty, table) - _columns(connection, table)
            if missing:
                column = f"{table}.{min(missing)}"
                raise UsageError(f"{path}: damaged, or not a store of swarmkit (it has no column {column})")
    return version


def _columns(connection: sqlite3.Connection, table: str) -> set[str]:
    """Return the columns of a table that are stored, not computed."""
    rows = connection.execute(f"PRAGMA table_xinfo({table})").fetchall()
    return {str(row[1]) for row in rows if not row[6]}


def _statements(first: int, last: int) -> list[str]:
    """Return the SQL statements from one version of the schema to another."""
    return [one for script in MIGRATIONS[first:last] for one in script.split(";") if one.strip()]


def _version(connection: sqlite3.Connection, path: Path) -> int:
    """Return the version of the schema, 0 for a new file; refuse other databases and newer schemas."""
    (application,) = connection.execute("PRAGMA application_id").fetchone()
    (version,) = connection.execute("PRAGMA user_version").fetchone()
    (tables,) = connection.execute("SELECT count(*) FROM sqlite_master").fetchone()
    if application != APPLICATION_ID and (application or version or tables):
        raise UsageError(f"{path}: a database, but not a store of swarmkit")
    if version < 0:
        raise UsageError(f"{path}: damaged (the version of its schema is {version})")
    if version > len(MIGRATIONS):
        known = len(MIGRATIONS)
        raise UsageError(
            f"{path}: a store of a newer swarmkit (schema {version}; this version reads up to {known}). "
            "Update pyswarmkit."
        )
    return int(version)


def migrate(connection: sqlite3.Connection, path: Path) -> None:
    """Apply the missing migrations in one transaction, unless another process has just done so."""
    connection.execute("BEGIN IMMEDIATE")
    try:
        for statement in _statements(_version(connection, path), len(MIGRATIONS)):
            connection.execute(statement)
        connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
        connection.execute(f"PRAGMA user_version = {len(MIGRATIONS)}")
        connection.execute("COMMIT")
    except BaseException:
        if connection.in_transaction:
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
