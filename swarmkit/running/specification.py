"""The specification of a run: everything that determines its outcome, read, checked and recorded before it starts.

That includes solutions that the run begins with, from Python or a file, and stages that it may not change.
"""

from __future__ import annotations

import csv
import json
import platform
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from swarmkit.contract.arrays import Solutions
from swarmkit.contract.bounded_json import parse_json
from swarmkit.contract.budget import Budget, bounded_budget
from swarmkit.contract.errors import UsageError, unknown
from swarmkit.contract.problem import Problem
from swarmkit.contract.problem_view import check_fixed, complete, problem_view, restrict
from swarmkit.contract.result import Result, Results, read_results
from swarmkit.contract.solver import Solver
from swarmkit.contract.spec import Spec
from swarmkit.contract.validation import judge
from swarmkit.contract.version import __version__
from swarmkit.files.reading import quoted, read_text, wrong_line
from swarmkit.plugins.host import host
from swarmkit.plugins.registration import Registration

POLISHES = ("none", "icm", "local")
"""The local searches that can improve the answer of a run at its end."""

Start = Any
"""One solution, several, a `Result` or `Results`, or a file with one of these; None is none."""

EXPECTED = "a result of swarmkit (JSON), or candidate numbers: a solution a line, or one number a line"
COLUMN = "candidate"
"""The column of a CSV file with a header that has the candidate of each stage, as `--out answer.csv` writes it."""


def make_spec(
    problem: Problem,
    solver: Solver[Any],
    seed: int,
    budget: Budget,
    *,
    polish: str = "none",
    start: Start = None,
    fixed: Mapping[int, int] | None = None,
) -> Spec:
    """Return the specification of a run.

    Args:
        problem: the problem to solve.
        solver: the solver with its parameters.
        seed: the seed of the run's generator.
        budget: the limits of the run, its target as a score to maximise; default limits are added if none of them
            ends every run.
        polish: the local search that improves the answer at the end, one of POLISHES.
        start: solutions to begin with.
        fixed: candidates of stages that the run may not change.
    """
    if isinstance(seed, bool) or not isinstance(seed, int | np.integer) or seed < 0:
        raise UsageError(f"a seed is a whole number from 0, got {seed!r}")
    if polish not in POLISHES:
        raise unknown("way to polish", polish, POLISHES)
    candidates = fixed_stages(problem, fixed)
    method = next((offer for offer in host().registry("solver") if offer.is_of(type(solver))), None)
    return Spec(
        problem=problem.origin.name if problem.origin else type(problem).__name__,
        options=dict(problem.origin.options) if problem.origin else None,
        fingerprint=problem.fingerprint,
        solver=method.name if method else type(solver).__name__,
        params=solver.params.model_dump(mode="json"),
        seed=int(seed),
        budget=bounded_budget(budget, problem.structure.black_box),
        polish=polish,
        fixed=candidates,
        start=starting_solutions(problem, start, candidates),
        versions=_versions(problem, method),
    )


def maximised_limits(problem: Problem, limits: Budget) -> Budget:
    """Return limits whose target, given in the problem's direction, is a score to maximise.

    A problem whose score is a negated cost takes a target that is negative as such a score: no cost is.
    """
    target = limits.target
    # A negated cost is never positive: a target above 0 is meant as the cost itself.
    if target is None or problem.objective == "score" or (problem.direction == "maximise" and target <= 0):
        return limits
    return limits.model_copy(update={"target": 0.0 - target})


def _versions(problem: Problem, method: Registration | None) -> dict[str, str]:
    """Return the versions of everything that a result may depend on."""
    versions = {
        "python": platform.python_version(),
        "numpy": np.__version__,
        "pyswarmkit": __version__,
    }
    # A problem that was made in Python belongs to no plugin whose version could be noted.
    source = host().find("problem", problem.origin.name) if problem.origin else None
    for plugin in (offer.plugin for offer in (source, method) if offer):
        if version := plugin.version or plugin.digest:
            versions[plugin.source] = version
    return versions | dict(problem.versions)


def fixed_stages(problem: Problem, fixed: Mapping[int, int] | None) -> dict[int, int]:
    """Return the fixed candidates by stage, checked.

    Raises:
        UsageError: a stage or candidate does not exist or is not allowed.
    """
    candidates: dict[int, int] = {}
    for stage, candidate in dict(fixed or {}).items():
        for word, value in (("stage", stage), ("candidate", candidate)):
            if isinstance(value, bool) or not isinstance(value, int | np.integer):
                raise UsageError(f"fixed: {word}s are whole numbers from 0, got {value!r}")
        candidates[int(stage)] = int(candidate)
    check_fixed(problem, candidates)
    return candidates


def starting_solutions(problem: Problem, start: Start, fixed: Mapping[int, int]) -> list[list[int]]:
    """Return given solutions as rows of candidates, fixed stages set to their candidates, checked.

    Args:
        problem: the problem of the run.
        start: see `Start`.
        fixed: the fixed candidates, which overrule those of the solutions.

    Raises:
        UsageError: a row has the wrong length, a candidate that does not exist, or is not feasible.
    """
    rows = _rows(start)
    if not rows:
        return []
    n, sizes = len(problem.sizes), np.asarray(problem.sizes)
    for number, row in enumerate(rows):
        name = f"start: solution {number}" if len(rows) > 1 else "start: the solution"
        if row.shape != (n,) or row.dtype.kind not in "iu":
            content = (
                f"{len(row)} stages" if row.ndim == 1 and row.dtype.kind in "iu" else f"{row.dtype} of {row.shape}"
            )
            raise UsageError(f"{name} has {content}; the problem has {n} stages, with a candidate number for each")
        wrong = np.flatnonzero((row < 0) | (row >= sizes))
        if len(wrong):
            stage = int(wrong[0])
            last = int(sizes[stage]) - 1
            raise UsageError(f"{name} has candidate {row[stage]} at stage {stage}; its candidates are 0 to {last}")
        _check_distinct(problem, row, name)
    X = np.array(rows, np.int64)
    view = problem_view(problem, fixed)
    # There and back: fixed stages overrule what the solutions have there, and tours are rotated to them.
    X = complete(view, restrict(view, X))
    bad = np.flatnonzero(~judge(problem, X))
    if len(bad):
        name = f"solution {bad[0]}" if len(rows) > 1 else "the solution"
        because = " with the fixed candidates" if fixed else ""
        raise UsageError(f"start: {name} is not feasible{because}; a run starts from feasible solutions")
    return [[int(candidate) for candidate in row] for row in X]


def _check_distinct(problem: Problem, row: Solutions, name: str) -> None:
    if problem.distinct:
        values, counts = np.unique(row, return_counts=True)
        if (counts > 1).any():
            twice = values[counts > 1][0]
            raise UsageError(f"{name} has candidate {twice} at two stages; this problem's stages take different ones")


def _rows(start: Start) -> list[Any]:
    """Return the solutions as arrays, whatever they were given as."""
    if start is None:
        return []
    if isinstance(start, str | Path):
        start = read_start(start)
    items: list[Any] = (
        [start] if isinstance(start, Result) else list(start.runs if isinstance(start, Results) else start)
    )
    if items and isinstance(items[0], Result):
        items = [result.solution for result in items if result.solution is not None]
        if not items:
            raise UsageError("start: the result has no solution")
    try:
        several = bool(items) and np.ndim(items[0]) > 0
        return [np.asarray(row) for row in (items if several or not items else [items])]
    except ValueError:
        raise UsageError("start: expected rows of candidate numbers") from None


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
    return _read_list(path, text) if begin == "[" else _table(path, text)


def _read_list(path: str | Path, text: str) -> list[list[int]]:
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
    # A number a line is one solution, unless some line has more.
    rows = [[_number(path, number, word) for word in re.findall(r"[^\s,;]+", line)] for number, line in lines]
    return [[row[0] for row in rows]] if all(len(row) == 1 for row in rows) else rows


def _cell(path: str | Path, number: int, line: str, at: int) -> str:
    row = next(csv.reader([line]))
    if len(row) <= at:
        raise wrong_line(path, number, f"{len(row)} columns; expected a value in column '{COLUMN}'")
    return row[at]


def _number(path: str | Path, number: int, word: str) -> int:
    if not word.strip().isdecimal() or len(word) > 18:
        raise wrong_line(path, number, f"{quoted(word)} is not a candidate number; expected {EXPECTED}")
    return int(word)
