"""Results of other tools: a CSV file with a run a line becomes the records of a comparison."""

from __future__ import annotations

import csv
import hashlib
import math
from pathlib import Path

from swarmkit.comparison.record import Record
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


def read_other_results(path: Path) -> list[Record]:
    """Return the runs of a CSV file: columns `method`, `instance`, `seed`, `score` (or `cost`) and `seconds`.

    Higher scores are better, lower costs. An empty score is a run that found no feasible solution. Columns `looks` and
    `evaluations` are counts of work; further columns with numbers are metrics.

    Raises:
        UsageError: a column is missing or a value wrong; the message has the line.
    """
    lines = csv.reader(read_text(path, EXPECTED).splitlines(), strict=True)
    records: list[Record] = []
    seen: dict[tuple[str, str, int], int] = {}
    try:
        names = _columns(path, next(lines, []))
        for cells in lines:
            if any(cell.strip() for cell in cells):
                row = _Row(path, lines.line_num, names, cells)
                result = row.result()
                key = (result.problem, result.solver, result.seed)
                if key in seen:
                    what = f"seed {result.seed} of {key[1]} on {key[0]} again; line {seen[key]} has it already"
                    raise wrong_line(path, lines.line_num, what)
                seen[key] = lines.line_num
                number = sum((r.instance, r.method) == key[:2] for r in records)
                digest = hashlib.sha256(repr(key).encode()).hexdigest()
                records.append(Record(digest, result.problem, result.solver, number, result))
    except csv.Error as error:
        raise wrong_line(path, lines.line_num, f"not valid CSV ({error}); expected {EXPECTED}") from None
    if not records:
        raise UsageError(f"{path}: no runs; expected {EXPECTED}")
    return records


def _columns(path: Path, head: list[str]) -> list[str]:
    names = [name.strip().lower() for name in head]
    missing = [name for name in REQUIRED if name not in names]
    if missing:
        raise wrong_line(path, 1, f"no column '{missing[0]}'; expected {EXPECTED}")
    if ("score" in names) == ("cost" in names):
        both = "both 'score' and 'cost'" if "score" in names else "no column 'score' or 'cost'"
        raise wrong_line(path, 1, f"{both}; expected {EXPECTED}")
    twice = next((name for name in names if names.count(name) > 1), None)
    if twice is not None:
        raise wrong_line(path, 1, f"two columns '{twice}'")
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
        value = self._number(objective, missing=True)
        score = value if value is None or objective == "score" else 0.0 - value
        seconds = self._number("seconds", least=0.0) or 0.0
        counts = {name: self._count(name) if name in self._cells else 0 for name in COUNTS}
        instance = self._name("instance")
        known = {*REQUIRED, *COUNTS, objective}
        metrics = {name: self._number(name, missing=True) for name in self._cells if name not in known and name}
        points = [] if score is None else [score]
        trace = Trace(
            looks=[counts["looks"] for _ in points],
            iterations=[0 for _ in points],
            seconds=[seconds for _ in points],
            score=points,
            evaluations=[counts["evaluations"] for _ in points],
        )
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
            looks=counts["looks"],
            evaluations=counts["evaluations"],
            iterations=0,
            tables=bool(counts["looks"]),
            steps=0,
            seconds=seconds,
            setup_seconds=0.0,
            stopped="done",
            trace=trace,
        )

    def _name(self, column: str) -> str:
        text = self._cells[column]
        if not text or len(text) > LONGEST or not text.isprintable():
            raise self._wrong(column, f"a name of 1 to {LONGEST} characters")
        return text

    def _number(self, column: str, *, missing: bool = False, least: float = -math.inf) -> float | None:
        text = self._cells[column]
        if missing and not text:
            return None
        try:
            value = float(text)
        except ValueError:
            raise self._wrong(column, "a number") from None
        if not math.isfinite(value) or value < least:
            raise self._wrong(column, "a finite number" if least < 0 else "a finite number from 0")
        return value

    def _count(self, column: str) -> int:
        text = self._cells[column]
        if not text.isdecimal() or len(text) > 18:
            raise self._wrong(column, "a whole number from 0")
        return int(text)

    def _wrong(self, column: str, expected: str) -> UsageError:
        return wrong_line(self._path, self._line, f"{column} {quoted(self._cells[column])}; expected {expected}")
