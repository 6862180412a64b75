"""Seeded random problems of any size: the plugin `synthetic`."""

from __future__ import annotations

from collections.abc import Mapping

from swarmkit import Problem, hookimpl

__all__ = ["swarmkit_problems"]


@hookimpl
def swarmkit_problems() -> Mapping[str, type[Problem]]:
    """Offer the problem."""
    from swarmkit_synthetic.synthetic import Synthetic

    return {"synthetic": Synthetic}
