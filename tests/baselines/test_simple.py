"""Baselines that build solutions and never improve one."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import swarmkit
from swarmkit.testing.families import Bounded, Shape, random_form
from swarmkit_baselines.exhaustive import shuffled


def test_one_random_draw_is_the_random_baseline():
    problem = swarmkit.make_problem("synthetic", n=40, seed=1)
    result = swarmkit.solve(problem, "random", seed=3, params={"draws": 1})
    assert (result.looks, result.iterations, result.stopped) == (40, 1, "done")
    assert result.solution != swarmkit.solve(problem, "random", seed=4, params={"draws": 1}).solution


def test_more_draws_than_a_step_holds_are_all_made_and_no_more():
    result = swarmkit.solve("synthetic", "random", params={"draws": 123_456}, looks=10**9)
    assert (result.looks, result.stopped) == (123_456 * 30, "done")
    assert result.steps == result.iterations > 1


@pytest.mark.parametrize(("n", "rows"), [(5, 64), (100, 20), (3000, 1)])
def test_a_step_scores_a_batch_that_is_small_where_solutions_are_long(n, rows):
    problem = Bounded(random_form(Shape(n, 2, 1, "floats", 1)))
    solver, rng = swarmkit.make_solver("random"), np.random.default_rng(1)
    result = solver.step(problem, solver.start(problem, rng), rng)
    assert (result.looks, result.iterations) == (n * rows, 1)


def test_draws_that_fail_are_paid_for():
    class Impossible(Bounded):
        def feasible(self, X):
            return np.zeros(len(X), bool)

        def allowed(self, X, stage):
            return np.ones((len(X), self.sizes[stage]), bool)

    result = swarmkit.solve(Impossible(random_form(Shape(5, 4, 2, "floats", 1))), "random", seed=1, looks=1001)
    assert (result.solution, result.looks, result.evaluations) == (None, 960, 0)  # three batches of 64


def test_random_solutions_are_the_same_wherever_a_run_is_cut():
    problem = Bounded(random_form(Shape(5, 4, 2, "floats", 1)))
    short, long = (swarmkit.solve(problem, "random", seed=3, looks=looks) for looks in (777, 7_777))
    assert [score for looks, score in zip(long.trace.looks, long.trace.score, strict=True) if looks < 700] == [
        score for looks, score in zip(short.trace.looks, short.trace.score, strict=True) if looks < 700
    ]


@given(st.integers(2, 3000), st.integers(0, 99))
def test_the_order_of_an_enumeration_is_a_permutation(total, seed):
    keys = np.random.default_rng(seed).integers(0, 2**64, size=4, dtype=np.uint64)
    order = shuffled(np.arange(total), total, keys)
    assert np.sort(order).tolist() == list(range(total))
    assert shuffled(np.arange(1, total), total, keys).tolist() == order[1:].tolist()  # in pieces as at once


def test_an_enumeration_that_is_cut_is_a_random_sample_without_repetition():
    class Number(swarmkit.Problem):
        sizes, rows = (2,) * 14, []

        def score(self, X):
            self.rows.extend(X.tolist())
            return X @ 2.0 ** np.arange(14)

    result = swarmkit.solve(Number(), "exhaustive", seed=1, evaluations=500)
    seen = np.array(Number.rows[result.setup_evaluations :][:500])
    assert result.evaluations == 500
    assert len(np.unique(seen, axis=0)) == 500
    assert (abs(seen.mean(axis=0) - 0.5) < 0.1).all()
