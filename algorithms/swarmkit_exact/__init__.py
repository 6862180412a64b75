"""Exact answers: dynamic programming on chains, and proofs by toulbar2: plugin `exact`."""

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
    from swarmkit_exact.toulbar2 import Toulbar2
    from swarmkit_exact.viterbi import Viterbi

    return {"toulbar2": Toulbar2, "viterbi": Viterbi}
