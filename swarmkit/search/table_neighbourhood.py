"""The neighbourhood of tables: a stage takes another candidate, and compiled climbs on the gain table."""

from __future__ import annotations

from dataclasses import dataclass
from typing import cast

import numpy as np
from numpy.random import Generator

from swarmkit.contract.arrays import Floats, Ints, RngState, Solutions
from swarmkit.contract.pairwise import Pairwise
from swarmkit.contract.problem import Problem
from swarmkit.contract.structure import Assignment, Structure
from swarmkit.kernels.constants import BEGIN
from swarmkit.search.construction import rng_state
from swarmkit.search.neighbourhood import Climb, RowClimb
from swarmkit.search.score_neighbourhood import ScoreNeighbourhood
from swarmkit.search.tables import batch_scores, links_of

SMALL = 2_000
"""Slots below which loading a compiled kernel would take longer than plain numpy (a tagged sentence)."""

SCAN_STAGES, DENSE = 200, 10
"""Assignments of up to FEW stages, or in which a stage is linked to more than one in DENSE others, scan all swaps."""


class TableNeighbourhood(ScoreNeighbourhood):
    """Changes of one stage of an unconstrained problem with tables."""

    @property
    def form(self) -> Pairwise:
        """The tables."""
        return cast("Pairwise", self.problem.structure.tables)  # there are some: that is what it is for

    def uses_kernel(self, rows: int) -> bool:
        """Return whether climbs from this number of solutions are made by a kernel.

        Args:
            rows: the number of solutions.
        """
        return rows * len(self.form.unary) >= SMALL

    def climb(self, X: Solutions, rng: Generator) -> Climb:
        """Return climbs that take the best candidate stage by stage.

        Args:
            X: solutions, one a row; they are not changed.
            rng: the run's generator, from which the kernels' generator is seeded.
        """
        if not self.uses_kernel(len(X)):
            return super().climb(X, rng)
        form, n = self.form, X.shape[1]
        # An assignment keeps the value of every stage and candidate as a matrix, other tables by slot.
        values = np.empty((n, n) if swaps_of(self.problem.structure, form) is not None else len(form.unary))
        holder, order = np.empty(int(form.sizes[0]) if form.distinct else 0, np.int64), np.empty(n, np.int64)
        state = np.array([0, BEGIN, 0, 0])
        return TableClimb.at(X, state, values, holder, order, rng_state(rng))


@dataclass
class TableClimb(RowClimb):
    """Solutions that climb one after another on the tables of a problem: a piece of work is a sweep over the stages."""

    values: Floats
    """The gain table of the solution that climbs: by slot, or by stage and candidate where all swaps are scanned."""
    holder: Ints
    """The stage that holds each candidate; empty unless stages must differ."""
    order: Ints
    """The stages in the order of the next sweep."""
    rng_state: RngState

    def improve(self, problem: Problem, count: int) -> int:
        """Make `count` sweeps, and return the looks.

        Args:
            problem: the problem of the climb.
            count: the number of sweeps.
        """
        from swarmkit.kernels import icm, swap_gains

        form = TableNeighbourhood(problem).form
        assignment = swaps_of(problem.structure, form)
        workspace = icm.Workspace(self.values, self.holder, self.order, self.state)
        if assignment is not None:
            matrices = swap_gains.matrices_of(form, assignment)
            return int(swap_gains.climb(matrices, self.X, workspace, self.rng_state, count))
        return int(icm.climb(links_of(form), form.unary, self.X, workspace, self.rng_state, count))

    def score(self, problem: Problem, rows: slice) -> Floats:
        """Return the scores of some rows.

        Args:
            problem: the problem of the climb.
            rows: the rows.
        """
        return batch_scores(problem, self.X[rows])


def swaps_of(structure: Structure, form: Pairwise) -> Assignment | None:
    """Return the assignment whose swaps are all scanned, or None where the general gain table is faster."""
    assignment = structure.assignment
    if assignment is None or structure.tour is not None:
        return None
    n = len(form.sizes)
    # Scanning all swaps costs n² reads; with few flows the gain table of slots has less to update.
    return assignment if n <= SCAN_STAGES or DENSE * len(form.edges) >= n * n / 2 else None
