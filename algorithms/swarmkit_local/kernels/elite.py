"""The elite of a tabu search: its best local optima, between which paths lead."""

from __future__ import annotations

from typing import Any

from numba import types

from swarmkit import Ints
from swarmkit.kernels.compiling import BOOL, FLOAT, INT, INTS, copy, kernel
from swarmkit_local.kernels.tabu_moves import SEARCH


@kernel(INT(INTS, INTS))
def distance(x: Ints, y: Ints) -> int:
    """Return the number of stages at which two solutions differ."""
    total = 0
    for i in range(len(x)):
        total += x[i] != y[i]
    return total


@kernel(types.void(INTS, INTS, SEARCH))
def relabel(x: Ints, y: Ints, search: Any) -> None:
    """Rename the candidates of y, in place, so that it agrees with x at many stages, if they are interchangeable.

    The pair of candidates that agree most often is matched first.
    """
    overlap, label = search.overlap, search.label
    k = len(overlap)
    if k == 0:
        return
    label[:] = -1
    overlap[:] = 0
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
        overlap[:, second] = -1
    for i in range(len(x)):
        y[i] = label[y[i]]


@kernel(BOOL(SEARCH, INTS, INTS, FLOAT))
def join(search: Any, x: Ints, room: Ints, score: float) -> bool:
    """Let a solution join if it is new, and there is room or a member that is worse; return whether it does.

    Args:
        search: the state of the search, the elite of which is changed.
        x: the solution.
        room: a row to compare in.
        score: the score of x.
    """
    members, scores, tally = search.members, search.member_scores, search.tally
    worst = 0
    tally[1] += 1
    for k in range(tally[0]):
        copy(members[k], room)
        relabel(x, room, search)
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


@kernel(types.void(SEARCH))
def dissolve(search: Any) -> None:
    """Dismiss all members but the best."""
    best = search.member_scores[: search.tally[0]].argmax()
    copy(search.members[best], search.members[0])
    search.member_scores[0] = search.member_scores[best]
    search.tally[0], search.tally[1] = 1, 0
