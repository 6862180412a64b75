"""Which stages interact: tests of neighbours, and of a stage against halves of those that follow it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from swarmkit import Ints, Problem, evaluate
from swarmkit_local.independent import both_directions
from swarmkit_local.phases import CLIMB, DONE, NEAR, SINGLE, SPLIT

if TYPE_CHECKING:
    from swarmkit_local.linkage import Linkage

TESTS = 20
"""The most tests of interaction, in multiples of the stages: where more are needed, all are taken to interact."""


def compare_neighbours(search: Linkage, problem: Problem, count: int) -> int:
    """Change stages one by one, then stages that follow each other together; return the rows that were scored."""
    n, end = len(search.x), len(search.x) - (search.phase == NEAR)
    stages = np.arange(search.at, min(end, search.at + count))
    if len(stages):
        X = np.tile(search.x, (len(stages), 1))
        rows = np.arange(len(stages))
        X[rows, stages] = _others(search, problem, stages)
        if search.phase == NEAR:
            X[rows, stages + 1] = _others(search, problem, stages + 1)
        gains = evaluate(problem, X) - search.score
        if search.phase == SINGLE:
            search.alone[stages] = gains
        else:
            linked = np.abs(gains - search.alone[stages] - search.alone[stages + 1]) > search.tolerance
            search.links = np.vstack([search.links, np.column_stack([stages, stages + 1])[linked]])
    search.at += len(stages)
    if search.at >= end:
        if search.phase == NEAR:
            places = np.flatnonzero(np.asarray(problem.sizes)[search.order[:-1]] > 1)
            search.tests = np.column_stack([search.order[places], places + 1, np.full_like(places, n)])
            search.wholes = len(places)
        search.phase, search.at = (NEAR if search.phase == SINGLE else SPLIT), 0
    return len(stages)


def split(search: Linkage, problem: Problem, count: int) -> int:
    """Test stages against those that follow, and the halves of parts that a stage interacts with.

    Returns:
        the rows that were scored.
    """
    n = len(search.x)
    tests = search.tests[search.at : search.at + count]
    near = search.links[search.links[:, 1] - search.links[:, 0] == 1]
    X = np.tile(search.x, (2 * len(tests), 1))
    for row, (i, begin, end) in enumerate(tests.tolist()):
        part = np.setdiff1d(search.order[begin:end], [i, *near[near[:, 0] == i, 1], *near[near[:, 1] == i, 0]])
        X[2 * row : 2 * row + 2, part] = _others(search, problem, part)
        X[2 * row + 1, i] = _others(search, problem, np.array([i]))[0]
    if len(tests):
        scores = evaluate(problem, X).reshape(-1, 2)
        found = np.abs(scores[:, 1] - scores[:, 0] - search.alone[tests[:, 0]]) > search.tolerance
        _halve(search, tests[found])
    search.at += len(tests)
    complete = search.at >= len(search.tests)
    if complete or _fewest_tests(search) > TESTS * n:
        search.links = np.unique(np.sort(search.links, axis=1), axis=0)
        search.neighbours = both_directions(search.links)
        search.phase, search.at, search.tests = (CLIMB if complete else DONE), 0, search.tests[:0]
        search.queue, search.passed = np.arange(n), search.score
    return len(X)


def _fewest_tests(search: Linkage) -> float:
    """Return a lower bound on all tests: half of the waiting halves interact, and are halved to single stages."""
    waiting = search.tests[search.at :]
    if search.at < search.wholes:
        return len(search.tests)
    return search.at + float((1 + np.log2(waiting[:, 2] - waiting[:, 1])).sum())


def _halve(search: Linkage, tests: Ints) -> None:
    """Add the halves of parts to the tests, and the links to parts of one stage."""
    single = tests[:, 2] - tests[:, 1] == 1
    search.links = np.vstack([search.links, np.column_stack([tests[single, 0], search.order[tests[single, 1]]])])
    i, begin, end = tests[~single].T
    middle = (begin + end) // 2
    halves = np.stack([np.column_stack([i, begin, middle]), np.column_stack([i, middle, end])], axis=1)
    search.tests = np.vstack([search.tests, halves.reshape(-1, 3)])


def _others(search: Linkage, problem: Problem, stages: Ints) -> Ints:
    """Return the candidates that tests change stages to; a stage without a choice keeps its own."""
    return np.where(np.asarray(problem.sizes)[stages] > 1, search.other[stages], search.x[stages])
