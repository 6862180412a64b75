"""Passes of a bee colony in numpy, all bees at once: for problems that are not tables or have constraints.

The steps are those of `swarmkit_bees.reference`; constraints, of which the papers do not speak, are added.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.random import Generator

from swarmkit import Bools, Floats, Ints, Left, Problem, Solutions, evaluate, judge
from swarmkit.search import roulette_wheel
from swarmkit_bees.formulas import loyalty, normalised, recruiting, wheel_weights
from swarmkit_bees.rules import Outcome, Plan, Rules
from swarmkit_bees.state import Bees, Colony


class Swarm(NamedTuple):
    """All bees during a pass: the path of each (-1 where it has not been yet), and the quality of each path so far."""

    paths: Ints
    qualities: Floats


class Visit(NamedTuple):
    """A stage that is visited, and the one visited before it (-1: none)."""

    stage: int
    last: int


def advance(problem: Problem, plan: Plan, colony: Colony, left: Left, rng: Generator) -> Outcome:
    """Make passes and score complete paths until a pause, and return the best of the paths that were scored.

    Args:
        problem: any problem.
        plan: the order of the stages, the bees' candidates at the hive, the rules.
        colony: the state, which is advanced.
        left: where to pause.
        rng: the run's generator.
    """
    bees, n = colony.bees, len(plan.order)
    made, rows = Outcome.none(), 0
    while made.looks < left.looks and rows < left.evaluations and made.iterations < left.iterations and not made.ended:
        if bees.step < n:
            made = made._replace(looks=made.looks + make_passes(problem, plan, bees, rng, np.full(n, -1)))
        else:
            made, scored = score_paths(problem, bees, left.after(made.looks, rows).rows(n), made)
            rows += scored
        if bees.step == n and len(bees.scores) == len(bees.paths):
            ended = end_iteration(colony, plan.rules)
            made = made._replace(iterations=made.iterations + 1, ended=ended)
    return made


def make_passes(problem: Problem, plan: Plan, bees: Bees, rng: Generator, kept: Solutions) -> int:
    """Make a forward pass and, unless it is the last of the iteration, a backward pass; return the looks.

    Args:
        problem: any problem.
        plan: the order of the stages, the bees' candidates at the hive, the rules.
        bees: the bees, which are moved.
        rng: the run's generator.
        kept: the path of every bee before it leaves the hive: -1 at the stages that are visited.
    """
    order, hive, rules = plan
    swarm, looks = Swarm(bees.paths, bees.qualities), 0
    if bees.step == 0:
        if hive[0] >= 0:
            hive = rng.permutation(hive)  # of equally good bees the first advertises and wins
        bees.passes, bees.scores = 0 if rules.reset_passes else bees.passes, np.empty(0)
        swarm = Swarm(np.tile(np.asarray(kept, np.int64), (len(hive), 1)), np.zeros(len(hive)))
        if hive[0] >= 0:
            swarm, looks, bees.step = leave_hive(problem, swarm, int(order[0]), hive), len(hive), 1
    if bees.step < len(order) and len(swarm.paths):
        for visit in next_visits(order, bees.step, rules.moves):
            guided = int(bees.guide[visit.stage]) if len(bees.guide) else -1
            swarm, looked = move_all(problem, swarm, visit, rules, rng, guided)
            looks += looked
        bees.passes, bees.step = bees.passes + 1, min(len(order), bees.step + rules.moves)
    if not len(swarm.paths):  # all bees met dead ends
        bees.step = len(order)
    elif bees.step < len(order):
        swarm = backward_pass(swarm, bees.passes, rules, rng)
    else:
        swarm = swarm._replace(paths=swarm.paths[judge(problem, swarm.paths)])
    bees.paths, bees.qualities = swarm
    return looks


def score_paths(problem: Problem, bees: Bees, rows: int, made: Outcome) -> tuple[Outcome, int]:
    """Score some of the complete paths, and return the outcome with the best of them, and how many were scored."""
    X = bees.paths[len(bees.scores) :][:rows]
    scores = evaluate(problem, X)
    bees.scores = np.concatenate([bees.scores, scores])
    best, made = int(scores.argmax()), made._replace(looks=made.looks + X.size)
    if scores[best] > made.score:
        made = made._replace(solution=X[best], score=float(scores[best]))
    return made, len(X)


def end_iteration(colony: Colony, rules: Rules) -> bool:
    """End an iteration, and return whether the rules end the search; an iteration without a path never does."""
    bees, ended = colony.bees, False
    if len(bees.scores):
        score = float(bees.scores.max())
        ended = bool(bees.qualities.max() <= rules.beta or score - colony.best <= rules.tolerance)
        if len(bees.guide) and score > colony.best:
            bees.guide = bees.paths[int(bees.scores.argmax())].copy()
        colony.best = max(colony.best, score)
    colony.iterations += 1
    bees.step = 0
    return ended


def next_visits(order: Ints, t: int, moves: int) -> list[Visit]:
    """Return the visits of one forward pass, which begins at step t.

    >>> [tuple(visit) for visit in next_visits(np.array([4, 7, 2, 5]), 0, 3)]
    [(4, -1), (7, 4), (2, 7)]
    """
    before = np.concatenate([[-1], order])
    return [Visit(int(order[s]), int(before[s])) for s in range(t, min(t + moves, len(order)))]


def leave_hive(problem: Problem, swarm: Swarm, stage: int, hive: Ints) -> Swarm:
    """Place every bee at its candidate of the hive; bees whose candidate is not allowed are left out."""
    allowed = np.asarray(problem.allowed(swarm.paths, stage), bool)
    added = added_values(problem, swarm.paths, Visit(stage, -1))[np.arange(len(hive)), hive]
    swarm.paths[:, stage] = hive
    able = allowed[np.arange(len(hive)), hive]
    return Swarm(swarm.paths[able], added[able])


def move_all(
    problem: Problem, swarm: Swarm, visit: Visit, rules: Rules, rng: Generator, guided: int = -1
) -> tuple[Swarm, int]:
    """Move every bee to the next stage, and return the looks as well.

    Args:
        problem: any problem.
        swarm: the bees.
        visit: the stage that they visit.
        rules: the rules of the colony.
        rng: the run's generator.
        guided: the candidate of the first bee if it may take it; -1: it chooses like the others.
    """
    before, allowed = len(swarm.paths), np.asarray(problem.allowed(swarm.paths, visit.stage), bool)
    swarm, allowed = leave_dead_ends(swarm, allowed, rng)
    if not len(swarm.paths):
        return swarm, before
    added = added_values(problem, swarm.paths, visit)
    if rules.tries:
        goal: Floats = rules.theta * assigned_neighbours(problem, swarm.paths, visit.stage).astype(np.float64)
        choice, looks = best_of_tries(added, allowed, goal, rules, rng)
    else:
        choice, looks = drawn(added, allowed, rules.sharpness, rng), int(allowed.sum())
    if guided >= 0 and allowed[0, guided]:
        choice[0] = guided
    paths = swarm.paths.copy()
    paths[:, visit.stage] = choice
    return Swarm(paths, swarm.qualities + added[np.arange(len(choice)), choice]), looks


def leave_dead_ends(swarm: Swarm, allowed: Bools, rng: Generator) -> tuple[Swarm, Bools]:
    """Let every bee without an allowed candidate take over the path of any bee that has one."""
    able = np.flatnonzero(allowed.any(axis=1))
    if len(able) == len(allowed):
        return swarm, allowed
    followed = np.arange(len(allowed)) if len(able) else able
    stuck = ~allowed[followed].any(axis=1)
    followed[stuck] = rng.choice(able, int(stuck.sum())) if len(able) else 0
    return Swarm(swarm.paths[followed], swarm.qualities[followed]), allowed[followed]


def added_values(problem: Problem, paths: Ints, visit: Visit) -> Floats:
    """Return what each candidate would add to each path: the change of score on tables, else its appeal."""
    form = problem.structure.pairwise
    if form is not None and not problem.structure.own_appeal:
        return form.marginals(paths, visit.stage)
    return np.asarray(problem.appeal(paths, visit.stage, visit.last), np.float64)


def assigned_neighbours(problem: Problem, paths: Ints, stage: int) -> Ints:
    """Return the number of assigned neighbours of a stage in each path; 1 where there are none or none are known."""
    form = problem.structure.pairwise
    if form is None or problem.structure.own_appeal:
        return np.ones(len(paths), np.int64)
    half = form.half_edges
    neighbours = half.neighbour[half.indptr[stage] : half.indptr[stage + 1]]
    return np.asarray(np.maximum(1, (paths[:, neighbours] >= 0).sum(axis=1)))


def best_of_tries(added: Floats, allowed: Bools, goal: Floats, rules: Rules, rng: Generator) -> tuple[Ints, int]:
    """Try candidates until one adds the goal or `tries` were tried; return the best and the looks.

    Where ties go to the first candidate and nothing tried adds anything, the first allowed one is tried too; it is
    taken where nothing reaches the goal, if the rules say so.
    """
    rows = np.arange(len(added))
    order = drawn_order(allowed, rules, rng)
    in_order = np.take_along_axis(added, order, axis=1)
    possible = np.take_along_axis(allowed, order, axis=1)
    good = in_order >= goal[:, None]
    good_before: Ints = np.cumsum(good, axis=1) - good
    tried = possible & (good_before == 0) & (np.arange(order.shape[1]) < rules.tries)
    values = np.where(tried, in_order, -np.inf)
    most, looks = values.max(axis=1), int(tried.sum())
    equal = tried & (values == most[:, None])
    choice, first = order[rows, equal.argmax(axis=1)], allowed.argmax(axis=1)
    if rules.first_on_ties:
        choice = np.where(equal, order, added.shape[1]).min(axis=1)
        also = (most <= 0) & ~(tried & (order == first[:, None])).any(axis=1)
        choice = np.where(also & (added[rows, first] >= most), first, choice)
        looks += int(also.sum())
    if rules.first_below_theta:
        choice, looks = np.where(most < goal, first, choice), looks + int((most < goal).sum())
    return choice, looks


def drawn_order(allowed: Bools, rules: Rules, rng: Generator) -> Ints:
    """Return, for each bee, the candidates in the order in which it tries them, allowed ones first."""
    if rules.drawing == "replace":
        weights = np.repeat(allowed, rules.tries, axis=0)
        return roulette_wheel(weights.astype(np.float64), rng.random(len(weights))).reshape(len(allowed), rules.tries)
    by = rng.random(allowed.shape) if rules.drawing == "random" else np.zeros(allowed.shape)
    return np.argsort(np.where(allowed, by, 2.0), axis=1, kind="stable")


def drawn(added: Floats, allowed: Bools, sharpness: float, rng: Generator) -> Ints:
    """Draw a candidate for every bee from a roulette wheel; any allowed one where all weights are 0."""
    weights = wheel_weights(added, allowed, sharpness)
    weights = np.where(weights.sum(axis=1, keepdims=True) > 0, weights, allowed)
    return roulette_wheel(weights, rng.random(len(weights)))


def backward_pass(swarm: Swarm, passes: int, rules: Rules, rng: Generator) -> Swarm:
    """Let the bees compare their paths: loyal bees keep theirs, the others take over a recruiter's."""
    count = len(swarm.qualities)
    O = normalised(swarm.qualities, rules.normalise)  # noqa: E741  (the papers' letter)
    loyal = rng.random(count) < loyalty(O, O.max(), passes)
    if rules.recruiters:  # sortSwarm(): the best R advertise
        recruiters = np.argsort(-swarm.qualities, kind="stable")[: rules.recruiters]
    else:
        recruiters = np.flatnonzero(loyal)
    recruiter = recruiters[roulette_wheel(recruiting(O[recruiters]), rng.random(count))]
    followed = np.where(loyal, np.arange(count), recruiter)
    if rules.in_sequence:
        decided = np.arange(count)  # whose path each bee has, while the bees decide one after the other
        for b in np.argsort(-swarm.qualities, kind="stable"):
            decided[b] = decided[followed[b]]
        followed = decided
    qualities = swarm.qualities[followed] if rules.take_quality else swarm.qualities
    return Swarm(swarm.paths[followed], qualities)
