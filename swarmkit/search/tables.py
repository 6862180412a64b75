"""Tables as kernels read them: scores of many solutions at once, the gain table of a search, compilation beforehand."""

from __future__ import annotations

from dataclasses import dataclass
from types import ModuleType
from typing import TYPE_CHECKING, Any, Self
from weakref import WeakKeyDictionary

import numpy as np
from numpy.random import Generator

from swarmkit.contract.arrays import Floats, Ints, RngState, Solutions
from swarmkit.contract.errors import SolverError
from swarmkit.contract.pairwise import Links, Pairwise
from swarmkit.contract.problem import Problem
from swarmkit.contract.validation import evaluate
from swarmkit.search.construction import rng_state

if TYPE_CHECKING:
    from swarmkit.kernels.gain_table import Current

BLOCK = 256
"""Solutions scored at once: their candidates at two stages, and the sums, stay in the first-level cache."""


@dataclass
class GainTable:
    """The current solution, the value of every candidate beside it, and the best solution met.

    Plain data, kept in a solver's State as it is. It is for unconstrained problems with tables; on others solvers work
    with `swarmkit.propose` and `swarmkit.move_gains`.
    """

    x: Solutions
    """The current solution."""
    holder: Ints
    """The stage that holds each candidate, -1 for none; empty where stages need not differ."""
    values: Floats
    """The value of every slot beside the rest of the solution."""
    best: Solutions
    """The best solution met."""
    scores: Floats
    """The current score and the best."""
    rng_state: RngState
    """The state of the kernels' generator."""

    @classmethod
    def at(cls, form: Pairwise, x: Solutions, rng: Generator) -> Self:
        """Return the gain table of a solution, with that solution as the incumbent.

        Args:
            form: the tables.
            x: the solution to start from.
            rng: the run's generator, from which the kernels' generator is seeded.
        """
        from swarmkit.kernels.gain_table import fill

        x = np.array(x, np.int64)
        values = np.empty(len(form.unary))
        fill(links_of(form), form.unary, x, values)
        # By numpy and once: later scores are this one and gains added up.
        score = float(form.score(x[None])[0])
        return cls(x, holders(form, x), values, x.copy(), np.array([score, score]), rng_state(rng))

    @property
    def current(self) -> Current:
        """The arrays that kernels change on a move."""
        from swarmkit.kernels.gain_table import Current

        return Current(self.values, self.x, self.holder)

    def return_to_best(self, form: Pairwise) -> None:
        """Make the incumbent the current solution again."""
        from swarmkit.kernels.gain_table import move_to

        move_to(links_of(form), self.current, self.best)
        self.scores[0] = self.scores[1]


def holders(form: Pairwise, x: Solutions) -> Ints:
    """Return the stage that holds each candidate, -1 for none; an empty array where stages need not differ.

    >>> holders(Pairwise.of([3, 3], distinct=True), np.array([2, 0]))
    array([ 1, -1,  0])
    """
    if not form.distinct:
        return np.empty(0, np.int64)
    holder = np.full(int(form.sizes[0]), -1)
    holder[x] = np.arange(len(x))
    return holder


_LINKS: WeakKeyDictionary[Pairwise, Links] = WeakKeyDictionary()


def links_of(form: Pairwise) -> Links:
    """Return the half-edges of a form as kernels read them.

    They are laid out in contiguous runs, except where tables are shared or the runs would not fit into memory: those
    are read where they are.

    Args:
        form: the tables of a problem.
    """
    if form not in _LINKS:
        _LINKS[form] = _links(form)
    return _LINKS[form]


def _links(form: Pairwise) -> Links:
    from swarmkit.kernels.compiling import read_only
    from swarmkit.kernels.gain_table import lay_out

    half = form.half_edges
    # Shared tables stay where they are: a row for each candidate would store the distances once for each edge.
    if not form.expandable:
        m = form.sizes[half.neighbour]
        to = form.offsets[half.neighbour]
        runs = np.ascontiguousarray(np.column_stack([to, m, half.start, half.stride, half.far_stride, half.neighbour]))
        return read_only(Links(form.offsets, half.indptr, runs, half.weight, form.flat))
    return read_only(lay_out(form.sizes, form.offsets, half, form.flat))


def batch_scores(problem: Problem, X: Solutions) -> Floats:
    """Return the scores of solutions, by the compiled tables where the problem has any.

    Args:
        problem: any problem.
        X: complete solutions, one a row.
    """
    form = problem.structure.pairwise
    if form is None:
        return evaluate(problem, X)
    from swarmkit.kernels.compiling import read_only
    from swarmkit.kernels.scoring import Tables, lengths, score

    totals, tour = np.empty(len(X)), problem.structure.tour
    # A tour has n edges of one table: its length takes a fraction of the general sum.
    if tour is not None:
        lengths(tour.cost.ravel(), tour.as_tours(X), totals)
        return np.asarray(tour.constant - totals)
    tables = read_only(Tables(form.sizes, form.offsets, form.unary, form.edges, form.starts, form.weights, form.flat))
    # Stage after stage over a block of solutions: the tables are read once for all of them.
    for begin in range(0, len(X), BLOCK):
        block = slice(begin, begin + BLOCK)
        score(tables, np.ascontiguousarray(X[block].T), totals[block])
    return totals


def warm_up(problem: Problem, *kernels: Any) -> None:
    """Make sure that kernels are compiled and the problem's tables laid out; call it in a solver's `prepare`.

    Import kernel modules inside `prepare` and hand them over: importing one compiles (later: loads from numba's cache)
    the functions that declare a signature. A function without one would be compiled inside the first step, where its
    seconds count as search, so it is refused.

    Args:
        problem: the problem of the run that is about to start.
        kernels: compiled functions, or modules of them.
    """
    for kernel in kernels:
        functions = vars(kernel).values() if isinstance(kernel, ModuleType) else [kernel]
        for function in functions:
            lazy = getattr(function, "targetoptions", None) is not None and not function.signatures
            if lazy and not _is_inline(function):
                raise SolverError(
                    f"kernel '{function.__name__}' declares no signature, so it would be compiled inside the run: "
                    "decorate it with swarmkit.kernels.compiling.kernel(SIGNATURE)"
                )
    form = problem.structure.tables
    if form is not None:
        links_of(form)


def _is_inline(function: Any) -> bool:
    """Whether a function is only ever compiled into others."""
    return bool(function.targetoptions.get("inline") == "always")
