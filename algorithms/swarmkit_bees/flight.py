"""One iteration of a bee colony in plain numpy, all bees at once: for what is not tables, or has constraints.

The lines follow the pseudo-code of D-Bees (appendix of Abualhaija & Zimmermann 2014). `swarmkit.fly` is its compiled
twin on tables.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from swarmkit import Problem, evaluate, judge, pick_any
from swarmkit.compiled import ColonyRules
from swarmkit_bees.formulas import loyalty, normalised, recruiting, shares

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]
Bools = NDArray[np.bool_]


class Swarm(NamedTuple):
    """The bees: a path each (-1: not yet visited), and its quality so far."""

    paths: Ints
    qualities: Floats


class Outcome(NamedTuple):
    """The best complete path of an iteration (None if every bee ended in a dead end), and what it cost."""

    solution: Ints | None
    score: float
    quality: float
    looks: int
    passes: int


def iterate(problem: Problem, order: Ints, hive: Ints, rules: ColonyRules, passes: int, rng: Generator) -> Outcome:
    """Send the bees through all stages, forward and backward in turn; `order` is their walk."""
    looks, t = 0, 0
    passes = 0 if rules.reset_passes else passes
    bees = Swarm(np.full((len(hive), len(order)), -1, np.int64), np.zeros(len(hive)))
    if hive[0] >= 0:
        bees, looks, t = leave(problem, bees, int(order[0]), hive), len(hive), 1
    while t < len(order) and len(bees.paths):
        for stage, last in legs(order, t, rules.moves):
            bees, looked = forward(problem, bees, stage, last, rules, rng)
            looks += looked
        passes, t = passes + 1, t + rules.moves
        if t < len(order) and len(bees.paths):
            bees = backward(bees, passes, rules, rng)
    return best(problem, bees, looks, passes)


def legs(order: Ints, t: int, moves: int) -> list[tuple[int, int]]:
    """Give the next stages of a walk, each with the one before it (-1: none).

    >>> legs(np.array([4, 7, 2, 5]), 0, 3)
    [(4, -1), (7, 4), (2, 7)]
    """
    before = np.concatenate([[-1], order])
    return [(int(order[s]), int(before[s])) for s in range(t, min(t + moves, len(order)))]


def leave(problem: Problem, bees: Swarm, stage: int, hive: Ints) -> Swarm:
    """Let every bee begin at its candidate of the hive; where that is not allowed there is no bee."""
    allowed = np.asarray(problem.allowed(bees.paths, stage), bool)
    added = values(problem, bees.paths, stage, -1)[np.arange(len(hive)), hive]
    bees.paths[:, stage] = hive
    able = allowed[np.arange(len(hive)), hive]
    return Swarm(bees.paths[able], added[able])


def forward(
    problem: Problem, bees: Swarm, stage: int, last: int, rules: ColonyRules, rng: Generator
) -> tuple[Swarm, int]:
    """Move every bee one stage further; give the looks as well."""
    allowed = np.asarray(problem.allowed(bees.paths, stage), bool)
    bees, allowed = rescue(bees, allowed, rng)
    if not len(bees.paths):
        return bees, len(allowed)
    added = values(problem, bees.paths, stage, last)
    if rules.tries:
        choice, looks = sampled(added, allowed, neighbours(problem, bees.paths, stage), rules, rng)
    else:
        choice, looks = drawn(shares(added, allowed, rules.sharpness), allowed, rng), int(allowed.sum())
    paths = bees.paths.copy()
    paths[:, stage] = choice
    return Swarm(paths, bees.qualities + added[np.arange(len(choice)), choice]), looks


def rescue(bees: Swarm, allowed: Bools, rng: Generator) -> tuple[Swarm, Bools]:
    """Let bees in a dead end follow any bee that is not: constraints of which the papers do not speak."""
    able = np.flatnonzero(allowed.any(axis=1))
    if len(able) == len(allowed):
        return bees, allowed
    follows = np.arange(len(allowed)) if len(able) else able
    stuck = ~allowed[follows].any(axis=1)
    follows[stuck] = rng.choice(able, int(stuck.sum())) if len(able) else 0
    return Swarm(bees.paths[follows], bees.qualities[follows]), allowed[follows]


def values(problem: Problem, X: Ints, stage: int, last: int) -> Floats:
    """Say what each candidate would add to each path: on tables the very change of score, else the appeal."""
    form = problem.pairwise()
    if form is not None and not problem.overrides("appeal"):
        return form.marginals(X, stage)
    return np.asarray(problem.appeal(X, stage, last), np.float64)


def neighbours(problem: Problem, X: Ints, stage: int) -> Ints:
    """Count the assigned neighbours of a stage in each path; 1 where there are none or nothing is known of them."""
    form = problem.pairwise()
    if form is None or problem.overrides("appeal"):
        return np.ones(len(X), np.int64)
    half = form.half_edges
    beside = half.neighbour[half.indptr[stage] : half.indptr[stage + 1]]
    return np.asarray(np.maximum(1, (X[:, beside] >= 0).sum(axis=1)))


def sampled(added: Floats, allowed: Bools, neighbours: Ints, rules: ColonyRules, rng: Generator) -> tuple[Ints, int]:
    """Try candidates in random order until one reaches θ or enough were tried; choose the best of those seen."""
    k = len(added)
    order = np.argsort(np.where(allowed, rng.random(added.shape), 2.0), axis=1)
    in_order = np.take_along_axis(added, order, axis=1)
    possible = np.take_along_axis(allowed, order, axis=1)
    good = in_order >= rules.theta * neighbours[:, None]
    before: Ints = np.cumsum(good, axis=1) - good
    seen = possible & (before == 0) & (np.arange(added.shape[1]) < rules.tries)
    most = np.where(seen, in_order, -np.inf)
    equal = seen & (most == most.max(axis=1, keepdims=True))
    if not rules.first_on_ties:
        return order[np.arange(k), equal.argmax(axis=1)], int(seen.sum())
    choice = np.where(equal, order, added.shape[1]).min(axis=1)
    first = allowed.argmax(axis=1)  # looked at too where nothing seen is related to anything
    value = added[np.arange(k), first]
    unrelated = (most.max(axis=1) <= 0) & ~(seen & (order == first[:, None])).any(axis=1)
    choice = np.where(unrelated & (value >= most.max(axis=1)), first, choice)
    return choice, int(seen.sum() + unrelated.sum())


def drawn(wheel: Floats, allowed: Bools, rng: Generator) -> Ints:
    """Draw candidates in proportion to their parts of the wheel; any that is allowed, where none has one."""
    total = wheel.sum(axis=1, keepdims=True)
    flat = np.where(total > 0, wheel, allowed)
    heights = np.cumsum(flat, axis=1)
    point = rng.random((len(wheel), 1)) * heights[:, -1:]
    choice = (heights > point).argmax(axis=1)
    # Rounding can leave the point on the last height: then, as in the kernel, it is the last that counts.
    beyond = ~(heights > point).any(axis=1)
    return np.where(beyond, pick_any(allowed, rng), choice) if beyond.any() else choice


def backward(bees: Swarm, passes: int, rules: ColonyRules, rng: Generator) -> Swarm:
    """Let the bees compare: loyal ones keep their path, the others follow a recruiter's."""
    count = len(bees.qualities)
    O = normalised(bees.qualities, rules.normalise)  # noqa: E741  (the papers' letter)
    loyal = rng.random(count) < loyalty(O, O.max(), passes)
    if rules.recruiters:  # sortBees(): the best R advertise
        recruiters = np.argsort(-bees.qualities, kind="stable")[: rules.recruiters]
    else:
        recruiters = np.flatnonzero(loyal)
    followed = rng.choice(recruiters, count, p=recruiting(O[recruiters]))
    follows = np.where(loyal, np.arange(count), followed)
    qualities = bees.qualities[follows] if rules.take_quality else bees.qualities
    return Swarm(bees.paths[follows], qualities)


def best(problem: Problem, bees: Swarm, looks: int, passes: int) -> Outcome:
    """Judge and score the complete paths, and give the best."""
    X = bees.paths[judge(problem, bees.paths)] if len(bees.paths) else bees.paths
    if not len(X):
        return Outcome(None, -np.inf, -np.inf, looks, passes)
    scores = evaluate(problem, X)
    i = int(scores.argmax())
    return Outcome(X[i], float(scores[i]), float(bees.qualities.max()), looks + X.size, passes)
