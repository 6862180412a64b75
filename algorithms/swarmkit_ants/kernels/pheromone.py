"""Evaporation and deposit of pheromone on the edges of tours, and the weights that follow from it."""

from __future__ import annotations

from typing import Any, NamedTuple

from numba import types

from swarmkit import Ints
from swarmkit.kernels.compiling import BOOL, FLOAT, FLOAT_ROWS, INT, INTS, NEAR, Index, kernel
from swarmkit_ants.pheromone_table import PheromoneTable

WEIGHTS = types.float32[:, ::1]
PHEROMONE_TABLE = types.NamedTuple((NEAR, FLOAT_ROWS, FLOAT_ROWS, WEIGHTS), PheromoneTable)


class Change(NamedTuple):
    """What happens to the pheromone τ of an edge: it becomes keep·τ + amount."""

    keep: float
    amount: float
    symmetric: bool
    """Whether an edge of a tour is both directions of it."""


class Weighting(NamedTuple):
    """How weights follow from pheromone: the exponent alpha, and the limits that pheromone is kept within."""

    alpha: float
    lowest: float
    highest: float


CHANGE = types.NamedTuple((FLOAT, FLOAT, BOOL), Change)
WEIGHTING = types.NamedUniTuple(FLOAT, 3, Weighting)


@kernel(types.void(PHEROMONE_TABLE, INT, INT, CHANGE), inline=True)
def change_edge(table: Any, a: Index, b: Index, change: Any) -> None:
    """Change the pheromone of the edge from a to b, if b is one of a's nearest."""
    near, pheromone = table.near, table.pheromone
    for j in range(near.shape[1]):
        if near[a, j] == b:
            pheromone[a, j] = change.keep * pheromone[a, j] + change.amount
            break


@kernel(types.void(PHEROMONE_TABLE, INTS, CHANGE))
def change_edges(table: Any, tour: Ints, change: Any) -> None:
    """Change the pheromone of a tour's edges, as far as they lead to one of a city's nearest."""
    n = len(tour)
    for at in range(n):
        a, b = tour[at], tour[at + 1 - n]
        change_edge(table, a, b, change)
        if change.symmetric:
            change_edge(table, b, a, change)


@kernel(types.void(PHEROMONE_TABLE, WEIGHTING))
def compute_weights(table: Any, weighting: Any) -> None:
    """Clip all pheromone to its limits and compute the weights τ^alpha·η^β."""
    pheromone, heuristic, weights = table.pheromone, table.heuristic, table.weights
    alpha, lowest, highest = weighting.alpha, weighting.lowest, weighting.highest
    for i in range(pheromone.shape[0]):
        for j in range(pheromone.shape[1]):
            pheromone[i, j] = min(max(pheromone[i, j], lowest), highest)
            weights[i, j] = (pheromone[i, j] if alpha == 1.0 else pheromone[i, j] ** alpha) * heuristic[i, j]


@kernel(types.void(PHEROMONE_TABLE, INTS, CHANGE, WEIGHTING))
def update_pheromone(table: Any, tour: Ints, change: Any, weighting: Any) -> None:
    """Keep a share of all pheromone, add the amount on a tour's edges, and compute the weights."""
    pheromone = table.pheromone
    for i in range(pheromone.shape[0]):
        for j in range(pheromone.shape[1]):
            pheromone[i, j] *= change.keep
    change_edges(table, tour, Change(1.0, change.amount, change.symmetric))
    compute_weights(table, weighting)
