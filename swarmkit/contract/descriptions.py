"""What describes the candidates of a problem, such as the words of a definition, where a problem knows it."""

from __future__ import annotations

from typing import Protocol, runtime_checkable

from swarmkit.contract.arrays import Ints
from swarmkit.contract.problem import Problem


@runtime_checkable
class CandidateDescriptions(Protocol):
    """A problem whose candidates have descriptions."""

    def descriptions(self) -> tuple[Ints, Ints] | None:
        """Return the items of the descriptions as numbers from 0; None if there are none.

        The first array says where the numbers of each slot begin in the second, and after the last slot their count.
        """


def descriptions_of(problem: Problem) -> tuple[Ints, Ints] | None:
    """Return what describes the candidates of a problem; None if nothing does."""
    return problem.descriptions() if isinstance(problem, CandidateDescriptions) else None
