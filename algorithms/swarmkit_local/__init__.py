"""Iterated local search, tabu search and robust tabu search: plugin `local`."""

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
    from swarmkit_local.ils import Ils
    from swarmkit_local.robust_tabu import RobustTabu
    from swarmkit_local.tabu import Tabu

    return {"ils": Ils, "robust-tabu": RobustTabu, "tabu": Tabu}
