"""The members of a portfolio and whose turn it is: time goes to what has been improving the incumbent.

A member's time is its looks times a constant of its solver, never the clock. Turns are allotted by stride scheduling
(Waldspurger and Weihl 1995): each member has a share in proportion to its value, and the one that is furthest behind
its share is next. The value is the member's weight, times its recent improvement of the incumbent per unit of time.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from swarmkit import StepPlan

FIRST_TURN = 300_000.0
"""Time (ns) of the first turn."""

LONGEST_TURN = 50e6
"""Time (ns) of the longest turn."""

GROWTH = 1.25
"""Each turn is longer than the last by this factor: the first ones try everything, later ones leave time to search."""

MEMORY = 0.7
"""Gains are multiplied by this after each turn: only the last few turns count."""

FADING = 0.9
"""Gains are worth less by this factor after each turn without an improvement: in the end weights alone decide again."""

FLOOR = 0.3
"""The value of a member that has not improved anything of late, as a share of its weight."""

LAG = 3
"""Turns in a row that a member ends behind the incumbent before it is given that: methods need their own way first."""

LEAST_RATE = 0.2
"""A solver leads until one of its turns improves the incumbent at less than this share of its mean rate."""


@dataclass
class Member:
    """One solver of the portfolio."""

    solver: str
    """Its registered name."""
    params: dict[str, Any]
    """The parameters that differ from the defaults."""
    weight: float
    reason: str
    nanoseconds: float
    """Time of a look, a constant; of a solver that attempts proofs, the time of its next attempt."""
    shares: bool = True
    """Whether it is given the incumbent when it stays behind."""
    attempts: str = ""
    """The parameter that limits an attempt at proof; empty for a member that does not prove, or in one go."""
    takes_turns: bool = False
    """Whether a member that proves in one go has half of the time, instead of all at first."""
    state: Any = None
    """The solver's state; None before its first turn."""
    started: bool = False
    done: bool = False
    looks: int = 0
    due: float = 0.0
    """The member whose value is smallest here is next."""
    gain: float = 0.0
    """Recent improvement of the incumbent, per unit of time."""
    improvements: int = 0
    best: float | None = None
    """The score of the best solution that it has found or been given."""
    behind: int = 0
    """Its turns in a row that ended behind the incumbent."""
    plan: StepPlan = field(default_factory=StepPlan)
    """Its steps before it is looked at whether its turn ends."""

    @property
    def time(self) -> float:
        """The time of its looks so far."""
        return self.looks * self.nanoseconds


@dataclass
class Turn:
    """The turn in progress."""

    member: int = -1
    """Its member; -1 before the first turn."""
    looks: int = 0
    """The looks of this turn so far."""
    length: int = 0
    """The looks after which it ends."""
    before: float | None = None
    """The incumbent's score when it began; None if there was none."""
    shared: bool = False
    """Whether the member has been given the incumbent in this turn."""


def first_dues(members: list[Member]) -> None:
    """Set when the members are due for the first time: the heavier, the earlier."""
    for member in members:
        member.due = FIRST_TURN / member.weight


def next_member(members: list[Member]) -> int | None:
    """Return the number of the member that is furthest behind its share, or None if all are done."""
    ready = [i for i, member in enumerate(members) if not member.done]
    return min(ready, key=lambda i: (members[i].due, i)) if ready else None


def first_leader(members: list[Member]) -> int | None:
    """Return the heaviest member that follows no schedule: a schedule improves the incumbent late.

    >>> first_leader([Member("annealing", {}, 1.0, "", 1.0, shares=False), Member("ils", {}, 0.5, "", 1.0)])
    1
    """
    return next((i for i, member in enumerate(members) if member.shares), None)


def still_leads(member: Member, turn: Turn, first: float | None, score: float | None) -> bool:
    """Whether a member that has had all turns so far still improves the incumbent quickly.

    Args:
        member: the member.
        turn: its last turn.
        first: the score at the end of its first turn; None before.
        score: the incumbent's score.
    """
    if first is None or score is None or turn.before is None:
        return True
    rate, mean = (score - turn.before) / turn.looks, (score - first) / member.looks
    return rate > 0 and rate >= LEAST_RATE * mean


def value(member: Member, members: list[Member], idle: int = 0) -> float:
    """Return the share that a member deserves, up to a common factor.

    >>> slow, fast = Member("a", {}, 0.5, "", 1.0, gain=1.0), Member("b", {}, 0.5, "", 1.0, gain=2.0)
    >>> round(value(slow, [slow, fast]), 3), value(fast, [slow, fast])
    (0.325, 0.5)

    Args:
        member: the member.
        members: all that take turns.
        idle: turns since the incumbent was last improved.
    """
    best = max(rival.gain for rival in members)
    recent = FADING**idle * member.gain / best if best > 0 else 0.0
    return member.weight * (FLOOR + (1 - FLOOR) * recent)


def end_turn(members: list[Member], turn: Turn, improvement: float, idle: int = 0) -> int:
    """Book a turn: gains fade, its member's gain counts, and it is due again when the others had their shares.

    Args:
        members: the members that take turns.
        turn: the turn that ends.
        improvement: by how much it has improved the incumbent.
        idle: turns since the incumbent was last improved.

    Returns:
        the new `idle`.
    """
    worker = members[turn.member]
    worker.behind = 0 if improvement > 0 else worker.behind + 1
    time = turn.looks * worker.nanoseconds
    for member in members:
        member.gain *= MEMORY
    if improvement > 0:
        worker.gain += improvement / time
        worker.improvements += 1
    idle = 0 if improvement > 0 else idle + 1
    worker.due += time / value(worker, members, idle)  # stride scheduling: the stride is the time over the value
    return idle
