"""Baselines that build solutions and never improve one."""

import numpy as np
import pytest

import swarmkit
from swarmkit.testing.families import Bounded, Shape, random_form


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
