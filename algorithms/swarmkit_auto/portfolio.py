"""The solvers at work in a run of `auto`: when a proof is due, and what `--explain` shows of them."""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import pairwise

from swarmkit import ChosenSolver, Explanation, SharesAt, Solutions
from swarmkit_auto.choice import Candidate, Choice
from swarmkit_auto.turns import FIRST_TURN, Member, Turn

ROUNDING = 1e-9
"""A bound this close to the best score, relative to its size, is reached."""

EVALUATION = 100.0
"""Time (ns) of a look in every solver where evaluations are all that counts: then looks stand for evaluations."""

SHORT_RUN = 30_000
"""Evaluations up to which they are all that counts, however fast: a run that makes more has evaluations to spare."""

POINTS = 64
"""The most entries of the history of shares."""

ROWS = 12
"""The most points at which shares are shown."""


@dataclass
class Portfolio:
    """The solvers at work."""

    members: list[Member]
    """The solvers that take turns."""
    proof: Member | None
    """The solver that is run first, because it proves the optimum with little work."""
    attempt: Member | None
    """The solver that attempts a proof between the turns of the others."""
    next_attempt: float
    """Time of the members' turns at which the next attempt begins."""
    turn: Turn = field(default_factory=Turn)
    turn_time: float = FIRST_TURN
    """Time of the next turn."""
    history: list[list[int]] = field(default_factory=list)
    """The looks of each member at the ends of turns, thinned if there are many."""
    idle: int = 0
    """Turns since the incumbent was last improved."""
    leader: int | None = None
    """The member that has all turns as long as it improves the incumbent quickly; None when all take turns."""
    led_from: float | None = None
    """The score at the end of the leader's first turn."""
    short: bool = False
    """Whether evaluations are all that counts because few have been made."""
    warm: bool = False
    """Whether the run was started with solutions."""
    best: Solutions | None = None
    """The incumbent."""
    score: float | None = None
    bound: float | None = None
    """An upper bound on all scores, as far as one is proved."""

    @property
    def at_optimum(self) -> bool:
        """Whether the incumbent is known to be an optimum."""
        if self.bound is None or self.score is None:
            return False
        return self.bound <= self.score + ROUNDING * max(1.0, abs(self.score))


def new_member(candidate: Candidate, by_evaluations: bool = False) -> Member:
    """Return the member for a solver; where evaluations are all that counts, looks cost the same in every solver."""
    name, fit = candidate
    nanoseconds = EVALUATION if by_evaluations else fit.nanoseconds
    habits = fit.shares, fit.attempts, fit.takes_turns
    return Member(name, dict(fit.params), fit.weight, fit.reason, nanoseconds, *habits)


def count_nanoseconds(state: Portfolio, choice: Choice, n: int) -> None:
    """Let looks cost what the solvers state when a run has made more than a few evaluations of n stages each."""
    if sum(member.looks for member in state.members) > SHORT_RUN * n:
        state.short = False
        for member, candidate in zip(state.members, choice.turns, strict=True):
            member.nanoseconds = candidate.suitability.nanoseconds


def all_members(state: Portfolio) -> list[Member]:
    """Return all members, those that prove first."""
    provers = [prover for prover in (state.proof, state.attempt) if prover is not None]
    return provers + state.members


def is_due(state: Portfolio, prover: Member) -> bool:
    """Whether a proof is next: the cheap one at once, attempts between turns when the others have had their time."""
    between = state.turn.member < 0
    if prover is state.proof and prover.takes_turns:
        behind = prover.looks <= sum(member.looks for member in state.members)
        return between and (behind or all(member.done for member in state.members))
    if prover is state.proof or prover.started:
        return True
    return between and (time_of_turns(state) >= state.next_attempt or all(member.done for member in state.members))


def time_of_turns(state: Portfolio) -> float:
    """Return the time of the turns so far."""
    return sum(member.time for member in state.members)


def record_looks(state: Portfolio) -> None:
    """Add the looks so far to the history; when it is full, drop every second entry."""
    if len(state.history) >= POINTS:
        del state.history[::2]
    state.history.append([member.looks for member in state.members])


def explain(state: Portfolio, choice: str) -> Explanation:
    """Return the choice with the work of each solver; shares are of those that take turns, not of proofs."""
    total = time_of_turns(state) or 1.0
    return Explanation(
        choice=choice,
        solvers=[
            ChosenSolver(
                solver=member.solver,
                params=member.params,
                reason=member.reason,
                looks=member.looks,
                share=None if member is state.proof or member is state.attempt else member.time / total,
                improvements=member.improvements,
            )
            for member in all_members(state)
            if member.started or member.looks
        ],
        shares=shares_over_time(state.members, state.history),
    )


def shares_over_time(members: list[Member], history: list[list[int]]) -> list[SharesAt]:
    """Return the shares between some points of the history, about equally many turns apart."""
    rows = [[0] * len(members), *history]
    every = max(1, -(-(len(rows) - 1) // ROWS))
    points = [rows[0], *rows[every:-1:every], rows[-1]] if len(rows) > 1 else []
    intervals = []
    for before, after in pairwise(points):
        times = [(b - a) * member.nanoseconds for a, b, member in zip(before, after, members, strict=True)]
        total = sum(times) or 1.0
        shares = {member.solver: time / total for member, time in zip(members, times, strict=True)}
        intervals.append(SharesAt(looks=sum(after), shares=shares))
    return intervals
