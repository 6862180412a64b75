"""The clock that all runs share: process CPU time, work done, and the best cost at each mark.

It is told every cost (peers: by the objective function, or once an iteration where there is none) and ends a run by
raising `Over` when the last mark is passed. What comes after a mark does not count for it.
"""

from __future__ import annotations

import math
import time
from typing import Any


class Over(BaseException):  # not an Exception: some libraries catch these
    """The budget is used up."""


class Clock:
    """CPU seconds from `begin` on, the best cost at each mark, and how much was done."""

    def __init__(self, marks: list[float]) -> None:
        self.marks = marks
        self.costs: list[float | None] = []
        self.best, self.count, self.seconds, self.begun = math.inf, 0, 0.0, 0.0

    def begin(self) -> None:
        """Start, once libraries are imported and kernels compiled."""
        self.begun = time.process_time()

    def read(self) -> float:
        """Return the CPU seconds since the beginning."""
        return time.process_time() - self.begun

    def tell(self, cost: float, count: int = 1) -> None:
        """Take in a cost and the work it took; raise `Over` after the last mark."""
        self.count += count
        self.seconds = self.read()
        self.pass_marks(self.seconds)
        if len(self.costs) == len(self.marks):
            raise Over
        self.best = min(self.best, cost)

    def pass_marks(self, seconds: float) -> None:
        """Write down the best cost for every mark that lies behind."""
        while len(self.costs) < len(self.marks) and seconds >= self.marks[len(self.costs)]:
            self.costs.append(None if math.isinf(self.best) else self.best)

    def result(self) -> dict[str, Any]:
        """Return what was recorded; a method that ended by itself keeps its best for the marks to come."""
        self.pass_marks(math.inf)
        return {"costs": self.costs, "count": self.count, "seconds": self.seconds}
