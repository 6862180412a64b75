"""Ruin and recreate: the kernels keep what plain code computes, and the search ends at the optimum of small routes."""

import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import swarmkit
from swarmkit import ListProblem, Lists
from swarmkit.contract.problem_view import problem_view
from swarmkit.kernels import routes as kernels
from swarmkit.search.route_network import network_of
from swarmkit.search.route_search import make_workspace
from swarmkit.testing import check_solver
from swarmkit.testing.families import random_routes
from swarmkit_lns.lns import Lns

seeds = st.integers(0, 2**32 - 1)


def started(shape, seed=1):
    problem, solver = problem_view(ListProblem(shape)), Lns()
    solver.prepare(problem)
    return solver.start(problem, np.random.default_rng(seed))


def current_lists(state):
    n, k = len(state.list_of), len(state.loads)
    lists = []
    for r in range(k):
        items, i = [], state.following[n + r]
        while i != n + k + r:
            items.append(int(i))
            i = state.following[i]
        lists.append(items)
    return lists


def plain_cost(shape, lists, net):
    """The cost with what absent items add, as the kernels count it."""
    absent = set(range(shape.items)) - set(itertools.chain(*lists))
    visited = sum(float(shape.routes.prizes[shape.routes.nodes[item]]) for items in lists for item in items)
    return shape.routes.cost(lists) + visited + sum(float(net.prizes[item]) for item in absent)


@settings(deadline=None)
@given(seeds, st.integers(1, 12))
def test_after_any_iterations_costs_loads_and_times_are_those_of_plain_code(seed, n):
    shape = random_routes(seed, n)
    state, net = started(shape, seed), network_of(shape)
    for _ in range(3):
        kernels.iterate(net, state, make_workspace(state), 1.0, 0.1, 7)
        lists = current_lists(state)
        assert state.costs[kernels.CURRENT] == pytest.approx(plain_cost(shape, lists, net))
        assert state.counters[kernels.USED] == sum(map(bool, lists))
        for r, items in enumerate(lists):
            assert all(state.list_of[item] == r for item in items)
            assert state.loads[r] == pytest.approx(sum(net.amounts[items]))
            assert state.loads[r] <= net.capacities[r]
            if shape.routes.timed and items:
                k = shape.count
                numbers = [shape.items + r, *items, shape.items + k + r]
                assert np.allclose(state.begin[numbers], shape.routes.times(r, items))
                assert (state.begin[numbers] <= state.latest[numbers] + 1e-9).all()


@settings(deadline=None)
@given(seeds, st.integers(1, 12), st.integers(1, 40))
def test_one_call_of_many_iterations_is_many_calls_of_one(seed, n, count):
    shape = random_routes(seed, n)
    net, one, many = network_of(shape), started(shape, seed), started(shape, seed)
    many_looks = kernels.iterate(net, many, make_workspace(many), 1.0, 0.1, count)
    looks = sum(kernels.iterate(net, one, make_workspace(one), 1.0, 0.1, 1) for _ in range(count))
    assert looks == many_looks
    assert all(np.array_equal(a, b) for a, b in zip(one, many, strict=True))


def optimum(shape):
    X = np.array(list(itertools.permutations(range(len(shape.sizes)))))
    X = X[shape.feasible(X)]
    return shape.costs(X).min() if len(X) else None


@settings(deadline=None, max_examples=10)
@given(seeds)
def test_small_routes_are_solved(seed):
    shape = random_routes(seed, 1 + seed % 4)
    best = optimum(shape) if len(shape.sizes) <= 7 else None
    if best is not None:
        result = swarmkit.solve(ListProblem(shape), "lns", seed=1, looks=30_000)
        assert result.cost == pytest.approx(best)


def test_points_and_their_matrix_have_one_answer():
    points = np.random.default_rng(0).integers(0, 100, (41, 2)).astype(float)
    amount = np.r_[0, np.random.default_rng(1).integers(1, 10, 40)]
    arcs = np.floor(np.linalg.norm(points[:, None] - points[None], axis=2) + 0.5)
    by_points = Lists(points=points, metric="rounded", amount=amount, capacity=30)
    by_matrix = Lists(arcs=arcs, amount=amount, capacity=30)
    costs = [swarmkit.solve(ListProblem(shape), "lns", seed=1, looks=200_000).cost for shape in (by_points, by_matrix)]
    assert costs[0] == pytest.approx(costs[1], rel=0.02)


def test_old_routes_with_a_new_stop_are_no_bad_start():
    points = np.random.default_rng(0).random((61, 2)) * 100
    amount = np.r_[0, np.random.default_rng(1).integers(1, 10, 60)]
    old = Lists(points=points[:-1], amount=amount[:-1], capacity=40)
    plan = swarmkit.solve(ListProblem(old), "lns", seed=1, looks=2_000_000)
    new = ListProblem(Lists(points=points, amount=amount, capacity=40, count=old.count + 1))
    start = new.shape.encode(old.lists(np.array(plan.solution)))
    first = float(new.score(start[None])[0])
    result = swarmkit.solve(new, "lns", seed=1, looks=60_000, start=[start.tolist()])
    assert result.cost <= first
    assert result.cost < plan.cost * 1.05 + 10


def test_the_kit_accepts_the_solver():
    check_solver(swarmkit.make_solver("lns"), examples=2)
