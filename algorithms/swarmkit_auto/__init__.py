"""Automatic choice of solvers: plugin `auto`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from swarmkit import hookimpl

if TYPE_CHECKING:
    from swarmkit import Solver

__all__ = ["swarmkit_solvers"]


@hookimpl
def swarmkit_solvers() -> Mapping[str, type[Solver[Any]]]:
    """Offer the solver."""
    from swarmkit_auto.auto import Auto

    return {"auto": Auto}
