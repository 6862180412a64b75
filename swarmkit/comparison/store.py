"""The store: one SQLite file with a row per run and per experiment.

A run is stored in one statement, so a process that is killed leaves whole runs only.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from types import TracebackType
from typing import Any, Self, TypeVar

from swarmkit.comparison.labels import (
    Identity,
    StoreLabels,
    canonical_json,
    full_method_settings,
    instance_settings,
    natural_order,
)
from swarmkit.comparison.plan import ExperimentPlan
from swarmkit.comparison.read_only import connect_read_only
from swarmkit.comparison.record import Record, RefusedPair
from swarmkit.comparison.schema import check_file, connect, explained
from swarmkit.comparison.stored_experiment import (
    StoredExperiment,
    experiment_row,
    read_experiment_row,
    read_refusals,
)
from swarmkit.comparison.summary import Comparison
from swarmkit.contract.bounded_json import parse_json
from swarmkit.contract.errors import UsageError
from swarmkit.contract.result import Result, read_result
from swarmkit.running.gap import Bound, with_gap

T = TypeVar("T")

COLUMNS = (
    "key, instance, method, problem, solver, repetition, seed, score, looks, iterations, seconds, stopped, created, "
    "problem_settings, method_settings, result"
)


class Store:
    """The runs, bounds and experiments in a file.

    Args:
        path: the SQLite file.
        create: whether to make the file if it does not exist.
        read_only: whether the file is only read: it stays as it is, and may be where nothing can be written.

    The JSON of a result is authoritative; the columns beside it are for queries.
    """

    def __init__(self, path: Path | str, *, create: bool = True, read_only: bool = False) -> None:
        self.path = Path(path)
        if not create and not check_file(self.path):
            raise UsageError(f"{path}: no such file")
        self._connection = connect_read_only(self.path) if read_only else connect(self.path)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.close()

    def close(self) -> None:
        """Close the file."""
        self._connection.close()

    def add(self, record: Record) -> None:
        """Store a run; one with the same key stays unchanged."""
        result = record.result
        row = (
            *(record.key, record.instance, record.method, result.problem, result.solver, record.repetition),
            *(result.seed, result.score, result.looks, result.iterations, result.seconds, result.stopped),
            *(_now(), instance_settings(result), full_method_settings(result)),
            result.model_copy(update={"gap": None}).model_dump_json(),
        )
        marks = ", ".join("?" * len(row))
        with self._errors_as_usage():
            self._connection.execute(f"INSERT OR IGNORE INTO runs ({COLUMNS}) VALUES ({marks})", row)  # noqa: S608  (no values)

    def keys(self) -> set[str]:
        """Return the keys of all runs."""
        with self._errors_as_usage():
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
    ) -> Comparison:
        """Return the runs that match every argument given, by instance, method and repetition.

        Results have their gap where a bound is stored. Comparisons that share a store may have used one label for two
        methods: the settings in which they differ are added to such labels. A run that a later version of swarmkit
        made again, with the same seed, replaces the earlier one.
        """
        where = {"problem": problem, "solver": solver, "repetition": repetition}
        found: dict[tuple[Any, ...], Record] = {}
        with self._one_moment():
            labels, bounds = self._labels(), self._bounds()
            rows = list(self._rows({k: value for k, value in where.items() if value is not None}))
        for key, settings, number, text in rows:
            if keys is not None and key not in keys:
                continue
            own = labels.of(*settings)
            if instance in (None, own[0]) and method in (None, own[1]):
                result = self._result(key, text)
                result = with_gap(result, bounds.get((result.problem, result.fingerprint)))
                found[settings, number, result.seed] = Record(key, *own, number, result)
        return Comparison(sorted(found.values(), key=natural_order))

    def add_experiment(self, plan: ExperimentPlan) -> None:
        """Store an experiment with the keys of its runs and its refusals; one that is there stays unchanged."""
        row = experiment_row(plan)
        with self._errors_as_usage():
            self._connection.execute(
                "INSERT OR IGNORE INTO experiments (id, created, seed, experiment, plan, refusals) "
                "VALUES (?, ?, ?, ?, ?, ?)",
                (row.id, _now(), *row[1:]),
            )

    def experiments(self) -> list[StoredExperiment]:
        """Return the experiments, the oldest first; those of stores of version 1 of the schema are not known.

        The labels of refused pairs are those of `records`.
        """
        with self._one_moment(), self._errors_as_usage():
            labels = self._labels()
            rows = self._connection.execute("SELECT experiment, plan, refusals FROM experiments ORDER BY rowid")
            texts = rows.fetchall()
        return [
            self._parsed(
                read_experiment_row, experiment, plan, [_relabelled(pair, labels) for pair in self._refused(refusals)]
            )
            for experiment, plan, refusals in texts
        ]

    def add_bound(self, problem: str, fingerprint: str, bound: Bound) -> None:
        """Store a bound on the best score of a problem.

        Args:
            problem: the name of the problem.
            fingerprint: the hash of its content (`Problem.fingerprint`).
            bound: the bound, and whether it is the optimum.
        """
        with self._errors_as_usage():
            self._connection.execute(
                "INSERT OR REPLACE INTO bounds VALUES (?, ?, ?)", (problem, fingerprint, canonical_json(list(bound)))
            )

    def bound(self, problem: str, fingerprint: str) -> Bound | None:
        """Return the bound on the best score of the `problem` with this `fingerprint`, None if none is stored."""
        return self._bounds().get((problem, fingerprint))

    def _rows(self, where: dict[str, Any]) -> Iterator[tuple[str, tuple[str, str], int, str]]:
        """Return (key, settings of instance and method, repetition, result) of the runs with these column values."""
        condition = " AND ".join(f"{name} = ?" for name in where) or "1"
        columns = "key, problem_settings, method_settings, repetition, result"
        query = f"SELECT {columns} FROM runs WHERE {condition} ORDER BY rowid"  # noqa: S608  (fixed names)
        with self._errors_as_usage():
            for key, instance, method, repetition, text in self._connection.execute(query, tuple(where.values())):
                if not all(isinstance(item, str) for item in (key, instance, method, text)):
                    raise UsageError(f"{self.path}: damaged (a run is not stored as text)")
                if type(repetition) is not int:
                    raise UsageError(f"{self.path}: damaged (run {key[:12]} has no number)")
                yield key, (instance, method), repetition, text

    def _labels(self) -> StoreLabels:
        """Return the labels of all instances and methods that have runs or were refused."""
        query = "SELECT instance, problem_settings, method, method_settings FROM runs ORDER BY rowid"
        with self._errors_as_usage():
            runs = self._connection.execute(query).fetchall()
            texts = self._connection.execute("SELECT refusals FROM experiments ORDER BY rowid").fetchall()
        refused = [pair for (text,) in texts for pair in self._refused(text)]
        pairs = [
            (Identity(pair.instance, pair.problem_settings), Identity(pair.method, pair.method_settings))
            for pair in refused
        ]
        try:
            return StoreLabels([(Identity(*row[:2]), Identity(*row[2:])) for row in runs], pairs)
        except (ValueError, TypeError) as error:
            raise UsageError(f"{self.path}: damaged (settings of a run: {_first_line(error)})") from None

    def _refused(self, text: str) -> list[RefusedPair]:
        return self._parsed(read_refusals, text)

    def _parsed(self, read: Callable[..., T], *texts: Any) -> T:
        """Call a function that reads texts of the table `experiments`; what it cannot read is a usage error."""
        try:
            return read(*texts)
        except (ValueError, TypeError) as error:
            what = "an experiment of the store is not of this version"
            raise UsageError(f"{self.path}: {what} ({_first_line(error)})") from None

    def _bounds(self) -> dict[tuple[str, str], Bound]:
        with self._errors_as_usage():
            rows = self._connection.execute("SELECT problem, fingerprint, bound FROM bounds").fetchall()
        try:
            return {(problem, fingerprint): read_bound(text) for problem, fingerprint, text in rows}
        except (ValueError, TypeError) as error:
            raise UsageError(f"{self.path}: damaged (a bound: {_first_line(error)})") from None

    def _result(self, key: str, text: str) -> Result:
        try:
            return read_result(parse_json(text))
        except ValueError as error:
            what = f"run {key[:12]} is not a result of this version"
            raise UsageError(f"{self.path}: {what} ({_first_line(error)})") from None

    @contextmanager
    def _one_moment(self) -> Iterator[None]:
        """Let all queries inside see the store as it is now, whatever another process adds meanwhile."""
        with self._errors_as_usage():
            self._connection.execute("BEGIN")
        try:
            yield
        finally:
            with self._errors_as_usage():
                self._connection.execute("COMMIT")

    @contextmanager
    def _errors_as_usage(self) -> Iterator[None]:
        """Raise errors of the database as `UsageError` with the name of the file."""
        import sqlite3

        try:
            yield
        except sqlite3.Error as error:
            raise UsageError(f"{self.path}: {explained(error)}") from None


def read_bound(text: str) -> Bound:
    """Return the bound of the column `bound`.

    Raises:
        ValueError: the text is not that of a bound.
    """
    match parse_json(text):
        case [int() | float() | None as value, bool(optimum), str(by), dict(reasons)]:
            if all(isinstance(reason, str) for reason in reasons.values()):
                return Bound(None if value is None else float(value), optimum, by, reasons)
    raise ValueError("value, optimum, solver and reasons are expected")


def _first_line(error: Exception) -> str:
    return str(error).partition("\n")[0][:200]


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds")


def _relabelled(pair: RefusedPair, labels: StoreLabels) -> RefusedPair:
    instance, method = labels.of(pair.problem_settings, pair.method_settings)
    return pair._replace(instance=instance, method=method)
