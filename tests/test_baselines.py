"""Baselines that build solutions and never improve one."""

import numpy as np
import pytest

import swarmkit
from swarmkit import Left
from swarmkit.testing.families import Bounded, Shape, random_form


def test_one_random_draw_is_the_random_baseline():
    problem = swarmkit.make_problem("synthetic", n=40, seed=1)
    result = swarmkit.solve(problem, "random", seed=3, params={"draws": 1})
    assert (result.looks, result.iterations, result.stopped) == (40, 1, "done")
    assert result.solution != swarmkit.solve(problem, "random", seed=4, params={"draws": 1}).solution


def test_more_draws_than_a_step_holds_are_all_made_and_no_more():
    result = swarmkit.solve("synthetic", "random", params={"draws": 123_456}, looks=10**9)
    assert (result.iterations, result.stopped) == (123_456, "done")
    assert result.steps > 1


@pytest.mark.parametrize("solver", ["random", "exhaustive"])
def test_a_step_takes_one_solution_if_no_more_is_left(solver):
    problem = Bounded(random_form(Shape(5, 4, 2, "floats", 1)))
    made, rng = swarmkit.make_solver(solver), np.random.default_rng(1)
    state = made.start(problem, rng)
    for left, count in ((Left(looks=1), 1), (Left(looks=11), 3), (Left(evaluations=2), 2), (Left(iterations=4), 4)):
        found = made.step(problem, state, rng, left)
        assert (found.looks, found.iterations) == (5 * count, count)


def test_draws_that_fail_are_paid_for():
    class Impossible(Bounded):
        def feasible(self, X):
            return np.zeros(len(X), bool)

        def allowed(self, X, stage):
            return np.ones((len(X), self.sizes[stage]), bool)

    result = swarmkit.solve(Impossible(random_form(Shape(5, 4, 2, "floats", 1))), "random", seed=1, looks=1001)
    assert (result.solution, result.looks, result.evaluations) == (None, 1005, 0)


def test_random_solutions_are_the_same_wherever_a_run_is_cut():
    problem = Bounded(random_form(Shape(5, 4, 2, "floats", 1)))
    short, long = (swarmkit.solve(problem, "random", seed=3, looks=looks) for looks in (777, 7_777))
    assert [score for looks, score in zip(long.trace.looks, long.trace.score, strict=True) if looks < 700] == [
        score for looks, score in zip(short.trace.looks, short.trace.score, strict=True) if looks < 700
    ]
