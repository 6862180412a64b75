"""Lexical substitution on WordNet: the plugin `lexsub`, with the problem, and the command `wsd substitute`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from swarmkit import hookimpl

if TYPE_CHECKING:
    from swarmkit import Problem

__all__ = ["swarmkit_commands", "swarmkit_problems"]


@hookimpl
def swarmkit_problems() -> Mapping[str, type[Problem]]:
    """Offer the problem."""
    from swarmkit_lexsub.problem import LexicalSubstitution

    return {"lexsub": LexicalSubstitution}


@hookimpl
def swarmkit_commands() -> Mapping[str, Any]:
    """Offer the command, in the group of the plugin `wsd`."""
    from swarmkit_lexsub.command import substitute

    return {"wsd substitute": substitute}
