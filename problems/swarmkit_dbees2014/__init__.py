"""The experiment of Abualhaija & Zimmermann 2014 (D-Bees), run again: the plugin `dbees2014`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from swarmkit import hookimpl

__all__ = ["swarmkit_commands"]


@hookimpl
def swarmkit_commands() -> Mapping[str, Any]:
    """Offer the command."""
    from swarmkit_dbees2014.command import experiment

    return {"experiment dbees-2014": experiment}
