"""Stages that take their best candidates: one after another in a sweep, and in groups that do not interact."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from swarmkit import Ints, Problem, Solutions, evaluate
from swarmkit_local.independent import best_rows, independent, joined, linked_to, other_candidates
from swarmkit_local.phases import DONE, KICK, NOTHING, ROWS, TABLES, first_slots

if TYPE_CHECKING:
    from swarmkit_local.linkage import Linkage


def examine(search: Linkage, problem: Problem, i: int) -> int:
    """Let a stage take its best candidate; return the rows, one for each other candidate."""
    first, m = first_slots(problem)[i], int(problem.sizes[i])
    others = np.delete(np.arange(m), search.x[i])
    if m == 1:
        return 0
    scores = evaluate(problem, _changed(search, i, others))
    gains = np.zeros(m)
    gains[others] = scores - search.score
    best = int(gains.argmax())
    if gains[best] > search.tolerance:
        search.x[i], search.score = best, float(scores[others == best][0])
        gains -= gains[best]
    search.gains[first : first + m] = gains
    return m - 1


def _changed(search: Linkage, i: int, candidates: Ints) -> Solutions:
    """Return the solution with each of some candidates at a stage, a row for each."""
    X = np.tile(search.x, (len(candidates), 1))
    X[:, i] = candidates
    return X


def climb(search: Linkage, problem: Problem, count: int) -> int:
    """Score candidates of a group of queued stages; when all are known, let the stages take the best ones.

    Returns:
        the rows that were scored.
    """
    sizes = np.asarray(problem.sizes, np.int64)
    if len(search.group) == 0:
        search.group = independent(search.queue, search.neighbours, sizes, ROWS)
    stages, candidates = other_candidates(search.group, search.x, sizes)
    known = len(search.group_scores)
    rows = slice(known, min(len(stages), known + count))
    X = np.tile(search.x, (rows.stop - known, 1))
    X[np.arange(len(X)), stages[rows]] = candidates[rows]
    if len(X):
        search.group_scores = np.append(search.group_scores, evaluate(problem, X))
    moved = _move_group(search, problem, stages, candidates) if rows.stop == len(stages) else 0
    if len(search.queue) == 0:
        search.at, search.pairs = 0, np.empty(0)
        if len(search.before):
            _judge(search)
        elif search.score > search.passed:  # tests may have missed what interacts: examine all stages again
            search.passed, search.queue = search.score, np.arange(len(search.x))
        else:
            search.phase = TABLES if len(search.links) else DONE
    return len(X) + moved


def _move_group(search: Linkage, problem: Problem, stages: Ints, candidates: Ints) -> int:
    """Let the stages of the group take their best candidates, and queue what interacts with those that moved.

    If several moves together are worse than the best of them, an interaction was missed: only that one is made, and
    the others are queued again.

    Returns:
        the rows that were scored.
    """
    scores, first = search.group_scores, first_slots(problem)
    search.gains[first[search.group] + search.x[search.group]] = 0.0
    search.gains[first[stages] + candidates] = scores - search.score
    best = best_rows(stages, scores)
    best = best[scores[best] > search.score + search.tolerance]
    waiting = np.setdiff1d(search.queue, search.group, assume_unique=True)
    rows = 0
    if len(best) > 1:
        x, rows = search.x.copy(), 1
        x[stages[best]] = candidates[best]
        together, top = float(evaluate(problem, x[None])[0]), best[scores[best].argmax()]
        if together >= scores[top]:
            search.x, search.score = x, together
        else:
            waiting = np.append(waiting, np.setdiff1d(stages[best], [stages[top]]))
            best = np.array([top])
    if len(best) == 1:
        search.x[stages[best]], search.score = candidates[best], float(scores[best[0]])
    for i, row in zip(stages[best].tolist(), best.tolist(), strict=True):
        search.gains[first[i] : first[i] + int(problem.sizes[i])] -= search.gains[first[i] + candidates[row]]
    search.queue = joined(waiting, [linked_to(search.neighbours, int(i)) for i in stages[best]], len(search.x))
    search.group, search.group_scores = NOTHING.copy(), np.empty(0)
    return rows


def _judge(search: Linkage) -> None:
    """Return to the solution before the kick if that was better."""
    if search.before_score > search.score:
        search.x, search.score = search.before, search.before_score
    search.before, search.before_score, search.phase = NOTHING.copy(), -np.inf, KICK
