"""Solutions under linear constraints: built by propagation, repaired by local search with weighted constraints."""

from __future__ import annotations

from weakref import WeakKeyDictionary

import numpy as np

from swarmkit.contract.arrays import Bools, Ints, RngState, Solutions
from swarmkit.contract.constraints import Constraints, all_different
from swarmkit.contract.pairwise import Links
from swarmkit.contract.structure import Structure
from swarmkit.kernels.linear_state import Model, Rows, Rules, WeightingState

STRICTER = 0.5
"""The share of a row's tolerance that kernels use: they keep sums up to date, and roundings add up."""

DEAD_ENDS, ATTEMPTS = 200, 10
"""A construction ends after this many dead ends, and another begins; so many are made."""

STEPS = 3_000
"""Steps of a repair, for every thousand stages or part of that."""

RULES = Rules(tenure=3, patience=1 << 40, forgetting=0.999)

_ROWS: WeakKeyDictionary[Structure, Rows] = WeakKeyDictionary()


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


def rows_of(structure: Structure) -> Rows:
    """Return the linear constraints of a problem as kernels read them.

    Args:
        structure: the structure of the problem.
    """
    if structure not in _ROWS:
        from swarmkit.kernels.compiling import read_only

        linear = linear_of(structure)
        lengths = np.maximum(np.diff(linear.indptr), 1)
        mean = np.bincount(linear.rows, np.abs(linear.coefficients), len(linear)) / lengths
        _ROWS[structure] = read_only(
            Rows(
                linear.offsets,
                np.repeat(np.arange(len(linear.sizes)), linear.sizes),
                linear.indptr,
                linear.slots,
                linear.stages,
                linear.coefficients,
                *linear.by_slot,
                np.argsort(linear.slots, kind="stable"),
                linear.lower - STRICTER * linear.tolerance,
                linear.upper + STRICTER * linear.tolerance,
                1.0 / np.where(mean > 0.0, mean, 1.0),
                linear.swing,
            )
        )
    return _ROWS[structure]


def prepare_rows(structure: Structure) -> None:
    """Load the kernels of linear constraints, if a problem has any: whatever solves it, these build and repair.

    Args:
        structure: the structure of the problem.
    """
    if structure.linear is not None:
        from swarmkit.kernels import linear, propagation, weighting  # noqa: F401

        rows_of(structure)


def feasible_near(structure: Structure, X: Solutions, rng_state: RngState) -> tuple[Solutions, Bools]:
    """Return feasible solutions near some rows, and which rows have one; the search ends at the first that has none.

    A solution is filled stage by stage, each with the candidate of its row if that is still possible. Where this ends
    in too many dead ends, the row is repaired by changes.

    Args:
        structure: the structure of a problem with linear constraints.
        X: solutions, feasible or not, one a row.
        rng_state: the state of the kernels' generator.
    """
    from swarmkit.kernels import propagation

    rows, Y, good = rows_of(structure), np.array(X, np.int64), np.zeros(len(X), bool)
    n, m, slots, entries = len(rows.offsets) - 1, len(rows.lower), int(rows.offsets[-1]), len(rows.slots)
    domains = propagation.Domains(
        open=np.zeros(slots, np.int64),
        counts=np.zeros(n, np.int64),
        least=np.zeros(entries),
        most=np.zeros(entries),
        low=np.zeros(m),
        high=np.zeros(m),
        trail=np.zeros(slots, np.int64),
        level=np.zeros(n + 1, np.int64),
        choice=np.zeros(n + 1, np.int64),
        queue=np.zeros(m, np.int64),
        queued=np.zeros(m, np.int64),
        counters=np.zeros(3, np.int64),
        rng_state=rng_state,
    )
    chosen = np.zeros(n, np.int64)
    for k, x in enumerate(X):
        state = propagation.fill(rows, domains, rows.offsets[:-1] + x, DEAD_ENDS, ATTEMPTS, chosen)
        if state == 0:
            chosen = _repair(rows, x, rng_state)
        if state < 0 or chosen[0] < 0:
            break
        Y[k], good[k] = chosen - rows.offsets[:-1], True
    return Y, good


def _repair(rows: Rows, x: Solutions, rng_state: RngState) -> Ints:
    """Change stages of a solution until it is feasible, and return its slots; -1 if it is not in the end."""
    from swarmkit.kernels import weighting
    from swarmkit.kernels.compiling import read_only

    n, nothing = len(x), np.zeros(0)
    links = Links(rows.offsets, np.zeros(n + 1, np.int64), np.zeros((0, 6), np.int64), nothing, nothing)
    model = read_only(Model(rows, read_only(links), np.zeros(int(rows.offsets[-1])), np.zeros(1)))
    search = search_at(model, x, rng_state)
    weighting.iterate(model, search, RULES, STEPS * (1 + n // 1000), True)
    return search.best


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
        first=np.array(model.rows.offsets[:-1]),
    )
    weighting.begin(model, search, 1.0)
    return search
