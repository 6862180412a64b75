"""D-Bees (Abualhaija & Zimmermann 2014): `dbees`.

Abualhaija, S. and Zimmermann, K.-H. 2014. D-Bees: a novel method inspired by bee colony optimization for solving word
sense disambiguation. A target word is a stage, a sense a candidate, a similarity an entry of a table. The loop of the
paper's appendix, and where it stands here:

    hive ← a random word; B ← its senses                    DBees.draw_hive, DBees.plan
    repeat                                                  DBees.iterate
        initializeBees()                                    leave_hive
        repeat                                              make_passes
            for all bees: evaluate NC constructive moves    forward_pass, best_of_tries (5 senses, θ)
            sortBees(); pRecruitment; pLoyalty; follow      backward_pass: recruiting, Eq. (3); loyalty, Eq. (2)
            u ← u + 1
        until all words are visited
        keep the best path
    until β, or the last iteration

All bees move at once here, in numpy, on any problem; `swarmkit_bees.kernel` makes the same passes on tables without
constraints. The equations are in `swarmkit_bees.rules`. Where the text and the appendix differ, the text is followed;
`literal=true` follows the appendix. What the paper leaves open is a parameter, with our reading as its default. What is
added to the paper is in `swarmkit_bees.large_neighbourhood`; `preset=paper` is the paper alone.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from numpy.random import Generator

from swarmkit import Bools, Floats, Ints, Problem, Solutions, StepResult, Suitability, evaluate, judge
from swarmkit.search import roulette_wheel
from swarmkit_bees import parameters
from swarmkit_bees.large_neighbourhood import Flight, LargeNeighbourhoodSolver
from swarmkit_bees.rules import RANDOM, REPLACE, Plan, Rules, loyalty, normalised, recruiting, stage_order
from swarmkit_bees.state import PASSES, Colony, PassHistory, frames_of


class DBees(LargeNeighbourhoodSolver):
    """Bees leave a random stage, one per candidate of it, build paths, compare them and follow the best."""

    reference = "Abualhaija & Zimmermann 2014, D-Bees: a novel method inspired by bee colony optimization"
    Params = parameters.Params
    params: parameters.Params

    def suits(self, problem: Problem) -> Suitability | None:
        """Suit tables in which every stage takes any candidate, and any other problem a little."""
        free = problem.structure.free_tables is not None
        return Suitability(0.15 if free else 0.05, "it is built stage by stage", nanoseconds=300.0)

    def draw_hive(self, problem: Problem, rng: Generator) -> int:
        """Draw the hive among the stages with more than one candidate."""
        ambiguous = np.flatnonzero(np.asarray(problem.sizes) > 1)
        return int(ambiguous[rng.integers(len(ambiguous))])

    def plan(self, problem: Problem, hive: int) -> Plan:
        """Return the way of the bees: they leave the hive from all of its candidates in turn."""
        candidates = int(problem.sizes[hive])
        starts = np.arange(self.params.bees or candidates) % candidates
        return Plan(stage_order(hive, len(problem.sizes), self.params.walk), starts, self.rules)

    def iterate(self, problem: Problem, colony: Colony, rng: Generator) -> StepResult:
        """Make an iteration of the paper on any problem."""
        return iterate(problem, self.plan(problem, colony.hive), colony, rng, best_of_tries)

    def make_passes(self, problem: Problem, plan: Plan, colony: Colony, rng: Generator, base: Solutions) -> Flight:
        """Make all passes by a plan on any problem, beside the stages of `base` that are not visited."""
        return make_passes(problem, plan, colony, rng, base, best_of_tries)

    def leaders(self, qualities: Floats, passes: int, rng: Generator) -> Ints:
        """Return the bee whose path each bee has after a backward pass."""
        bees = Swarm(np.arange(len(qualities))[:, None], qualities)
        return backward_pass(bees, passes, self.rules, rng).paths[:, 0]


class Swarm(NamedTuple):
    """All bees during a pass: the path of each (-1 where it has not been yet), and the quality of each path so far."""

    paths: Ints
    qualities: Floats


class Visit(NamedTuple):
    """A stage that is visited, and the one visited before it (-1: none)."""

    stage: int
    last: int


Choose = Callable[[Floats, Bools, Floats, Rules, Generator], tuple[Ints, int]]
"""A function (what candidates add, allowed, θ of each bee, rules, rng) -> choice of each bee, looks."""


def best_of_tries(gains: Floats, allowed: Bools, goal: Floats, rules: Rules, rng: Generator) -> tuple[Ints, int]:
    """Try candidates until one adds the goal or `tries` were tried; return the best and the looks.

    Where ties go to the first candidate and nothing tried adds anything, the first allowed one is tried too; it is
    taken where nothing reaches the goal, if the rules say so.
    """
    rows = np.arange(len(gains))
    order = tried_order(allowed, rules, rng)
    in_order = np.take_along_axis(gains, order, axis=1)
    possible = np.take_along_axis(allowed, order, axis=1)
    good = in_order >= goal[:, None]
    good_before: Ints = np.cumsum(good, axis=1) - good
    # Tried are the first `tries` candidates, up to the first that is good enough.
    in_turn = possible & (good_before == 0) & (np.arange(order.shape[1]) < rules.tries)
    values = np.where(in_turn, in_order, -np.inf)
    highest, looks = values.max(axis=1), int(in_turn.sum())
    equal = in_turn & (values == highest[:, None])
    choice, first = order[rows, equal.argmax(axis=1)], allowed.argmax(axis=1)
    if rules.first_on_ties:
        choice = np.where(equal, order, gains.shape[1]).min(axis=1)
        extra = (highest <= 0) & ~(in_turn & (order == first[:, None])).any(axis=1)
        choice = np.where(extra & (gains[rows, first] >= highest), first, choice)
        looks += int(extra.sum())
    if rules.first_below_theta:
        choice, looks = np.where(highest < goal, first, choice), looks + int((highest < goal).sum())
    return choice, looks


def tried_order(allowed: Bools, rules: Rules, rng: Generator) -> Ints:
    """Return, for each bee, the candidates in the order in which it tries them, allowed ones first."""
    if rules.drawing == REPLACE:
        weights = np.repeat(allowed, rules.tries, axis=0)
        return roulette_wheel(weights.astype(np.float64), rng.random(len(weights))).reshape(len(allowed), rules.tries)
    # Random keys give each bee a permutation, equal ones the order of the candidates; what is not allowed comes last.
    by = rng.random(allowed.shape) if rules.drawing == RANDOM else np.zeros(allowed.shape)
    return np.argsort(np.where(allowed, by, 2.0), axis=1, kind="stable")


def iterate(problem: Problem, plan: Plan, colony: Colony, rng: Generator, choose: Choose) -> StepResult:
    """Make an iteration: all passes, then the scores of the complete paths; return the best of them.

    The rules may end the search, but not after an iteration without a path.

    Args:
        problem: any problem.
        plan: the order of the stages, the bees' candidates at the hive, the rules.
        colony: the state, which is advanced.
        rng: the run's generator.
        choose: how bees choose among the candidates of a stage.
    """
    X, quality, looks = make_passes(problem, plan, colony, rng, np.full(len(plan.order), -1), choose)
    colony.iterations += 1
    if not len(X):
        return StepResult(None, None, looks)
    scores = evaluate(problem, X)
    best = int(scores.argmax())
    score = float(scores[best])
    at_end = quality <= plan.rules.beta or score - colony.best <= plan.rules.tolerance
    if colony.guide[0] >= 0 and score > colony.best:
        colony.guide = X[best].copy()
    colony.best = max(colony.best, score)
    return StepResult(X[best], score, looks + X.size, done=bool(at_end))


def make_passes(
    problem: Problem, plan: Plan, colony: Colony, rng: Generator, base: Solutions, choose: Choose
) -> Flight:
    """Send the bees through all stages of a plan, in turns of a forward and a backward pass.

    Args:
        problem: any problem.
        plan: the order of the stages, the bees' candidates at the hive, the rules.
        colony: the state.
        rng: the run's generator.
        base: the path of every bee before it leaves the hive: -1 at the stages that are visited.
        choose: how bees choose among the candidates of a stage.
    """
    order, starts, rules = plan
    swarm, looks = Swarm(np.tile(np.asarray(base, np.int64), (len(starts), 1)), np.zeros(len(starts))), 0
    if plan.first:  # a hive: its candidates count as the first visit
        swarm, looks = leave_hive(problem, swarm, int(order[0]), rng.permutation(starts)), len(starts)
    u = 0 if rules.reset_passes else colony.passes
    history = PASSES[colony] = PassHistory(int(order[0]), base, [])
    frames = frames_of(plan, len(base))
    for turn, t in enumerate(range(plan.first, len(order), rules.moves)):
        if not len(swarm.paths):  # all bees met dead ends
            break
        visits = next_visits(order, t, rules.moves)
        swarm, more_looks = forward_pass(problem, swarm, visits, rules, rng, choose, colony.guide)
        u, looks = u + 1, looks + more_looks
        if t + rules.moves < len(order) and len(swarm.paths):
            swarm = backward_pass(swarm, u, rules, rng)
        if turn in frames:
            history.passes.append(swarm)
    colony.passes = u
    if not len(swarm.paths):
        return Flight(swarm.paths, np.inf, looks)
    return Flight(swarm.paths[judge(problem, swarm.paths)], float(swarm.qualities.max()), looks)


def next_visits(order: Ints, t: int, moves: int) -> list[Visit]:
    """Return the visits of one forward pass, which begins at step t.

    >>> [tuple(visit) for visit in next_visits(np.array([4, 7, 2, 5]), 0, 3)]
    [(4, -1), (7, 4), (2, 7)]
    """
    before = np.concatenate([[-1], order])
    return [Visit(int(order[s]), int(before[s])) for s in range(t, min(t + moves, len(order)))]


def leave_hive(problem: Problem, swarm: Swarm, stage: int, starts: Ints) -> Swarm:
    """Place every bee at its candidate of the hive; bees whose candidate is not allowed are left out.

    The candidates come in random order: of equally good bees the first advertises and wins.
    """
    rows = np.arange(len(starts))
    allowed = np.asarray(problem.allowed(swarm.paths, stage), bool)
    gains = added_values(problem, swarm.paths, Visit(stage, -1))[rows, starts]
    swarm.paths[:, stage] = starts
    able = allowed[rows, starts]
    return Swarm(swarm.paths[able], gains[able])


def forward_pass(
    problem: Problem,
    swarm: Swarm,
    visits: list[Visit],
    rules: Rules,
    rng: Generator,
    choose: Choose = best_of_tries,
    guide: Solutions | None = None,
) -> tuple[Swarm, int]:
    """Make the moves of a forward pass: at each stage every bee chooses a candidate, and adds what that adds.

    Args:
        problem: any problem.
        swarm: the bees.
        visits: the stages that they visit.
        rules: the rules of the colony.
        rng: the run's generator.
        choose: how bees choose among the candidates of a stage.
        guide: the candidates of the first bee, by stage, if it may take them; -1: it chooses like the others.

    Returns:
        The bees afterwards, fewer if all of them met dead ends, and the looks.
    """
    looks = 0
    for visit in visits:
        allowed = np.asarray(problem.allowed(swarm.paths, visit.stage), bool)
        bees = len(swarm.paths)
        swarm, allowed = leave_dead_ends(swarm, allowed, rng)
        if not len(swarm.paths):
            return swarm, looks + bees
        gains = added_values(problem, swarm.paths, visit)
        goal: Floats = np.zeros(len(gains))
        if rules.tries:
            goal = rules.theta * assigned_neighbours(problem, swarm.paths, visit.stage)
        choice, more_looks = choose(gains, allowed, goal, rules, rng)
        if guide is not None and guide[visit.stage] >= 0 and allowed[0, guide[visit.stage]]:
            choice[0] = guide[visit.stage]
        paths, looks = swarm.paths.copy(), looks + more_looks
        paths[:, visit.stage] = choice
        swarm = Swarm(paths, swarm.qualities + gains[np.arange(len(choice)), choice])
    return swarm, looks


def leave_dead_ends(swarm: Swarm, allowed: Bools, rng: Generator) -> tuple[Swarm, Bools]:
    """Let every bee without an allowed candidate take over the path of any bee that has one."""
    able = np.flatnonzero(allowed.any(axis=1))
    if len(able) == len(allowed):
        return swarm, allowed
    if not len(able):
        return Swarm(swarm.paths[able], swarm.qualities[able]), allowed[able]
    leaders, at_dead_end = np.arange(len(allowed)), ~allowed.any(axis=1)
    leaders[at_dead_end] = rng.choice(able, int(at_dead_end.sum()))
    return Swarm(swarm.paths[leaders], swarm.qualities[leaders]), allowed[leaders]


def added_values(problem: Problem, paths: Ints, visit: Visit) -> Floats:
    """Return what each candidate would add to each path: the change of score on tables, else its heuristic value."""
    form = problem.structure.pairwise
    if form is not None and not problem.structure.has_heuristic:
        return form.marginals(paths, visit.stage)
    return np.asarray(problem.heuristic_values(paths, visit.stage, visit.last), np.float64)


def assigned_neighbours(problem: Problem, paths: Ints, stage: int) -> Floats:
    """Return the number of assigned neighbours of a stage in each path; 1 where there are none or none are known."""
    form = problem.structure.pairwise
    if form is None or problem.structure.has_heuristic:
        return np.ones(len(paths))
    half = form.half_edges
    neighbours = half.neighbour[half.indptr[stage] : half.indptr[stage + 1]]
    return np.asarray(np.maximum(1.0, (paths[:, neighbours] >= 0).sum(axis=1)))


def backward_pass(swarm: Swarm, passes: int, rules: Rules, rng: Generator) -> Swarm:
    """Let the bees compare their paths: loyal bees keep theirs, the others take over a recruiter's."""
    qualities, bees = swarm.qualities, np.arange(len(swarm.qualities))
    # All three formulas are relative to the bees of this moment: a colony of equals is loyal.
    O = normalised(qualities, qualities.min(), qualities.max(), rules.normalise)  # noqa: E741  (the papers' letter)
    loyal = rng.random(len(bees)) < loyalty(O, O.max(), passes)  # Eq. (2)
    best_first = np.argsort(-qualities, kind="stable")  # sortBees()
    recruiters = best_first[: rules.recruiters] if rules.recruiters else np.flatnonzero(loyal)
    chances = recruiting(O[recruiters], O[recruiters].sum())  # Eq. (3)
    wheel = chances if chances.any() else np.ones(len(recruiters))
    leaders = np.where(loyal, bees, recruiters[roulette_wheel(wheel, rng.random(len(bees)))])
    if rules.in_sequence:
        path_of = bees.copy()  # whose path each bee has, while the bees decide one after the other
        for b in best_first:
            path_of[b] = path_of[leaders[b]]
        leaders = path_of
    return Swarm(swarm.paths[leaders], qualities[leaders] if rules.take_quality else qualities)
