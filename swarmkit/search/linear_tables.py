"""Linear constraints and tables as the kernels of `swarmkit.kernels.linear` and `weighting` read them."""

from __future__ import annotations

from weakref import WeakKeyDictionary

import numpy as np

from swarmkit.contract.arrays import RngState, Solutions
from swarmkit.contract.constraints import Constraints, all_different
from swarmkit.contract.instance import probes
from swarmkit.contract.pairwise import Pairwise
from swarmkit.contract.structure import Structure
from swarmkit.kernels.linear_state import Model, Rows, WeightingState
from swarmkit.search.tables import links_of

STRICTER = 0.5
"""The share of a row's tolerance that kernels use: they keep sums up to date, and roundings add up."""

_MODELS: WeakKeyDictionary[Structure, Model] = WeakKeyDictionary()


def model_of(structure: Structure) -> Model:
    """Return a problem with linear constraints as kernels read it; without tables, the constraints alone.

    Args:
        structure: the structure of the problem as solvers see it.
    """
    if structure not in _MODELS:
        from swarmkit.kernels.compiling import read_only

        linear = linear_of(structure)
        form = structure.pairwise or Pairwise.of(linear.sizes)
        _MODELS[structure] = read_only(Model(rows_of(linear), links_of(form), form.unary, np.array([_unit(form)])))
    return _MODELS[structure]


def linear_of(structure: Structure) -> Constraints:
    """Return the linear constraints of a problem that has some; where stages must differ, with rows that say so.

    Args:
        structure: the structure of the problem.
    """
    linear = structure.linear
    assert linear is not None  # noqa: S101  (asked before)
    if not structure.distinct:
        return linear
    different = Constraints.of(linear.sizes, all_different(range(len(linear.sizes)), linear.sizes))
    _, *arrays = (np.concatenate(pair) for pair in zip(linear.arrays, different.arrays, strict=True))
    indptr = np.concatenate([linear.indptr, linear.indptr[-1] + different.indptr[1:]])
    slots, coefficients, lower, upper = arrays
    return Constraints(linear.sizes, indptr, slots, coefficients, lower, upper, linear.names + different.names)


def rows_of(linear: Constraints) -> Rows:
    """Return constraints as kernels read them.

    Args:
        linear: the constraints.
    """
    from swarmkit.kernels.compiling import read_only

    lengths = np.maximum(np.diff(linear.indptr), 1)
    mean = np.bincount(linear.rows, np.abs(linear.coefficients), len(linear)) / lengths
    return read_only(
        Rows(
            linear.offsets,
            np.repeat(np.arange(len(linear.sizes)), linear.sizes),
            linear.indptr,
            linear.slots,
            linear.stages,
            linear.coefficients,
            *linear.by_slot,
            linear.lower - STRICTER * linear.tolerance,
            linear.upper + STRICTER * linear.tolerance,
            1.0 / np.where(mean > 0.0, mean, 1.0),
            linear.swing,
        )
    )


def _unit(form: Pairwise) -> float:
    """Return one over the typical spread of the values of a stage's candidates; 0 if all are equal."""
    from swarmkit.kernels.gain_table import fill

    if not len(form.sizes):
        return 0.0
    spreads = []
    for x in probes(form.sizes, form.distinct)[:4]:
        values = np.empty(len(form.unary))
        fill(links_of(form), form.unary, x, values)
        first = form.offsets[:-1]
        spreads.append(np.maximum.reduceat(values, first) - np.minimum.reduceat(values, first))
    spread = np.concatenate(spreads)
    return float(1.0 / spread[spread > 0].mean()) if (spread > 0).any() else 0.0


def search_at(model: Model, x: Solutions, rng_state: RngState) -> WeightingState:
    """Return the state of a weighted local search that begins at a solution, feasible or not.

    Args:
        model: the problem.
        x: a complete solution.
        rng_state: the state of the kernel's generator, which the search changes.
    """
    from swarmkit.kernels import weighting

    n, slots, m = len(x), len(model.unary), len(model.rows.lower)
    search = WeightingState(
        chosen=model.rows.offsets[:-1] + x,
        sums=np.zeros(m),
        values=np.zeros(slots),
        penalty=np.zeros(slots),
        weights=np.zeros(m),
        violated=np.zeros(m, np.int64),
        violated_place=np.full(m, -1),
        improving=np.zeros(slots, np.int64),
        improving_place=np.full(slots, -1),
        until=np.zeros(n, np.int64),
        best=np.full(n, -1),
        numbers=np.zeros(4),
        counters=np.zeros(6, np.int64),
        rng_state=rng_state,
        touched=np.zeros(slots, np.int64),
        marks=np.zeros(slots, np.int64),
    )
    weighting.begin(model, search)
    return search
