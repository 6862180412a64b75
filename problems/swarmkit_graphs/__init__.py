"""Problems on graphs: largest cuts, colourings, independent sets: the plugin `graphs`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from swarmkit import hookimpl

if TYPE_CHECKING:
    from swarmkit import Problem

__all__ = ["swarmkit_problems"]


@hookimpl
def swarmkit_problems() -> Mapping[str, type[Problem]]:
    """Offer the problems."""
    from swarmkit_graphs.colouring import Colouring
    from swarmkit_graphs.independent_set import IndependentSet
    from swarmkit_graphs.maxcut import MaxCut

    return {"colouring": Colouring, "independent-set": IndependentSet, "maxcut": MaxCut}
