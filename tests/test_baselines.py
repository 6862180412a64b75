"""Baselines that build solutions and never improve one."""

import swarmkit


def test_one_random_draw_is_the_random_baseline():
    problem = swarmkit.make_problem("synthetic", n=40, seed=1)
    result = swarmkit.solve(problem, "random", seed=3, params={"draws": 1})
    assert (result.looks, result.iterations, result.stopped) == (40, 1, "done")
    assert result.solution != swarmkit.solve(problem, "random", seed=4, params={"draws": 1}).solution


def test_more_draws_than_a_step_holds_are_all_made_and_no_more():
    result = swarmkit.solve("synthetic", "random", params={"draws": 123_456}, looks=10**9)
    assert (result.iterations, result.stopped) == (123_456, "done")
    assert result.steps > 1
