"""Items in ordered lists: encoding, the rules of routes and schedules, and data that are refused by name."""

import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import swarmkit
from swarmkit import ListProblem, Lists, ProblemError
from swarmkit.testing.families import random_routes, random_schedule

seeds = st.integers(0, 2**32 - 1)


def fits(routes, r, items):
    """Whether a list keeps its capacity and all windows, its end included."""
    path = routes.path(r, items)
    latest = [np.inf if node < 0 else routes.windows[node, 1] for node in path]
    in_time = (routes.times(r, items) <= np.array(latest) + 1e-9).all()
    return in_time and routes.amounts[path[1:-1]].sum() <= routes.capacities[r]


def permutation(shape, seed):
    return np.random.default_rng(seed).permutation(len(shape.sizes))


@given(st.integers(0, 6), st.integers(1, 4), st.booleans(), seeds)
def test_lists_become_a_solution_and_lists_again(n, k, optional, seed):
    shape = Lists(items=n, count=k, optional=optional)
    lists, left_out = shape.decode(permutation(shape, seed))
    assert sorted(sum(lists, left_out)) == list(range(n))
    assert len(lists) == k
    x = shape.encode(lists)
    assert sorted(x) == list(range(len(shape.sizes)))
    assert shape.decode(x) == (lists, sorted(left_out))


def test_items_that_are_missing_go_to_the_last_list_or_are_left_out():
    assert Lists(items=3, count=2).lists(Lists(items=3, count=2).encode([[2]])) == [[2], [0, 1]]
    shape = Lists(items=3, count=2, optional=True)
    assert shape.decode(shape.encode([[2]])) == ([[2], []], [0, 1])


def test_lists_with_an_item_twice_are_refused():
    with pytest.raises(ProblemError, match="each once"):
        Lists(items=3, count=2).encode([[0, 0]])


@given(seeds)
def test_routes_keep_capacities_and_windows_whatever_the_permutation(seed):
    shape = random_routes(seed)
    lists, left_out = shape.decode(permutation(shape, seed))
    assert sorted(sum(lists, left_out)) == list(range(shape.items))
    assert all(fits(shape.routes, r, items) for r, items in enumerate(lists))
    for item in left_out:
        appended = any(fits(shape.routes, r, [*items, item]) for r, items in enumerate(lists))
        assert not shape.required[item] or not appended
    # What keeps the rules is taken as it stands.
    again = shape.decode(shape.encode(lists))
    assert again[0] == lists or left_out


@given(seeds)
def test_the_cost_of_routes_is_the_sum_of_their_arcs_without_the_prizes(seed):
    shape = random_routes(seed)
    x, routes = permutation(shape, seed), shape.routes
    total = 0.0
    for r, items in enumerate(shape.lists(x)):
        path = [routes.starts[r], *routes.nodes[items], routes.ends[r]] if items else []
        total += sum(float(routes.arcs(a, b)) for a, b in itertools.pairwise(path))
        total -= sum(routes.prizes[node] for node in path[1:-1])
    assert shape.costs(x[None])[0] == pytest.approx(total)


@given(seeds)
def test_a_schedule_keeps_precedence_and_machines_whatever_the_permutation(seed):
    shape = random_schedule(seed)
    schedule = shape.schedule
    plan = schedule.plan([part.tolist() for part in shape.segments(permutation(shape, seed))])
    assert sorted(itertools.chain(*plan.lists)) == list(range(shape.items))
    assert all(plan.end[before] <= plan.begin[later] for before, later in schedule.edges)
    for r, items in enumerate(plan.lists):
        assert all(plan.end[i] <= plan.begin[j] for i, j in itertools.pairwise(items))
        assert np.allclose(plan.end[items] - plan.begin[items], schedule.durations[items, r])
    # An order without contradiction is kept, and nothing could begin earlier.
    again = schedule.plan(plan.lists)
    assert again.lists == plan.lists
    assert np.array_equal(again.begin, plan.begin)


SQUARE = np.array([[0.0, 2, 3], [2, 0, 1], [3, 1, 0]])

BAD = {
    "square": ({"arcs": SQUARE[:2]}, "square matrix"),
    "amount": ({"arcs": SQUARE, "amount": [0, 1, 9], "capacity": 5, "names": ["d", "a", "b"]}, "'b'.*exceeds every"),
    "window": ({"arcs": SQUARE, "windows": [[0, 9], [0, 9], [0, 2]], "names": ["d", "a", "b"]}, "'b'.*cannot be met"),
    "return": ({"arcs": SQUARE, "windows": [[0, 5], [0, 5], [0, 5]], "names": ["d", "a", "b"]}, "'b'.*cannot be met"),
    "reversed": ({"arcs": SQUARE, "windows": [[0, 9], [5, 4], [0, 9]]}, "'1'.*begins at 5"),
    "service": ({"arcs": SQUARE, "service": [0, -1, 0]}, "'1'.*service is -1"),
    "times": ({"arcs": -SQUARE, "windows": np.full((3, 2), [0, 9])}, "negative time"),
    "depots": ({"arcs": SQUARE, "depots": [0, 1]}, "several depots"),
    "fleet": ({"arcs": SQUARE, "amount": [0, 4, 4], "capacity": 5, "count": 1}, "amount to 8.*sum to 5"),
    "words": ({"arcs": SQUARE, "amount": ["a", "b", "c"]}, "amount: expected a number for each of 3 nodes"),
    "pace": ({"arcs": SQUARE, "windows": np.full((3, 2), [0, 9]), "pace": -1}, "pace is -1"),
    "cycle": ({"duration": [1, 1, 1], "after": [2, 0, 1], "names": "abc"}, "'a'.*cycle of precedence"),
    "duration": ({"duration": [1, -1], "home": [0, 0], "names": "ab"}, "'b'.*negative"),
    "machine": ({"duration": [1, 1], "home": [0, 5], "count": 2, "names": "ab"}, "'b'.*machines are 0 to 1"),
    "after": ({"duration": [1, 1], "after": [None, 7], "names": "ab"}, "'b'.*after item 7"),
}


@pytest.mark.parametrize("case", BAD)
def test_data_that_no_solution_can_keep_are_refused_by_name(case):
    data, message = BAD[case]
    with pytest.raises(ProblemError, match=message):
        Lists(**data)


def test_rows_of_an_answer_have_loads_and_times():
    windows = [[0, 100], [20, 40], [0, 90]]
    shape = Lists(arcs=SQUARE, amount=[0, 2, 3], capacity=5, windows=windows, names=["depot", "a", "b"])
    rows = ListProblem(shape).describe(shape.encode([[0, 1]]))
    assert [row["item"] for row in rows] == ["depot", "a", "b", "depot"]
    assert [row["load"] for row in rows] == [0, 2, 5, 5]
    assert [row["time"] for row in rows] == [0, 20, 21, 24]
    assert rows[-1]["length"] == 6


def test_rows_of_a_schedule_say_when_each_item_begins_and_ends():
    shape = Lists(home=[0, 1, 0], duration=[3, 2, 1], after=[None, 0, None], list_names=["saw", "drill"])
    rows = ListProblem(shape).describe(shape.encode([[0, 2], [1]]))
    assert rows[-1] == {"machine": "drill", "item": "1", "begins": 3, "ends": 5}


@pytest.mark.parametrize("solver", ["sa", "ils", "ga"])
@pytest.mark.parametrize("make", [random_routes, random_schedule])
def test_solvers_that_know_nothing_of_lists_solve_them(solver, make):
    problem = ListProblem(make(3))
    result = swarmkit.solve(problem, solver, seed=1, looks=20_000)
    assert problem.feasible(np.array([result.solution]))[0]
    assert result.cost == pytest.approx(float(problem.shape.costs(np.array([result.solution]))[0]))


def test_an_own_score_reads_the_lists():
    class Balance(ListProblem):
        """Lists of equal sums."""

        def score(self, X):
            return [float(np.ptp([sum(items) for items in self.shape.lists(x)])) for x in X]

    result = swarmkit.solve(Balance(Lists(items=6, count=3)), "ils", seed=1, looks=20_000)
    assert result.cost == 0.0
