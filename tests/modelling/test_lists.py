"""Models of lists: routes and schedules in a line each, names in answers, wrong rules refused."""

import itertools

import numpy as np
import pytest

import swarmkit
from swarmkit import Model, ProblemError

NAMES = ["depot", "a", "b", "c"]
ARCS = np.array([[0.0, 2, 3, 4], [2, 0, 1, 5], [3, 1, 0, 2], [4, 5, 2, 0]])


def routing(**options):
    model = Model("deliveries")
    routes = model.lists(NAMES, depots=["depot"], **options)
    return model, routes


def test_routes_are_arcs_and_loads():
    model, routes = routing()
    model.minimise(routes.arcs(ARCS))
    model.add(routes.load([0, 2, 2, 2]) <= 4)
    problem = model.problem()
    result = swarmkit.solve(problem, seed=1, looks=5_000)
    assert result.cost == 13  # a and b, and c alone, or a alone, and b and c
    assert sorted(itertools.chain(*routes.read(result.solution))) == ["a", "b", "c"]
    assert {row["item"] for row in result.answer} == set(NAMES)
    assert problem.view().caption == "deliveries"


def test_windows_decide_the_order():
    model, routes = routing(lists=["van"])
    model.minimise(routes.arcs(ARCS))
    model.add(routes.within([[0, 99], [30, 40], [20, 25], [0, 10]]))
    result = swarmkit.solve(model.problem(), seed=1, looks=5_000)
    assert routes.read(result.solution) == [["c", "b", "a"]]
    assert result.answer[0]["route"] == "van"


def test_optional_stops_are_visited_where_prizes_pay():
    model, routes = routing(lists=1, optional=["b", "c"])
    model.minimise(routes.arcs(ARCS) - routes.prizes([0, 0, 3, 1]))
    result = swarmkit.solve(model.problem(), seed=1, looks=50_000)
    assert routes.read(result.solution) == [["a", "b"]] or routes.read(result.solution) == [["b", "a"]]
    assert result.cost == 2 + 1 + 3 - 3


def test_lists_may_start_and_end_at_several_depots():
    model = Model()
    routes = model.lists(NAMES, 2, depots=["depot", "c"], starts=["depot", "c"], ends=["c", None])
    model.minimise(routes.arcs(ARCS))
    shape = model.problem().shape
    assert shape.routes.starts.tolist() == [0, 3]
    assert shape.routes.ends.tolist() == [3, -1]


def test_a_schedule_is_a_makespan_and_precedence_with_names():
    model = Model()
    plan = model.lists(["saw 1", "drill 1", "saw 2"], ["saw", "drill"])
    model.minimise(plan.makespan([3, 2, 1], on=["saw", "drill", ["saw", "drill"]]))
    model.add(plan.after([None, "saw 1", None]))
    result = swarmkit.solve(model.problem(), seed=1, looks=2_000)
    assert result.cost == 5
    assert result.answer[0] == {"machine": "saw", "item": "saw 1", "begins": 0, "ends": 3}


WRONG = {
    "other variables": (lambda m, r: (m.subset(3), m.minimise(r.arcs(ARCS)), m.problem()), "nothing else"),
    "no objective": (lambda m, r: m.problem(), "no objective"),
    "load without a bound": (lambda m, r: m.add(r.load([0, 1, 1, 1])), "compare loads"),
    "arcs with a bound": (lambda m, r: m.add(r.arcs(ARCS) <= 3), "only loads"),
    "twice": (lambda m, r: (m.add(r.load([0, 1, 1, 1]) <= 3), m.add(r.load([0, 1, 1, 1]) <= 4)), "twice"),
    "unknown item": (lambda m, r: r.after([None, "z"]), "no item 'z'"),
    "two lists": (lambda m, r: m.lists(3), "only variable"),
    "amount": (lambda m, r: (m.minimise(r.arcs(ARCS)), m.add(r.load([0, 9, 1, 1]) <= 4), m.problem()), "'a'.*exceeds"),
}


@pytest.mark.parametrize("case", WRONG)
def test_what_lists_cannot_be_is_refused_in_a_sentence(case):
    write, message = WRONG[case]
    with pytest.raises(ProblemError, match=message):
        write(*routing())
