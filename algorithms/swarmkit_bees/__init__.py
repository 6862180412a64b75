"""Bees: D-Bees and the bee colony optimisation it comes from: plugin `bees`."""

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
    from swarmkit_bees.bco import Bco
    from swarmkit_bees.dbees import DBees

    return {"bco": Bco, "dbees": DBees}
