"""Genetic algorithms: plugin `genetic`."""

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
    from swarmkit_genetic.ga import Ga
    from swarmkit_genetic.p3 import P3
    from swarmkit_genetic.tour_ga import TourGa

    return {"ga": Ga, "p3": P3, "tour-ga": TourGa}
