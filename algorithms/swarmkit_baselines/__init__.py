"""Baselines that every method should outperform: plugin `baselines`."""

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
    from swarmkit_baselines.exhaustive import Exhaustive
    from swarmkit_baselines.icm import Icm
    from swarmkit_baselines.related import MaxRelatedness
    from swarmkit_baselines.simple import First, Greedy, Random

    return {
        "exhaustive": Exhaustive,
        "first": First,
        "greedy": Greedy,
        "icm": Icm,
        "max-relatedness": MaxRelatedness,
        "random": Random,
    }
