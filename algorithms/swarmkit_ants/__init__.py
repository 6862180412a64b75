"""Ant colonies: pheromone on tours and stages, and ants that carry energy between nests: plugin `ants`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from swarmkit import hookimpl

if TYPE_CHECKING:
    from swarmkit import Solver

__all__ = ["swarmkit_solvers"]


@hookimpl
def swarmkit_solvers() -> Mapping[str, type[Solver[Any]]]:
    """Offer the solvers."""
    from swarmkit_ants.aca import Aca
    from swarmkit_ants.tsp_aco import TspAco

    return {"aca": Aca, "tsp-aco": TspAco}
