"""Tabu search on schedules: the kernels keep what plain code computes, and small schedules end at their optimum."""

import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import swarmkit
from swarmkit import ListProblem, Lists
from swarmkit.contract.problem_view import problem_view
from swarmkit.testing.families import random_schedule
from swarmkit_lns.kernels import shop as kernels
from swarmkit_lns.shop_tabu import ShopTabu, dispatch, make_workspace, rules_of

seeds = st.integers(0, 2**32 - 1)


def started(shape, seed=1):
    problem, solver = problem_view(ListProblem(shape)), ShopTabu()
    solver.prepare(problem)
    return solver.start(problem, np.random.default_rng(seed))


def current_lists(state):
    return [state.lists[machine, :count].tolist() for machine, count in enumerate(state.counts)]


def flexible(shape):
    return bool((shape.schedule.able.sum(axis=1) > 1).any())


@settings(deadline=None)
@given(seeds, st.integers(1, 12))
def test_after_any_iterations_heads_and_tails_are_those_of_the_plan(seed, n):
    shape = random_schedule(seed, n)
    state = started(shape, seed)
    for _ in range(3):
        _, _, optimal = kernels.iterate(rules_of(shape), state, make_workspace(state), flexible(shape), 5)
        lists = current_lists(state)
        plan = shape.schedule.plan(lists)
        assert plan.lists == lists  # no order contradicts another
        assert np.allclose(state.heads, plan.begin)
        assert state.costs[kernels.CURRENT] == pytest.approx(plan.end.max())
        # What follows an item never takes it beyond the makespan, and something does so exactly.
        through = state.heads + state.times + state.tails
        assert through.max() == pytest.approx(plan.end.max())
        if optimal:
            break


@settings(deadline=None)
@given(seeds, st.integers(1, 12), st.integers(1, 30))
def test_one_call_of_many_iterations_is_many_calls_of_one(seed, n, count):
    shape = random_schedule(seed, n)
    one, many, rules = started(shape, seed), started(shape, seed), rules_of(shape)
    looks, made, optimal = kernels.iterate(rules, many, make_workspace(many), flexible(shape), count)
    calls = [kernels.iterate(rules, one, make_workspace(one), flexible(shape), 1) for _ in range(made)]
    assert (sum(call[0] for call in calls), calls[-1][2]) == (looks, optimal)
    assert all(np.array_equal(a, b) for a, b in zip(one, many, strict=True))


@settings(deadline=None, max_examples=15)
@given(seeds)
def test_small_schedules_are_solved(seed):
    shape = random_schedule(seed, 1 + seed % 4)
    if len(shape.sizes) <= 6:
        X = np.array(list(itertools.permutations(range(len(shape.sizes)))))
        result = swarmkit.solve(ListProblem(shape), "shop-tabu", seed=1, looks=5_000)
        assert result.cost == pytest.approx(shape.costs(X).min())


@given(seeds, st.integers(1, 12))
def test_the_dispatching_rule_schedules_every_item_where_it_can_be_done(seed, n):
    shape = random_schedule(seed, n)
    lists = dispatch(shape, np.random.default_rng(seed))
    assert shape.schedule.plan(lists).lists == lists
    assert sorted(itertools.chain(*lists)) == list(range(n))


def test_an_operation_that_may_choose_takes_the_machine_that_is_free():
    # Two long items and one machine beside them that is slower: one of them goes there.
    shape = Lists(home=[[0, 1], [0, 1]], duration=[[10, 12], [10, 12]])
    assert swarmkit.solve(ListProblem(shape), "shop-tabu", seed=1, looks=100).cost == 12


def test_auto_takes_it_on_schedules():
    result = swarmkit.solve(swarmkit.make_problem("jobshop", jobs=6, machines=5), seed=1, looks=20_000)
    assert [chosen.solver for chosen in result.explanation.solvers] == ["shop-tabu"]
