"""The arena of version 0.2, which is the plugin `swarmkit_arena` now; deprecated."""

from __future__ import annotations

import importlib
from typing import Any

from swarmkit.contract.deprecated import warn


def __getattr__(name: str) -> Any:
    """Return a public name of the plugin, with a warning."""
    if name not in ("RULES", "Reason", "Standing", "Verdict", "enter"):
        raise AttributeError(f"module 'swarmkit.arena' has no attribute '{name}'")
    warn(f"swarmkit.arena.{name} is deprecated: import it from swarmkit_arena")
    return getattr(importlib.import_module("swarmkit_arena"), name)
