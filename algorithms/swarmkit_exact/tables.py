"""The problems of the exact solvers: those that are defined by tables alone."""

from __future__ import annotations

from swarmkit import Problem


def needs_tables(problem: Problem) -> str | None:
    """Return the reason why a problem is not defined by tables alone, or None."""
    if problem.structure.black_box:
        return "it has no pairwise form: only a problem given as tables can be solved exactly"
    if problem.structure.distinct:
        return "its stages must take different candidates, which the tables do not say"
    if problem.structure.constrained:
        return "it has constraints, which the tables do not say"
    return None
