"""Problems that are quadratic assignments: facilities to places, one table for what lies between any two places."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from swarmkit.pairwise import Floats, Pairwise


@dataclass(frozen=True, eq=False)
class Assignment:
    """A quadratic assignment problem: score(x) = Σ unary[i, x_i] + Σ flow[i, j] · table[x_i, x_j] over all i and j."""

    flow: Floats
    """What goes from one stage to another; where the table is symmetric, both ways together, in either direction."""
    table: Floats
    symmetric: bool
    """Whether the table is; then each pair of stages counts once."""


def assignment_of(form: Pairwise) -> Assignment | None:
    """Read a pairwise form as a quadratic assignment problem: one table for all edges, and as many places as stages."""
    n = len(form.sizes)
    if not (form.distinct and len(form.edges) and form.sizes[0] == n and (form.starts == form.starts[0]).all()):
        return None
    table = np.array(form.flat[form.starts[0] : form.starts[0] + n * n].reshape(n, n))
    symmetric = bool(np.array_equal(table, table.T))
    flow = np.zeros((n, n))
    np.add.at(flow, tuple(form.edges.T), form.weights)
    return Assignment(flow + flow.T if symmetric else flow, table, symmetric)
