"""How many steps a run makes at once: those of its plan, as many as fit into a short time and into its limits."""

from __future__ import annotations

from swarmkit.contract.budget import Budget
from swarmkit.contract.progress import Progress
from swarmkit.contract.solver import NO_LIMIT, StepResult

STEPS_SECONDS = 0.03
"""The time of the steps that are made at once: limits of seconds are kept, and Ctrl-C is heard in time."""

GROWTH = 8
"""At most this many times the steps of the last call: a step may take longer than the one before."""


class Pace:
    """The number of steps that fit into a short time, and their looks, as measured in the last calls."""

    def __init__(self) -> None:
        self.steps = 1
        self.largest = 0
        """The looks of the largest call so far."""
        self._limit = NO_LIMIT
        self._looks_of_step = 1.0

    def count(self, progress: Progress, limits: Budget, by_part: bool) -> int:
        """Return the number of steps to make at once, at least 1.

        Args:
            progress: what the run has spent, and its plan.
            limits: its limits.
            by_part: whether limits of iterations and patience hold for parts of the problem, which count themselves.
        """
        # Three bounds: the next mark, 30 ms, and what has gone beyond a limit before.
        count = min(progress.plan.left, self.steps, self._limit)
        if not by_part:
            # An improvement may come with any step, and patience counts from there.
            count = count if limits.patience is None else 1
            count = min(count, (limits.iterations or NO_LIMIT) - progress.iterations)
        if limits.looks is not None:
            count = min(count, int((limits.looks - progress.looks) / max(self._looks_of_step, 1.0)))
        return max(1, count)

    def measure(self, result: StepResult, seconds: float) -> None:
        """Set the pace to that of the last call."""
        self.steps = max(1, min(int(result.steps * STEPS_SECONDS / max(seconds, 1e-7)), GROWTH * result.steps))
        self.largest = max(self.largest, result.looks)
        self._looks_of_step = result.looks / result.steps

    @property
    def single(self) -> bool:
        """Whether steps are made one at a time."""
        return self._limit == 1

    def slow_down(self, count: int) -> None:
        """Make at most half as many steps at once from now on: `count` of them went beyond a limit of looks."""
        self._limit = max(1, count // 2)


class PlanPace(Pace):
    """A pace that does not follow the clock: as many steps at once as the plan has."""

    def measure(self, result: StepResult, seconds: float) -> None:
        """Note the looks alone."""
        super().measure(result, seconds)
        self.steps = NO_LIMIT
