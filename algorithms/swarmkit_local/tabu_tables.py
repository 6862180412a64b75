"""The tables of a problem as tabu search reads them: couplings where they are binary, links elsewhere."""

from __future__ import annotations

from weakref import WeakKeyDictionary

import numpy as np

from swarmkit import Floats, Pairwise
from swarmkit.search import links_of
from swarmkit_local import kernels

MOST_INTERCHANGEABLE = 256
"""The most candidates whose renaming is worth while to look for."""


_KNOWN: WeakKeyDictionary[Pairwise, kernels.tabu_moves.Tables] = WeakKeyDictionary()


def tables_of(form: Pairwise) -> kernels.tabu_moves.Tables:
    """Return the tables of a form as kernels read them, laid out once."""
    if form not in _KNOWN:
        _KNOWN[form] = _tables(form)
    return _KNOWN[form]


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
    tables = (form.flat[start : start + m * m].reshape(m, m) for start in np.unique(form.starts))
    return m if (unary == unary[:, :1]).all() and all(map(_like_identity, tables)) else 0


def _like_identity(table: Floats) -> bool:
    """Whether a table has one value on its diagonal and one elsewhere."""
    diagonal = np.eye(len(table), dtype=bool)
    return len(np.unique(table[diagonal])) <= 1 and len(np.unique(table[~diagonal])) <= 1


def _tables(form: Pairwise) -> kernels.tabu_moves.Tables:
    from swarmkit.kernels.compiling import read_only

    stage, none = np.arange(len(form.sizes)), np.empty(0, np.int64)
    if (form.sizes == 2).all():
        couplings, ceiling = _couplings(form), np.empty(0)
    else:
        couplings, ceiling = kernels.tabu_moves.Couplings(np.empty(0), none, none, np.empty(0)), _ceiling(form)
        stage = np.repeat(stage, form.sizes)
    free, links = np.flatnonzero(form.sizes > 1), read_only(links_of(form))
    return read_only(kernels.tabu_moves.Tables(read_only(couplings), links, form.unary, stage, free, ceiling))


def _couplings(form: Pairwise) -> kernels.tabu_moves.Couplings:
    """Return binary tables as a field and couplings; edges between the same two stages are added up."""
    n, (i, j) = len(form.sizes), form.edges.T
    table = form.flat[form.starts[:, None] + np.arange(4)] * form.weights[:, None]
    unary = form.unary.reshape(n, 2)
    field = unary[:, 1] - unary[:, 0]
    np.add.at(field, i, table[:, 2] - table[:, 0])
    np.add.at(field, j, table[:, 1] - table[:, 0])
    coupling = table[:, 0] + table[:, 3] - table[:, 1] - table[:, 2]
    keys = np.concatenate([i, j]) * n + np.concatenate([j, i])
    pairs, place = np.unique(keys, return_inverse=True)
    sums = np.bincount(place, np.tile(coupling, 2), len(pairs)).astype(float)  # whole numbers where there are no edges
    stage, neighbour = np.divmod(pairs[sums != 0], n)
    indptr = np.concatenate([[0], np.cumsum(np.bincount(stage, minlength=n))])
    return kernels.tabu_moves.Couplings(field, indptr, np.ascontiguousarray(neighbour), sums[sums != 0])


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
