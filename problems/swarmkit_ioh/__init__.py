"""Functions of IOHprofiler (PBO and graph problems), by its package `ioh`: the plugin `ioh`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from swarmkit import hookimpl

if TYPE_CHECKING:
    from swarmkit import Problem

__all__ = ["swarmkit_problems"]


@hookimpl
def swarmkit_problems() -> Mapping[str, type[Problem]]:
    """Offer the problem."""
    from swarmkit_ioh.problem import IohFunction

    return {"ioh": IohFunction}
