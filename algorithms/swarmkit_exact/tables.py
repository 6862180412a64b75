"""The problems of the exact solvers: those that are defined by tables alone."""

from __future__ import annotations

import numpy as np

from swarmkit import Pairwise, Problem


def needs_tables(problem: Problem) -> str | None:
    """Return the reason why a problem is not defined by tables alone, or None."""
    structure = problem.structure
    reasons = {
        "it has no pairwise form: only a problem given as tables can be solved exactly": structure.pairwise is None,
        "its stages must take different candidates, which the tables do not say": structure.distinct,
        "it has constraints, which the tables do not say": structure.constrained,
    }
    return next((reason for reason, applies in reasons.items() if applies), None)


def is_forest(form: Pairwise) -> bool:
    """Whether no edges form a cycle; edges between the same two stages count as one.

    >>> is_forest(Pairwise.of([2, 2, 2], [(0, 1, np.eye(2)), (0, 2, np.eye(2))]))
    True
    """
    n = len(form.sizes)
    keys = np.unique(form.edges.min(axis=1) * n + form.edges.max(axis=1)) if len(form.edges) else form.edges[:, 0]
    if len(keys) >= max(n, 1):  # a forest has fewer edges than stages
        return False
    root = list(range(n))
    for i, j in np.column_stack(np.divmod(keys, max(n, 1))).tolist():
        a, b = _root(root, i), _root(root, j)
        if a == b:  # joined already: this edge closes a cycle
            return False
        root[a] = b
    return True


def _root(root: list[int], stage: int) -> int:
    """Return the stage that stands for a stage's component, halving the path to it (union-find)."""
    while root[stage] != stage:
        root[stage] = root[root[stage]]
        stage = root[stage]
    return stage
