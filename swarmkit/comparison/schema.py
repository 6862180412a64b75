"""The schema of a store and its migrations: one SQLite file, marked as ours, brought up to date in one transaction.

A store that is only read needs nothing beside it, leaves nothing, and may be where nothing can be written.
"""

from __future__ import annotations

import os
import shutil
import sqlite3
import tempfile
import time
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager
from pathlib import Path

from swarmkit.contract.errors import UsageError

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

BUSY = ("BUSY", "LOCKED")
"""The kinds of errors while another process writes."""

MAGIC = b"SQLite format 3\0"
"""The first bytes of every SQLite file."""


def connect(path: Path) -> sqlite3.Connection:
    """Open a store for writing; it is created or migrated if necessary, and any other file is left unchanged.

    Raises:
        UsageError: the file cannot be opened, is no store, is damaged, or was written by a newer version.
    """
    if not check_file(path) and not path.parent.is_dir():
        raise UsageError(f"{path}: its directory does not exist")
    with open_database(path, f"{path.absolute().as_uri()}?mode=rwc") as connection:
        if _version(connection, path) < len(MIGRATIONS):
            migrate(connection, path)
        check_schema(connection, path)
        _enable_wal(connection)
        connection.execute("PRAGMA synchronous = NORMAL")  # with WAL, a power cut loses the last runs and no more
        return connection


@contextmanager
def open_database(path: Path, uri: str) -> Iterator[sqlite3.Connection]:
    """Open a database and close it again if what is done with it fails; errors are raised as `UsageError`.

    Args:
        path: the store, for messages.
        uri: the database to open, with its mode.
    """
    with ExitStack() as on_error:
        try:
            connection = sqlite3.connect(uri, uri=True, timeout=TIMEOUT, isolation_level=None)
            on_error.callback(connection.close)
            connection.execute("PRAGMA trusted_schema = OFF")  # no function runs because a file's schema names it
            yield connection
        except (sqlite3.Error, UnicodeError) as error:  # names that are no text
            raise UsageError(f"{path}: {explain(error)}") from None
        on_error.pop_all()


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
            head = file.read(len(MAGIC))
    except OSError as error:
        raise UsageError(f"{path}: cannot be opened ({error.strerror})") from None
    if head and head != MAGIC:
        raise UsageError(f"{path}: not a store of swarmkit (it is not an SQLite file)")
    return True


def explain(error: Exception) -> str:
    """Return an error of SQLite as a clause: whether the file cannot be opened, is in use or damaged, or the disk full.

    >>> import sqlite3
    >>> explain(sqlite3.DatabaseError("file is not a database"))
    'damaged (file is not a database)'
    """
    kind = _kind(error)
    if kind in ("CANTOPEN", "READONLY", "PERM", "AUTH", "IOERR"):
        return f"cannot be opened or written ({error})"
    if kind in BUSY:
        return f"in use by another process ({error}); try again when it is done"
    if kind in ("FULL", "TOOBIG", "NOMEM"):
        return f"cannot be written ({error})"
    return f"damaged ({error})"


def _kind(error: Exception) -> str:
    """Return the kind of an error in SQLite's words, such as `FULL` or `BUSY`."""
    return str(getattr(error, "sqlite_errorname", None)).removeprefix("SQLITE_").partition("_")[0]


def check_schema(connection: sqlite3.Connection, path: Path) -> int:
    """Return the version of the schema; refuse a database whose tables are not exactly those of its version.

    A constraint more would drop runs without a word. Views, triggers and the like are refused too: they could compute
    anything.
    """
    version, entries = _version(connection, path), _schema(connection)
    with closing(sqlite3.connect(":memory:", isolation_level=None)) as empty:
        for statement in _statements(0, version):
            empty.execute(statement)
        expected = _schema(empty)
    for name, entry in expected.items():
        if entries.pop(name, None) != entry:
            raise UsageError(
                f"{path}: damaged, or not a store of swarmkit (its {entry[0]} '{name}' is missing or another one)"
            )
    for name, (kind, sql) in entries.items():
        if kind in ("view", "trigger") or "virtual" in sql.lower().split()[:2] or "unique" in sql.lower().split()[:2]:
            raise UsageError(f"{path}: a database, but not a store of swarmkit (it has the {kind} '{name}')")
    return version


def _schema(connection: sqlite3.Connection) -> dict[str, tuple[str, str]]:
    """Return the kind and the SQL text, spaces aside, of all that is in a database, by name."""
    rows = connection.execute("SELECT name, type, sql FROM sqlite_master").fetchall()
    return {str(name): (str(kind), " ".join(str(sql).split())) for name, kind, sql in rows}


def _statements(first: int, last: int) -> list[str]:
    """Return the SQL statements from one version of the schema to another."""
    return [sql for script in MIGRATIONS[first:last] for sql in script.split(";") if sql.strip()]


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
        schemas = f"schema {version}; this version reads up to {len(MIGRATIONS)}"
        raise UsageError(f"{path}: a store of a newer swarmkit ({schemas}). Update pyswarmkit.")
    return int(version)


def migrate(connection: sqlite3.Connection, path: Path) -> None:
    """Apply the missing migrations in one transaction, unless another process has just done so."""
    connection.execute("BEGIN IMMEDIATE")  # locks now: the version is read again below, and cannot change any more
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
    deadline = time.monotonic() + TIMEOUT
    while True:
        try:
            connection.execute("PRAGMA journal_mode = WAL")
            return
        except sqlite3.OperationalError as error:
            if _kind(error) not in BUSY or time.monotonic() > deadline:
                raise
            time.sleep(0.05)


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
        return _connect(path, "mode=rw")  # a connection that may write removes the log when it is closed
    try:
        return _connect(path, "mode=ro")
    except UsageError:  # the log of a store cannot be opened without a file for its index
        log = path.with_name(f"{path.name}-wal")
        return (
            _copy_of_files(path, log) if log.exists() and log.stat().st_size else _connect(path, "mode=ro&immutable=1")
        )


def _connect(path: Path, mode: str) -> sqlite3.Connection:
    """Open a store, check its schema, and forbid writing."""
    with open_database(path, f"{path.absolute().as_uri()}?{mode}") as connection:
        if check_schema(connection, path) < len(MIGRATIONS):
            return _in_memory(connection, path)
        connection.execute("PRAGMA query_only = ON")
        return connection


def _in_memory(connection: sqlite3.Connection, path: Path) -> sqlite3.Connection:
    """Return a copy of a store in memory, brought up to date; the store itself is closed."""
    with open_database(path, "file::memory:") as copy:
        connection.backup(copy)
        connection.close()
        if check_schema(copy, path) < len(MIGRATIONS):
            migrate(copy, path)
        return copy


def _copy_of_files(path: Path, log: Path) -> sqlite3.Connection:
    """Return a copy in memory of a store whose writer was killed, with the runs that are only in its log."""
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder) / path.name
        shutil.copyfile(path, copy)
        shutil.copyfile(log, copy.with_name(log.name))
        with open_database(path, f"{copy.as_uri()}?mode=rw") as connection:
            return _in_memory(connection, path)
