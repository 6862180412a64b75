"""What a step has used of what is left of the budget."""

from __future__ import annotations

from swarmkit.contract.solver import GRAIN, Left


class StepBudget:
    """The looks and evaluations that a step has made, and how many more it may make before it pauses.

    >>> budget = StepBudget(Left(looks=100))
    >>> budget.rows(30, evaluated=True)
    4
    >>> budget.spend(120, evaluations=4)
    >>> budget.open
    False
    """

    def __init__(self, left: Left) -> None:
        self._left = left._replace(looks=min(left.looks, GRAIN))
        self.looks = self.evaluations = 0

    @property
    def open(self) -> bool:
        """Whether the step may go on."""
        return self.looks < self._left.looks and self.evaluations < self._left.evaluations

    @property
    def left(self) -> Left:
        """What is left for the rest of the step."""
        left = self._left
        return left._replace(looks=left.looks - self.looks, evaluations=left.evaluations - self.evaluations)

    def rows(self, looks: int, evaluated: bool) -> int:
        """Return how many rows may be scored before the step pauses, at least 1.

        Args:
            looks: the most looks of a row.
            evaluated: whether a row is an evaluation.
        """
        rows = -(-(self._left.looks - self.looks) // looks)
        return max(1, min(rows, self._left.evaluations - self.evaluations) if evaluated else rows)

    def spend(self, looks: int, evaluations: int = 0) -> None:
        """Count `looks` and `evaluations` that were used."""
        self.looks += looks
        self.evaluations += evaluations
