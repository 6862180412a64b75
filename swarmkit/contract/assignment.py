"""Quadratic assignments: facilities to locations, one table between any two locations."""

from __future__ import annotations

from dataclasses import dataclass

from swarmkit.contract.arrays import Floats


@dataclass(frozen=True, eq=False)
class Assignment:
    """A quadratic assignment problem: score(x) = Σ unary[i, x_i] + Σ flow[i, j] · table[x_i, x_j] over all i and j."""

    flow: Floats
    """The weight between two stages; where the table is symmetric, both directions together, in either entry."""
    table: Floats
    """The value between two candidates."""
    symmetric: bool
    """Whether the table is symmetric; each pair of stages then counts once."""
