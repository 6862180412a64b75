"""Ants that build solutions stage by stage, against the marginal scores of the tables; and by asking the problem."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import swarmkit
from swarmkit import Left, Problem
from swarmkit.kernels import rng
from swarmkit.search import rng_state, roulette_wheel
from swarmkit.testing.families import BlackBox, Bounded, Shape, random_form, shapes
from swarmkit_ants.asked_batch import AskedBatch, visibility
from swarmkit_ants.compiled_batch import CompiledBatch
from swarmkit_ants.stage_task import Task

seeds = st.integers(0, 2**32 - 1)


def task_of(problem, seed=1, scoring=True, beta=2.0):
    """What ants on stages work on."""
    generator = np.random.default_rng(seed)
    offsets = np.concatenate([[0], np.cumsum(problem.sizes)])
    return Task(problem, offsets, beta, scoring, generator, rng_state(np.random.default_rng(seed)))


def build_all(batch, task, strength, looks):
    """The solutions of an iteration, their scores, and the looks; the ants pause after some looks each time."""
    used = 0
    while not batch.finished(task):
        used += batch.go_on(task, strength, Left(looks))
    return batch.X.copy(), batch.scores.copy(), used


def random_strength(problem, seed):
    return np.random.default_rng(seed).random(int(np.sum(problem.sizes))) + 0.1


@given(shapes(), st.booleans(), seeds, st.sampled_from([0.5, 1.0, 2.0]), st.sampled_from([1, 30, 10**6]))
def test_solutions_are_built_as_plainly_told(shape, distinct, seed, beta, looks):
    problem = swarmkit.PairwiseProblem(random_form(shape, distinct=distinct, shared=distinct))
    form, n = problem.form, shape.n
    strength, task = random_strength(problem, seed), task_of(problem, seed, beta=beta)
    plain = task.rng_state.copy()
    X, scores, used = build_all(CompiledBatch.of(problem, 2), task, strength, looks)
    built, first = np.full((2, n), -1), int(rng.below(plain, n))
    for stage in np.roll(np.arange(n), -first):
        eta = visibility(form.marginals(built, int(stage)))
        weights = task.slots_of(strength, stage) * eta**beta * problem.allowed(built, stage)
        built[:, stage] = roulette_wheel(weights, np.array([rng.uniform(plain), rng.uniform(plain)]))
    assert built.tolist() == X.tolist()
    assert np.allclose(scores, form.score(X))
    assert used == 2 * form.sizes.sum()
    assert (plain == task.rng_state).all()


@given(shapes(), st.booleans(), seeds)
def test_where_nothing_but_the_score_is_known_ants_follow_the_pheromone_alone(shape, distinct, seed):
    form = random_form(shape, distinct=distinct)
    problem, strength = BlackBox(form), random_strength(BlackBox(form), seed)
    X, scores, looks = build_all(CompiledBatch.of(problem, 3), task_of(problem, seed), strength, 10**6)
    without = swarmkit.PairwiseProblem(swarmkit.Pairwise.of(form.sizes, distinct=distinct))
    assert (build_all(CompiledBatch.of(without, 3), task_of(without, seed), strength, 10**6)[0] == X).all()
    assert np.allclose(scores, form.score(X))
    assert looks == X.size


@pytest.mark.parametrize("batch", [CompiledBatch, AskedBatch])
def test_solutions_that_are_to_climb_are_not_scored_before(batch):
    problem = BlackBox(random_form(Shape(9, 4, 2, "floats", 1)))
    X, scores, _ = build_all(batch.of(problem, 5), task_of(problem, scoring=False), random_strength(problem, 1), 10**6)
    assert (X >= 0).all()
    assert (scores == -np.inf).all()
    assert problem.evaluations == 0


def test_no_more_solutions_are_scored_than_asked():
    problem = BlackBox(random_form(Shape(9, 4, 2, "floats", 1)))
    batch, task = CompiledBatch.of(problem, 25), task_of(problem)
    for rows in (3, 4, 1):
        before = problem.evaluations
        assert batch.go_on(task, random_strength(problem, 1), Left(10**6, evaluations=rows)) == 9 * rows
        assert problem.evaluations - before == rows


@given(shapes(), seeds, st.sampled_from([1, 30]))
def test_asked_ants_build_the_same_wherever_they_pause(shape, seed, looks):
    problem = Bounded(random_form(shape))
    strength = random_strength(problem, seed)
    whole, paused = (
        build_all(AskedBatch.of(problem, 4), task_of(problem, seed), strength, each) for each in (10**6, looks)
    )
    assert (whole[0] == paused[0]).all()
    assert np.allclose(whole[1], paused[1])
    assert whole[2] == paused[2]
    assert swarmkit.judge(problem, whole[0]).all()


class Fair(Problem):
    """Coins of which exactly half show heads: most ants end in a dead end, because `allowed` does not say so before."""

    sizes = (2,) * 6

    def score(self, X):
        return X[:, 0].astype(float)

    def feasible(self, X):
        return X.sum(axis=1) == 3


class Impossible(Fair):
    """Coins that may never lie as they lie."""

    def feasible(self, X):
        return np.zeros(len(X), bool)


def test_a_problem_without_solutions_costs_looks_and_is_given_up():
    problem = Impossible()
    found = swarmkit.make_solver("tsp-aco")
    state = found.start(problem, np.random.default_rng(1))
    made = found.step(problem, state, np.random.default_rng(1), Left(5_000))
    assert made.solution is None
    assert 5_000 <= made.looks < 5_100
    assert made.iterations > 0


def test_a_first_ant_goes_ahead_of_the_others():
    problem = Bounded(random_form(Shape(9, 4, 2, "floats", 1)))
    batch, task = AskedBatch.of(problem, 25), task_of(problem)
    while not problem.evaluations:
        batch.go_on(task, random_strength(problem, 1), Left(1))
    assert len(batch.X) == len(batch.known[1]) == 1
    build_all(batch, task, random_strength(problem, 1), 1)
    assert len(batch.X) == 25


def test_ants_that_end_in_a_dead_end_begin_again():
    problem = Fair()
    batch = AskedBatch.of(problem, 25)
    X, scores, _ = build_all(batch, task_of(problem), np.ones(12), 1)
    assert (X.sum(axis=1) == 3).all()
    assert batch.attempts > 1
    assert (scores == X[:, 0]).all()
