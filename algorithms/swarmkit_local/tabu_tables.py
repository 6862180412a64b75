"""The tables of a problem as tabu search reads them: couplings where they are binary, links elsewhere."""

from __future__ import annotations

from typing import TYPE_CHECKING
from weakref import WeakKeyDictionary

import numpy as np

from swarmkit import Floats, Ints, Pairwise
from swarmkit.search import links_of

if TYPE_CHECKING:
    from swarmkit_local.kernels.tabu_moves import Couplings, Tables

MOST_INTERCHANGEABLE = 256
"""The most candidates whose renaming is worth while to look for."""


_KNOWN: WeakKeyDictionary[Pairwise, Tables] = WeakKeyDictionary()


def prepared(form: Pairwise) -> Tables:
    """Return the tables of a form as kernels read them, made once."""
    if form not in _KNOWN:
        _KNOWN[form] = _tables(form)
    return _KNOWN[form]


def entries_of(form: Pairwise) -> int:
    """Return the number of moves: a flip a stage on binary tables, a change a slot on others."""
    return len(form.sizes) if is_binary(form) else len(form.unary)


def is_binary(form: Pairwise) -> bool:
    """Whether every stage has two candidates."""
    return bool((form.sizes == 2).all())


def interchangeable(form: Pairwise) -> int:
    """Return the number of candidates if they may be renamed at all stages at once (colours, sides of a cut), else 0.

    >>> interchangeable(Pairwise.of([3, 3], [(0, 1, -np.eye(3))]))
    3
    >>> interchangeable(Pairwise.of([2, 2], [(0, 1, np.eye(2))], unary=[0, 1, 0, 0]))
    0
    """
    m = int(form.sizes[0])
    if (form.sizes != m).any() or m > MOST_INTERCHANGEABLE:
        return 0
    unary = form.unary.reshape(-1, m)
    same = bool((unary == unary[:, :1]).all())
    same = same and all(_like_identity(form.flat[s : s + m * m].reshape(m, m)) for s in np.unique(form.starts))
    return m if same else 0


def _like_identity(table: Floats) -> bool:
    """Whether a table has one value on its diagonal and one elsewhere."""
    diagonal = np.eye(len(table), dtype=bool)
    return len(np.unique(table[diagonal])) <= 1 and len(np.unique(table[~diagonal])) <= 1


def _tables(form: Pairwise) -> Tables:
    from swarmkit.kernels.compiling import read_only
    from swarmkit_local.kernels.tabu_moves import Couplings, Tables

    stages, none = np.arange(len(form.sizes)), np.empty(0, np.int64)
    if is_binary(form):
        stage, couplings, ceiling = stages, _couplings(form), np.empty(0)
    else:
        stage, ceiling = np.repeat(stages, form.sizes), _ceiling(form)
        couplings = Couplings(np.empty(0), none, none, np.empty(0))
    free = np.flatnonzero(form.sizes > 1)
    return read_only(Tables(read_only(couplings), read_only(links_of(form)), form.unary, stage, free, ceiling))


def _couplings(form: Pairwise) -> Couplings:
    """Return binary tables as a field and couplings; edges between the same two stages are added up."""
    from swarmkit_local.kernels.tabu_moves import Couplings

    n, (i, j) = len(form.sizes), form.edges.T
    table = form.flat[form.starts[:, None] + np.arange(4)] * form.weights[:, None]
    unary = form.unary.reshape(n, 2)
    field = unary[:, 1] - unary[:, 0]
    np.add.at(field, i, table[:, 2] - table[:, 0])
    np.add.at(field, j, table[:, 1] - table[:, 0])
    coupling = table[:, 0] + table[:, 3] - table[:, 1] - table[:, 2]
    pairs, place = _sums_of_pairs(np.concatenate([i, j]) * n + np.concatenate([j, i]), np.concatenate([coupling] * 2))
    stage, neighbour = np.divmod(pairs, n)
    indptr = np.concatenate([[0], np.cumsum(np.bincount(stage, minlength=n))])
    return Couplings(field, indptr, np.ascontiguousarray(neighbour), place)


def _sums_of_pairs(keys: Ints, values: Floats) -> tuple[Ints, Floats]:
    """Return the distinct keys, sorted, with the sums of their values; those of sum 0 are left out."""
    distinct, where = np.unique(keys, return_inverse=True)
    sums = np.bincount(where, values, len(distinct)) if len(keys) else np.empty(0)
    return distinct[sums != 0], sums[sums != 0]


def _ceiling(form: Pairwise) -> Floats:
    """Return, for each stage, an upper bound on the value of its candidates beside whatever the others take."""
    most = form.unary.copy()
    half = form.half_edges
    stage = np.repeat(np.arange(len(form.sizes)), np.diff(half.indptr))
    for h, i in enumerate(stage.tolist()):
        j, m = half.neighbour[h], form.sizes[i]
        where = half.start[h] + np.arange(m)[:, None] * half.own[h] + np.arange(form.sizes[j]) * half.other[h]
        most[form.offsets[i] : form.offsets[i + 1]] += (half.weight[h] * form.flat[where]).max(axis=1)
    return np.maximum.reduceat(most, form.offsets[:-1])
