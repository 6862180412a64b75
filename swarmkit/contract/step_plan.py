"""How many steps are made before something is decided or observed: by looks alone, however the clock divides them."""

from __future__ import annotations

from dataclasses import dataclass

GROWTH = 8
"""A plan has at most this many times the steps of the last: looks of a step may change in the course of a run."""


@dataclass
class StepPlan:
    """A number of steps that should take some looks, by the mean of the steps of the last plan. Plain data.

    >>> plan = StepPlan()
    >>> plan.begin(1000)
    >>> plan.left
    1
    >>> plan.book(1, looks=200)
    True
    >>> plan.begin(1000)
    >>> plan.left
    5
    """

    left: int = 0
    """Steps of the plan that are still to be made."""
    size: int = 0
    """All its steps."""
    looks: int = 0
    """The looks of those that were made."""
    iterations: int = 0
    """The iterations of the run before it: what is observed in the middle of a plan has these."""

    def begin(self, looks: int, iterations: int = 0) -> None:
        """Begin the next plan: as many steps as should take these looks, at least 1."""
        self.iterations = iterations
        most = GROWTH * self.size if self.size else 1
        self.size = self.left = max(1, min(looks * self.size // max(self.looks, 1), most))
        self.looks = 0

    def book(self, steps: int, looks: int, done: bool = False) -> bool:
        """Count steps that were made and their looks; return whether the plan is complete, as it is when `done`."""
        self.left -= steps
        self.looks += looks
        if done:
            self.size, self.left = max(1, self.size - self.left), 0
        return self.left <= 0
