"""The progress of a run: the incumbent, what was spent, and a trace of the improvements. Plain data."""

from __future__ import annotations

from dataclasses import dataclass, field

from swarmkit.contract.arrays import Solutions

POINTS = 500
"""The most points of a trace: enough for a smooth curve, few enough for a result file."""


@dataclass
class Trace:
    """The best score over looks, iterations and seconds: an entry per improvement, thinned if there are many."""

    looks: list[int] = field(default_factory=list)
    iterations: list[int] = field(default_factory=list)
    seconds: list[float] = field(default_factory=list)
    score: list[float] = field(default_factory=list)

    def add(self, looks: int, iterations: int, seconds: float, score: float) -> None:
        """Add an improvement. When the trace is full, drop every second point except the newest."""
        if len(self.score) >= POINTS:
            for column in (self.looks, self.iterations, self.seconds, self.score):
                del column[1:-1:2]
        self.looks.append(looks)
        self.iterations.append(iterations)
        self.seconds.append(seconds)
        self.score.append(score)


@dataclass
class Progress:
    """What a run has found and spent so far."""

    best: Solutions | None = None
    """The incumbent."""
    score: float | None = None
    """Its score."""
    looks: int = 0
    iterations: int = 0
    steps: int = 0
    seconds: float = 0.0
    improved_at: int = 0
    """The iteration of the last improvement."""
    done: bool = False
    """Whether the solver has nothing more to do."""
    bound: float | None = None
    """An upper bound on all scores, as far as one is proved."""
    trace: Trace = field(default_factory=Trace)
