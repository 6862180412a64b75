"""Solvers that prove optima or bounds."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, ClassVar

from swarmkit.contract.solver import Solver, State


class Prover(Solver[State]):
    """A solver that returns a bound with its solutions: `--gap` asks it, and `auto` where its work is small."""

    proof_rank: ClassVar[int]
    """`--gap` asks solvers of low rank first: how costly a proof is beside those of other solvers."""

    proof_params: ClassVar[Mapping[str, Any]] = MappingProxyType({})
    """The parameters with which `--gap` asks, for instance a limit on the size of the problem."""
