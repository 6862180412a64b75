"""Solutions built by compiled ants, stage by stage, each candidate in proportion to τ^alpha·η^beta.

On tables η is what a candidate adds to the score; where nothing but the score is known, all candidates are equal.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING
from weakref import WeakKeyDictionary

import numpy as np

from swarmkit import Floats, Left, Pairwise, Problem, Solutions, evaluate
from swarmkit_ants.stage_task import FAINTEST, Task

if TYPE_CHECKING:
    from swarmkit_ants.kernels.stage_construction import Tables


@dataclass
class CompiledBatch:
    """The solutions of an iteration; plain data, part of the colony's state."""

    X: Solutions
    scores: Floats
    chances: Floats
    """The random numbers that the ants choose by: a row for each stage, a column for each ant."""
    first: int = -1
    """The stage at which the ants begin; -1 before an iteration."""
    built: int = 0
    """The solutions that are built."""

    @classmethod
    def of(cls, problem: Problem, ants: int) -> CompiledBatch:
        """Return a batch before its first iteration; all iterations of a run use the same memory."""
        n = len(problem.sizes)
        return cls(np.full((ants, n), -1, np.int64), np.zeros(ants), np.zeros((n, ants)))

    @property
    def known(self) -> tuple[Solutions, Floats]:
        """The solutions so far, and their scores: -inf where these are unknown."""
        return self.X[: self.built], self.scores[: self.built]

    def finished(self, task: Task) -> bool:
        """Whether all solutions of the iteration are built."""
        return self.built == len(self.X)

    def go_on(self, task: Task, strength: Floats, left: Left) -> int:
        """Build solutions until a pause, one at least, and return the looks; on tables their scores come with them.

        Args:
            task: what the ants work on: an unconstrained problem without an appeal of its own.
            strength: τ^alpha of every slot.
            left: where to pause.
        """
        n, begin = self.X.shape[1], self.built
        if not task.problem.structure.black_box:
            self._build(task, strength, -(-left.looks // len(strength)))
            return len(strength) * (self.built - begin)
        self._build(task, strength, left.rows(n) if task.scoring else len(self.X))
        rows = slice(begin, self.built)
        self.scores[rows] = evaluate(task.problem, self.X[rows]) if task.scoring else -np.inf
        return n * (self.built - begin) if task.scoring else 0

    def end(self) -> None:
        """End the iteration."""
        self.first, self.built = -1, 0

    def _build(self, task: Task, strength: Floats, rows: int) -> None:
        """Let the next ants build solutions; an iteration draws all of its random numbers at its beginning."""
        from swarmkit_ants.kernels import stage_construction as kernel

        if self.first < 0:
            self.first = int(kernel.draw_chances(self.chances, task.rng_state))
        largest, begin = int(np.max(task.problem.sizes)), self.built
        self.built = min(begin + rows, len(self.X))
        taken = np.empty((len(self.X), largest if task.problem.distinct else 0), np.bool_)
        batch = kernel.Batch(self.X, self.scores, self.chances, taken, np.empty(largest), np.empty(largest))
        rule = kernel.ChoiceRule(strength, task.beta, FAINTEST)
        kernel.build_solutions(tables_of(task.problem), rule, batch, self.first, begin, self.built)


_TABLES: WeakKeyDictionary[Problem, Tables] = WeakKeyDictionary()
"""Computed once for each problem: a short step takes less time."""


def tables_of(problem: Problem) -> Tables:
    """Return a problem's tables for the kernel, empty ones where it has none."""
    if problem not in _TABLES:
        form = problem.structure.pairwise
        _TABLES[problem] = _tables(form or Pairwise.of(problem.sizes, distinct=problem.distinct))
    return _TABLES[problem]


def _tables(form: Pairwise) -> Tables:
    """Return a form's tables: contiguous rows, weights included, where the form has them."""
    from swarmkit.kernels.compiling import read_only
    from swarmkit_ants.kernels.stage_construction import Tables

    half, flat, rows = form.half_edges, form.flat, form.rows
    if rows is not None:
        ones = np.ones(len(half.start), np.int64)
        sizes = np.repeat(form.sizes, np.diff(half.indptr))
        half = half._replace(start=rows.start, own=ones, other=sizes, weight=ones.astype(np.float64))
        flat = rows.data
    return read_only(Tables(form.offsets, form.unary, read_only(half), flat, form.distinct))
