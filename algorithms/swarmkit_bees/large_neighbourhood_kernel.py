"""Large neighbourhood search on tables without constraints: compiled passes, and sweeps on the gain table.

All of it works on the gain table (`swarmkit.kernels.gain_table`), so a segment costs what its stages cost.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from numba import types

from swarmkit import Floats, Ints, Links, RngState, Solutions
from swarmkit.kernels.compiling import BOOL, FLOATS, INT, INT_ROWS, INTS, LINKS, READONLY_INTS, RNG_STATE, kernel
from swarmkit.kernels.gain_table import CURRENT, Current, gain, move, move_to
from swarmkit.kernels.icm import BEGIN, best_candidate, next_sweep
from swarmkit_bees.kernel import WORKSPACE, best_bees, trace_back


class Climbing(NamedTuple):
    """The paths that climb, the best solutions, and the gain table."""

    order: Ints
    """The stages of the segment, by step."""
    paths: Solutions
    """The paths by step, a row for each."""
    sweep: Ints
    """The stages of the segment in the order of the sweep."""
    at: Ints
    """The path that climbs, BEGIN before its first sweep and 0 later, and whether a stage has moved."""
    best: Solutions
    """The last of the best solutions, by stage."""
    first_best: Solutions
    """The first of them."""
    scores: Floats
    """The score of the solution that climbs, and the best."""
    current: Current
    """The solution that climbs, outside of the segment the best one, and its gain table."""


CLIMBING = types.NamedTuple((INTS, INT_ROWS, *(INTS,) * 4, FLOATS, CURRENT), Climbing)


@kernel(types.void(LINKS, READONLY_INTS, READONLY_INTS, FLOATS))
def release(links: Links, x: Solutions, stages: Ints, values: Floats) -> None:
    """Take what the candidates of some stages add off the values of their neighbours' slots.

    Args:
        links: the tables.
        x: a solution.
        stages: the stages that are open from now on.
        values: the value of every slot beside the solution; afterwards, beside its stages that are not open.
    """
    indptr, runs, weights, flat = links.indptr, links.runs, links.weights, links.flat
    for i in stages:
        for r in range(indptr[i], indptr[i + 1]):
            to, length, start, stride, far_stride = runs[r, 0], runs[r, 1], runs[r, 2], runs[r, 3], runs[r, 4]
            for d in range(length):
                values[to + d] -= weights[r] * flat[start + x[i] * stride + d * far_stride]


@kernel(types.void(WORKSPACE, INT, INT_ROWS))
def recruiters_paths(workspace: Any, moves: int, paths: Solutions) -> None:
    """Write the complete paths of the recruiters into rows, by step, best first.

    Args:
        workspace: the memory of passes of bees that have left a hive.
        moves: NC, the moves per forward pass.
        paths: a row for each recruiter; there are at least as many bees.
    """
    best_bees(workspace.qualities, len(paths), workspace.recruiters)
    for r in range(len(paths)):
        trace_back(workspace, workspace.recruiters[r], moves, 1)
        for t in range(len(workspace.path)):
            paths[r, t] = workspace.path[t]


@kernel(types.void(LINKS, CLIMBING))
def take_path(links: Links, climbing: Any) -> None:
    """Let the current solution take the path whose turn it is, and update its score."""
    current, path = climbing.current, climbing.paths[climbing.at[0]]
    for t in range(len(path)):
        i = climbing.order[t]
        if current.x[i] != path[t]:
            climbing.scores[0] += gain(links, current, i, path[t])
            move(links, current, i, path[t])


@kernel(types.void(CLIMBING), inline=True)
def keep_if_no_worse(climbing: Any) -> None:
    """Make the current solution the best if it is no worse."""
    x, scores = climbing.current.x, climbing.scores
    if scores[0] > scores[1]:
        for i in range(len(x)):
            climbing.first_best[i] = x[i]
    if scores[0] >= scores[1]:
        scores[1] = scores[0]
        for i in climbing.order:  # elsewhere they are the same
            climbing.best[i] = x[i]


@kernel(types.UniTuple(INT, 2)(LINKS, CLIMBING, BOOL, RNG_STATE, INT))
def climb(links: Links, climbing: Any, improve: bool, rng_state: RngState, count: int) -> Any:
    """Improve path after path to a local optimum by iterated conditional modes, and keep it if it is no worse.

    After the last path the current solution is the best one again.

    Args:
        links: the tables.
        climbing: the paths, the best solutions and the gain table.
        improve: whether paths are improved on the stages of the segment, or only scored.
        rng_state: the random state.
        count: the most sweeps, the first of a path with its score; paths, if they are only scored.

    Returns:
        The looks, and the sweeps.
    """
    at, sweep, current, looks, sweeps = climbing.at, climbing.sweep, climbing.current, 0, 0
    while at[0] < len(climbing.paths) and sweeps < count:
        sweeps += 1
        if at[1] == BEGIN:
            take_path(links, climbing)
            keep_if_no_worse(climbing)
            looks += len(sweep)
            if not improve:  # local_search=none: a path is done when it is scored
                at[0] += 1
                continue
            next_sweep(at, sweep, rng_state)
        for i in sweep:
            c, gain_of_c = best_candidate(links, current, i, rng_state)
            looks += links.offsets[i + 1] - links.offsets[i]
            if c >= 0:
                move(links, current, i, c)
                climbing.scores[0] += gain_of_c
                at[2] = 1
        next_sweep(at, sweep, rng_state)
        if at[1] == BEGIN:
            keep_if_no_worse(climbing)
    if at[0] == len(climbing.paths):
        move_to(links, current, climbing.best)
        climbing.scores[0] = climbing.scores[1]
    return looks, sweeps
