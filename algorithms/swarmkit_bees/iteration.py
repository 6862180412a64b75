"""One iteration of a bee colony in numpy, all bees at once: for problems that are not tables or have constraints.

The steps are those of `swarmkit_bees.reference`; constraints, of which the papers do not speak, are added.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.random import Generator

from swarmkit import Bools, Floats, Ints, Problem, evaluate, judge
from swarmkit.search import roulette_wheel
from swarmkit_bees.formulas import loyalty, normalised, recruiting, wheel_weights
from swarmkit_bees.rules import Outcome, Plan, Rules


class Bees(NamedTuple):
    """All bees: the path of each (-1 where it has not been yet), and the quality of each path so far."""

    paths: Ints
    qualities: Floats


class Visit(NamedTuple):
    """A stage that is visited, and the one visited before it (-1: none)."""

    stage: int
    last: int


def iterate(problem: Problem, plan: Plan, passes: int, record: float, rng: Generator) -> Outcome:
    """Send the bees through all stages, in turns of a forward and a backward pass, and return the best path.

    Args:
        problem: any problem.
        plan: the order of the stages, the bees' candidates at the hive, the rules.
        passes: u, the number of forward passes so far; not used if the rules reset it.
        record: the best score of the iterations before.
        rng: the run's generator.
    """
    order, hive, rules = plan
    looks, t = 0, 0
    passes = 0 if rules.reset_passes else passes
    bees = Bees(np.full((len(hive), len(order)), -1, np.int64), np.zeros(len(hive)))
    if hive[0] >= 0:
        bees, looks, t = leave_hive(problem, bees, int(order[0]), hive), len(hive), 1
    while t < len(order) and len(bees.paths):
        for visit in next_visits(order, t, rules.moves):
            bees, looked = move_all(problem, bees, visit, rules, rng)
            looks += looked
        passes, t = passes + 1, t + rules.moves
        if t < len(order) and len(bees.paths):
            bees = backward_pass(bees, passes, rules, rng)
    return best_path(problem, bees, rules, record, Outcome(None, -np.inf, looks, 1, passes, ended=False))


def next_visits(order: Ints, t: int, moves: int) -> list[Visit]:
    """Return the visits of one forward pass, which begins at step t.

    >>> [tuple(visit) for visit in next_visits(np.array([4, 7, 2, 5]), 0, 3)]
    [(4, -1), (7, 4), (2, 7)]
    """
    before = np.concatenate([[-1], order])
    return [Visit(int(order[s]), int(before[s])) for s in range(t, min(t + moves, len(order)))]


def leave_hive(problem: Problem, bees: Bees, stage: int, hive: Ints) -> Bees:
    """Place every bee at its candidate of the hive; bees whose candidate is not allowed are left out."""
    allowed = np.asarray(problem.allowed(bees.paths, stage), bool)
    added = added_values(problem, bees.paths, Visit(stage, -1))[np.arange(len(hive)), hive]
    bees.paths[:, stage] = hive
    able = allowed[np.arange(len(hive)), hive]
    return Bees(bees.paths[able], added[able])


def move_all(problem: Problem, bees: Bees, visit: Visit, rules: Rules, rng: Generator) -> tuple[Bees, int]:
    """Move every bee to the next stage, and return the looks as well."""
    allowed = np.asarray(problem.allowed(bees.paths, visit.stage), bool)
    bees, allowed = leave_dead_ends(bees, allowed, rng)
    if not len(bees.paths):
        return bees, len(allowed)
    added = added_values(problem, bees.paths, visit)
    if rules.tries:
        goal: Floats = rules.theta * assigned_neighbours(problem, bees.paths, visit.stage).astype(np.float64)
        choice, looks = best_of_tries(added, allowed, goal, rules, rng)
    else:
        choice, looks = drawn(added, allowed, rules.sharpness, rng), int(allowed.sum())
    paths = bees.paths.copy()
    paths[:, visit.stage] = choice
    return Bees(paths, bees.qualities + added[np.arange(len(choice)), choice]), looks


def leave_dead_ends(bees: Bees, allowed: Bools, rng: Generator) -> tuple[Bees, Bools]:
    """Let every bee without an allowed candidate take over the path of any bee that has one."""
    able = np.flatnonzero(allowed.any(axis=1))
    if len(able) == len(allowed):
        return bees, allowed
    followed = np.arange(len(allowed)) if len(able) else able
    stuck = ~allowed[followed].any(axis=1)
    followed[stuck] = rng.choice(able, int(stuck.sum())) if len(able) else 0
    return Bees(bees.paths[followed], bees.qualities[followed]), allowed[followed]


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
    """Try candidates in random order until one adds the goal or `tries` were tried; return the best and the looks.

    Where ties go to the first candidate and nothing tried adds anything, the first allowed one is tried too.
    """
    rows = np.arange(len(added))
    order = np.argsort(np.where(allowed, rng.random(added.shape), 2.0), axis=1)
    in_order = np.take_along_axis(added, order, axis=1)
    possible = np.take_along_axis(allowed, order, axis=1)
    good = in_order >= goal[:, None]
    good_before: Ints = np.cumsum(good, axis=1) - good
    tried = possible & (good_before == 0) & (np.arange(added.shape[1]) < rules.tries)
    values = np.where(tried, in_order, -np.inf)
    most = values.max(axis=1)
    equal = tried & (values == most[:, None])
    if not rules.first_on_ties:
        return order[rows, equal.argmax(axis=1)], int(tried.sum())
    choice = np.where(equal, order, added.shape[1]).min(axis=1)
    first = allowed.argmax(axis=1)
    also = (most <= 0) & ~(tried & (order == first[:, None])).any(axis=1)
    choice = np.where(also & (added[rows, first] >= most), first, choice)
    return choice, int(tried.sum() + also.sum())


def drawn(added: Floats, allowed: Bools, sharpness: float, rng: Generator) -> Ints:
    """Draw a candidate for every bee from a roulette wheel; any allowed one where all weights are 0."""
    weights = wheel_weights(added, allowed, sharpness)
    weights = np.where(weights.sum(axis=1, keepdims=True) > 0, weights, allowed)
    return roulette_wheel(weights, rng.random(len(weights)))


def backward_pass(bees: Bees, passes: int, rules: Rules, rng: Generator) -> Bees:
    """Let the bees compare their paths: loyal bees keep theirs, the others take over a recruiter's."""
    count = len(bees.qualities)
    O = normalised(bees.qualities, rules.normalise)  # noqa: E741  (the papers' letter)
    loyal = rng.random(count) < loyalty(O, O.max(), passes)
    if rules.recruiters:  # sortBees(): the best R advertise
        recruiters = np.argsort(-bees.qualities, kind="stable")[: rules.recruiters]
    else:
        recruiters = np.flatnonzero(loyal)
    recruiter = recruiters[roulette_wheel(recruiting(O[recruiters]), rng.random(count))]
    followed = np.where(loyal, np.arange(count), recruiter)
    qualities = bees.qualities[followed] if rules.take_quality else bees.qualities
    return Bees(bees.paths[followed], qualities)


def best_path(problem: Problem, bees: Bees, rules: Rules, record: float, outcome: Outcome) -> Outcome:
    """Complete the outcome of an iteration with the best feasible path, if there is one."""
    X = bees.paths[judge(problem, bees.paths)] if len(bees.paths) else bees.paths
    if not len(X):
        return outcome
    scores = evaluate(problem, X)
    best = int(scores.argmax())
    score = float(scores[best])
    ended = bool(bees.qualities.max() <= rules.beta or score - record <= rules.tolerance)
    return outcome._replace(solution=X[best], score=score, looks=outcome.looks + X.size, ended=ended)
