"""Solvers that run other solvers."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping, Sequence
from typing import Any

from swarmkit.contract.solver import Solver, State, moments_of


class Composite(Solver[State]):
    """A solver whose state contains the states of others. It may `explain` what it has chosen among them."""

    @property
    @abstractmethod
    def inner(self) -> Sequence[Solver[Any]]:
        """The solvers whose states are kept inside this solver's: a checkpoint may contain their dataclasses."""

    @property
    def waits(self) -> bool:
        """Whether one of them may wait for a process outside."""
        return any(solver.waits for solver in self.inner)

    def stop(self) -> None:
        """End what they have started outside of this process."""
        for solver in self.inner:
            solver.stop()

    @staticmethod
    def add_values(snapshot: Mapping[str, Any] | Sequence[Mapping[str, Any]], **values: float) -> list[dict[str, Any]]:
        """Return the moments that one of them shows, each with values of this solver by name."""
        return [{**moment, **values} for moment in moments_of(snapshot)]
