"""How much a step of a run may use: up to a limit, to the next mark or an observer's pause, and for a short time."""

from __future__ import annotations

import math

from swarmkit.contract.budget import Budget
from swarmkit.contract.progress import Progress
from swarmkit.contract.solver import UNLIMITED, Left

STEP_SECONDS = 0.03
"""The seconds after which a step is asked to pause: limits on seconds are kept, and Ctrl-C is heard in time."""


SHARED_SECONDS = 0.1
"""The same where several processes evaluate the rows of a step: sending them takes time."""


class Pace:
    """The looks that fit into a short time, as measured in the last step.

    Args:
        looks: those of the first step.
    """

    def __init__(self, looks: int = UNLIMITED) -> None:
        self.looks = looks

    def measure(self, looks: int, seconds: float, at_once: int = 1) -> None:
        """Set the pace to that of a step.

        Args:
            looks: the looks of the step.
            seconds: its time.
            at_once: looks that several processes do at the same time; a step does whole multiples of them.
        """
        limit = STEP_SECONDS if at_once == 1 else SHARED_SECONDS
        whole = int(looks / max(seconds, 1e-6) * limit)
        self.looks = max(1, whole // at_once) * at_once

    def left_before(self, pause: int, limits: Budget, progress: Progress) -> Left:
        """Return what the next step may use: up to a number of looks of the run, to a limit, and for a short time."""
        left = self.left_of(limits, progress)
        return left._replace(looks=max(1, min(left.looks, pause - progress.looks)))

    def left_of(self, limits: Budget, progress: Progress) -> Left:
        """Return what is left of some limits, for a short time."""
        iterations = [limit for limit in (limits.iterations, _patience(limits, progress)) if limit is not None]
        return Left(
            looks=max(1, min((limits.looks or UNLIMITED) - progress.looks, self.looks)),
            evaluations=max(1, (limits.evaluations or UNLIMITED) - progress.evaluations),
            iterations=max(1, min(iterations, default=UNLIMITED) - progress.iterations),
            seconds=(limits.seconds or math.inf) - progress.seconds,
        )


class Unpaced(Pace):
    """A pace that does not follow the clock: steps are as long as limits and marks say."""

    def measure(self, looks: int, seconds: float, at_once: int = 1) -> None:
        """Leave the pace as it is."""


def _patience(limits: Budget, progress: Progress) -> int | None:
    """Return the iteration at which patience ends if nothing improves before."""
    return None if limits.patience is None else progress.improved_at + limits.patience
