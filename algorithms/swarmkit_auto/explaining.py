"""What `--explain` shows: the choice, and the shares of the solvers over time."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from swarmkit import ChosenSolver, Explanation, SharesAt
from swarmkit_auto.turns import History, Member

ROWS = 12
"""The most points at which shares are shown."""


def explain(choice: str, all_members: Sequence[Member], turns: Sequence[Member], history: History) -> Explanation:
    """Return the choice with the work of each solver.

    Args:
        choice: what was chosen and why, as a sentence.
        all_members: all solvers, those that prove included.
        turns: the solvers that take turns, whose looks the history has.
        history: their looks at the ends of turns.
    """
    begun = [member for member in all_members if member.started or member.looks]
    total = sum(member.time for member in turns) or 1.0
    return Explanation(
        choice=choice,
        solvers=[
            ChosenSolver(
                solver=member.solver,
                params=member.params,
                reason=member.reason,
                looks=member.looks,
                share=member.time / total if any(member is one for one in turns) else None,
                improvements=member.improvements,
            )
            for member in begun
        ],
        shares=_over_time(turns, history),
    )


def _over_time(turns: Sequence[Member], history: History) -> list[SharesAt]:
    """Return the shares between some points of the history, about equally many turns apart."""
    rows = [[0] * len(turns), *history.looks]
    every = max(1, -(-(len(rows) - 1) // ROWS))
    points = [rows[0], *rows[every:-1:every], rows[-1]] if len(rows) > 1 else []
    found = []
    for before, after in pairwise(points):
        times = [(b - a) * member.nanoseconds for a, b, member in zip(before, after, turns, strict=True)]
        total = sum(times) or 1.0
        shares = {member.solver: time / total for member, time in zip(turns, times, strict=True)}
        found.append(SharesAt(looks=sum(after), shares=shares))
    return found
