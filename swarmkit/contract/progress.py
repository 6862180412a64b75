"""The progress of a run: the incumbent, what was spent, and a trace of the improvements. Plain data."""

from __future__ import annotations

from dataclasses import dataclass, field

from swarmkit.contract.arrays import Solutions

POINTS = 500
"""The most points of a trace: enough for a smooth curve, few enough for a result file."""

CLOSEST = 64
"""The fewest looks between two marks of a run."""

ROWS = 16
"""The fewest evaluations between two marks where nothing but the score is known: a batch of fewer is not worth it."""


@dataclass
class Trace:
    """The best score over looks, iterations and seconds: an entry per improvement, thinned if there are many."""

    looks: list[int] = field(default_factory=list)
    iterations: list[int] = field(default_factory=list)
    seconds: list[float] = field(default_factory=list)
    score: list[float] = field(default_factory=list)
    evaluations: list[int] = field(default_factory=list)

    def add(self, progress: Progress, score: float) -> None:
        """Add an improvement. When the trace is full, drop every second point except the newest."""
        if len(self.score) >= POINTS:
            for column in (self.looks, self.iterations, self.seconds, self.score, self.evaluations):
                del column[1:-1:2]
        self.looks.append(progress.looks)
        self.iterations.append(progress.iterations)
        self.seconds.append(progress.seconds)
        self.score.append(score)
        self.evaluations.append(progress.evaluations)


@dataclass
class Progress:
    """What a run has found and spent so far."""

    best: Solutions | None = None
    """The incumbent."""
    score: float | None = None
    """Its score."""
    claim: Solutions | None = None
    """The best feasible solution that the solver has reported since the last mark, not yet scored again."""
    claimed: float | None = None
    """Its score, as the solver says."""
    row: Solutions | None = None
    """The best row passed to `score` since the last mark, feasible or not."""
    row_score: float | None = None
    looks: int = 0
    reported_looks: int = 0
    """The looks that the solver has counted itself."""
    row_looks: int = 0
    """The looks of the rows passed to `score`, n each, where nothing but the score is known."""
    evaluations: int = 0
    """Solutions passed to the problem's `score` since `start`."""
    setup_evaluations: int = 0
    """Those before it."""
    iterations: int = 0
    steps: int = 0
    seconds: float = 0.0
    mark: int = 0
    """The looks at which the trace is looked at next."""
    traced: float | None = None
    """The best score at the last mark."""
    improved_at: int = 0
    """The iteration of the last mark at which the score was better than before."""
    started: bool = False
    """Whether the solver's `start` has been called."""
    done: bool = False
    """Whether the solver has nothing more to do."""
    bound: float | None = None
    """An upper bound on all scores, as far as one is proved."""
    trace: Trace = field(default_factory=Trace)

    def reach_mark(self, grain: int, closest: int = CLOSEST) -> bool:
        """Return whether the looks have reached the next mark, and set the one after it.

        Args:
            grain: the most looks between two marks.
            closest: the fewest.

        Marks depend on the looks alone, a thirty-second of them apart and at most a grain: what is recorded there does
        not depend on where else a run was cut.
        """
        if self.looks < self.mark:
            return False
        self.mark = self.looks + min(max(self.looks // 32, closest), max(grain, closest))
        return True
