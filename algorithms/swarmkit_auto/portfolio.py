"""The solvers at work in a run of `auto`, and when a proof is due."""

from __future__ import annotations

from dataclasses import dataclass

from swarmkit import Solutions
from swarmkit_auto.choice import Candidate, Choice
from swarmkit_auto.turns import History, Member, Turn

ROUNDING = 1e-9
"""A bound this close to the best score, relative to its size, is reached."""

EVALUATION = 100.0
"""Time (ns) of a look in every solver where evaluations are all that counts: then looks stand for evaluations."""

FEW = 30_000
"""Evaluations up to which they are all that counts, however fast: a run that makes more has evaluations to spare."""


@dataclass
class Portfolio:
    """The solvers at work."""

    choice: str
    """What was chosen and why, as a sentence."""
    members: list[Member]
    """The solvers that take turns."""
    proof: Member | None
    """The solver that is run first, because it proves the optimum with little work."""
    attempt: Member | None
    """The solver that attempts a proof between the turns of the others."""
    next_attempt: float
    """Time of the members' turns at which the next attempt begins."""
    turn: Turn
    turn_time: float
    """Time of the next turn."""
    history: History
    idle: int = 0
    """Turns since the incumbent was last improved."""
    leader: int | None = None
    """The member that has all turns as long as it improves the incumbent quickly; None when all take turns."""
    led_from: float | None = None
    """The score at the end of the leader's first turn."""
    few: bool = False
    """Whether evaluations are all that counts because few have been made."""
    given: bool = False
    """Whether the run was started with solutions."""
    best: Solutions | None = None
    """The incumbent."""
    score: float | None = None
    bound: float | None = None
    """An upper bound on all scores, as far as one is proved."""

    @property
    def proved(self) -> bool:
        """Whether the incumbent is known to be an optimum."""
        if self.bound is None or self.score is None:
            return False
        return self.bound <= self.score + ROUNDING * max(1.0, abs(self.score))


def new_member(one: Candidate, evaluated: bool = False) -> Member:
    """Return the member for a solver; where evaluations are all that counts, looks cost the same in every solver."""
    own = one.suitability
    nanoseconds = EVALUATION if evaluated else own.nanoseconds
    return Member(one.name, dict(own.params), own.weight, own.reason, nanoseconds, own.shares, own.attempts)


def count_nanoseconds(state: Portfolio, choice: Choice, n: int) -> None:
    """Let looks cost what the solvers state when a run has made more than a few evaluations of n stages each."""
    if sum(member.looks for member in state.members) > FEW * n:
        state.few = False
        for member, one in zip(state.members, choice.turns, strict=True):
            member.nanoseconds = one.suitability.nanoseconds


def everyone(state: Portfolio) -> list[Member]:
    """Return all members, those that prove first."""
    provers = [prover for prover in (state.proof, state.attempt) if prover is not None]
    return provers + state.members


def is_due(state: Portfolio, prover: Member) -> bool:
    """Whether a proof is next: the cheap one at once, attempts between turns when the others have had their time."""
    if prover is state.proof or prover.started:
        return True
    between = state.turn.member < 0
    return between and (time_of_turns(state) >= state.next_attempt or all(member.done for member in state.members))


def time_of_turns(state: Portfolio) -> float:
    """Return the time of the turns so far."""
    return sum(member.time for member in state.members)


def first_attempt(one: Candidate) -> float:
    """Return the time of the others' turns after which a proof is attempted first."""
    return one.suitability.nanoseconds / one.suitability.weight


def improvement(before: float | None, after: float | None) -> float:
    """Return by how much a turn has improved the incumbent; the first incumbent is no improvement."""
    return 0.0 if before is None or after is None else after - before
