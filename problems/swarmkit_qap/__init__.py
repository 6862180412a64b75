"""Quadratic assignment: files of QAPLIB, or instances drawn from a seed: the plugin `qap`."""

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
    from swarmkit_qap.problem import QuadraticAssignment

    return {"qap": QuadraticAssignment}
