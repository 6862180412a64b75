"""The elite of a tabu search: its best local optima, between which paths lead."""

from __future__ import annotations

from typing import Any, NamedTuple

from numba import types

from swarmkit import Floats, Ints
from swarmkit.kernels.compiling import BOOL, FLOAT, FLOATS, INT, INT_ROWS, INTS, Index, copy, kernel


class Elite(NamedTuple):
    """Good solutions that all differ, and the room to compare two."""

    members: Ints
    """The solutions, one a row."""
    scores: Floats
    tally: Ints
    """The number of members, and how many solutions in a row have been turned away."""
    overlap: Ints
    """Where candidates are interchangeable (colours): a row and a column for each. Empty elsewhere."""
    label: Ints
    """The candidate that stands for each one of another solution."""


ELITE = types.NamedTuple((INT_ROWS, FLOATS, INTS, INT_ROWS, INTS), Elite)


@kernel(INT(INTS, INTS))
def distance(x: Ints, y: Ints) -> int:
    """Return the number of stages at which two solutions differ."""
    total = 0
    for i in range(len(x)):
        total += x[i] != y[i]
    return total


@kernel(types.void(INTS, INTS, ELITE))
def relabel(x: Ints, y: Ints, elite: Any) -> None:
    """Rename the interchangeable candidates of y, in place, so that it agrees with x at many stages.

    The pair of candidates that agree most often is matched first.
    """
    overlap, label = elite.overlap, elite.label
    k = len(overlap)
    for a in range(k):
        label[a] = -1
        for b in range(k):
            overlap[a, b] = 0
    for i in range(len(x)):
        overlap[y[i], x[i]] += 1
    for _ in range(k):
        first, second, most = 0, 0, -1
        for a in range(k):
            if label[a] < 0:
                for b in range(k):
                    if overlap[a, b] > most:
                        first, second, most = a, b, overlap[a, b]
        label[first] = second
        for a in range(k):
            overlap[a, second] = -1
    for i in range(len(x)):
        y[i] = label[y[i]]


@kernel(BOOL(ELITE, INTS, INTS, FLOAT))
def join(elite: Any, x: Ints, room: Ints, score: float) -> bool:
    """Let a solution join if it is new, and there is room or a member that is worse; return whether it does.

    Args:
        elite: the elite; changed in place.
        x: the solution.
        room: a row to compare in.
        score: the score of x.
    """
    members, scores, tally = elite.members, elite.scores, elite.tally
    worst = 0
    tally[1] += 1
    for k in range(tally[0]):
        copy(members[k], room)
        if len(elite.overlap):
            relabel(x, room, elite)
        if distance(room, x) == 0:
            return False
        if scores[k] < scores[worst]:
            worst = k
    if tally[0] < len(members):
        worst = tally[0]
        tally[0] += 1
    elif score <= scores[worst]:
        return False
    copy(x, members[worst])
    scores[worst] = score
    tally[1] = 0
    return True


@kernel(INT(ELITE))
def best_member(elite: Any) -> Index:
    """Return the number of the best member."""
    best = 0
    for k in range(1, elite.tally[0]):
        if elite.scores[k] > elite.scores[best]:
            best = k
    return best


@kernel(types.void(ELITE))
def dissolve(elite: Any) -> None:
    """Dismiss all members but the best."""
    best = best_member(elite)
    copy(elite.members[best], elite.members[0])
    elite.scores[0] = elite.scores[best]
    elite.tally[0], elite.tally[1] = 1, 0
