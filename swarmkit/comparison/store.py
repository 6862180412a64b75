"""The store: one SQLite file with a row per run and per experiment.

A run is stored in one statement, so a process that is killed leaves whole runs only.
"""

from __future__ import annotations

import hashlib
import sqlite3
from collections.abc import Callable, Collection, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self, TypeVar

from pydantic import TypeAdapter

from swarmkit.comparison.experiment import Experiment
from swarmkit.comparison.labels import (
    Identity,
    StoreLabels,
    canonical_json,
    full_method_settings,
    instance_settings,
    natural_order,
)
from swarmkit.comparison.record import Record, RefusedPair
from swarmkit.comparison.schema import check_file, connect, connect_read_only, explain
from swarmkit.comparison.summary import Comparison
from swarmkit.contract.bounded_json import parse_json
from swarmkit.contract.errors import UsageError
from swarmkit.contract.result import read_result, validate
from swarmkit.running.gap import Bound, with_gap

if TYPE_CHECKING:
    from swarmkit.comparison.plan import ExperimentPlan

T = TypeVar("T")

REFUSALS, KEYS, BOUND = TypeAdapter(list[RefusedPair]), TypeAdapter(frozenset[str]), TypeAdapter(Bound)
"""What the columns `refusals`, `plan` and `bound` hold, beside experiments and results."""

COLUMNS = (
    "key, instance, method, problem, solver, repetition, seed, score, looks, iterations, seconds, stopped, created, "
    "problem_settings, method_settings, result"
)

FOREIGN_EXPERIMENT = "an experiment of the store is not of this version"


@dataclass(frozen=True)
class StoredExperiment:
    """An experiment of a store, the keys of its runs, and the pairs of instance and method that were refused."""

    experiment: Experiment
    keys: frozenset[str]
    """The keys of all planned runs, whether or not they are in the store."""
    refused: list[RefusedPair]


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

    def __exit__(self, *_: object) -> None:
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
            result.model_copy(update={"gap": None}).model_dump_json(),  # a better bound may be found later
        )
        self._query(f"INSERT OR IGNORE INTO runs ({COLUMNS}) VALUES ({', '.join('?' * len(row))})", row)  # noqa: S608  (no values)

    def keys(self) -> set[str]:
        """Return the keys of all runs."""
        return {key for (key,) in self._query("SELECT key FROM runs")}

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
        latest: dict[tuple[Any, ...], Record] = {}
        with self._snapshot():
            labels, bounds = self._labels(), self._bounds()
            rows = list(self._rows({name: value for name, value in where.items() if value is not None}))
        for key, settings, number, text in rows:
            names = labels.of(*settings)
            # Only what is asked for is parsed: a result with its trace may have a megabyte.
            if (keys is None or key in keys) and instance in (None, names[0]) and method in (None, names[1]):
                with self._errors_as_usage(f"run {key[:12]} is not a result of this version"):
                    result = read_result(parse_json(text))
                result = with_gap(result, bounds.get((result.problem, result.fingerprint)))
                latest[settings, number, result.seed] = Record(key, *names, number, result)
        return Comparison(sorted(latest.values(), key=natural_order))

    def add_experiment(self, plan: ExperimentPlan) -> None:
        """Store an experiment with the keys of its runs and its refusals; one that is there stays unchanged."""
        experiment = canonical_json(plan.experiment.model_dump(mode="json"))
        keys = canonical_json([run.key for run in plan.runs])
        refusals = canonical_json([pair._asdict() for pair in plan.refused])
        # The keys are part of the digest: an experiment whose data files have changed has another plan.
        digest = hashlib.sha256(f"{experiment}\n{keys}".encode()).hexdigest()
        self._query(
            "INSERT OR IGNORE INTO experiments (id, created, seed, experiment, plan, refusals) "
            "VALUES (?, ?, ?, ?, ?, ?)",
            (digest, _now(), str(plan.experiment.seed), experiment, keys, refusals),
        )

    def experiments(self) -> list[StoredExperiment]:
        """Return the experiments, the oldest first; those of stores of version 1 of the schema are not known.

        The labels of refused pairs are those of `records`.
        """
        with self._snapshot():
            labels = self._labels()
            rows = self._query("SELECT experiment, plan, refusals FROM experiments ORDER BY rowid")
        return [
            StoredExperiment(
                self._decode(Experiment.model_validate, experiment, FOREIGN_EXPERIMENT),
                self._decode(KEYS.validate_python, keys, FOREIGN_EXPERIMENT),
                [_relabel(pair, labels) for pair in self._decode(REFUSALS.validate_python, pairs, FOREIGN_EXPERIMENT)],
            )
            for experiment, keys, pairs in rows
        ]

    def add_bound(self, problem: str, fingerprint: str, bound: Bound) -> None:
        """Store a bound on the best score of a problem.

        Args:
            problem: the name of the problem.
            fingerprint: the hash of its content (`Problem.fingerprint`).
            bound: the bound, and whether it is the optimum.
        """
        row = (problem, fingerprint, canonical_json(list(bound)))
        self._query("INSERT OR REPLACE INTO bounds VALUES (?, ?, ?)", row)

    def bound(self, problem: str, fingerprint: str) -> Bound | None:
        """Return the bound on the best score of the `problem` with this `fingerprint`, None if none is stored."""
        return self._bounds().get((problem, fingerprint))

    def _rows(self, where: dict[str, Any]) -> Iterator[tuple[str, tuple[str, str], int, str]]:
        """Return (key, settings of instance and method, repetition, result) of the runs with these column values."""
        condition = " AND ".join(f"{name} = ?" for name in where) or "1"
        columns = "key, problem_settings, method_settings, repetition, result"
        query = f"SELECT {columns} FROM runs WHERE {condition} ORDER BY rowid"  # noqa: S608  (fixed names)
        for key, instance, method, repetition, text in self._query(query, tuple(where.values())):
            if not all(isinstance(item, str) for item in (key, instance, method, text)):
                raise UsageError(f"{self.path}: damaged (a run is not stored as text)")
            if type(repetition) is not int:
                raise UsageError(f"{self.path}: damaged (run {key[:12]} has no number)")
            yield key, (instance, method), repetition, text

    def _labels(self) -> StoreLabels:
        """Return the labels of all instances and methods that have runs or were refused."""
        runs = self._query("SELECT instance, problem_settings, method, method_settings FROM runs ORDER BY rowid")
        texts = self._query("SELECT refusals FROM experiments ORDER BY rowid")
        refusals = [
            (Identity(pair.instance, pair.problem_settings), Identity(pair.method, pair.method_settings))
            for (text,) in texts
            for pair in self._decode(REFUSALS.validate_python, text, FOREIGN_EXPERIMENT)
        ]
        with self._errors_as_usage("damaged", "settings of a run: "):
            return StoreLabels([(Identity(*row[:2]), Identity(*row[2:])) for row in runs], refusals)

    def _bounds(self) -> dict[tuple[str, str], Bound]:
        rows = self._query("SELECT problem, fingerprint, bound FROM bounds")
        return {row[:2]: self._decode(BOUND.validate_python, row[2], "damaged", "a bound: ") for row in rows}

    def _query(self, statement: str, values: tuple[Any, ...] = ()) -> list[Any]:
        with self._errors_as_usage():
            return self._connection.execute(statement, values).fetchall()

    def _decode(self, kind: Callable[[Any], T], text: str, fault: str, detail: str = "") -> T:
        """Return what the JSON of a column stands for.

        Args:
            kind: checks plain data, and makes of them what they stand for.
            text: the column.
            fault: what to say of the store if the column is something else.
            detail: the beginning of the reason that follows.
        """
        with self._errors_as_usage(fault, detail):
            return validate(kind, parse_json(text))

    @contextmanager
    def _snapshot(self) -> Iterator[None]:
        """Let all queries inside see the store as it is now, whatever another process adds meanwhile."""
        self._query("BEGIN")
        try:
            yield
        finally:
            self._query("COMMIT")

    @contextmanager
    def _errors_as_usage(self, fault: str = "damaged", detail: str = "") -> Iterator[None]:
        """Raise errors of the database, and of values that are not what they should be, with the name of the file."""
        try:
            yield
        except sqlite3.Error as error:
            raise UsageError(f"{self.path}: {explain(error)}") from None
        except (ValueError, TypeError) as error:
            reason = str(error).partition("\n")[0][:200]
            raise UsageError(f"{self.path}: {fault} ({detail}{reason})") from None


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds")


def _relabel(pair: RefusedPair, labels: StoreLabels) -> RefusedPair:
    instance, method = labels.of(pair.problem_settings, pair.method_settings)
    return pair._replace(instance=instance, method=method)
