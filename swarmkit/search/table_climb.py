"""Climbing on tables, compiled: one solution after another takes the best candidate stage by stage."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.random import Generator

from swarmkit.contract.arrays import Floats, Ints, RngState, Solutions
from swarmkit.contract.assignment import Assignment
from swarmkit.contract.pairwise import Pairwise
from swarmkit.contract.problem import Problem
from swarmkit.contract.solver import Left
from swarmkit.contract.structure import Structure
from swarmkit.search.links import links_of
from swarmkit.search.random_state import rng_state
from swarmkit.search.scoring import batch_scores

FEW, DENSE = 200, 10
"""Assignments of up to FEW stages, or in which a stage is linked to more than one in DENSE others, scan all swaps."""


@dataclass
class TableClimb:
    """Solutions that climb one after another on the tables of a problem; plain data, kept in a solver's State."""

    X: Solutions
    """The solutions, changed in place."""
    scores: Floats
    """The scores of the solutions that are through; -inf for the others."""
    values: Floats
    """The gain table of the solution that climbs: by slot, or by stage and candidate where all swaps are scanned."""
    holder: Ints
    """The stage that holds each candidate; empty unless stages must differ."""
    order: Ints
    """The stages in the order of this sweep."""
    at: Ints
    """The number of the solution that climbs, the stages of this sweep that are done, and whether one moved."""
    rng_state: RngState

    @classmethod
    def start(cls, problem: Problem, X: Solutions, rng: Generator) -> TableClimb:
        """Return a climb from every row of X, which is changed.

        Args:
            problem: an unconstrained problem with tables.
            X: solutions, one a row.
            rng: the run's generator, from which the kernels' generator is seeded.
        """
        from swarmkit.kernels.icm import BEGIN

        form = problem.structure.tables
        assert form is not None  # noqa: S101  (the caller's choice)
        n = X.shape[1]
        scanned = swaps_of(problem.structure, form) is not None
        return cls(
            X,
            np.full(len(X), -np.inf),
            np.empty((n, n) if scanned else len(form.unary)),
            np.empty(int(form.sizes[0]) if form.distinct else 0, np.int64),
            np.empty(n, np.int64),
            np.array([0, BEGIN, 0]),
            rng_state(rng),
        )

    @property
    def ended(self) -> int:
        """The number of solutions that are local optima."""
        return int(self.at[0])

    @property
    def finished(self) -> bool:
        """Whether every solution is a local optimum."""
        return self.ended == len(self.X)

    def go_on(self, problem: Problem, rng: Generator, left: Left) -> int:
        """Climb until all are local optima, or what is left is used up; return the looks.

        Args:
            problem: the problem.
            rng: not used: the climb has random numbers of its own.
            left: where to pause; an iteration is a climb.
        """
        form, before = problem.structure.tables, self.ended
        assert form is not None  # noqa: S101  (start refuses others)
        looks = self._climb(problem.structure, form, self.X[: before + left.iterations], left.looks)
        if self.ended > before:
            self.scores[before : self.ended] = batch_scores(problem, self.X[before : self.ended])
        return looks

    def found(self, problem: Problem) -> tuple[Solutions, float] | None:
        """Return the best solution so far, the one that climbs included, and its score; None before the first look."""
        from swarmkit.kernels.icm import BEGIN

        ended = self.ended
        best = int(self.scores[:ended].argmax()) if ended else -1
        if not self.finished and self.at[1] != BEGIN:
            score = float(batch_scores(problem, self.X[ended][None])[0])
            if best < 0 or score > self.scores[best]:
                return self.X[ended], score
        return None if best < 0 else (self.X[best], float(self.scores[best]))

    def _climb(self, structure: Structure, form: Pairwise, X: Solutions, enough: int) -> int:
        from swarmkit.kernels import icm, swap_gains

        arrays = self.values, self.holder, self.order, self.at
        assignment = swaps_of(structure, form)
        if assignment is not None:
            matrices = swap_gains.matrices_of(form, assignment)
            workspace = swap_gains.SwapWorkspace(*arrays)
            return int(swap_gains.climb(matrices, X, workspace, self.rng_state, enough))
        return int(icm.climb(links_of(form), form.unary, X, icm.Workspace(*arrays), self.rng_state, enough))


def swaps_of(structure: Structure, form: Pairwise) -> Assignment | None:
    """Return the assignment whose swaps are all scanned, or None where the general gain table is faster."""
    assignment = structure.assignment
    if assignment is None or structure.tour is not None:
        return None
    n = len(form.sizes)
    return assignment if n <= FEW or DENSE * len(form.edges) >= n * n / 2 else None
