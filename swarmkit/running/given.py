"""Solutions that a run begins with, and stages that it may not change: read and checked before it starts."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from swarmkit.contract.arrays import Solutions
from swarmkit.contract.errors import UsageError
from swarmkit.contract.problem import Problem
from swarmkit.contract.result import Result, Results
from swarmkit.contract.searched import check_fixed, complete, restrict, searched_problem
from swarmkit.contract.validation import judge
from swarmkit.running.start_file import read_start

Start = Any
"""One solution, several, a `Result` or `Results`, or a file with one of these; None is none."""


def fixed_stages(problem: Problem, fixed: Mapping[int, int] | None) -> dict[int, int]:
    """Return the fixed candidates by stage, checked.

    Raises:
        UsageError: a stage or candidate does not exist or is not allowed.
    """
    made: dict[int, int] = {}
    for stage, candidate in dict(fixed or {}).items():
        for what, value in (("stage", stage), ("candidate", candidate)):
            if isinstance(value, bool) or not isinstance(value, int | np.integer):
                raise UsageError(f"fixed: {what}s are whole numbers from 0, got {value!r}")
        made[int(stage)] = int(candidate)
    check_fixed(problem, made)
    return made


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
            got = f"{len(row)} stages" if row.ndim == 1 and row.dtype.kind in "iu" else f"{row.dtype} of {row.shape}"
            raise UsageError(f"{name} has {got}; the problem has {n} stages, with a candidate number for each")
        wrong = np.flatnonzero((row < 0) | (row >= sizes))
        if len(wrong):
            stage = int(wrong[0])
            last = int(sizes[stage]) - 1
            raise UsageError(f"{name} has candidate {row[stage]} at stage {stage}; its candidates are 0 to {last}")
        _check_distinct(problem, row, name)
    X = np.array(rows, np.int64)
    searched = searched_problem(problem, fixed)
    X = complete(searched, restrict(searched, X))
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
    if isinstance(start, Result | Results):
        results = [start] if isinstance(start, Result) else start.runs
        rows = [np.asarray(result.solution) for result in results if result.solution is not None]
        if not rows:
            raise UsageError("start: the result has no solution")
        return rows
    if isinstance(start, str | Path):
        return [np.asarray(row) for row in read_start(start)]
    given = list(start)
    if given and isinstance(given[0], Result):
        return [row for result in given for row in _rows(result)]
    try:
        return (
            [np.asarray(row) for row in given]
            if given and np.ndim(given[0])
            else ([np.asarray(given)] if given else [])
        )
    except ValueError:
        raise UsageError("start: expected rows of candidate numbers") from None
