"""Files with solutions that a run begins with: a result, a JSON list, or a table of candidate numbers."""

from __future__ import annotations

import csv
import json
from pathlib import Path

from swarmkit.contract.bounded_json import parse_json
from swarmkit.contract.errors import UsageError
from swarmkit.contract.result import read_results
from swarmkit.files.reading import quoted, read_text, wrong_line

EXPECTED = "a result of swarmkit (JSON), or candidate numbers: a solution a line, or one number a line"
COLUMN = "candidate"
"""The column of a CSV file with a header that has the candidate of each stage, as `--out answer.csv` writes it."""


def read_start(path: str | Path) -> list[list[int]]:
    """Return the solutions of a file.

    A result of swarmkit (with several runs: of all of them); a JSON list of candidates, or of such lists; or a text
    with candidate numbers separated by commas, semicolons, blanks or tabs: a solution a line, or, if every line has one
    number, one solution. Of a CSV file with a header, the column `candidate` is read.

    Raises:
        UsageError: the file cannot be read as any of these; the message has the line.
    """
    text = read_text(path, EXPECTED)
    begin = text.lstrip()[:1]
    if begin == "{":
        solutions = [result.solution for result in read_results(Path(path)) if result.solution is not None]
        if not solutions:
            raise UsageError(f"{path}: a result without a solution; expected one to start from")
        return solutions
    return _listed(path, text) if begin == "[" else _table(path, text)


def _listed(path: str | Path, text: str) -> list[list[int]]:
    try:
        data = parse_json(text.encode())
    except json.JSONDecodeError as error:
        raise wrong_line(path, error.lineno, f"not valid JSON ({error.msg}); expected {EXPECTED}") from None
    except ValueError as error:
        raise UsageError(f"{path}: {error}; expected {EXPECTED}") from None
    rows = data if data and isinstance(data[0], list) else [data]
    for row in rows:
        if not isinstance(row, list) or not row or not all(type(value) is int for value in row):
            raise UsageError(f"{path}: a list that is not one of candidate numbers; expected {EXPECTED}")
    return list(rows)


def _table(path: str | Path, text: str) -> list[list[int]]:
    lines = [(number, line) for number, line in enumerate(text.splitlines(), 1) if line.strip()]
    if not lines:
        raise wrong_line(path, 1, f"the file is empty; expected {EXPECTED}")
    head = next(csv.reader([lines[0][1]]))
    names = [name.strip().lower() for name in head]
    if COLUMN in names:
        at = names.index(COLUMN)
        return [[_number(path, number, _cell(path, number, line, at)) for number, line in lines[1:]]]
    rows = [[_number(path, number, word) for word in _words(line)] for number, line in lines]
    return [[row[0] for row in rows]] if all(len(row) == 1 for row in rows) else rows


def _cell(path: str | Path, number: int, line: str, at: int) -> str:
    row = next(csv.reader([line]))
    if len(row) <= at:
        raise wrong_line(path, number, f"{len(row)} columns; expected a value in column '{COLUMN}'")
    return row[at]


def _words(line: str) -> list[str]:
    return line.replace(",", " ").replace(";", " ").split()


def _number(path: str | Path, number: int, word: str) -> int:
    if not word.strip().isdecimal() or len(word) > 18:
        raise wrong_line(path, number, f"{quoted(word)} is not a candidate number; expected {EXPECTED}")
    return int(word)
