"""The tables of a problem laid out for the gain table, computed once for each form."""

from __future__ import annotations

from weakref import WeakKeyDictionary

import numpy as np

from swarmkit.contract.pairwise import Links, Pairwise

_KNOWN: WeakKeyDictionary[Pairwise, Links] = WeakKeyDictionary()


def links_of(form: Pairwise) -> Links:
    """Return the half-edges of a form as kernels read them.

    They are laid out in contiguous runs, except where tables are shared or the runs would not fit into memory: those
    are read where they are.

    Args:
        form: the tables of a problem.
    """
    if form not in _KNOWN:
        _KNOWN[form] = _links(form)
    return _KNOWN[form]


def _links(form: Pairwise) -> Links:
    from swarmkit.kernels.compiling import read_only
    from swarmkit.kernels.layout import lay_out

    half = form.half_edges
    if not form.expandable:
        m = form.sizes[half.neighbour]
        to = form.offsets[half.neighbour]
        runs = np.ascontiguousarray(np.column_stack([to, m, half.start, half.own, half.other, half.neighbour]))
        return read_only(Links(form.offsets, half.indptr, runs, half.weight, form.flat))
    return read_only(lay_out(form.sizes, form.offsets, half, form.flat))
