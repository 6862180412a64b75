"""The progress of a run: the incumbent, what was spent, and a trace of the improvements. Plain data."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from itertools import pairwise

from swarmkit.contract.arrays import Count, Duration, Finite, Solutions, UpperBound

POINTS = 500
"""The most points of a trace: enough for a smooth curve, few enough for a result file."""

CLOSEST = 64
"""The fewest looks between two marks of a run."""

ROWS = 16
"""The fewest evaluations between two marks where nothing but the score is known."""

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
    size: Count = 0
    """All its steps."""
    looks: Count = 0
    """The looks of those that were made."""
    iterations: Count = 0
    """The iterations of the run before it: what is observed in the middle of a plan has these."""

    def begin(self, looks: int, iterations: int = 0) -> None:
        """Begin the next plan: as many steps as should take these looks, at least 1."""
        self.iterations = iterations
        # The first plan is a single step: nothing is known of its looks.
        limit = GROWTH * self.size if self.size else 1
        self.size = self.left = max(1, min(-(-looks * self.size // max(self.looks, 1)), limit))
        self.looks = 0

    def book(self, steps: int, looks: int, done: bool = False) -> bool:
        """Count steps that were made and their looks; return whether the plan is complete, as it is when `done`."""
        self.left -= steps
        self.looks += looks
        if done:
            self.size, self.left = max(1, self.size - self.left), 0
        return self.left <= 0


@dataclass
class Trace:
    """The best score over looks, iterations and seconds: an entry per improvement, thinned if there are many."""

    looks: list[Count] = field(default_factory=list)
    iterations: list[Count] = field(default_factory=list)
    seconds: list[Duration] = field(default_factory=list)
    score: list[Finite] = field(default_factory=list)
    evaluations: list[Count] = field(default_factory=list)
    """Empty in results of version 0.1."""

    def add(self, progress: Progress, score: float) -> None:
        """Add an improvement. When the trace is full, drop every second point except the newest.

        Within a plan the iterations are those before it, however many of its steps were made at once.
        """
        if len(self.score) >= POINTS:
            for column in (self.looks, self.iterations, self.seconds, self.score, self.evaluations):
                # The first and the newest stay, so that the curve keeps its ends.
                del column[1:-1:2]
        self.looks.append(progress.looks)
        self.iterations.append(progress.plan.iterations if progress.plan.left > 0 else progress.iterations)
        self.seconds.append(progress.seconds)
        self.score.append(score)
        self.evaluations.append(progress.evaluations)

    def flaw(self) -> str | None:
        """Return what is wrong with the columns, which may come from a file, as a clause; None if nothing is."""
        columns: list[list[int] | list[float]] = [
            self.looks,
            self.iterations,
            self.seconds,
            self.evaluations or self.looks,
        ]
        if any(len(column) != len(self.score) for column in columns):
            return "its columns differ in length"
        if any(after < before for column in columns for before, after in pairwise(column)):
            return "its numbers do not increase"
        return None

    def copy(self) -> Trace:
        """Return a copy that does not change with this one."""
        return Trace(*(list(column) for column in vars(self).values()))


@dataclass
class Progress:
    """What a run has found and spent so far."""

    best: Solutions | None = None
    """The incumbent."""
    score: Finite | None = None
    """Its score."""
    claim: Solutions | None = None
    """The best feasible solution that the solver has reported since the last mark, not yet scored again."""
    claim_score: Finite | None = None
    """Its score, as the solver says."""
    looks: Count = 0
    reported_looks: Count = 0
    """The looks that the solver has counted itself."""
    metered_looks: Count = 0
    """The looks that the meter has counted: n for each row where nothing but the score is known."""
    evaluations: Count = 0
    """Solutions passed to the problem's `score` since `start`."""
    setup_evaluations: Count = 0
    """Those before it."""
    iterations: Count = 0
    steps: Count = 0
    seconds: Duration = 0.0
    cpu_seconds: Duration = 0.0
    """CPU seconds since the start of the search, of this process and of its child processes."""
    mark: Count = 0
    """The looks at which the trace is looked at next."""
    mark_score: Finite | None = None
    """The best score at the last mark."""
    improved_at: Count = 0
    """The iteration after which the best score was last better than before."""
    improved_to: Finite | None = None
    """That score, as the solver says."""
    started: bool = False
    """Whether the solver's `start` has been called."""
    done: bool = False
    """Whether the solver has nothing more to do."""
    bound: UpperBound | None = None
    """An upper bound on all scores, as far as one is proved."""
    trace: Trace = field(default_factory=Trace)
    plan: StepPlan = field(default_factory=StepPlan)
    """The steps until the run is observed again."""

    def copy(self) -> Progress:
        """Return a copy that does not change with this one; solutions are never changed in place."""
        return replace(self, trace=self.trace.copy(), plan=replace(self.plan))

    def count(self, looks: int = 0, meter_looks: int = 0, rows: int = 0) -> None:
        """Add looks that the solver reports, looks that the meter counts, and rows that were scored."""
        self.reported_looks += looks
        self.metered_looks += meter_looks
        self.evaluations += rows
        # Both count the same work where nothing but the score is known: the larger is what was read.
        self.looks = max(self.reported_looks, self.metered_looks)

    def note_improvement(self) -> None:
        """Remember the iteration if the best score, scored again or not, is better than the last remembered."""
        scores = [score for score in (self.score, self.claim_score) if score is not None]
        if scores and (self.improved_to is None or max(scores) > self.improved_to):
            self.improved_to, self.improved_at = max(scores), self.iterations

    def add_to_trace(self) -> None:
        """Add the best score to the trace if it is better than at the last mark."""
        if self.score is not None and (self.mark_score is None or self.score > self.mark_score):
            self.mark_score = self.score
            self.trace.add(self, self.score)

    def whole_trace(self) -> Trace:
        """Return the trace with the best score as its last point, whether a mark has been reached since or not."""
        trace = self.trace
        if self.score is not None and (not trace.score or self.score > trace.score[-1]):
            trace = trace.copy()
            trace.add(self, self.score)
        return trace

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
        # Relative distances: as many points in each doubling of the looks, until a grain is the most.
        self.mark = self.looks + min(max(self.looks // 32, closest), max(grain, closest))
        return True
