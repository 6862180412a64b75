"""Bees on routes: they rebuild strings, compare what their routes cost, and end after their iterations."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import swarmkit
from swarmkit import ListProblem
from swarmkit.contract.problem_view import problem_view
from swarmkit.search import RouteSearch
from swarmkit.testing.families import random_routes
from swarmkit_bees.dbees import DBees

seeds = st.integers(0, 2**32 - 1)


def colony(shape, seed=1, **params):
    problem, solver = problem_view(ListProblem(shape)), DBees(**params)
    solver.prepare(problem)
    rng = np.random.default_rng(seed)
    return problem, solver, solver.start(problem, rng), rng


def plain_cost(problem, search, bee):
    """The cost of a bee's routes, without what absent items add."""
    absent = np.flatnonzero(bee.list_of < 0)
    routes = problem.structure.lists.routes
    order = [part.tolist() for part in problem.structure.lists.segments(search.current(bee))]
    lists = [[item for item in part if item not in absent] for part in order[: problem.structure.lists.count]]
    visited = sum(float(routes.prizes[routes.nodes[item]]) for items in lists for item in items)
    return routes.cost(lists) + visited + float(search.net.prizes[absent].sum())


@settings(deadline=None, max_examples=25)
@given(seeds, st.integers(2, 12))
def test_after_any_passes_each_bee_knows_what_its_routes_cost(seed, n):
    problem, solver, state, rng = colony(random_routes(seed, n), seed, bees=4)
    search = RouteSearch(problem)
    solver.steps(problem, state, rng, 9)
    for bee in state.search.bees:
        assert search.cost(bee) == pytest.approx(plain_cost(problem, search, bee))
    assert len({search.best_cost(bee) for bee in state.search.bees}) <= 1 + state.search.turn


def test_what_a_follower_has_taken_over_is_its_own():
    problem, _, state, _ = colony(random_routes(5, 12), bees=3)
    search, (first, second, _) = RouteSearch(problem), state.search.bees
    search.ruin_and_recreate(first, 2)
    search.take_current(second, first)
    before = search.current(first).copy()
    search.ruin_and_recreate(second, 3)
    assert np.array_equal(search.current(first), before)
    assert not np.array_equal(first.rng_state, second.rng_state)


@settings(deadline=None, max_examples=10)
@given(seeds, st.integers(2, 10))
def test_steps_made_at_once_are_single_steps(seed, n):
    problem, solver, once, rng = colony(random_routes(seed, n), seed, bees=3)
    *_, singly, single_rng = colony(random_routes(seed, n), seed, bees=3)
    solver.steps(problem, once, rng, 8)
    for _ in range(8):
        solver.step(problem, singly, single_rng)
    for one, other in zip(once.search.bees, singly.search.bees, strict=True):
        assert all(np.array_equal(a, b) for a, b in zip(one, other, strict=True))


def test_the_search_ends_after_its_iterations_each_longer_than_the_one_before():
    problem = swarmkit.make_problem("cvrp", n=12, seed=1)
    runs = [swarmkit.solve(problem, "dbees", seed=1, params={"iterations": k}, looks=10**8) for k in (4, 6, 8)]
    looks = [run.looks for run in runs]
    assert looks[2] - looks[1] > 1.5 * (looks[1] - looks[0]) > 0


@pytest.mark.parametrize("windows", [False, True])
def test_bees_find_about_what_one_search_finds(windows):
    problem = swarmkit.make_problem("cvrp", n=40, seed=2, windows=windows)
    bees, lns = (swarmkit.solve(problem, solver, seed=1, looks=6_000_000).cost for solver in ("dbees", "lns"))
    assert bees <= 1.01 * lns


def test_the_paper_and_whole_paths_build_stage_by_stage():
    for params in ({"preset": "paper"}, {"segment": None}):
        _, _, state, _ = colony(random_routes(1, 6), **params)
        assert state.search is None or not state.search.bees


def test_bees_go_on_from_given_routes():
    problem = swarmkit.make_problem("cvrp", n=30, seed=3)
    good = swarmkit.solve(problem, "lns", seed=1, looks=2_000_000)
    result = swarmkit.solve(problem, "dbees", seed=2, looks=100_000, start=[good.solution])
    assert result.cost <= good.cost
