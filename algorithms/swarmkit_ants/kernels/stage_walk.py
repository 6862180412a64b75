"""Ants that build solutions stage by stage, by pheromone.

On tables they go by what candidates add to the score as well; with pheromone between candidates, in an order of their
choice.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from numba import types
from numpy.typing import NDArray

from swarmkit import Bools, Floats, Ints, RngState
from swarmkit.kernels.compiling import (
    BOOL,
    FLOAT,
    FLOAT_ROWS,
    FLOATS,
    HALF_EDGES,
    INT,
    INT_ROWS,
    INTS,
    READONLY_FLOATS,
    READONLY_INTS,
    RNG_STATE,
    Index,
    kernel,
)
from swarmkit.kernels.rng import below, uniform
from swarmkit.kernels.roulette import spin

FAINTEST = 0.05
"""The least η as a share of the best candidate's: what is never chosen could never be reinforced."""


class Tables(NamedTuple):
    """The tables of a problem: slots of the stages, unary values, half-edges, and what these read."""

    offsets: Ints
    unary: Floats
    half_edges: Any
    flat: Floats


class Batch(NamedTuple):
    """The solutions of an iteration, one a row, and what the ants that build them need."""

    X: NDArray[Any]
    scores: Floats
    busy: Bools
    """Whether an ant has taken each candidate; of no candidates where stages need not differ."""
    values: Floats
    weights: Floats


TABLES = types.NamedTuple((READONLY_INTS, READONLY_FLOATS, HALF_EDGES, READONLY_FLOATS), Tables)
BATCH = types.NamedTuple((INT_ROWS, FLOATS, BOOL[:, ::1], FLOATS, FLOATS), Batch)


@kernel(types.void(TABLES, INTS, INT, FLOATS), inline=True)
def marginal_scores(tables: Any, x: Ints, stage: Index, values: Floats) -> None:
    """Write what each candidate of a stage adds to the score beside the stages that have chosen (x is not -1)."""
    half, flat = tables.half_edges, tables.flat
    unary = tables.unary[tables.offsets[stage] : tables.offsets[stage + 1]]
    for c in range(len(values)):
        values[c] = unary[c]
    for h in range(half.indptr[stage], half.indptr[stage + 1]):
        choice = x[half.neighbour[h]]
        if choice < 0:
            continue
        first, weight, stride = half.start[h] + choice * half.far_stride[h], half.weight[h], half.stride[h]
        if stride == 1:  # the same loop, but contiguous: vectorised
            row = flat[first : first + len(values)]
            for c in range(len(values)):
                values[c] += weight * row[c]
        else:
            for c in range(len(values)):
                values[c] += weight * flat[first + c * stride]


@kernel(types.void(FLOATS, FLOATS, FLOATS, FLOAT), inline=True)
def weigh(values: Floats, strength: Floats, weights: Floats, beta: float) -> None:
    """Write the candidates' weights strength·η^beta: η is 1 for the best value and `FAINTEST` for the worst."""
    lowest = highest = values[0]
    for c in range(1, len(values)):
        lowest, highest = min(lowest, values[c]), max(highest, values[c])
    extent = highest - lowest
    for c in range(len(values)):
        eta = max((values[c] - lowest) / extent, FAINTEST) if extent > 0.0 else 1.0
        heuristic = eta if beta == 1.0 else (eta * eta if beta == 2.0 else eta**beta)
        weights[c] = heuristic * strength[c]


@kernel(types.void(TABLES, FLOATS, FLOAT, BATCH, RNG_STATE))
def build_solutions(tables: Any, strength: Floats, beta: float, batch: Any, rng_state: RngState) -> None:
    """Let every ant build a solution, from a random stage round to it, the same for all; `strength` is τ^alpha.

    What a solution's candidates add beside those chosen before sums up to its score. The ants go side by side, stage by
    stage, so that each part of the tables is fetched once for all of them.
    """
    X, scores, busy, (ants, n) = batch.X, batch.scores, batch.busy, batch.X.shape
    distinct = busy.shape[1] > 0
    scores[:] = 0.0
    X[:] = -1
    busy[:] = False
    first = below(rng_state, n)
    for step in range(n):
        stage = first + step if first + step < n else first + step - n
        begin, end = tables.offsets[stage], tables.offsets[stage + 1]
        size = end - begin
        values, weights = batch.values[:size], batch.weights[:size]
        for row in range(ants):
            marginal_scores(tables, X[row], stage, values)
            weigh(values, strength[begin:end], weights, beta)
            if distinct:
                for c in range(size):
                    weights[c] = 0.0 if busy[row, c] else weights[c]
            X[row, stage] = choice = spin(weights, size, weights.sum(), uniform(rng_state))
            scores[row] += values[choice]
            if distinct:
                busy[row, choice] = True


@kernel(INT(FLOAT_ROWS, READONLY_INTS, INT_ROWS, BOOL[::1], FLOATS, RNG_STATE))
def build_tours(
    weights: Floats, stage_of: Ints, tours: Ints, visited: Bools, open_weights: Floats, rng_state: RngState
) -> Any:
    """Let every ant build a tour of slots, and return the looks.

    Args:
        weights: τ^alpha·η^beta between any two slots.
        stage_of: the stage of each slot.
        tours: a row for each ant: the slots that it visits, one of every stage, in this order.
        visited: memory, for each stage.
        open_weights: memory, for each slot.
        rng_state: the random state.
    """
    slots, (ants, n), looks = len(stage_of), tours.shape, 0
    for ant in range(ants):
        visited[:] = False
        tours[ant, 0] = here = below(rng_state, slots)
        visited[stage_of[here]] = True
        for step in range(1, n):
            for slot in range(slots):
                open_weights[slot] = 0.0 if visited[stage_of[slot]] else weights[here, slot]
                looks += 0 if visited[stage_of[slot]] else 1
            tours[ant, step] = here = spin(open_weights, slots, open_weights.sum(), uniform(rng_state))
            visited[stage_of[here]] = True
    return looks + ants
