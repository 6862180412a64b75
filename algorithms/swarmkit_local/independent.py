"""Stages that do not interact, examined side by side: which rows that takes, and which of them are best."""

from __future__ import annotations

from itertools import pairwise

import numpy as np

from swarmkit import Floats, Ints, Solutions


def both_directions(links: Ints) -> Ints:
    """Return links in both directions, sorted.

    >>> both_directions(np.array([[2, 0]])).tolist()
    [[0, 2], [2, 0]]
    """
    return np.unique(np.vstack([links, links[:, ::-1]]), axis=0)


def linked_to(neighbours: Ints, i: int) -> Ints:
    """Return the stages that interact with a stage, from the links in both directions."""
    begin, end = np.searchsorted(neighbours[:, 0], [i, i + 1])
    return neighbours[begin:end, 1]


def independent(queue: Ints, neighbours: Ints, sizes: Ints, rows: int) -> Ints:
    """Return the first queued stages that do not interact, as many as have candidates for a number of rows.

    Args:
        queue: stages.
        neighbours: the links in both directions.
        sizes: the candidates of each stage of the problem.
        rows: the rows after which no further stage is taken.
    """
    taken: list[int] = []
    blocked = np.zeros(len(sizes), bool)
    for i in queue.tolist():
        if not blocked[i]:
            taken.append(i)
            blocked[linked_to(neighbours, i)] = True
            rows -= int(sizes[i]) - 1
        if rows <= 0:
            break
    return np.array(taken, np.int64)


def other_candidates(group: Ints, x: Solutions, sizes: Ints) -> tuple[Ints, Ints]:
    """Return every candidate of the stages of a group that differs from the current one, with its stage.

    >>> [part.tolist() for part in other_candidates(np.array([0, 2]), np.array([1, 0, 0]), np.array([3, 2, 2]))]
    [[0, 0, 2], [0, 2, 1]]
    """
    others = sizes[group] - 1
    stages = np.repeat(group, others)
    places = np.arange(len(stages)) - np.repeat(np.cumsum(others) - others, others)
    return stages, places + (places >= x[stages])


def best_rows(stages: Ints, scores: Floats) -> Ints:
    """Return the row with the highest score of each stage; rows of a stage follow each other.

    >>> best_rows(np.array([4, 4, 7]), np.array([1.0, 3.0, 2.0])).tolist()
    [1, 2]
    """
    starts = [*np.flatnonzero(np.diff(stages, prepend=-1)).tolist(), len(stages)]
    return np.array([a + int(scores[a:b].argmax()) for a, b in pairwise(starts)], np.int64)


def joined(queue: Ints, more: list[Ints], n: int) -> Ints:
    """Return a queue with further stages at its end, each once.

    >>> joined(np.array([3, 1]), [np.array([1, 2]), np.array([2, 0])], 4).tolist()
    [3, 1, 2, 0]
    """
    held = np.zeros(n, bool)
    held[queue] = True
    parts = [queue]
    for stages in more:
        parts.append(stages[~held[stages]])
        held[stages] = True
    return np.concatenate(parts)
