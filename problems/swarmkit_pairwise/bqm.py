"""Binary quadratic models (QUBO, Ising).

energy(x) = offset + Σ_i linear_i · x_i + Σ_ij quadratic_ij · x_i · x_j        x_i in {0, 1} or in {-1, +1}
"""

from __future__ import annotations

from typing import Literal, NamedTuple

import numpy as np

from swarmkit import Floats, Ints
from swarmkit_pairwise.network import Network

Vartype = Literal["BINARY", "SPIN"]

TABLES = {"BINARY": np.array([0.0, 0.0, 0.0, 1.0]), "SPIN": np.array([1.0, -1.0, -1.0, 1.0])}
"""The products of two variables' values: the table that all edges share, weighted with their biases."""
VALUES = {"BINARY": ("0", "1"), "SPIN": ("-1", "+1")}


class Model(NamedTuple):
    """A binary quadratic model whose variables are numbered."""

    linear: Floats
    pairs: Ints
    """The two different variables of each quadratic bias."""
    quadratic: Floats
    offset: float
    vartype: Vartype
    labels: tuple[str, ...]


def network_of(name: str, model: Model) -> Network:
    """Return a model as a cost network."""
    values = np.array([float(value) for value in VALUES[model.vartype]])
    n, m = len(model.linear), len(model.pairs)
    return Network(
        name=name,
        kind="QUBO" if model.vartype == "BINARY" else "Ising model",
        sizes=np.full(n, 2),
        unary=np.outer(model.linear, values).ravel(),
        edges=model.pairs,
        starts=np.zeros(m, np.int64),
        weights=model.quadratic,
        flat=TABLES[model.vartype] if m else np.empty(0),
        constant=model.offset,
        measure="energy",
        variables=model.labels,
        values=(VALUES[model.vartype],),
    )


def merged(model: Model) -> Model:
    """Return a model in which each pair of variables occurs once: biases of the same pair are added."""
    n = len(model.linear)
    ordered = np.sort(model.pairs, axis=1)
    keys, which = np.unique(ordered[:, 0] * n + ordered[:, 1], return_inverse=True)
    quadratic = np.bincount(which.ravel(), model.quadratic, len(keys)).astype(np.float64)
    return model._replace(pairs=np.column_stack(np.divmod(keys, n)).astype(np.int64), quadratic=quadratic)
