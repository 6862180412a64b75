import importlib.util

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import swarmkit
from swarmkit import known_bound, make_problem, solve
from swarmkit.testing.families import FAMILIES, Shape, random_form, shapes
from swarmkit_exact.toulbar2 import as_costs


@settings(deadline=None)
@given(shapes(), st.integers(0, 2**32 - 1))
def test_costs_are_what_is_lost_against_the_best(shape, seed):
    form = random_form(shape)
    network = as_costs(form)
    x = np.random.default_rng(seed).integers(form.sizes)
    cost = 0
    for scope, costs in network.functions:
        cost += costs[x[scope[0]] if len(scope) == 1 else x[scope[0]] * form.sizes[scope[1]] + x[scope[1]]]
    assert network.score(cost) == pytest.approx(form.score(x[None])[0])
    assert min(min(costs) for _, costs in network.functions) >= 0


@pytest.mark.parametrize("values", ["floats", "ties", "signs", "zeros"])
def test_toulbar2_finds_and_proves_the_optimum(values):
    problem = FAMILIES[0].make(Shape(5, 4, 3, values, 7))
    result = solve(problem, "toulbar2")
    assert result.score == pytest.approx(solve(problem, "exhaustive").score)
    assert result.bound == result.score


def test_without_time_for_a_proof_there_is_a_bound():
    problem = make_problem("synthetic", n=60, window=30)
    result = solve(problem, "toulbar2", params={"seconds": 1})
    assert result.bound > result.score
    assert result.bound > solve(problem, "icm", looks=10**5).score


def test_a_process_that_hangs_is_ended(monkeypatch):
    from swarmkit_exact import toulbar2

    monkeypatch.setattr(toulbar2, "GRACE", -0.99)
    result = solve(make_problem("synthetic", n=50), "toulbar2", params={"seconds": 1})
    assert (result.solution, result.bound, result.stopped) == (None, None, "done")


def test_without_the_extra_it_is_said_how_to_get_it(monkeypatch, cli):
    find = importlib.util.find_spec
    monkeypatch.setattr(
        importlib.util, "find_spec", lambda name, *rest: None if "toulbar" in name else find(name, *rest)
    )
    with pytest.raises(swarmkit.MissingError, match=r"pip install 'pyswarmkit\[exact\]'"):
        solve("synthetic", "toulbar2")
    assert cli("solve", "-p", "synthetic", "-a", "toulbar2").code == 3
    said = known_bound(make_problem("synthetic", n=40, window=3))
    assert "not installed" in said.reasons["toulbar2"]


def test_the_gap_of_a_pairwise_problem_is_to_toulbar2s_optimum():
    problem = make_problem("synthetic", n=40, window=2)
    known = known_bound(problem)
    assert (known.by, known.optimum) == ("toulbar2", True)
    assert known.value >= solve(problem, "icm", looks=10**5).score
