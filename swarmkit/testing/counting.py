"""A problem that counts for itself: a second count beside the harness's."""

from __future__ import annotations

from typing import Any

from swarmkit.contract.arrays import Solutions
from swarmkit.contract.problem import Problem


def count_rows(problem: Problem) -> list[int]:
    """Let a problem, and its parts, count the rows passed to `score`; return the list that each call extends.

    >>> import numpy as np, swarmkit
    >>> problem = swarmkit.make_problem("synthetic", n=3)
    >>> rows = count_rows(problem)
    >>> _ = problem.score(np.zeros((5, 3), np.int64))
    >>> rows
    [5]
    """
    rows: list[int] = []
    for counted in (problem, *(part.problem for part in problem.parts)):
        kind = type(counted)
        counted.__class__ = type(kind.__name__, (kind,), {"score": _counting(kind, rows)})
    return rows


def _counting(kind: type[Problem], rows: list[int]) -> Any:
    def score(self: Problem, X: Solutions) -> Any:
        rows.append(len(X))
        return kind.score(self, X)

    return score
