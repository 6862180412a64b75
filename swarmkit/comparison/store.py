"""The store: one SQLite file, a row per run. A run is in it whole or not at all, whoever is killed when."""

from __future__ import annotations

import time
from collections.abc import Collection, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any, Self

from pydantic import ValidationError

from swarmkit.comparison.labels import canonical
from swarmkit.comparison.record import Record
from swarmkit.comparison.relabelling import Naming, method_of, natural, problem_of
from swarmkit.contract.errors import UsageError
from swarmkit.contract.result import Result
from swarmkit.running.gap import Bound, measure_gap

if TYPE_CHECKING:
    import sqlite3

APPLICATION = 0x73776B74
"""'swkt' in the file's header: how a store is told from other people's databases."""

STEPS = (
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
)
"""From each version of the schema to the next; the first begins with an empty file."""

COLUMNS = (
    "key, instance, method, problem, solver, repetition, seed, score, looks, iterations, seconds, stopped, created, "
    "problem_settings, method_settings, result"
)
PATIENCE = 60.0
"""Seconds to wait for another writer."""


class Store:
    """The runs in a file. The JSON of a result is the truth; the columns beside it are there to be queried."""

    def __init__(self, path: Path | str, *, create: bool = True) -> None:
        self.path = Path(path)
        if not create and not self.path.exists():
            raise UsageError(f"{path}: no such file")
        self._connection = _connected(self.path)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.close()

    def close(self) -> None:
        """Let go of the file."""
        self._connection.close()

    def add(self, record: Record) -> None:
        """Keep a run, at once and for good; one that is there already stays as it is."""
        result = record.result
        row = (
            *(record.key, record.instance, record.method, result.problem, result.solver, record.repetition),
            *(result.seed, result.score, result.looks, result.iterations, result.seconds, result.stopped),
            *(datetime.now(UTC).isoformat(timespec="seconds"), canonical(problem_of(result))),
            *(canonical(method_of(result)), result.model_copy(update={"gap": None}).model_dump_json()),
        )
        marks = ", ".join("?" * len(row))
        with self._said():
            self._connection.execute(f"INSERT OR IGNORE INTO runs ({COLUMNS}) VALUES ({marks})", row)  # noqa: S608  (no values)

    def keys(self) -> set[str]:
        """Give the keys of all runs."""
        with self._said():
            return {key for (key,) in self._connection.execute("SELECT key FROM runs")}

    def records(
        self,
        *,
        keys: Collection[str] | None = None,
        problem: str | None = None,
        solver: str | None = None,
        instance: str | None = None,
        method: str | None = None,
        repetition: int | None = None,
    ) -> list[Record]:
        """Give the runs that fit, by instance, method and repetition; their gaps where a bound is known.

        Comparisons that share a store may have called two methods by one name: what is needed to tell them apart is
        added to the labels here.
        """
        naming, bounds = self._naming(), self._bounds()
        where = {"problem": problem, "solver": solver, "repetition": repetition}
        found = []
        for key, row, text in self._rows({name: value for name, value in where.items() if value is not None}):
            if keys is not None and key not in keys:
                continue
            labels = naming.labels(row[0], row[1])
            if instance in (None, labels[0]) and method in (None, labels[1]):
                found.append(Record(key, *labels, row[2], _with_gap(self._read(key, text), bounds)))
        return sorted(found, key=natural)

    def add_bound(self, problem: str, fingerprint: str, bound: Bound) -> None:
        """Keep what is known of the best score of a problem."""
        with self._said():
            self._connection.execute(
                "INSERT OR REPLACE INTO bounds VALUES (?, ?, ?)", (problem, fingerprint, canonical(list(bound)))
            )

    def bound(self, problem: str, fingerprint: str) -> Bound | None:
        """Give what is known of the best score of a problem."""
        return self._bounds().get((problem, fingerprint))

    def _rows(self, where: dict[str, Any]) -> Iterator[tuple[str, tuple[str, str, int], str]]:
        condition = " AND ".join(f"{name} = ?" for name in where) or "1"
        query = f"SELECT key, problem_settings, method_settings, repetition, result FROM runs WHERE {condition}"  # noqa: S608  (names of ours)
        with self._said():
            for key, subject, setting, repetition, text in self._connection.execute(query, tuple(where.values())):
                yield key, (subject, setting, repetition), text

    def _naming(self) -> Naming:
        query = "SELECT instance, problem_settings, method, method_settings FROM runs ORDER BY rowid"
        with self._said():
            return Naming(self._connection.execute(query).fetchall())

    def _bounds(self) -> dict[tuple[str, str], Bound]:
        import json

        with self._said():
            rows = self._connection.execute("SELECT problem, fingerprint, bound FROM bounds").fetchall()
        return {(problem, fingerprint): Bound(*json.loads(bound)) for problem, fingerprint, bound in rows}

    def _read(self, key: str, text: str) -> Result:
        try:
            return Result.model_validate_json(text)
        except ValidationError as error:
            where = ".".join(map(str, error.errors()[0]["loc"]))
            raise UsageError(f"{self.path}: run {key[:12]} is not a result of this version ({where})") from None

    @contextmanager
    def _said(self) -> Iterator[None]:
        """Turn an error of the database into a sentence."""
        import sqlite3

        try:
            yield
        except sqlite3.Error as error:
            raise UsageError(f"{self.path}: {error}") from None


def _connected(path: Path) -> sqlite3.Connection:
    """Open a store, making or migrating it if need be; anything else is left as it is and refused."""
    import sqlite3

    if path.is_dir() or not path.parent.is_dir():
        raise UsageError(f"{path}: {'a directory' if path.is_dir() else 'its directory does not exist'}")
    connection = None
    try:
        connection = sqlite3.connect(path, timeout=PATIENCE, isolation_level=None)
        if _version(connection, path) < len(STEPS):
            _migrate(connection, path)
        _write_ahead(connection)
        connection.execute("PRAGMA synchronous = NORMAL")
        return connection
    except (sqlite3.Error, UsageError) as error:
        if connection is not None:
            connection.close()
        if isinstance(error, UsageError):
            raise
        raise UsageError(f"{path}: not a store of swarmkit, or damaged ({error})") from None


def _version(connection: sqlite3.Connection, path: Path) -> int:
    """Give the version of the schema, 0 for a new file; refuse what is not ours or newer than we are."""
    (application,) = connection.execute("PRAGMA application_id").fetchone()
    (version,) = connection.execute("PRAGMA user_version").fetchone()
    (tables,) = connection.execute("SELECT count(*) FROM sqlite_master").fetchone()
    if application != APPLICATION and (application or version or tables):
        raise UsageError(f"{path}: a database, but not a store of swarmkit")
    if version > len(STEPS):
        raise UsageError(
            f"{path}: a store of a newer swarmkit (schema {version}; this one knows {len(STEPS)}). Update pyswarmkit."
        )
    return int(version)


def _migrate(connection: sqlite3.Connection, path: Path) -> None:
    """Bring the schema up to date in one transaction, unless somebody else has just done so."""
    connection.execute("BEGIN IMMEDIATE")
    try:
        for number in range(_version(connection, path), len(STEPS)):
            for statement in filter(str.strip, STEPS[number].split(";")):
                connection.execute(statement)
        connection.execute(f"PRAGMA application_id = {APPLICATION}")
        connection.execute(f"PRAGMA user_version = {len(STEPS)}")
        connection.execute("COMMIT")
    except BaseException:
        connection.execute("ROLLBACK")
        raise


def _write_ahead(connection: sqlite3.Connection) -> None:
    """Switch to WAL once; the switch alone does not wait for others by itself."""
    import sqlite3

    patience = time.monotonic() + PATIENCE
    while True:
        try:
            connection.execute("PRAGMA journal_mode = WAL")
            return
        except sqlite3.OperationalError:
            if time.monotonic() > patience:
                raise
            time.sleep(0.05)


def _with_gap(result: Result, bounds: dict[tuple[str, str], Bound]) -> Result:
    known = bounds.get((result.problem, result.fingerprint))
    return result if known is None else result.model_copy(update={"gap": measure_gap(result, known)})
