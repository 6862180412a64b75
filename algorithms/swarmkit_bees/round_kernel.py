"""What a round does besides the passes, compiled: stages set free, and climbs from the paths of the recruiters.

All of it works on the gain table (`swarmkit.kernels.gain_table`), so a round costs what its stages cost.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from numba import types

from swarmkit import Floats, Ints, Links, RngState, Solutions
from swarmkit.kernels.compiling import (
    BOOL,
    FLOATS,
    GIVEN_INTS,
    INT,
    INT_ROWS,
    INTS,
    LINKS,
    RNG_STATE,
    copy,
    kernel,
)
from swarmkit.kernels.gain_table import CURRENT, gain, move
from swarmkit.kernels.icm import BEGIN, best_candidate, next_sweep
from swarmkit_bees.kernel import RULES, WORKSPACE, best_bees, trace_back


class Climbing(NamedTuple):
    """The paths that climb, and the best solutions."""

    order: Ints
    """The stages of the round, by step."""
    paths: Solutions
    """The paths by step, a row for each."""
    sweep: Ints
    """The stages of the round in the order of the sweep."""
    at: Ints
    """The path that climbs, the stages of this sweep that are done, and whether one moved; BEGIN stages: a new path."""
    best: Solutions
    """The last of the best solutions, by stage."""
    found: Solutions
    """The first of them."""
    scores: Floats
    """The score of the solution that climbs, and the best."""


CLIMBING = types.NamedTuple((INTS, INT_ROWS, INTS, INTS, INTS, INTS, FLOATS), Climbing)


@kernel(types.void(LINKS, GIVEN_INTS, GIVEN_INTS, FLOATS))
def set_free(links: Links, x: Solutions, stages: Ints, values: Floats) -> None:
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
            to, length, start, own, other = runs[r, 0], runs[r, 1], runs[r, 2], runs[r, 3], runs[r, 4]
            for d in range(length):
                values[to + d] -= weights[r] * flat[start + x[i] * own + d * other]


@kernel(INT(WORKSPACE, RULES, INT_ROWS))
def recruiters_paths(workspace: Any, rules: Any, paths: Solutions) -> int:
    """Write the complete paths of the recruiters into rows, by step, best first; return how many differ."""
    count, different = best_bees(workspace.qualities, len(paths), workspace.recruiters), 0
    for r in range(count):
        trace_back(workspace, workspace.recruiters[r], rules.moves)
        for t in range(len(workspace.path)):
            paths[different, t] = workspace.path[t]
        known = False
        for earlier in range(different):
            same = True
            for t in range(len(workspace.path)):
                same &= paths[earlier, t] == paths[different, t]
            known |= same
        if not known:
            different += 1
    return different


@kernel(types.void(LINKS, CURRENT, CLIMBING))
def take_path(links: Links, current: Any, climbing: Any) -> None:
    """Let the current solution take the path whose turn it is, and update its score."""
    path = climbing.paths[climbing.at[0]]
    for t in range(len(path)):
        i = climbing.order[t]
        if current.x[i] != path[t]:
            climbing.scores[0] += gain(links, current, i, path[t])
            move(links, current, i, path[t])


@kernel(types.void(CURRENT, CLIMBING), inline=True)
def keep_if_no_worse(current: Any, climbing: Any) -> None:
    """Make the current solution the best if it is no worse."""
    if climbing.scores[0] > climbing.scores[1]:
        copy(current.x, climbing.found)
    if climbing.scores[0] >= climbing.scores[1]:
        climbing.scores[1] = climbing.scores[0]
        for i in climbing.order:
            climbing.best[i] = current.x[i]


@kernel(INT(LINKS, CURRENT, CLIMBING, BOOL, RNG_STATE, INT))
def climb(links: Links, current: Any, climbing: Any, sweeps: bool, rng_state: RngState, enough: int) -> int:
    """Score every path, improve it to a local optimum and keep it if it is no worse, until `enough` looks are spent.

    Args:
        links: the tables.
        current: the solution that climbs; outside of the round's stages it is the best one.
        climbing: the paths and the best solutions.
        sweeps: whether paths are improved (iterated conditional modes on the stages of the round), or only scored.
        rng_state: the random state.
        enough: the looks after which to pause.

    Returns:
        The looks.
    """
    at, sweep, k, looks = climbing.at, climbing.sweep, len(climbing.order), 0
    while at[0] < len(climbing.paths) and looks < enough:
        if at[1] == BEGIN:
            take_path(links, current, climbing)
            keep_if_no_worse(current, climbing)
            looks += k
            if not sweeps:
                at[0] += 1
                continue
            next_sweep(at, sweep, rng_state)
        while at[1] < k and looks < enough:
            i = sweep[at[1]]
            c, gained = best_candidate(links, current, i, rng_state)
            looks += links.offsets[i + 1] - links.offsets[i]
            if c >= 0:
                move(links, current, i, c)
                climbing.scores[0] += gained
                at[2] = 1
            at[1] += 1
        if at[1] == k:
            next_sweep(at, sweep, rng_state)
            if at[1] == BEGIN:
                keep_if_no_worse(current, climbing)
    return looks
