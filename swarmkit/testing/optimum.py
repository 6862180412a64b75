"""The best score of a small problem: of tours by dynamic programming, of other problems by enumeration."""

from __future__ import annotations

import itertools

import numpy as np

from swarmkit.contract.arrays import Floats
from swarmkit.contract.problem import Problem
from swarmkit.contract.validation import evaluate, judge

ENUMERATED_CITIES = 7
"""Tours of more cities have too many orders to enumerate in every check."""


def best_score(problem: Problem) -> float | None:
    """Return the best score of all feasible solutions; None if there is none.

    Independent parts are solved one by one.
    """
    if problem.parts:
        scores = [best_score(part.problem) for part in problem.parts]
        return None if None in scores else float(sum(score for score in scores if score is not None))
    tour = problem.structure.tour
    if tour is not None and len(tour.cost) > ENUMERATED_CITIES:
        return tour.constant - shortest_tour(tour.cost)
    return _by_enumeration(problem)


def shortest_tour(cost: Floats) -> float:
    """Return the length of the shortest tour, symmetric or not. M. Held, R.M. Karp (1962), J. SIAM 10, 196-210.

    `length[S, b]` is the length of the shortest path from city 0 through all cities of the set S that ends at city b.

    >>> shortest_tour(np.array([[0.0, 1, 9], [9, 0, 1], [1, 9, 0]]))
    3.0

    Args:
        cost: the cost of the edge from each city (row) to each other (column).
    """
    cities = len(cost) - 1  # but city 0, where every tour begins
    length = np.full((1 << cities, cities), np.inf)
    length[1 << np.arange(cities), np.arange(cities)] = cost[0, 1:]
    for visits in range(1, 1 << cities):
        for city in range(cities):
            rest = visits & ~(1 << city)
            if rest != visits and rest:
                length[visits, city] = (length[rest] + cost[1:, city + 1]).min()
    return float((length[-1] + cost[1:, 0]).min())


def _by_enumeration(problem: Problem) -> float | None:
    sizes = problem.sizes
    every = (
        itertools.permutations(range(sizes[0]), len(sizes))
        if problem.distinct
        else itertools.product(*map(range, sizes))
    )
    X = np.array(list(every), np.int64)
    X = X[judge(problem, X)]
    return float(evaluate(problem, X).max()) if len(X) else None
