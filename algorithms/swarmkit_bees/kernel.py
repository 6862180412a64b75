"""Passes of a bee colony on tables, compiled: `swarmkit_bees.reference` with the same random numbers, only faster.

A call makes forward and backward passes until it has to pause; the workspace holds everything that the next call needs.
Paths are never copied. A backward pass records which bee each bee follows, and the best path is traced back at the end.
Every bee holds the candidates of its path only at those steps to which later steps have half-edges.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np
from numba import typeof, types
from numpy.typing import NDArray

from swarmkit import Floats, Ints, Pairwise, RngState
from swarmkit.kernels.compiling import (
    BOOL,
    FLOAT,
    FLOATS,
    GIVEN_FLOATS,
    GIVEN_INTS,
    INT,
    RNG_STATE,
    inlined,
    kernel,
)
from swarmkit.kernels.rng import below, uniform
from swarmkit.kernels.roulette import spin
from swarmkit.search import VisitingOrder
from swarmkit_bees.rules import Rules

Indices = NDArray[np.uint64]
"""Array indices are unsigned here: numba tests a signed one for being negative each time it is used."""

ZERO, ONE = np.uint64(0), np.uint64(1)
MAX, MIN_MAX, RAW = 0, 1, 2
"""The normalisations, in the order of `swarmkit_bees.rules.Normalise`."""
RANDOM, REPLACE, ORDER_OF_STAGE = 0, 1, 2
"""How tried candidates are picked, in the order of `swarmkit_bees.rules.Drawing`."""


class Tables(NamedTuple):
    """The tables of a pairwise problem."""

    sizes: Indices
    offsets: Indices
    unary: Floats
    flat: Floats


class Workspace(NamedTuple):
    """The memory of the iterations. "By step" is the order in which stages are visited."""

    position: Ints
    """How far the iteration is: see STEP, BEGIN, TURN, OPEN and PASSES; and GUIDED."""
    best: Ints
    """The best path so far, by stage; a given solution where GUIDED is set."""
    chosen: Indices
    """The candidate that each bee chose at each step (a row per step)."""
    held: Indices
    """The candidate at each step on the path that each bee has now (a row per step)."""
    followed: Ints
    """The bee that each bee followed, itself if it was loyal (a row per backward pass)."""
    open_steps: Ints
    """The steps before the last forward pass to which later steps have half-edges."""
    path: Indices
    """A path that was traced back, by step."""
    qualities: Floats
    normalised: Floats
    recruiters: Ints
    row: Indices
    """A copy of a row of `held`, while it is rewritten."""
    urn: Indices
    """The candidates of a stage, partly shuffled."""
    values: Floats
    """What each candidate of a stage adds."""
    weights: Floats
    """The weights on a roulette wheel of candidates or recruiters."""
    bases: Indices
    """For each half-edge of a step, where in `flat` the values beside the candidate held there begin."""


STEP, BEGIN, TURN, OPEN, PASSES, GUIDED = range(6)
"""The entries of `Workspace.position`: the next step (0: the bees are at the hive; n: their paths are complete), the
first step of the last forward pass, the number of backward passes in this iteration, the number of open steps, u, the
number of forward passes so far, and whether the first bee takes the candidates of the best path instead of drawing."""


class Pause(NamedTuple):
    """Where a call pauses: after the pass that takes these looks, or completes these iterations."""

    looks: int
    iterations: int


INDICES = types.uint64[::1]
GIVEN_INDICES = types.Array(types.uint64, 1, "C", readonly=True)
TABLES = types.NamedTuple((GIVEN_INDICES, GIVEN_INDICES, GIVEN_FLOATS, GIVEN_FLOATS), Tables)
ORDER = types.NamedTuple((*(GIVEN_INDICES,) * 6, GIVEN_FLOATS, GIVEN_INDICES), VisitingOrder)
RULES = typeof(Rules(1, 1).encoded())
PAUSE = types.NamedUniTuple(INT, 2, Pause)


def unsigned(given: Any) -> Any:
    """Return a named tuple of arrays as the kernel takes it: read-only, and integers as unsigned ones."""
    views = [part.view(np.uint64 if part.dtype == np.int64 else part.dtype) for part in given]
    for view in views:
        view.setflags(write=False)
    return type(given)._make(views)


def tables_of(form: Pairwise, unary: Floats) -> Tables:
    """Return the tables of a form, with these unary values, as the kernel takes them."""
    flat = form.flat if len(form.flat) else np.zeros(1)  # a step without half-edges reads one entry, times 0
    tables: Tables = unsigned(Tables(form.sizes, form.offsets, unary, flat))  # type: ignore[arg-type]  # still signed
    return tables


def new_workspace(n: int, bees: int, most: int, moves: int, degree: int) -> Workspace:
    """Return the memory for some bees, before the first iteration.

    Args:
        n: the number of stages that they visit.
        bees: the number of bees.
        most: the largest number of candidates at a stage.
        moves: NC, the moves per forward pass.
        degree: the largest number of half-edges of a stage.
    """
    return Workspace(
        position=np.zeros(6, np.int64),
        best=np.zeros(n, np.int64),
        chosen=np.zeros((n, bees), np.uint64),
        held=np.zeros((n, bees), np.uint64),
        followed=np.zeros((-(-n // moves), bees), np.int64),
        open_steps=np.zeros(n, np.int64),
        path=np.zeros(n, np.uint64),
        qualities=np.zeros(bees),
        normalised=np.zeros(bees),
        recruiters=np.zeros(bees, np.int64),
        row=np.zeros(bees, np.uint64),
        urn=np.zeros(most, np.uint64),
        values=np.zeros(most),
        weights=np.zeros(max(bees, most)),
        bases=np.zeros(degree, np.uint64),
    )


WORKSPACE = typeof(new_workspace(1, 1, 1, 1, 1))
"""Like RULES the type of an example, so that the fields are listed once."""


@inlined
def draw(weights: Floats, count: int, total: float, rng_state: RngState) -> Any:
    """Draw an index in proportion to its weight; any, if the total is 0."""
    if total > 0.0:
        return spin(weights, count, total, uniform(rng_state))
    return below(rng_state, count)


@inlined
def look_back(order: Any, workspace: Any, low: Any, high: Any, b: int) -> Any:
    """Find where in the tables the values beside bee b's path begin, for the half-edges low..high of a step.

    The first half-edge is returned as base, stride and weight, to be kept in registers: a chain has no other. The bases
    of the others go to the workspace.
    """
    held, start, other, bases = workspace.held, order.start, order.other, workspace.bases
    first = (ZERO, ZERO, 0.0)
    if low < high:
        first = (start[low] + held[order.earlier[low], b] * other[low], order.own[low], order.weight[low])
    for h in range(low + ONE, high):
        bases[h - low] = start[h] + held[order.earlier[h], b] * other[h]
    return first


@inlined
def added(tables: Any, order: Any, bases: Indices, step: Any, first: Any, c: Any) -> float:
    """Return what candidate c adds: its unary value, and its entry of every half-edge beside what is held there."""
    slot, _, low, high = step
    base, stride, factor = first
    value = tables.unary[slot + c]
    value += factor * tables.flat[base + c * stride]
    for h in range(low + ONE, high):
        value += order.weight[h] * tables.flat[bases[h - low] + c * order.own[h]]
    return value


@inlined
def step_at(tables: Any, order: Any, t: int) -> Any:
    """Return slot, number of candidates, and first and last half-edge of step t."""
    stage = order.order[t]
    return tables.offsets[stage], tables.sizes[stage], order.indptr[t], order.indptr[t + 1]


@inlined
def try_candidates(tables: Any, order: Any, workspace: Any, rules: Any, begin: int, end: int, rng_state: Any) -> int:
    """Make the moves of steps begin..end: try candidates until one reaches θ, or `tries` of them; take the best.

    Returns the looks.
    """
    urn, bases, looks = workspace.urn, workspace.bases, 0
    for t in range(begin, end):
        step = step_at(tables, order, t)
        _, m, low, high = step
        goal = rules.theta * np.int64(max(ONE, high - low))
        for place in range(m):
            urn[place] = place
        tries = rules.tries if rules.drawing == REPLACE else min(rules.tries, np.int64(m))
        for b in range(len(workspace.qualities)):
            first = look_back(order, workspace, low, high, b)
            choice, most, first_tried = ZERO, -np.inf, False
            for i in range(tries):
                if rules.drawing == RANDOM:
                    # The urn is not put in order again for the next bee: draws from it are random all the same.
                    left: Any = np.int64(m) - i
                    j = np.uint64(i + below(rng_state, left) if left > 1 else i)
                    c: Any = urn[j]
                    urn[j] = urn[i]
                    urn[i] = c
                else:
                    c = np.uint64(below(rng_state, np.int64(m)) if rules.drawing == REPLACE else i)
                value = added(tables, order, bases, step, first, c)
                looks += 1
                first_tried |= c == ZERO
                if rules.first_on_ties and value == most:
                    choice = min(choice, c)
                if value > most:  # apart from the line below, so that neither becomes a branch to guess wrong
                    choice = c
                most = max(most, value)
                if value >= goal:
                    break
            refused = rules.first_below_theta and most < goal
            if refused or (rules.first_on_ties and most <= 0.0 and not first_tried):  # nothing is similar: the first
                value = added(tables, order, bases, step, first, ZERO)
                looks += 1
                if refused or value >= most:
                    choice, most = ZERO, value
            workspace.chosen[t, b] = choice
            workspace.held[t, b] = choice
            workspace.qualities[b] += most
    return looks


@kernel(FLOAT(FLOATS, INT, FLOAT, FLOATS))
def raise_weights(values: Floats, count: int, sharpness: float, weights: Floats) -> float:
    """Set the weights of candidates of which some cost something, and return their sum: `formulas.wheel_weights`."""
    total, lowest, highest = 0.0, values[0], values[0]
    for c in range(count):
        lowest, highest = min(lowest, values[c]), max(highest, values[c])
    for c in range(count):
        weights[c] = (highest / values[c]) ** sharpness if highest < 0.0 else values[c] - lowest
        total += weights[c]
    return total


@kernel(INT(FLOATS, INT, FLOAT, FLOATS, RNG_STATE))
def draw_costly(values: Floats, count: int, sharpness: float, weights: Floats, rng_state: RngState) -> int:
    """Draw a candidate where some cost something. Not inlined: that would slow down the loop for those that do not."""
    return draw(weights, count, raise_weights(values, count, sharpness, weights), rng_state)


@inlined
def draw_candidates(tables: Any, order: Any, workspace: Any, rules: Any, begin: int, end: int, rng_state: Any) -> int:
    """Make the moves of steps begin..end: draw candidates in proportion to what they add. Returns the looks.

    A guided first bee takes the candidates of the best path.
    """
    values, looks = workspace.values, 0
    for t in range(begin, end):
        step = step_at(tables, order, t)
        _, m, low, high = step
        count: Any = np.int64(m)
        for b in range(len(workspace.qualities)):
            first = look_back(order, workspace, low, high, b)
            lowest, total = 0.0, 0.0
            for c in range(m):
                value = added(tables, order, workspace.bases, step, first, c)
                values[c] = value
                total += value
                if value < lowest:
                    lowest = value
            looks += count
            if b == 0 and workspace.position[GUIDED]:
                choice = np.uint64(workspace.best[order.order[t]])
            elif lowest < 0.0:
                choice = np.uint64(draw_costly(values, count, rules.sharpness, workspace.weights, rng_state))
            else:
                choice = np.uint64(draw(values, count, total, rng_state))
            workspace.chosen[t, b] = choice
            workspace.held[t, b] = choice
            workspace.qualities[b] += values[choice]
    return looks


@inlined
def leave_hive(tables: Any, order: Any, workspace: Any, rules: Any, hive: Ints, rng_state: Any) -> int:
    """Begin an iteration: place every bee at its candidate of the hive, if it has one, and return the looks.

    Which bee begins where is drawn: of equally good bees the one of lowest number advertises and wins.
    """
    position, looks, places = workspace.position, 0, workspace.recruiters
    if hive[0] >= 0:
        for b in range(len(hive)):
            j = below(rng_state, b + 1)
            places[b] = places[j]
            places[j] = hive[b]
    position[BEGIN] = position[TURN] = position[OPEN] = 0
    if rules.reset_passes:
        position[PASSES] = 0
    for b in range(len(hive)):
        workspace.qualities[b] = 0.0
        if hive[b] >= 0:
            workspace.chosen[0, b] = workspace.held[0, b] = np.uint64(places[b])
            workspace.qualities[b] = tables.unary[tables.offsets[order.order[0]] + np.uint64(places[b])]
            position[STEP] = 1
            looks += 1
    return looks


@inlined
def forward_pass(tables: Any, order: Any, workspace: Any, rules: Any, rng_state: Any) -> int:
    """Move all bees on by `rules.moves` steps, or to the last step, and return the looks."""
    begin = workspace.position[STEP]
    end = min(len(order.order), begin + rules.moves)
    if rules.tries:
        looks = try_candidates(tables, order, workspace, rules, begin, end, rng_state)
    else:
        looks = draw_candidates(tables, order, workspace, rules, begin, end, rng_state)
    workspace.position[STEP] = end
    workspace.position[PASSES] += 1
    return looks


@inlined
def normalise(qualities: Floats, how: int, out: Floats) -> None:
    """Normalise qualities into `out`: `formulas.normalised`."""
    low, high = qualities[0], qualities[0]
    for quality in qualities:
        low, high = min(low, quality), max(high, quality)
    floor = low if how == MIN_MAX else min(0.0, low)
    if how == MIN_MAX and high == low:
        for b in range(len(qualities)):
            out[b] = 1.0
        return
    scale = 1.0 if how == RAW or high <= floor else high - floor
    for b in range(len(qualities)):
        out[b] = (qualities[b] - floor) / scale


@inlined
def loyalty(quality: float, best: float, passes: int) -> float:
    """Return the probability that a bee keeps its path: `formulas.loyalty`. Eq. (2)."""
    return math.exp(-(best - quality) / passes)


@inlined
def best_bees(qualities: Floats, wanted: int, out: Ints) -> int:
    """Write the best bees into `out`, best first, the earlier of equals first; return how many there are."""
    count = 0
    for b in range(len(qualities)):
        if count == wanted and qualities[b] <= qualities[out[count - 1]]:
            continue
        place = count if count < wanted else count - 1
        count = min(wanted, count + 1)
        while place > 0 and qualities[out[place - 1]] < qualities[b]:
            out[place] = out[place - 1]
            place -= 1
        out[place] = b
    return count


@inlined
def advertise(normalised: Floats, recruiters: Ints, count: int, weights: Floats) -> float:
    """Put the first recruiters on the roulette wheel by their normalised quality, and return the sum. Eq. (3)."""
    total = 0.0
    for k in range(count):
        weights[k] = normalised[recruiters[k]]
        total += weights[k]
    return total


@inlined
def choose_leaders(workspace: Any, rules: Any, turn: int, rng_state: Any) -> None:
    """Decide which bee each bee follows: loyal ones themselves, the others a recruiter.

    Args:
        workspace: `followed[turn]` is written, and `qualities` where they are taken over.
        rules: the colony's.
        turn: number of backward passes before this one.
        rng_state: the random state.
    """
    passes = workspace.position[PASSES]
    qualities, normalised, recruiters = workspace.qualities, workspace.normalised, workspace.recruiters
    followed, weights = workspace.followed, workspace.weights
    bees, count, best = len(qualities), 0, -np.inf
    normalise(qualities, rules.normalise, normalised)
    for b in range(bees):
        best = max(best, normalised[b])
    for b in range(bees):
        followed[turn, b] = -1
        if uniform(rng_state) < loyalty(normalised[b], best, passes):
            followed[turn, b] = b
            recruiters[count] = b  # if every loyal bee recruits; the best is always one
            count += 1
    if rules.recruiters:
        count = best_bees(qualities, bees if rules.in_sequence else rules.recruiters, recruiters)
        count = min(count, rules.recruiters)
    total = advertise(normalised, recruiters, count, weights)
    for place in range(bees):
        b = recruiters[place] if rules.in_sequence else place
        if followed[turn, b] < 0:
            leader = recruiters[draw(weights, count, total, rng_state)]
            # In sequence, a recruiter that has decided already may have another's path; the others still have theirs.
            followed[turn, b] = followed[turn, leader] if rules.in_sequence and followed[turn, leader] >= 0 else leader
    if rules.take_quality:
        for b in range(bees):
            normalised[b] = qualities[b]  # a copy: a recruiter's own quality may be overwritten before it is read
        for b in range(bees):
            qualities[b] = normalised[followed[turn, b]]


@inlined
def take_over(workspace: Any, last: Indices, turn: int, t: Any) -> None:
    """Let followers hold what the bees that they follow hold, at the open steps.

    Steps that no step from t on has a half-edge to are dropped.
    """
    open_steps, held, followed, row = workspace.open_steps, workspace.held, workspace.followed, workspace.row
    remaining = 0
    for k in range(workspace.position[OPEN]):
        s = open_steps[k]
        if last[s] >= t:
            open_steps[remaining] = s
            remaining += 1
            for b in range(len(row)):
                row[b] = held[s, b]
            for b in range(len(row)):
                held[s, b] = row[followed[turn, b]]
    workspace.position[OPEN] = remaining


@inlined
def backward_pass(workspace: Any, last: Indices, rules: Any, rng_state: Any) -> None:
    """Let the bees compare their paths; a bee that is not loyal takes over a recruiter's."""
    position, open_steps = workspace.position, workspace.open_steps
    t, turn, count = position[STEP], position[TURN], position[OPEN]
    for s in range(position[BEGIN], t):
        if last[s] >= t:
            open_steps[count] = s
            count += 1
    position[OPEN] = count
    choose_leaders(workspace, rules, turn, rng_state)
    take_over(workspace, last, turn, t)
    position[TURN] = turn + 1
    position[BEGIN] = t


@kernel(types.void(WORKSPACE, INT, INT))
def trace_back(workspace: Any, b: int, moves: int) -> None:
    """Trace a bee's complete path from its last forward pass back to the first, into `workspace.path`."""
    begin, end, turn = workspace.position[BEGIN], len(workspace.path), workspace.position[TURN]
    while True:
        for s in range(begin, end):
            workspace.path[s] = workspace.chosen[s, b]
        if turn == 0:
            break
        turn -= 1
        b = workspace.followed[turn, b]
        end, begin = begin, begin - moves if turn else 0


@kernel(FLOAT(TABLES, ORDER, INDICES))
def score_of(tables: Any, order: Any, path: Indices) -> float:
    """Return the score of a path."""
    score = 0.0
    for t in range(len(path)):
        score += tables.unary[tables.offsets[order.order[t]] + path[t]]
        for h in range(order.indptr[t], order.indptr[t + 1]):
            beside = path[order.earlier[h]] * order.other[h]
            score += order.weight[h] * tables.flat[order.start[h] + path[t] * order.own[h] + beside]
    return score


@kernel(types.Tuple((FLOAT, BOOL))(TABLES, ORDER, WORKSPACE, RULES, FLOAT))
def end_iteration(tables: Any, order: Any, workspace: Any, rules: Any, record: float) -> Any:
    """End an iteration: the best bee's path goes to `workspace.best` if it betters the record.

    Returns the record afterwards, and whether the rules end the search.
    """
    qualities, leader = workspace.qualities, 0
    for b in range(len(qualities)):
        if qualities[b] > qualities[leader]:
            leader = b
    score = qualities[leader]
    ended = score <= rules.beta
    if not rules.take_quality or score > record:
        trace_back(workspace, leader, rules.moves)
    if not rules.take_quality:  # a bee's quality is not that of the path it took over
        score = score_of(tables, order, workspace.path)
    ended |= score - record <= rules.tolerance
    if score > record:
        record = score
        for t in range(len(workspace.path)):
            workspace.best[order.order[t]] = workspace.path[t]
    workspace.position[STEP] = 0
    return record, ended


@kernel(
    types.Tuple((FLOAT, INT, INT, BOOL))(TABLES, ORDER, WORKSPACE, RULES, GIVEN_INTS, PAUSE, FLOAT, RNG_STATE),
)
def advance(
    tables: Any, order: Any, workspace: Any, rules: Any, hive: Ints, pause: Pause, record: float, rng_state: RngState
) -> Any:
    """Make forward and backward passes until a pause, from where the last call paused.

    Args:
        tables: the problem.
        order: the order of the steps.
        workspace: the bees; `best` is the best path so far, written if it is better than the record.
        rules: the colony's.
        hive: each bee's candidate at the first step (-1: it chooses there too).
        pause: where to pause; at least one pass is made.
        record: the best score so far.
        rng_state: the random state.

    Returns:
        the record afterwards, the looks, the iterations that ended, and whether the rules ended the search.
    """
    n, position, looks, made, ended = len(order.order), workspace.position, 0, 0, False
    while looks < pause.looks and made < pause.iterations and not ended:
        if position[STEP] < n:
            if position[STEP] == 0:
                looks += leave_hive(tables, order, workspace, rules, hive, rng_state)
            looks += forward_pass(tables, order, workspace, rules, rng_state)
            if position[STEP] < n:
                backward_pass(workspace, order.last, rules, rng_state)
                continue
            if rules.hands_over:
                break
            if not rules.take_quality and looks >= pause.looks:
                break  # the path of the best bee has yet to be scored
        record, ended = end_iteration(tables, order, workspace, rules, record)
        made += 1
        if not rules.take_quality:
            looks += n
    return record, looks, made, ended
