"""The runs that are to be reported: of a store, or of a CSV file with results of other tools, a run a line."""

from __future__ import annotations

import csv
import hashlib
import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from swarmkit.comparison.record import Record
from swarmkit.comparison.schema import check_file
from swarmkit.comparison.store import Store, StoredExperiment
from swarmkit.contract.budget import Budget
from swarmkit.contract.errors import UsageError
from swarmkit.contract.progress import Trace
from swarmkit.contract.result import Result
from swarmkit.files.reading import quoted, read_text, wrong_line

REQUIRED = ("method", "instance", "seed", "seconds")
EXPECTED = "a CSV file with the columns method, instance, seed, score (or cost) and seconds"
COUNTS = ("looks", "evaluations")
"""Columns that may be there too; all others are metrics."""

LONGEST = 200
"""Characters of a name."""


def runs_of(
    store: Path,
    *,
    problem: str | None = None,
    solver: str | None = None,
    instance: str | None = None,
    method: str | None = None,
) -> tuple[Sequence[Record], list[StoredExperiment]]:
    """Return the runs of a store, or of a CSV file, that match all given values, and the experiments of a store.

    Args:
        store: a store, or a file with results of other tools whose name ends in `.csv`.
        problem: only runs on this problem; None matches everything, here and below.
        solver: only runs of this solver.
        instance: only runs on this instance.
        method: only runs of this method.
    """
    if store.suffix.lower() == ".csv":
        every = read_other_results(store)
        where = {"instance": instance or problem, "method": method or solver}
        records = [record for record in every if _matches(record, where)]
        if not records:
            raise UsageError(f"{store}: no runs match; it has {len(every)}")
        return records, []
    if not check_file(store):
        raise UsageError(f"{store}: no such file")
    where = {"problem": problem, "solver": solver, "instance": instance, "method": method}
    with Store(store, read_only=True) as opened:
        selection = opened.records(problem=problem, solver=solver, instance=instance, method=method)
        experiments = [
            replace(e, refused=[pair for pair in e.refused if _matches(pair, where)]) for e in opened.experiments()
        ]
    if not selection:
        reason = "no runs match" if any(where.values()) else "no runs yet"
        raise UsageError(f"{store}: {reason}. 'swarmkit runs {store}' lists all runs.")
    return selection, experiments


def _matches(entry: Any, where: Mapping[str, str | None]) -> bool:
    """Whether a record or a refused pair has all of these values; None matches everything."""
    return all(value in (None, getattr(entry, name)) for name, value in where.items())


def read_other_results(path: Path) -> list[Record]:
    """Return the runs of a CSV file: columns `method`, `instance`, `seed`, `score` (or `cost`) and `seconds`.

    Higher scores are better, lower costs. An empty score is a run that found no feasible solution. Columns `looks` and
    `evaluations` are counts of work; further columns with numbers are metrics.

    Raises:
        UsageError: a column is missing or a value wrong; the message has the line.
    """
    lines = csv.reader(read_text(path, EXPECTED).splitlines(), strict=True)
    records: list[Record] = []
    line_of: dict[tuple[str, str, int], int] = {}
    repetitions: Counter[tuple[str, str]] = Counter()
    try:
        names = _columns(path, next(lines, []))
        for cells in lines:
            if not any(cell.strip() for cell in cells):
                continue
            result = _Row(path, lines.line_num, names, cells).result()
            key = (result.problem, result.solver, result.seed)
            if key in line_of:
                twice = f"seed {result.seed} of {key[1]} on {key[0]} again; line {line_of[key]} has it already"
                raise wrong_line(path, lines.line_num, twice)
            line_of[key] = lines.line_num
            digest = hashlib.sha256(repr(key).encode()).hexdigest()
            records.append(Record(digest, *key[:2], repetitions[key[:2]], result))
            repetitions[key[:2]] += 1
    except csv.Error as error:
        raise wrong_line(path, lines.line_num, f"not valid CSV ({error}); expected {EXPECTED}") from None
    if not records:
        raise UsageError(f"{path}: no runs; expected {EXPECTED}")
    return records


def _columns(path: Path, head: list[str]) -> list[str]:
    """Return the names of the columns; refuse a head without those that are needed, or with one of them twice."""
    names = [name.strip().lower() for name in head]
    faults = [f"no column '{name}'; expected {EXPECTED}" for name in REQUIRED if name not in names]
    if ("score" in names) == ("cost" in names):
        fault = "both 'score' and 'cost'" if "score" in names else "no column 'score' or 'cost'"
        faults.append(f"{fault}; expected {EXPECTED}")
    faults += [f"two columns '{name}'" for name in names if names.count(name) > 1]
    if faults:
        raise wrong_line(path, 1, faults[0])
    return names


class _Row:
    """One line of the file."""

    def __init__(self, path: Path, line: int, names: list[str], cells: list[str]) -> None:
        if len(cells) != len(names):
            raise wrong_line(path, line, f"{len(cells)} columns; the first line has {len(names)}")
        self._path, self._line = path, line
        self._cells = {name: cell.strip() for name, cell in zip(names, cells, strict=True)}

    def result(self) -> Result:
        """Return the run as a result; what other tools do not tell is empty."""
        objective = "cost" if "cost" in self._cells else "score"
        value = self._number(objective)
        score = value if value is None or objective == "score" else 0.0 - value
        if not self._cells["seconds"]:
            raise self._wrong("seconds", "a number")
        seconds = self._number("seconds", least=0.0) or 0.0
        counts = {name: self._count(name) if name in self._cells else 0 for name in COUNTS}
        instance = self._name("instance")
        measured = [name for name in self._cells if name not in {"", *REQUIRED, *COUNTS, objective}]
        metrics = {name: self._number(name) for name in measured}
        # The trace has one point, at the end: when the score was reached is not known, so no target looks easy.
        points = [] if score is None else [score]
        return Result(
            problem=instance,
            options=None,
            fingerprint=hashlib.sha256(instance.encode()).hexdigest(),
            solver=self._name("method"),
            params={},
            seed=self._count("seed"),
            budget=Budget(),
            versions={},
            solution=None,
            score=score,
            cost=None if score is None or objective == "score" else 0.0 - score,
            objective=objective,
            metrics={name: number for name, number in metrics.items() if number is not None},
            answer=[],
            **counts,
            iterations=0,
            tables=bool(counts["looks"]),
            steps=0,
            seconds=seconds,
            setup_seconds=0.0,
            stopped="done",
            trace=Trace(
                looks=[counts["looks"]] * len(points),
                iterations=[0] * len(points),
                seconds=[seconds] * len(points),
                score=points,
                evaluations=[counts["evaluations"]] * len(points),
            ),
        )

    def _name(self, column: str) -> str:
        text = self._cells[column]
        if not text or len(text) > LONGEST or not text.isprintable():
            raise self._wrong(column, f"a name of 1 to {LONGEST} characters")
        return text

    def _number(self, column: str, *, least: float = -math.inf) -> float | None:
        """Return a finite number of at least `least`, None for an empty cell."""
        text = self._cells[column]
        try:
            value = float(text or "0")
        except ValueError:
            raise self._wrong(column, "a number") from None
        if not math.isfinite(value) or value < least:
            raise self._wrong(column, "a finite number" if least < 0 else "a finite number from 0")
        return value if text else None

    def _count(self, column: str) -> int:
        text = self._cells[column]
        if not text.isdecimal() or len(text) > 18:  # 19 digits may not fit into 64 bits
            raise self._wrong(column, "a whole number from 0")
        return int(text)

    def _wrong(self, column: str, expected: str) -> UsageError:
        return wrong_line(self._path, self._line, f"{column} {quoted(self._cells[column])}; expected {expected}")
