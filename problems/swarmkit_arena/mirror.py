"""An instance as the process of a solver has it: tables by value; of a black box only what can be asked about it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import fields
from functools import cached_property
from typing import Any

import numpy as np

from swarmkit import Bools, Floats, Pairwise, PairwiseProblem, Problem, Solutions

TABLES = tuple(field.name for field in fields(Pairwise) if field.name != "distinct")
"""The arrays that a pairwise form is made of."""

Ask = Callable[[str, Solutions, int], Any]
"""Asks the referee: what (`score`, `feasible`, `allowed`), about which rows, at which stage (-1 for none)."""


def description(problem: Problem) -> tuple[dict[str, Any], dict[str, Any]]:
    """Return what the process of a solver gets to know of an instance, as JSON and arrays.

    Args:
        problem: the instance as a solver sees it, its score maximised.
    """
    form = problem.structure.pairwise
    facts = {
        "distinct": bool(problem.distinct),
        "constrained": problem.structure.constrained,
        "tables": form is not None,
        "fingerprint": problem.fingerprint,
    }
    if form is None:
        return facts, {"sizes": np.asarray(problem.sizes, np.int64)}
    return facts, {name: getattr(form, name) for name in TABLES}


def mirror(facts: Mapping[str, Any], arrays: Mapping[str, Any], ask: Ask) -> Problem:
    """Return the instance that a description stands for.

    Args:
        facts: the JSON of `description`.
        arrays: its arrays.
        ask: asks the referee what only that knows.
    """
    problem: Problem
    if facts["tables"]:
        for array in arrays.values():
            array.setflags(write=False)
        problem = MirroredTables(Pairwise(**arrays, distinct=facts["distinct"]))
    else:
        kind = MirroredConstraints if facts["constrained"] else MirroredScore
        problem = kind(arrays["sizes"], facts["distinct"], ask)
    vars(problem)["fingerprint"] = facts["fingerprint"]  # the instance's, as in any run; nothing is scored for it
    return problem


class MirroredTables(PairwiseProblem):
    """A problem of tables."""


class MirroredScore(Problem):
    """A black box, whose scores the referee computes and counts.

    Args:
        sizes: the number of candidates at each stage.
        distinct: whether stages must take different candidates.
        ask: asks the referee.
    """

    def __init__(self, sizes: Any, distinct: bool, ask: Ask) -> None:
        self.sizes, self.distinct, self._ask = sizes, distinct, ask

    def score(self, X: Solutions) -> Floats:
        """Return the scores of rows."""
        return np.asarray(self._ask("score", np.asarray(X), -1))


class MirroredConstraints(MirroredScore):
    """A black box with constraints."""

    def feasible(self, X: Solutions) -> Bools:
        """Return whether rows are feasible."""
        return np.asarray(self._ask("feasible", np.asarray(X), -1))

    def allowed(self, X: Solutions, stage: int) -> Bools:
        """Return the candidates of a stage that are allowed beside those of the other stages."""
        return np.asarray(self._ask("allowed", np.asarray(X), int(stage)))


def computed_members(problem: Problem) -> set[str]:
    """Return the names of attributes that a problem computes when first asked, which may appear at any time."""
    return {
        name for kind in type(problem).__mro__ for name, at in vars(kind).items() if isinstance(at, cached_property)
    }
