"""Passes of a bee colony on tables, compiled: `swarmkit_bees.dbees` tells their story.

Paths are never copied. A backward pass records which bee each bee follows, and the best path is traced back at the end.
Every bee holds the candidates of its path only at those steps to which later steps have half-edges. "Step" is here the
position of a stage in the order in which the bees visit the stages.
"""

from __future__ import annotations

from functools import cache, cached_property
from typing import Any, NamedTuple

import numpy as np
from numba import typeof, types
from numpy.typing import NDArray

from swarmkit import Floats, Ints, Links, Pairwise, RngState, Solutions
from swarmkit.kernels.compiling import (
    BOOL,
    FLOAT,
    FLOATS,
    INT,
    READONLY_FLOATS,
    READONLY_INTS,
    RNG_STATE,
    inlined,
    kernel,
)
from swarmkit.kernels.rng import below, uniform
from swarmkit.kernels.roulette import draw
from swarmkit.search import VisitingOrder, links_of
from swarmkit_bees import rules as formulas
from swarmkit_bees.rules import RANDOM, REPLACE, Plan, Rules
from swarmkit_bees.state import PASSES, Colony, check_state, frames_of

loyalty, recruiting = inlined(formulas.loyalty), inlined(formulas.recruiting)
normalised, cheapness = inlined(formulas.normalised), inlined(formulas.cheapness)

Indices = NDArray[np.uint64]
"""Array indices are unsigned here: numba tests a signed one for being negative each time it is used."""

ZERO, UNIT = np.uint64(0), np.uint64(1)


class Tables(NamedTuple):
    """The tables of a pairwise problem."""

    offsets: Indices
    unary: Floats
    flat: Floats


class Workspace(NamedTuple):
    """The memory of the passes."""

    best: Ints
    """The best path of the iterations, by stage."""
    guide: Ints
    """The candidates that the first bee takes instead of drawing, by stage; -1: it draws."""
    passes: Ints
    """u: the number of forward passes so far (one entry)."""
    choices: Indices
    """The candidate that each bee chose at each step (a row per step)."""
    current: Indices
    """The candidate at each step on the path that each bee has now (a row per step)."""
    leaders: Ints
    """The bee that each bee followed, itself if it was loyal (a row per backward pass)."""
    open_steps: Ints
    """The steps before the last forward pass to which later steps have half-edges."""
    path: Indices
    """A path that was traced back, by step."""
    qualities: Floats
    normalised: Floats
    recruiters: Ints
    row: Indices
    """A copy of a row of `current`, while it is rewritten."""
    urn: Indices
    """The candidates of a stage, partly shuffled."""
    values: Floats
    """What each candidate of a stage adds."""
    weights: Floats
    """The weights on a roulette wheel of candidates or recruiters."""
    bases: Indices
    """For each half-edge of a step, where in `flat` the values beside the candidate held there begin."""


def new_workspace(form: Pairwise, plan: Plan, guide: Solutions) -> Workspace:
    """Return the memory of passes by a plan, before the first."""
    k, bees, moves = len(plan.order), len(plan.starts), plan.rules.moves
    width, degree = int(form.sizes.max()), int(np.diff(form.half_edges.indptr).max(initial=1))
    return Workspace(
        best=np.zeros(len(form.sizes), np.int64),
        guide=guide,
        passes=np.zeros(1, np.int64),
        choices=np.zeros((k, bees), np.uint64),
        current=np.zeros((k, bees), np.uint64),
        leaders=np.zeros((-(-k // moves), bees), np.int64),
        open_steps=np.zeros(k, np.int64),
        path=np.zeros(k, np.uint64),
        qualities=np.zeros(bees),
        normalised=np.zeros(bees),
        recruiters=np.zeros(bees, np.int64),
        row=np.zeros(bees, np.uint64),
        urn=np.zeros(width, np.uint64),
        values=np.zeros(width),
        weights=np.zeros(max(bees, width)),
        bases=np.zeros(degree, np.uint64),
    )


EXAMPLE = Pairwise.of([2], unary=[0.0, 0.0])
"""Tables whose types stand for those of all, so that fields are listed once."""

INDICES = types.uint64[::1]
READONLY_INDICES = types.Array(types.uint64, 1, "C", readonly=True)
TABLES = types.NamedTuple((READONLY_INDICES, READONLY_FLOATS, READONLY_FLOATS), Tables)
VISITS = types.NamedTuple((*(INDICES,) * 6, FLOATS, INDICES), VisitingOrder)
HALF_EDGES = types.NamedTuple((*(READONLY_INDICES,) * 5, READONLY_FLOATS), type(EXAMPLE.half_edges))
RULES = typeof(Rules(1, 1))
WORKSPACE = typeof(new_workspace(EXAMPLE, Plan(np.zeros(1, int), np.zeros(1, int), Rules(1, 1)), np.zeros(1, int)))


@kernel(types.void(HALF_EDGES, INDICES, VISITS))
def look_up_half_edges(half: Any, step: Indices, visits: Any) -> None:
    """Find the half-edges of each step that lead back to earlier steps: `swarmkit.search.VisitingOrder` in place.

    Args:
        half: the half-edges of all stages.
        step: for each stage a number that no step has; the same afterwards.
        visits: `order` says which stages are visited; the other fields are written.
    """
    absent, count = step[visits.order[0]], ZERO
    # O(half-edges of the visited stages), not of all: a segment is looked up each time it is rebuilt.
    for t in range(len(visits.order)):
        step[visits.order[t]] = visits.last[t] = np.uint64(t)
    for t in range(len(visits.order)):
        stage = visits.order[t]
        visits.indptr[t] = count
        for h in range(half.indptr[stage], half.indptr[stage + UNIT]):
            s = step[half.neighbour[h]]
            if s < np.uint64(t):  # stages that are not visited have a number above all steps
                visits.earlier[count] = s
                visits.start[count], visits.stride[count], visits.far_stride[count] = (
                    half.start[h],
                    half.stride[h],
                    half.far_stride[h],
                )
                visits.weight[count] = half.weight[h]
                visits.last[s] = np.uint64(t)
                count += UNIT
    visits.indptr[len(visits.order)] = count
    for stage in visits.order:  # for the next plan
        step[stage] = absent


@inlined
def look_back(visits: Any, workspace: Any, low: Any, high: Any, b: int) -> Any:
    """Find where in the tables the values beside bee b's path begin, for the half-edges low..high of a step.

    The first half-edge is returned as base, stride and weight, to be kept in registers: a chain has no other. The bases
    of the others go to the workspace.
    """
    current, start, far_stride, bases = workspace.current, visits.start, visits.far_stride, workspace.bases
    first = (ZERO, ZERO, 0.0)
    if low < high:
        first = (start[low] + current[visits.earlier[low], b] * far_stride[low], visits.stride[low], visits.weight[low])
    for h in range(low + UNIT, high):
        bases[h - low] = start[h] + current[visits.earlier[h], b] * far_stride[h]
    return first


@inlined
def added_value(tables: Any, visits: Any, bases: Indices, step: Any, first: Any, c: Any) -> float:
    """Return what candidate c adds: its unary value, and its entry of every half-edge beside what is held there."""
    slot, _, low, high, _ = step
    base, stride, factor = first
    value = tables.unary[slot + c]
    value += factor * tables.flat[base + c * stride]
    for h in range(low + UNIT, high):
        value += visits.weight[h] * tables.flat[bases[h - low] + c * visits.stride[h]]
    return value


@inlined
def step_at(tables: Any, visits: Any, t: int) -> Any:
    """Return slot, number of candidates, first and last half-edge, and stage of step t."""
    stage = visits.order[t]
    slot = tables.offsets[stage]
    return slot, tables.offsets[stage + UNIT] - slot, visits.indptr[t], visits.indptr[t + 1], stage


@inlined
def try_candidates(tables: Any, visits: Any, workspace: Any, rules: Any, step: Any, b: int, rng_state: Any) -> Any:
    """Let bee b try candidates until one reaches θ, or `tries` of them; return the best, what it adds, the looks."""
    urn, bases = workspace.urn, workspace.bases
    _, m, low, high, _ = step
    if b == 0:  # the bees of a step share the urn
        for place in range(m):
            urn[place] = place
    first = look_back(visits, workspace, low, high, b)
    goal = rules.theta * np.int64(max(UNIT, high - low))  # θ is a mean over the assigned neighbours
    tries = rules.tries if rules.drawing == REPLACE else min(rules.tries, np.int64(m))
    choice, highest, looks, first_in_tries = ZERO, -np.inf, 0, False
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
        value = added_value(tables, visits, bases, step, first, c)
        looks += 1
        first_in_tries |= c == ZERO
        if rules.first_on_ties and value == highest:
            choice = min(choice, c)
        if value > highest:  # apart from the line below, so that neither becomes a branch to guess wrong
            choice = c
        highest = max(highest, value)
        if value >= goal:
            break
    below_goal = rules.first_below_theta and highest < goal
    if below_goal or (rules.first_on_ties and highest <= 0.0 and not first_in_tries):  # nothing is similar: the first
        value = added_value(tables, visits, bases, step, first, ZERO)
        looks += 1
        if below_goal or value >= highest:
            choice, highest = ZERO, value
    return choice, highest, looks


@kernel(INT(FLOATS, INT, FLOAT, FLOATS, RNG_STATE))
def draw_costly(values: Floats, count: int, sharpness: float, weights: Floats, rng_state: RngState) -> int:
    """Draw a candidate where some cost something, by the weights of `bco.wheel_weights`, which are written.

    Not inlined: that would slow down the loop for those that do not.
    """
    total, lowest, highest = 0.0, values[0], values[0]
    for c in range(count):
        lowest, highest = min(lowest, values[c]), max(highest, values[c])
    for c in range(count):
        weights[c] = cheapness(values[c], highest, sharpness) if highest < 0.0 else values[c] - lowest
        total += weights[c]
    return draw(weights, count, total, rng_state)


@inlined
def draw_candidate(tables: Any, visits: Any, workspace: Any, rules: Any, step: Any, b: int, rng_state: Any) -> Any:
    """Let bee b draw a candidate in proportion to what it adds; return the candidate, what it adds, and the looks.

    The first bee takes the candidates of its guide, if it has one.
    """
    values, lowest, total = workspace.values, 0.0, 0.0
    _, m, low, high, stage = step
    count, first = np.int64(m), look_back(visits, workspace, low, high, b)
    for c in range(m):
        value = added_value(tables, visits, workspace.bases, step, first, c)
        values[c] = value
        total += value  # the roulette wheel's total, unless some candidates cost something
        if value < lowest:
            lowest = value
    if b == 0 and workspace.guide[stage] >= 0:
        choice = np.uint64(workspace.guide[stage])
    elif lowest < 0.0:
        choice = np.uint64(draw_costly(values, count, rules.sharpness, workspace.weights, rng_state))
    else:
        choice = np.uint64(draw(values, count, total, rng_state))
    return choice, values[choice], count


@inlined
def forward_pass(
    choose: Any, tables: Any, visits: Any, workspace: Any, rules: Any, begin: int, end: int, rng_state: Any
) -> int:
    """Make the moves of steps begin..end: every bee chooses a candidate, and adds what that adds. Returns the looks."""
    looks = 0
    for t in range(begin, end):
        step = step_at(tables, visits, t)
        for b in range(len(workspace.qualities)):
            choice, value, count = choose(tables, visits, workspace, rules, step, b, rng_state)
            workspace.choices[t, b] = workspace.current[t, b] = choice
            workspace.qualities[b] += value
            looks += count
    return looks


@inlined
def leave_hive(tables: Any, visits: Any, workspace: Any, starts: Ints, rng_state: Any) -> int:
    """Place every bee at its candidate of the hive, if it has one, and return the steps made: 1, or 0 without a hive.

    Which bee begins where is drawn: of equally good bees the one of lowest number advertises and wins.
    """
    places, qualities = workspace.recruiters, workspace.qualities
    qualities[:] = 0.0
    if starts[0] < 0:
        return 0
    for b in range(len(starts)):  # a random permutation, built from the inside out (Fisher and Yates)
        j = below(rng_state, b + 1)
        places[b] = places[j]
        places[j] = starts[b]
    for b in range(len(starts)):
        workspace.choices[0, b] = workspace.current[0, b] = np.uint64(places[b])
        qualities[b] = tables.unary[tables.offsets[visits.order[0]] + np.uint64(places[b])]
    return 1


@inlined
def best_bees(qualities: Floats, limit: int, out: Ints) -> int:
    """Write the best bees into `out`, best first, the earlier of equals first; return how many there are."""
    count = 0
    for b in range(len(qualities)):  # insertion into a short sorted list: recruiters are few
        if count == limit and qualities[b] <= qualities[out[count - 1]]:
            continue
        place = count if count < limit else count - 1
        count = min(limit, count + 1)
        while place > 0 and qualities[out[place - 1]] < qualities[b]:
            out[place] = out[place - 1]
            place -= 1
        out[place] = b
    return count


@inlined
def normalise(qualities: Floats, how: int, out: Floats) -> float:
    """Write the normalised qualities O_b into `out`, and return the highest, O_max."""
    low, high = qualities[qualities.argmin()], qualities[qualities.argmax()]
    for b in range(len(qualities)):
        out[b] = normalised(qualities[b], low, high, how)
    return out[out.argmax()]


@inlined
def advertise(shares: Floats, recruiters: Ints, count: int, weights: Floats) -> float:
    """Write the probability of each of the first recruiters to be followed into `weights`, and return the sum. Eq. (3).

    The sum is 1, or 0 where no recruiter has a quality.
    """
    total, share = 0.0, 0.0
    for k in range(count):
        total += shares[recruiters[k]]
    for k in range(count):
        weights[k] = recruiting(shares[recruiters[k]], total)
        share += weights[k]
    return share


@inlined
def choose_leaders(workspace: Any, rules: Any, turn: int, rng_state: Any) -> None:
    """Decide which bee each bee follows: loyal ones themselves, the others a recruiter.

    Args:
        workspace: `leaders[turn]` is written, and `qualities` where they are taken over.
        rules: the colony's.
        turn: number of backward passes before this one.
        rng_state: the random state.
    """
    qualities, shares, recruiters = workspace.qualities, workspace.normalised, workspace.recruiters
    leaders, weights, u = workspace.leaders, workspace.weights, workspace.passes[0]
    bees, count = len(qualities), 0
    best = normalise(qualities, rules.normalise, shares)
    for b in range(bees):
        leaders[turn, b] = -1
        if uniform(rng_state) < loyalty(shares[b], best, u):  # Eq. (2)
            leaders[turn, b] = b
            recruiters[count] = b  # if every loyal bee recruits; the best is always one
            count += 1
    if rules.recruiters:
        count = best_bees(qualities, bees if rules.in_sequence else rules.recruiters, recruiters)
        count = min(count, rules.recruiters)
    total = advertise(shares, recruiters, count, weights)
    for place in range(bees):
        b = recruiters[place] if rules.in_sequence else place
        if leaders[turn, b] < 0:
            leader = recruiters[draw(weights, count, total, rng_state)]
            # In sequence, a recruiter that has decided already may have another's path; the others still have theirs.
            leaders[turn, b] = leaders[turn, leader] if rules.in_sequence and leaders[turn, leader] >= 0 else leader
    if rules.take_quality:
        for b in range(bees):
            shares[b] = qualities[b]  # a copy: a recruiter's own quality may be overwritten before it is read
        for b in range(bees):
            qualities[b] = shares[leaders[turn, b]]


@inlined
def take_over(workspace: Any, last: Indices, count: int, turn: int, t: Any) -> int:
    """Let followers hold what the bees that they follow hold, at the open steps; return how many remain open.

    Steps that no step from t on has a half-edge to are dropped.
    """
    open_steps, current, leaders, row = workspace.open_steps, workspace.current, workspace.leaders, workspace.row
    remaining = 0
    for k in range(count):
        s = open_steps[k]
        if last[s] >= t:  # a later step reads what is held at s
            open_steps[remaining] = s
            remaining += 1
            for b in range(len(row)):
                row[b] = current[s, b]
            for b in range(len(row)):
                current[s, b] = row[leaders[turn, b]]
    return remaining


@kernel(INT(TABLES, VISITS, WORKSPACE, RULES, READONLY_INTS, RNG_STATE))
def make_passes(tables: Any, visits: Any, workspace: Any, rules: Any, starts: Ints, rng_state: RngState) -> int:
    """Send the bees through all steps, in turns of a forward pass of NC moves and a backward pass; return the looks."""
    n, passes, begin, turn, count = len(visits.order), workspace.passes, 0, 0, 0
    t = leave_hive(tables, visits, workspace, starts, rng_state)
    looks = t * len(starts)
    if rules.reset_passes:
        passes[0] = 0  # as in BCO: bees are least loyal at the beginning of every iteration
    while True:
        end = min(n, t + rules.moves)
        if rules.tries:
            looks += forward_pass(try_candidates, tables, visits, workspace, rules, t, end, rng_state)
        else:
            looks += forward_pass(draw_candidate, tables, visits, workspace, rules, t, end, rng_state)
        passes[0] += 1
        if end == n:  # complete: whoever is best wins, nobody has to be followed
            return looks
        for s in range(begin, end):
            workspace.open_steps[count] = s
            count += 1
        choose_leaders(workspace, rules, turn, rng_state)
        count = take_over(workspace, visits.last, count, turn, end)
        t = begin = end
        turn += 1


@kernel(types.void(WORKSPACE, INT, INT, INT))
def trace_back(workspace: Any, b: int, moves: int, first: int) -> None:
    """Trace a bee's complete path from its last forward pass back to the first, into `workspace.path`.

    Args:
        workspace: the memory of the passes.
        b: the bee.
        moves: NC, the moves per forward pass.
        first: the steps before the first move: 1 if the bees have left a hive, else 0.
    """
    end = len(workspace.path)
    for turn in range((end - first - 1) // moves, 0, -1):
        begin = first + turn * moves
        for s in range(begin, end):
            workspace.path[s] = workspace.choices[s, b]
        b, end = workspace.leaders[turn - 1, b], begin
    for s in range(end):
        workspace.path[s] = workspace.choices[s, b]


@kernel(FLOAT(TABLES, VISITS, INDICES))
def score_of(tables: Any, visits: Any, path: Indices) -> float:
    """Return the score of a path."""
    score = 0.0
    for t in range(len(path)):
        score += tables.unary[tables.offsets[visits.order[t]] + path[t]]
        for h in range(visits.indptr[t], visits.indptr[t + 1]):
            beside = path[visits.earlier[h]] * visits.far_stride[h]
            score += visits.weight[h] * tables.flat[visits.start[h] + path[t] * visits.stride[h] + beside]
    return score


@kernel(types.Tuple((FLOAT, BOOL))(TABLES, VISITS, WORKSPACE, RULES, INT, FLOAT))
def end_iteration(tables: Any, visits: Any, workspace: Any, rules: Any, first: int, record: float) -> Any:
    """End an iteration: the best bee's path goes to `workspace.best` if it betters the record.

    Returns the record afterwards, and whether the rules end the search.
    """
    leader, order = workspace.qualities.argmax(), visits.order
    score = workspace.qualities[leader]  # of a complete path: all that its candidates add, summed
    at_end = score <= rules.beta
    if not rules.take_quality or score > record:
        trace_back(workspace, leader, rules.moves, first)
    if not rules.take_quality:  # a bee's quality is not that of the path it took over
        score = score_of(tables, visits, workspace.path)
    at_end |= score - record <= rules.tolerance
    if score > record:
        record = score
        for t in range(len(order)):
            workspace.best[order[t]] = workspace.path[t]
            if workspace.guide[order[t]] >= 0:
                workspace.guide[order[t]] = workspace.path[t]
    return record, at_end


@kernel(types.Tuple((FLOAT, INT, INT, BOOL))(TABLES, VISITS, WORKSPACE, RULES, READONLY_INTS, INT, FLOAT, RNG_STATE))
def iterate(
    tables: Any, visits: Any, workspace: Any, rules: Any, starts: Ints, count: int, record: float, rng_state: RngState
) -> Any:
    """Make iterations, fewer than `count` if the rules end the search before.

    Args:
        tables: the problem.
        visits: the order of the steps.
        workspace: the bees; `best` is written if a path betters the record.
        rules: the colony's.
        starts: each bee's candidate at the hive (-1: it chooses there too).
        count: the number of iterations.
        record: the best score so far.
        rng_state: the random state.

    Returns:
        the record afterwards, the looks, the iterations, and whether the rules ended the search.
    """
    looks, iterations, at_end = 0, 0, False
    while iterations < count and not at_end:
        looks += make_passes(tables, visits, workspace, rules, starts, rng_state)
        record, at_end = end_iteration(tables, visits, workspace, rules, int(starts[0] >= 0), record)
        iterations += 1
        if not rules.take_quality:
            looks += len(visits.order)  # the best path was scored
    return record, looks, iterations, at_end


class Memory:
    """What the kernels work on: the tables of a problem, and the memory of passes by a plan.

    Args:
        form: the tables.
    """

    plan: Plan | None = None
    """What the bees follow; None before `follow` is called."""

    def __init__(self, form: Pairwise) -> None:
        n = len(form.sizes)
        flat = form.flat if len(form.flat) else np.zeros(1)  # a step without half-edges reads one entry, times 0
        self.form, self.step = form, np.full(n, n, np.uint64)
        self.tables = unsigned(Tables(form.offsets, form.unary, flat))  # type: ignore[arg-type]  # signed
        self.half = unsigned(form.half_edges)

    def follow(self, plan: Plan, unary: Floats, guide: Solutions, passes: int = 0) -> None:
        """Make the memory one of passes by a plan.

        Args:
            plan: the order of the stages, the bees' candidates at the hive, the rules.
            unary: the value of each slot beside what the bees do not visit; where they visit all stages, the form's.
            guide: the candidates that the first bee takes, by stage; -1: it chooses.
            passes: u, the number of forward passes so far.
        """
        k, half = len(plan.order), self.form.half_edges
        degrees = int((half.indptr[plan.order + 1] - half.indptr[plan.order]).sum())
        order, indptr, last = plan.order.astype(np.uint64), np.empty(k + 1, np.uint64), np.empty(k, np.uint64)
        entries: Any = np.empty((4, degrees), np.uint64)
        self.visits = VisitingOrder._make([order, indptr, *entries, np.empty(degrees), last])
        look_up_half_edges(self.half, self.step, self.visits)
        self.workspace = new_workspace(self.form, plan, guide)
        self.workspace.passes[0] = passes
        self.tables = self.tables._replace(unary=unsigned((unary,))[0])
        self.plan, starts = plan, np.ascontiguousarray(plan.starts, np.int64)
        self.inputs = self.tables, self.visits, self.workspace, plan.rules, starts

    @cached_property
    def links(self) -> Links:
        """The half-edges as gain tables read them."""
        return links_of(self.form)

    def make_passes(self, rng_state: RngState) -> int:
        """Make all passes once, and return the looks."""
        return int(make_passes(*self.inputs, rng_state))

    def iterate(self, count: int, record: float, rng_state: RngState) -> Any:
        """Make iterations: see the function `iterate`."""
        return iterate(*self.inputs, count, record, rng_state)

    def moments(self) -> list[dict[str, Any]]:
        """Return the bees after each pass of the last iteration, of a long one after some of them.

        They are the path of each bee, -1 where it has not been, its quality, whom the bee has followed, and the hive:
        traced back, nothing was kept for this.
        """
        if self.plan is None:
            return []
        n, (order, starts, rules), moments = len(self.form.sizes), self.plan, []
        for turn in frames_of(self.plan, n):
            end = min(len(order), self.plan.first + (turn + 1) * rules.moves)
            leaders = self.workspace.leaders[turn].copy() if end < len(order) else np.arange(len(starts))
            solutions, qualities = np.full((len(starts), n), -1), np.zeros(len(starts))
            part = self.workspace._replace(path=self.workspace.path[:end])
            for b, leader in enumerate(leaders):
                trace_back(part, leader, rules.moves, self.plan.first)
                solutions[b, order[:end]] = part.path
                qualities[b] = score_of(self.tables, self.visits, part.path)
            bees = {"solutions": solutions, "qualities": qualities, "followed": leaders, "home": int(order[0])}
            moments.append(bees)
        return moments


def memory_of(form: Pairwise, state: Colony) -> Memory:
    """Return the memory of a state; a new one if it has none of these tables in this process, once it is checked."""
    memory = PASSES.get(state)
    if not isinstance(memory, Memory) or memory.form is not form:
        check_state(form, state)
        memory = PASSES[state] = Memory(form)
    return memory


def unsigned(arrays: Any) -> Any:
    """Return a tuple of arrays as the kernels take it: read-only, and integers as unsigned ones."""
    views = [part.view(np.uint64 if part.dtype == np.int64 else part.dtype) for part in arrays]
    for view in views:
        view.setflags(write=False)
    return getattr(type(arrays), "_make", tuple)(views)


@cache
def warm_up() -> None:
    """Call the kernels once in this process: numba's first call takes longest."""
    memory = Memory(EXAMPLE)
    memory.follow(Plan(np.array([0]), np.array([0]), Rules(1, 1)), EXAMPLE.unary, np.array([-1]))
    memory.iterate(1, -np.inf, np.ones(4, np.uint64))
