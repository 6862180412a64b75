"""Iterated local search on the gain table: kick a few stages, climb from what that changed, undo if it did not pay.

The climb examines queued stages only: what the kick touched, and the neighbours of what has changed since. Moves are
logged, and an unsuccessful round is undone. So a round costs what it changes, not the size of the problem.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from numba import types

from swarmkit import Floats, Ints, Links, RngState
from swarmkit.kernels.compiling import (
    FLOAT,
    FLOATS,
    GIVEN_INTS,
    INT,
    INT_ROWS,
    INTS,
    LINKS,
    RNG_STATE,
    Index,
    copy,
    kernel,
)
from swarmkit.kernels.gain_table import CURRENT, gain, move
from swarmkit.kernels.icm import best_candidate
from swarmkit.kernels.rng import below


class Neighbourhood(NamedTuple):
    """The neighbours of each stage (CSR), and the stages that have a choice."""

    indptr: Ints
    neighbour: Ints
    free: Ints


class Workspace(NamedTuple):
    """The queue of stages to examine, and the log of moves; empty between rounds."""

    queue: Ints
    """A ring buffer."""
    queued: Ints
    """Whether each stage is in the queue."""
    ends: Ints
    """How many stages have left the queue, and how many have entered it."""
    log: Ints
    """Stage and former candidate of each move; a full log ends a climb."""


class Incumbent(NamedTuple):
    """The best solution met, the current score and the best, and the random numbers."""

    best: Ints
    scores: Floats
    rng_state: RngState


NEIGHBOURHOOD = types.NamedUniTuple(GIVEN_INTS, 3, Neighbourhood)
WORKSPACE = types.NamedTuple((INTS, INTS, INTS, INT_ROWS), Workspace)
INCUMBENT = types.NamedTuple((INTS, FLOATS, RNG_STATE), Incumbent)


@kernel(types.void(WORKSPACE, INT), inline=True)
def enqueue(workspace: Any, i: Index) -> None:
    """Queue a stage, once."""
    if not workspace.queued[i]:
        workspace.queued[i] = 1
        workspace.queue[workspace.ends[1] % len(workspace.queue)] = i
        workspace.ends[1] += 1


@kernel(types.void(NEIGHBOURHOOD, WORKSPACE, INT))
def enqueue_around(around: Any, workspace: Any, i: Index) -> None:
    """Queue a stage and its neighbours."""
    enqueue(workspace, i)
    for h in range(around.indptr[i], around.indptr[i + 1]):
        enqueue(workspace, around.neighbour[h])


@kernel(types.Tuple((FLOAT, INT))(LINKS, NEIGHBOURHOOD, CURRENT, WORKSPACE, INT, FLOAT, RNG_STATE))
def kick(
    links: Links, around: Any, current: Any, workspace: Any, strength: int, score: float, rng_state: RngState
) -> Any:
    """Let 1 to `strength` stages take random other candidates, each a neighbour of the one before.

    Changes near each other can add up to what no single move reaches. A stage without a choice is replaced by any
    other that has one. Queues what changed, and what is around it.

    Returns:
        The score after the kick (`score` is that before), and the number of moves, all logged.
    """
    offsets, indptr, free, x, holder = links.offsets, around.indptr, around.free, current.x, current.holder
    i = free[below(rng_state, len(free))]
    changes = 1 + below(rng_state, strength)
    for logged in range(changes):
        c = below(rng_state, offsets[i + 1] - offsets[i] - 1)
        c += c >= x[i]
        score += gain(links, current, i, c)
        workspace.log[logged, 0], workspace.log[logged, 1] = i, x[i]
        if len(holder) and holder[c] >= 0:
            enqueue_around(around, workspace, holder[c])
        move(links, current, i, c)
        enqueue_around(around, workspace, i)
        if indptr[i + 1] > indptr[i]:
            i = around.neighbour[indptr[i] + below(rng_state, indptr[i + 1] - indptr[i])]
        if offsets[i + 1] - offsets[i] == 1:
            i = free[below(rng_state, len(free))]
    return score, changes


@kernel(types.Tuple((FLOAT, INT, INT))(LINKS, NEIGHBOURHOOD, CURRENT, WORKSPACE, INT, RNG_STATE))
def climb(links: Links, around: Any, current: Any, workspace: Any, logged: int, rng_state: RngState) -> Any:
    """Let each queued stage take its best candidate, and queue what is around it, until the queue is empty.

    Returns:
        The total gain, the looks, and the number of moves in the log (`logged` is that before).
    """
    queue, ends, log, x, holder = workspace.queue, workspace.ends, workspace.log, current.x, current.holder
    total, looks, each = 0.0, 0, 2 if len(holder) else 1
    while ends[0] < ends[1]:
        i = queue[ends[0] % len(queue)]
        ends[0] += 1
        workspace.queued[i] = 0
        if logged == len(log):
            continue
        c, g = best_candidate(links, current, i, rng_state)
        looks += each * (links.offsets[i + 1] - links.offsets[i])
        if c >= 0:
            log[logged, 0], log[logged, 1] = i, x[i]
            logged += 1
            j = holder[c] if len(holder) else -1
            move(links, current, i, c)
            total += g
            enqueue_around(around, workspace, i)
            if j >= 0:
                enqueue_around(around, workspace, j)
    return total, looks, logged


@kernel(types.Tuple((INT, INT))(LINKS, NEIGHBOURHOOD, CURRENT, INCUMBENT, WORKSPACE, INT, INT))
def iterate(
    links: Links, around: Any, current: Any, incumbent: Any, workspace: Any, strength: int, enough: int
) -> tuple[int, int]:
    """Kick and climb, and undo what ends in a worse score, until `enough` looks are spent.

    Args:
        links: the half-edges of the tables.
        around: the neighbours of each stage.
        current: the current solution with its gain table.
        incumbent: the best solution, and both scores.
        workspace: an empty queue, and a log with room for at least `strength` moves.
        strength: the most stages that a kick changes.
        enough: the looks after which no new round begins.

    Returns:
        The looks, and the number of rounds.
    """
    looks, rounds, each = 0, 0, 2 if len(current.holder) else 1
    scores, ends, log, rng_state = incumbent.scores, workspace.ends, workspace.log, incumbent.rng_state
    while looks < enough:
        rounds += 1
        ends[0] = ends[1] = 0
        now, changes = kick(links, around, current, workspace, strength, scores[0], rng_state)
        gained, climbing, logged = climb(links, around, current, workspace, changes, rng_state)
        now += gained
        looks += each * changes + climbing
        if now >= scores[0]:
            scores[0] = now
            if now > scores[1]:
                scores[1] = now
                copy(current.x, incumbent.best)
        else:
            for back in range(logged - 1, -1, -1):
                move(links, current, log[back, 0], log[back, 1])
    return looks, rounds
