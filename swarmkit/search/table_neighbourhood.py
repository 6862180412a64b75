"""The neighbourhood of tables: a stage takes another candidate, and compiled climbs on the gain table."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.random import Generator

from swarmkit.contract.arrays import Floats, Ints, RngState, Solutions
from swarmkit.contract.assignment import Assignment
from swarmkit.contract.pairwise import Pairwise
from swarmkit.contract.problem import Problem
from swarmkit.contract.structure import Structure
from swarmkit.kernels.constants import BEGIN
from swarmkit.search.climb import Climb
from swarmkit.search.links import links_of
from swarmkit.search.random_state import rng_state
from swarmkit.search.score_neighbourhood import ScoreNeighbourhood
from swarmkit.search.scoring import batch_scores

SMALL = 2_000
"""Slots below which loading a compiled kernel would take longer than plain numpy (a tagged sentence)."""

FEW, DENSE = 200, 10
"""Assignments of up to FEW stages, or in which a stage is linked to more than one in DENSE others, scan all swaps."""


class TableNeighbourhood(ScoreNeighbourhood):
    """Changes of one stage of an unconstrained problem with tables."""

    @property
    def form(self) -> Pairwise:
        """The tables."""
        return _form(self.problem)

    def compiled(self, rows: int) -> bool:
        """Return whether climbs from so many solutions are made by a kernel.

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
        return TableClimb.start(self.problem, X, rng) if self.compiled(len(X)) else super().climb(X, rng)


@dataclass
class TableClimb(Climb):
    """Solutions that climb one after another on the tables of a problem; plain data, kept in a solver's State."""

    values: Floats
    """The gain table of the solution that climbs: by slot, or by stage and candidate where all swaps are scanned."""
    holder: Ints
    """The stage that holds each candidate; empty unless stages must differ."""
    order: Ints
    """The stages in the order of the next sweep."""
    at: Ints
    """The number of the solution that climbs, BEGIN before its first sweep, whether a stage moved, and the sweeps."""
    rng_state: RngState

    @classmethod
    def start(cls, problem: Problem, X: Solutions, rng: Generator) -> TableClimb:
        """Return climbs from solutions.

        Args:
            problem: an unconstrained problem with tables.
            X: solutions, one a row; they are not changed.
            rng: the run's generator, from which the kernels' generator is seeded.
        """
        form, n = _form(problem), X.shape[1]
        return cls(
            np.array(X, np.int64, order="C"),
            np.full(len(X), -np.inf),
            np.empty((n, n) if swaps_of(problem.structure, form) is not None else len(form.unary)),
            np.empty(int(form.sizes[0]) if form.distinct else 0, np.int64),
            np.empty(n, np.int64),
            np.array([0, BEGIN, 0, 0]),
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

    @property
    def pieces(self) -> int:
        """The sweeps so far."""
        return int(self.at[3])

    def step(self, problem: Problem, rng: Generator) -> int:
        """Sweep once over the stages of the solution that climbs; return the looks.

        Args:
            problem: the problem of the climb.
            rng: not used: the climb has random numbers of its own.
        """
        return self.steps(problem, rng, 1)

    def steps(self, problem: Problem, rng: Generator, count: int) -> int:
        """Make `count` sweeps, fewer if the climb finishes, and return their looks.

        Args:
            problem: the problem of the climb.
            rng: not used: the climb has random numbers of its own.
            count: the number of sweeps.
        """
        before, looks = self.ended, self._sweep(problem.structure, _form(problem), count)
        if self.ended > before:
            self.scores[before : self.ended] = batch_scores(problem, self.X[before : self.ended])
        return looks

    def _sweep(self, structure: Structure, form: Pairwise, count: int) -> int:
        from swarmkit.kernels import icm, swap_gains

        workspace = icm.Workspace(self.values, self.holder, self.order, self.at)
        assignment = swaps_of(structure, form)
        if assignment is not None:
            matrices = swap_gains.matrices_of(form, assignment)
            return int(swap_gains.climb(matrices, self.X, workspace, self.rng_state, count))
        return int(icm.climb(links_of(form), form.unary, self.X, workspace, self.rng_state, count))

    def best(self, problem: Problem) -> tuple[Solutions, float] | None:
        """Return the best solution so far, the one that climbs included, and its score; None before the first sweep."""
        known = self.scores[: self.ended]
        if not self.finished and self.at[1] != BEGIN:
            known = np.append(known, batch_scores(problem, self.X[self.ended][None]))
        i = int(known.argmax()) if len(known) else -1
        return None if i < 0 else (self.X[i], float(known[i]))


def swaps_of(structure: Structure, form: Pairwise) -> Assignment | None:
    """Return the assignment whose swaps are all scanned, or None where the general gain table is faster."""
    assignment = structure.assignment
    if assignment is None or structure.tour is not None:
        return None
    n = len(form.sizes)
    return assignment if n <= FEW or DENSE * len(form.edges) >= n * n / 2 else None


def _form(problem: Problem) -> Pairwise:
    form = problem.structure.tables
    assert form is not None  # noqa: S101  (what this neighbourhood is for)
    return form
