"""How far a run is: the incumbent, what was spent, and a thin trace of the improvements. Plain data."""

from __future__ import annotations

from dataclasses import dataclass, field

from swarmkit.contract.arrays import Solutions

POINTS = 500
"""A trace is thinned beyond this many points."""


@dataclass
class Trace:
    """The best score after so many looks, iterations and seconds: an entry per improvement, thinned if many."""

    looks: list[int] = field(default_factory=list)
    iterations: list[int] = field(default_factory=list)
    seconds: list[float] = field(default_factory=list)
    score: list[float] = field(default_factory=list)

    def add(self, looks: int, iterations: int, seconds: float, score: float) -> None:
        """Note an improvement; of too many points every second goes, the newest stays."""
        if len(self.score) >= POINTS:
            for column in (self.looks, self.iterations, self.seconds, self.score):
                del column[1:-1:2]
        self.looks.append(looks)
        self.iterations.append(iterations)
        self.seconds.append(seconds)
        self.score.append(score)


@dataclass
class Progress:
    """The harness's side of a run's state."""

    best: Solutions | None = None
    score: float | None = None
    looks: int = 0
    iterations: int = 0
    steps: int = 0
    seconds: float = 0.0
    improved_at: int = 0
    done: bool = False
    bound: float | None = None
    trace: Trace = field(default_factory=Trace)
