"""Linear constraints and tables as the kernels of `swarmkit.kernels.linear` and `weighting` read them."""

from __future__ import annotations

from weakref import WeakKeyDictionary

import numpy as np

from swarmkit.contract.instance import probes
from swarmkit.contract.pairwise import Pairwise
from swarmkit.contract.structure import Structure
from swarmkit.kernels.linear_state import Model
from swarmkit.search.linear_construction import rows_of
from swarmkit.search.tables import links_of

_MODELS: WeakKeyDictionary[Structure, Model] = WeakKeyDictionary()


def model_of(structure: Structure) -> Model:
    """Return a problem with linear constraints as kernels read it; without tables, the constraints alone.

    Args:
        structure: the structure of the problem as solvers see it.
    """
    if structure not in _MODELS:
        from swarmkit.kernels.compiling import read_only

        rows = rows_of(structure)
        form = structure.pairwise or Pairwise.of(np.diff(rows.offsets))
        _MODELS[structure] = read_only(Model(rows, links_of(form), form.unary, np.array([_unit(form)])))
    return _MODELS[structure]


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
